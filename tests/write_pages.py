"""Write the pages of exact text anew: python tests/write_pages.py."""

from pathlib import Path

from areev_context import ContextAssembler, FormatPolicy, RenderingHints
from pages.scenario import PAGES, Page

FOLDER = Path(__file__).parent / "pages"


def text_of(page: Page, form: str) -> str:
    """Return what a page shows in a format."""
    policy = FormatPolicy.model_validate({"format": form, **page.policy})
    return ContextAssembler().format(page.rows, policy, RenderingHints(**page.hints)).text


def main() -> None:
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, page in PAGES.items():
        for form in page.formats:
            text = f"{text_of(page, form)}\n"
            (FOLDER / f"{name}.{form}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
