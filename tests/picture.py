"""Keep a picture of the page of 200 hits: python tests/picture.py docs/page.png."""

import sys
import tempfile
from pathlib import Path

import desk
from browser import Browser


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Browser(Path(folder, "profile")) as browser:
        page = Path(folder, "page.html")
        page.write_text(desk.context().to_html(), encoding="utf-8")
        browser.open(page, width=1440, height=900)
        browser.value("document.querySelector('details').open = true")
        browser.picture(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
