"""Keep pictures of the page of 200 hits, and of the page with the slider over budgets.

python tests/picture.py docs/page.png docs/sweep.png
"""

import sys
import tempfile
from pathlib import Path

import desk
from areev_context import ContextAssembler, FormatPolicy, load_hits, sweep
from browser import Browser


def swept() -> str:
    made = sweep(
        load_hits(desk.rows()),
        FormatPolicy.claude(),
        against=FormatPolicy.gpt4(),
        query=desk.QUERY,
        assembler=ContextAssembler(counter=desk.count),
        names=["claude", "gpt4"],
    )
    return made.html()


def main() -> None:
    context, slider = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder, Browser(Path(folder, "profile")) as browser:
        page = Path(folder, "page.html")
        page.write_text(desk.context().to_html(), encoding="utf-8")
        browser.open(page, width=1440, height=900)
        browser.value("document.querySelector('details').open = true")
        browser.picture(context)
        page.write_text(swept(), encoding="utf-8")
        browser.open(page, width=1280, height=1000)
        browser.press("Tab", 9)
        browser.press("ArrowRight", 39)
        browser.picture(slider)


if __name__ == "__main__":
    main()
