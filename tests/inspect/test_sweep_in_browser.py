"""The page of a sweep in a real browser: it is dragged, read by keys, silent, and runs no text."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import desk
from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    Sweep,
    load_hits,
    sweep,
)
from areev_context.extend import OutputFormat
from browser import CHROMIUM, Browser
from laws.situations import everything
from laws.strategies import SHORT

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")

SIGNS = {"enter": "+ ", "grow": "▲ ", "shrink": "▼ ", "leave": "− ", "change": "~ "}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(autouse=True)
def _silent(browser: Browser) -> Iterator[None]:
    yield
    output, browser.output = browser.output, []
    assert output == []


@pytest.fixture(scope="module")
def made() -> Sweep:
    long = [Passage(" ".join([desk.ADDRESS, desk.RETURNS] * n), {"title": "All"}) for n in (2, 3)]
    return sweep(
        [*PassageMapper().hits(long), *load_hits(desk.rows())],
        FormatPolicy.claude(numbered=True),
        against=FormatPolicy.gpt4(),
        budgets=range(0, 2_001, 100),
        query=desk.QUERY,
        assembler=ContextAssembler(counter=desk.count),
    )


def written(folder: Path, page: str) -> Path:
    path = folder / "sweep.html"
    path.write_text(page, encoding="utf-8")
    return path


def shown(browser: Browser, policy: int = 0) -> dict[str, Any]:
    """What the page shows of a policy."""
    found: dict[str, Any] = browser.value(
        f"""(root => ({{
            at: +document.querySelector('#budget').value,
            text: root.querySelector('pre').textContent,
            tokens: root.querySelector('[data-of=tokens]').textContent,
            room: [...root.querySelectorAll('.bar i')].map(i => +i.style.flexGrow),
            marked: Object.fromEntries([...root.querySelectorAll('[data-change]')].map(
                e => [e.dataset.hit, e.dataset.change])),
            listed: [...root.querySelectorAll('.changes li')].map(e => e.className),
            signs: [...root.querySelectorAll('.changes li')].map(
                e => getComputedStyle(e, '::before').content.slice(1, -1)),
            changed: root.querySelector('.changed').textContent,
        }}))(document.querySelector('#p{policy}'))"""
    )
    return found


def changes(made: Sweep, policy: int, before: int, now: int) -> dict[str, str]:
    """What becomes of each hit between two budgets, from what the two contexts hold."""

    def texts(n: int) -> dict[int, tuple[str, int]]:
        found: dict[int, tuple[str, int]] = {}
        for place, hit, _, _ in data["policies"][policy]["stops"][n]["spans"]:
            if hit is not None:
                text = "".join(data["texts"][place])
                found[hit] = (text, len(text.encode("utf-16")))
        return found

    data = made.to_dict()
    old, new = texts(before), texts(now)
    out = dict.fromkeys(old.keys() - new.keys(), "leave")
    for hit, (text, size) in new.items():
        if hit not in old:
            out[hit] = "enter"
        elif old[hit][0] != text:
            grown = size - old[hit][1]
            out[hit] = "grow" if grown > 0 else "shrink" if grown < 0 else "change"
    return {str(hit): kind for hit, kind in out.items()}


def agrees(browser: Browser, made: Sweep, before: int | None) -> None:
    for policy, contexts in enumerate(made.contexts):
        page = shown(browser, policy)
        context = contexts[page["at"]]
        assert page["text"] == context.text
        assert page["tokens"] == f"{context.tokens:,}"
        assert sum(page["room"]) == max(context.tokens, context.token_budget or 0)
        expected = {} if before is None else changes(made, policy, before, page["at"])
        marked = {hit: kind for hit, kind in expected.items() if kind != "leave"}
        assert page["marked"] == marked
        assert sorted(page["listed"]) == sorted(expected.values())
        assert page["signs"] == [SIGNS[kind] for kind in page["listed"]]


def test_what_is_dragged_to_is_what_the_model_reads(
    browser: Browser, made: Sweep, tmp_path: Path
) -> None:
    browser.open(written(tmp_path, made.html()))
    agrees(browser, made, None)
    seen = set()
    for share in (0.8, 0.25, 0.3, 0.99, 0.01):
        browser.drag("#budget", [share])
        now = shown(browser)["at"]
        assert now == pytest.approx(20 * share, abs=1)
        agrees(browser, made, 10)  # pressing in the middle came first
        seen |= {kind for n in (0, 1) for kind in shown(browser, n)["listed"]}
        browser.drag("#budget", [0.5])
        assert shown(browser)["at"] == 10
    assert seen >= {"enter", "grow", "shrink", "leave"}


def test_keys_move_the_slider(browser: Browser, made: Sweep, tmp_path: Path) -> None:
    browser.open(written(tmp_path, made.html()))
    browser.press("Tab", 9)
    assert browser.value("document.activeElement.id") == "budget"
    before = shown(browser)["at"]
    for key, code, to in (
        ("ArrowRight", 39, 11), ("ArrowLeft", 37, 10), ("End", 35, 20), ("Home", 36, 0),
    ):  # fmt: skip
        browser.press(key, code)
        assert shown(browser)["at"] == to
        agrees(browser, made, before)
        before = to
        budget = f"{made.budgets[to]:,}"
        in_words = browser.value("document.querySelector('#budget').ariaValueText")
        assert in_words == f"{budget} tokens"
        assert browser.value("document.querySelector('#now').value") == budget


def test_the_curves_stand_where_the_slider_does(
    browser: Browser, made: Sweep, tmp_path: Path
) -> None:
    browser.open(written(tmp_path, made.html()))
    for share in (0.9, 0.1):
        browser.drag("#budget", [share])
        n = shown(browser)["at"]
        for curve in range(2):
            x = browser.value(f"+document.querySelectorAll('svg line')[{curve}].getAttribute('x1')")
            points = browser.value(
                f"document.querySelectorAll('svg')[{curve}].querySelector('polyline')"
                f".getAttribute('points').split(' ')[{n}]"
            )
            assert float(points.split(",")[0]) == pytest.approx(x, abs=1)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 800, 1600])
def test_a_window_of_any_width_is_enough(
    width: int, dark: bool, browser: Browser, made: Sweep, tmp_path: Path
) -> None:
    browser.open(written(tmp_path, made.html()), width=width, dark=dark)
    for share in (0.0, 1.0):
        browser.drag("#budget", [share])
        assert browser.value("document.documentElement.scrollWidth") == width
    paper = browser.value("getComputedStyle(document.querySelector('main')).backgroundColor")
    assert paper == ("rgb(21, 23, 27)" if dark else "rgb(250, 249, 246)")


@pytest.mark.parametrize("form", OutputFormat)
def test_no_awkward_text_runs(form: OutputFormat, browser: Browser, tmp_path: Path) -> None:
    texts = [desk.HOSTILE, *filter(str.strip, SHORT)]
    rows = [row for text in texts for row in everything(text)]
    for n, row in enumerate(rows):
        row["hash"] = str(n)
    script = "</script><script>document.title = 'run'</script>"
    assembler = ContextAssembler(counter=desk.count)
    made = sweep(rows, FormatPolicy(format=form), budgets=[400, 10_000], names=[script],
                 assembler=assembler)  # fmt: skip
    browser.open(written(tmp_path, made.html()))
    for n in (0, 1):
        browser.drag("#budget", [float(n)])
        agrees(browser, made, 1 - n)
        assert browser.value("document.querySelectorAll('img, iframe, form, a').length") == 0
        assert browser.value("document.querySelectorAll('script').length") == 2
        assert "run" not in browser.value("document.title")


def test_a_cell_of_a_notebook_moves_too(browser: Browser, made: Sweep, tmp_path: Path) -> None:
    body = f"<!DOCTYPE html><meta charset=utf-8><title>cell</title>{made._repr_html_()}"
    browser.open(written(tmp_path, body))
    x, y = browser.value(
        "(r => [r.x, r.y])(document.querySelector('iframe').getBoundingClientRect())"
    )
    browser.picture(tmp_path / "before.png")
    for kind in ("mousePressed", "mouseReleased"):
        browser.ask("Input.dispatchMouseEvent", type=kind, x=x + 300, y=y + 152, button="left",
                    clickCount=1)  # fmt: skip
    for _ in range(3):
        browser.press("End", 35)
    browser.picture(tmp_path / "after.png")
    assert (tmp_path / "before.png").read_bytes() != (tmp_path / "after.png").read_bytes()
    assert browser.value("document.querySelector('iframe').contentDocument") is None  # fenced off
