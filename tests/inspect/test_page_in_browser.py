"""The page in a real browser: it is silent, adds up, unfolds, and runs nothing that a hit says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import desk
from areev_context import ContextAssembler, FormatPolicy, FormattedContext, compare
from areev_context.extend import OutputFormat
from browser import CHROMIUM, Browser
from laws.situations import everything
from laws.strategies import SHORT

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(autouse=True)
def _silent(browser: Browser) -> Iterator[None]:
    yield
    output, browser.output = browser.output, []
    assert output == []


def test_the_browser_hears_what_goes_wrong(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "wrong.html"
    page.write_text("<script>console.log('x'); throw 1</script><img src=missing.png>")
    browser.open(page)
    assert len(browser.output) == 3
    browser.output.clear()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return written(tmp_path, desk.context().to_html())


def written(folder: Path, page: str) -> Path:
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    return path


def test_the_bar_fills_its_line(browser: Browser, page: Path) -> None:
    browser.open(page)
    widths = browser.value(
        "(b => ({all: b.getBoundingClientRect().width, parts: [...b.children].map("
        "i => [+i.style.flexGrow, i.getBoundingClientRect().width])}))"
        "(document.querySelector('.bar'))"
    )
    assert sum(tokens for tokens, _ in widths["parts"]) == desk.context().token_budget == 1200
    for tokens, width in widths["parts"]:
        assert width == pytest.approx(widths["all"] * tokens / 1200, abs=0.1)


def test_an_omitted_hit_unfolds(browser: Browser, page: Path) -> None:
    browser.open(page)
    row = "document.querySelector('tr:last-child details')"
    whole = f"{row}.querySelector('pre').checkVisibility()"
    assert browser.value(f"{row}.open || {whole}") is False
    browser.click("tr:last-child summary")
    assert browser.value(f"{row}.open && {whole}") is True
    row_text = browser.value(f"{row}.innerText")
    assert "It travels in the box it came in." in row_text or "ordered" in row_text


def test_an_entry_leads_to_its_row_and_back(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("pre.text a:nth-of-type(3)")
    assert browser.value("document.querySelector('tr:target td').innerText") == "1"
    browser.click("tr:target td a")
    shown = browser.value("document.querySelector('pre.text a:target').innerText")
    assert "Where is order 4471?" in shown


def test_the_text_is_what_the_model_reads(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.value("document.querySelector('pre.text').textContent") == desk.context().text


@pytest.mark.parametrize("form", OutputFormat)
def test_no_awkward_text_runs(form: OutputFormat, browser: Browser, tmp_path: Path) -> None:
    texts = [desk.HOSTILE, *filter(str.strip, SHORT)]
    rows = [row for text in texts for row in everything(text)]
    for n, row in enumerate(rows):
        row["hash"] = str(n)
    assemble = ContextAssembler(counter=desk.count).format
    contexts = [assemble(rows, FormatPolicy(format=form, token_budget=n)) for n in (None, 400)]
    for made in (*contexts, compare(contexts, names=[desk.HOSTILE, "</style><script>1</script>"])):
        browser.open(written(tmp_path, made.to_html()))
        assert (
            browser.value(
                "document.querySelectorAll('script, img, iframe, form, [onclick]').length"
            )
            == 0
        )
        assert "run" not in browser.value("document.title")
        assert browser.value("document.querySelectorAll('main').length") == 1
        if isinstance(made, FormattedContext):
            assert browser.value("document.querySelector('pre.text').textContent") == made.text


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1600])
def test_a_window_of_any_width_is_enough(
    width: int, dark: bool, browser: Browser, tmp_path: Path
) -> None:
    contexts = [desk.context(budget) for budget in (None, 300, 2_000)]
    for made in (contexts[0], compare(contexts)):
        browser.open(written(tmp_path, made.to_html()), width=width, dark=dark)
        assert browser.value("document.documentElement.scrollWidth") == width
        paper = browser.value("getComputedStyle(document.querySelector('main')).backgroundColor")
        assert paper == ("rgb(21, 23, 27)" if dark else "rgb(250, 249, 246)")


def test_a_notebook_keeps_its_looks(browser: Browser, tmp_path: Path) -> None:
    theirs = '<h1>h</h1><table><tr><th>a</th><td class="n what">1</td></tr></table><pre>p</pre>' * 2
    looks = (
        "[...document.querySelectorAll('#theirs *')].map("
        "e => [...getComputedStyle(e)].map(n => getComputedStyle(e)[n]).join())"
    )
    ours = desk.context()._repr_html_() * 2 + compare([desk.context()])._repr_html_()
    seen = []
    for inside in ("", ours):
        body = f'<!DOCTYPE html><meta charset="utf-8"><div id="theirs">{theirs}</div>{inside}'
        browser.open(written(tmp_path, body))
        seen.append(browser.value(looks))
    assert len(seen[0]) == 14
    assert seen[0] == seen[1]
