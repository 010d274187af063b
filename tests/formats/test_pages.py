"""Pages of exact text: what every format makes of one small scenario, in every mode."""

from pathlib import Path

import pytest

from areev_context import ContextAssembler, FormatPolicy, RenderingHints
from areev_context.formats.registry import FORMATS
from areev_context.layout.all_modes import MODES
from pages.scenario import PAGES

FOLDER = Path(__file__).parents[1] / "pages"
NOT_A_PAGE = {"scenario.py", "__pycache__"}
WRITTEN = [(name, form) for name, page in PAGES.items() for form in page.formats]


@pytest.mark.parametrize(("name", "form"), WRITTEN)
def test_the_page_is_exactly(name: str, form: str) -> None:
    page = PAGES[name]
    policy = FormatPolicy.model_validate({"format": form, **page.policy})
    context = ContextAssembler().format(page.rows, policy, RenderingHints(**page.hints))
    assert f"{context.text}\n" == (FOLDER / f"{name}.{form}.txt").read_text(encoding="utf-8")
    assert context.mode == (page.mode if FORMATS[policy.format].takes_modes else "default")


def test_every_page_is_tested_and_every_test_has_its_page() -> None:
    files = {path.name for path in FOLDER.iterdir()} - NOT_A_PAGE
    assert files == {f"{name}.{form}.txt" for name, form in WRITTEN}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", FORMATS)
def test_every_mode_has_its_page_in_every_format(mode: str, form: str) -> None:
    assert (mode, form) in WRITTEN
    assert PAGES[mode].mode == mode
