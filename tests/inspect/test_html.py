"""The page that shows a context from inside, read back by a parser; its ties and its sums."""

import copy
import itertools
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import areev_context
import desk
from amount import examples
from areev_context import (
    ContextAssembler,
    CounterError,
    FormatPolicy,
    FormattedContext,
    Grain,
    Reason,
    RenderingHints,
    SharedRenderer,
    load_hits,
)
from areev_context.extend import OutputFormat
from areev_context.inspect.view import Share, ShareKind, Span, shares
from areev_context.result import room_of, view_of_context
from checker import SHOWN
from laws.situations import COMBINATIONS, everything, situated
from laws.strategies import SECRET, SHORT, Case, cases
from page_reader import Read

CSS = (Path(areev_context.__file__).parent / "inspect" / "page.css").read_text()


def read(context: FormattedContext) -> Read:
    """Read the page and the fragment; both say the same."""
    found = Read(context.to_html())
    inside = Read(context._repr_html_())
    assert inside.text == found.text == f"\n{context.text}"
    assert (inside.names, inside.targets) == (found.names, found.targets)
    return found


def assembled(case: Case) -> FormattedContext:
    return ContextAssembler().format(list(case.hits), case.policy, case.hints)


def check_page(context: FormattedContext) -> Read:
    """Fail unless a page has its text, its ties, its sums, and all hits."""
    found = read(context)
    assert len(set(found.names)) == len(found.names)
    assert set(found.targets) <= set(found.names)
    rows = [name for name in found.names if re.fullmatch(r"c[0-9a-f]{8}h\d+", name)]
    assert [int(name[10:]) for name in rows] == [outcome.index for outcome in context.outcomes]
    tied = {place for span in view_of_context(context).spans for place in span.indexes}
    assert tied == {o.index for o in context.outcomes if o.reason in SHOWN}
    room = max(context.tokens, context.token_budget or 0)
    assert sum(found.widths) == room
    assert [share.tokens for share in room_of(context) if share.tokens] == found.widths
    for outcome in context.outcomes:
        assert outcome.reason in found.all_text
        assert " ".join((outcome.label or "").split()) in " ".join(found.all_text.split())
    return found


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(cases(withheld=True, include_retracted=False))
def test_a_page_of_any_hits(case: Case) -> None:
    found = check_page(assembled(case))
    assert SECRET not in found.all_text


MARKS = {
    "sml": r'(?s)(\[(CURRENT|OUTDATED)\] )?<[\w.-]+ id="{0}"',
    "markdown": r"(- )?\[{0}\] |{0}\. ",
    "plain_text": r"\[{0}\] |{0}\. ",
    "toon": r"{0},",
}


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(cases(numbered=True))
def test_each_entry_is_tied_to_its_hit(case: Case) -> None:
    context = assembled(case)
    for span in view_of_context(context).spans:
        if not span.indexes:
            continue
        number = context.outcomes[span.indexes[0]].number
        if case.policy.format == "json":
            assert json.loads(span.text)["id"] == number
        else:
            assert re.match(MARKS[case.policy.format].format(number), span.text)


@pytest.mark.parametrize(("form", "mode"), COMBINATIONS)
def test_no_awkward_text_adds_a_tag(form: str, mode: str) -> None:
    for text, budget in zip(SHORT, itertools.cycle([None, 60, 300])):
        if text.strip():
            check_page(assembled(situated(everything(text), form, mode, token_budget=budget)))


@pytest.mark.parametrize("form", OutputFormat)
@pytest.mark.parametrize("budget", [None, 0, 90, 400, 4_000])
def test_the_bar_adds_up_with_a_counter(form: str, budget: int | None) -> None:
    policy = FormatPolicy(format=form, token_budget=budget, group_by_type=True)
    context = ContextAssembler(counter=desk.count).format(desk.rows(), policy)
    check_page(context)
    assert sum(s.tokens for s in room_of(context)) == (context.tokens if budget is None else budget)


def test_shares_are_the_sections_the_envelope_and_what_is_free() -> None:
    spans = [Span("# "), Span("a", (0,), "facts", 4), Span("b", (1,), "events", 3)]
    spans.append(Span("c", (2,), "facts", 2))
    parts = [Share(ShareKind.SECTION, "facts", 6), Share(ShareKind.SECTION, "events", 3)]
    envelope = Share(ShareKind.ENVELOPE, "envelope", 1)
    assert shares(spans, 10, None) == (*parts, envelope)
    assert shares(spans, 10, 12) == (*parts, envelope, Share(ShareKind.FREE, "free", 2))
    assert shares(spans, 10, 7) == (*parts, envelope, Share(ShareKind.FREE, "free", 0))


def test_entries_that_cost_more_separately_share_what_they_cost_together() -> None:
    spans = [Span("", (n,), f"s{n}", tokens) for n, tokens in enumerate((5, 5, 5, 1))]
    found = shares(spans, 10, 10)
    assert [share.tokens for share in found] == [3, 3, 3, 1, 0, 0]


def test_what_is_left_out_can_be_unfolded() -> None:
    context = desk.context()
    page = read(context)
    wholes = view_of_context(context).wholes
    whole = {o.index for o in context.outcomes if o.reason is Reason.FULL}
    hidden = {o.index for o in context.outcomes if o.grain_type is None}
    assert set(wholes) == set(range(200)) - whole - hidden
    assert page.unfold == len(wholes)
    omitted = next(o.index for o in context.outcomes if o.reason is Reason.OMITTED_BUDGET)
    assert wholes[omitted] in page.all_text
    assert "her card number" not in context.to_html()


def test_a_cut_entry_is_tied_and_unfolds() -> None:
    rows = [{"grain_type": "event", "hash": "e", "fields": {"content": "word " * 300}}]
    policy = FormatPolicy.gpt4(token_budget=12, allocation="reference")
    context = ContextAssembler(counter=desk.count).format(rows, policy)
    assert context.outcomes[0].reason is Reason.CUT
    check_page(context)
    assert view_of_context(context).wholes[0] == "- " + "word " * 300


def test_separate_entries_are_tied() -> None:
    policy = FormatPolicy.gpt4(token_budget=300, numbered=True)
    context = ContextAssembler(counter=desk.count).format_each(desk.rows(), policy).context
    check_page(context)
    assert {span.text for span in view_of_context(context).spans if not span.indexes} == {"\n\n"}


class Shout(SharedRenderer):
    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        if grain.hash == "bad":
            raise RuntimeError("cannot say it")
        return f"<b onclick=run()>\ufffe{grain.fields['object']}\n</b>"


@pytest.mark.parametrize("form", OutputFormat)
def test_a_hosts_text_is_tied_and_escaped(form: OutputFormat) -> None:
    rows: list[Any] = [
        {"grain_type": "fact", "hash": name, "fields": {"object": name}, "score": score}
        for name, score in (("one", 0.9), ("two", 0.8), ("bad", 0.1))
    ]
    policy = FormatPolicy(format=form, grain_overrides={"fact": {"max_count": 2}})
    context = ContextAssembler([Shout("fact")]).format(rows, policy)
    check_page(context)
    spans = [span for span in view_of_context(context).spans if span.indexes]
    assert ["one" in spans[0].text, "two" in spans[1].text] == [True, True]
    assert view_of_context(context).wholes == {}  # what fails when it is asked late says nothing


def test_a_view_is_made_when_it_is_asked_for() -> None:
    asked: list[str] = []

    def counting(text: str) -> int:
        asked.append(text)
        return len(text)

    context = ContextAssembler(counter=counting).format(desk.rows()[:5], FormatPolicy.claude())
    assert asked[0] == context.text
    assert len(asked) == 1 + 5  # and the receipt, which the checker of the suite has read
    page = context.to_html()
    assert len(asked) == 1 + 5 + 5
    assert context.to_html() == page
    assert len(asked) == 1 + 5 + 5


def test_a_counter_that_fails_on_an_entry_is_reported() -> None:
    def whole_only(text: str) -> int:
        if not text.startswith("- one\n"):
            raise ValueError("not this")
        return 1

    rows: list[Any] = [{"grain_type": "event", "fields": {"content": c}} for c in ("one", "two")]
    with pytest.raises(CounterError, match="not this"):
        ContextAssembler(counter=whole_only).format(rows, FormatPolicy.gpt4()).to_html()


def copies(context: FormattedContext) -> Iterator[FormattedContext]:
    yield pickle.loads(pickle.dumps(context))
    yield copy.copy(context)
    yield copy.deepcopy(context)
    yield context.model_copy(update={"mode": context.mode})


def test_copies_and_pickles_keep_the_view() -> None:
    counter = lambda text: len(text) // 3  # noqa: E731  (a lambda cannot be pickled)
    made = ContextAssembler(counter=counter).format
    policy = FormatPolicy.gpt4(token_budget=200)
    page = made(desk.rows(), policy).to_html()
    for each in copies(made(desk.rows(), policy)):
        assert each == made(desk.rows(), policy)
        assert each.to_html() == page


def test_json_holds_no_view() -> None:
    context = desk.context()
    assert "_sketch" not in context.model_dump_json()
    back = FormattedContext.model_validate_json(context.model_dump_json())
    assert (back, hash(back), repr(back)) == (context, hash(context), repr(context))
    page = read(back)
    assert page.unfold == 0
    assert sum(page.widths) == back.token_budget
    assert [share.name for share in room_of(back)] == ["text", "envelope", "free"]


def test_a_copy_with_another_text_shows_that_text() -> None:
    changed = desk.context().model_copy(update={"text": "<b>another</b>", "outcomes": ()})
    assert read(changed).text == "\n<b>another</b>"


def test_ties_to_hits_that_a_copy_lost_are_left_out() -> None:
    context = desk.context()
    lost = context.model_copy(update={"outcomes": context.outcomes[:1]})
    assert len(read(lost).targets) == 2  # the hit to its entry, the entry to its hit


def test_text_that_no_page_may_hold_is_mended() -> None:
    changed = desk.context().model_copy(update={"text": "a\x00b\ud83d", "mode": "\x1b<"})
    assert Read(changed.to_html()).text == "\nab\ufffd"
    changed.to_html().encode()


def test_the_same_context_is_the_same_page() -> None:
    assert desk.context().to_html() == desk.context().to_html()


@pytest.mark.parametrize("form", OutputFormat)
def test_a_page_of_1000_hits_stays_under_2_mb(form: OutputFormat) -> None:
    rows = [{**row, "hash": f"{n}"} for n, row in enumerate(desk.rows() * 5)]
    for budget in (None, 5_000):
        policy = FormatPolicy(format=form, token_budget=budget)
        context = ContextAssembler().format(load_hits(rows), policy, RenderingHints())
        assert len(context.to_html().encode()) < 2_000_000


def test_styles_reach_nothing_but_our_own() -> None:
    rules = re.sub(r"@media [^{]+\{((?:[^{}]+\{[^{}]*\})*\s*)\}", r"\1", CSS)
    selectors = [each.strip() for each in re.findall(r"([^{}]+)\{", rules)]
    assert len(selectors) > 50
    for each in ",".join(selectors).split(","):
        assert each.strip().startswith(".areev-context")
    assert "url(" not in CSS
    assert "@import" not in CSS


def _colours(block: str) -> dict[str, tuple[int, ...]]:
    return {
        name: tuple(bytes.fromhex(value))
        for name, value in re.findall(r"--([a-z0-9]+): #([0-9a-f]{6});", block)
    }


def _contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    def light(colour: tuple[int, ...]) -> float:
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (part / 255 for part in colour)
        ]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(scheme: str) -> None:
    blocks = re.findall(r"\.areev-context \{[^}]*--paper[^}]*\}", CSS)
    colours = _colours(blocks[["light", "dark"].index(scheme)])
    hues = [colours[f"s{n}"] for n in range(12)]
    tints = [
        tuple(
            round(0.76 * under + 0.24 * hue)
            for under, hue in zip(colours["panel"], own, strict=True)
        )
        for own in hues
    ]
    for name in ("ink", "soft", "link", "good", "fair", "away", "held"):
        for under in ("paper", "panel", "well"):
            assert _contrast(colours[name], colours[under]) >= 4.5, (name, under)
    for tint in tints:
        assert _contrast(colours["ink"], tint) >= 4.5
    for hue in hues:
        assert _contrast(hue, colours["panel"]) >= 3.0
        assert _contrast(hue, colours["paper"]) >= 3.0
