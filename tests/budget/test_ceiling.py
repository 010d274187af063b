"""A ceiling is a ceiling: no text passes its budget, and the room is used.

The laws check a result by pages of their own: the draft is what the library starts from too, what
is shown of it and what that costs is worked out anew here.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amount import examples
from areev_context import (
    AreevContextError,
    ContextAssembler,
    CounterError,
    FormatPolicy,
    FormattedContext,
    GrainTypeDiversity,
    Reason,
    RenderingHints,
    SearchHit,
    SharedRenderer,
)
from areev_context.budget.draft import Draft, drafted
from areev_context.decide.asking import ask_backend
from areev_context.decide.prompts import advice_of, prompt_of
from areev_context.extend import GRAIN_TYPES, MetadataLevel, Ordering, OutputFormat
from areev_context.formats.registry import FORMATS
from areev_context.layout.all_modes import MODES
from areev_context.layout.outline import Update
from areev_context.selection.advice import NO_ADVICE, Advice
from areev_context.selection.item import Allocation
from areev_context.selection.screening import screen
from areev_context.text.truncate import CUT_MARK
from areev_context.tokens import TokenCounter, estimate_tokens
from awkward import METADATA, SIZES, TEXTS, TOON_STRINGS
from counters import COUNTERS, characters, cl100k, erratic, mistral, o200k, words
from deciders import Opinion, opinions
from leads import LEADS, led

FULL, SUMMARY, OMIT = Allocation
WITH_SUMMARIES = [name for name, written in FORMATS.items() if written.shortens]
WITHOUT = [name for name in FORMATS if name not in WITH_SUMMARIES]

# --- what is drawn ----------------------------------------------------------------------------

TEXT = (
    "The", "walnut", "desk", "arrived", "late.", "Refund!", "A", "carrier", "in", "Milan", "<b>no",
    "保存期間は三年間です。", "é", "it's", "42", "reroute—", "😀", "[3]", "#1", '"so"', "C:\\dir",
)  # fmt: skip
SHORT = [text for name, text in TEXTS.items() if name != "huge"] + TOON_STRINGS


def prose(count: int, start: int = 0) -> str:
    """Return so many words, with sentences and line breaks among them."""
    found = itertools.islice(itertools.cycle(TEXT), start, start + count)
    return " ".join(f"{word}\n" if n % 40 == 39 else word for n, word in enumerate(found))


texts = st.one_of(
    st.builds(prose, st.integers(0, 12), st.integers(0, 20)),
    st.builds(prose, st.integers(0, 300), st.integers(0, 20)),
    st.sampled_from(SHORT),
)
names = st.sampled_from(["alice", "bob", "", "<b>", "\n## Facts", "a longer name than all others"])
MAIN = ("object", "content", "description", "conclusion", "tool_content", "agreed_content")
MOMENTS = [0, 1_700_000_000, 1_700_090_000, 1_790_000_000]
AT_MOST = 12
recalled = st.fixed_dictionaries({
    "grain_type": st.sampled_from([*GRAIN_TYPES, "ticket"]),
    "score": st.sampled_from([None, 0.0, 0.3, 0.9]),
    "created_at_sec": st.sampled_from(MOMENTS),
})  # fmt: skip
odd_fields = st.sampled_from([*[{}] * 20, *METADATA.values()])
links = st.one_of(st.none(), st.integers(0, AT_MOST))


@st.composite
def rows(draw: st.DrawFn, place: int) -> dict[str, Any]:
    main, name, newer = draw(texts), draw(names), draw(links)
    known = {"subject": name, "relation": "is", "name": name, "title": name}
    fields = {**known, "context": {"label": main}, **dict.fromkeys(MAIN, main), **draw(odd_fields)}
    row = {**draw(recalled), "hash": f"{place:x}", "fields": fields, "source_namespace": name}
    if newer is None or newer == place:
        return {**row, "supersession_status": "current"}
    return {**row, "supersession_status": "superseded", "superseded_by_hash": f"{newer:x}"}


@dataclass(frozen=True)
class Case:
    """One call of an assembler with a counter and a budget."""

    hits: tuple[SearchHit, ...]
    policy: FormatPolicy
    hints: RenderingHints
    counter: TokenCounter

    @property
    def budget(self) -> int:
        assert self.policy.token_budget is not None
        return self.policy.token_budget

    def format(self, decider: Opinion | None = None) -> FormattedContext:
        assembler = ContextAssembler(decider=decider, counter=self.counter)
        return assembler.format(list(self.hits), self.policy, self.hints)


budgets = st.one_of(
    st.integers(0, 40), st.integers(0, 400), st.integers(0, 5_000), st.sampled_from([0, 1, 5_000])
)
policies = st.fixed_dictionaries({
    "format": st.sampled_from(OutputFormat),
    "metadata": st.sampled_from(MetadataLevel),
    "ordering": st.sampled_from(Ordering),
    "group_by_type": st.booleans(),
    "token_budget": budgets,
    "query_text": st.sampled_from([None, "what is the desk?"]),
    "grain_type_diversity": st.sampled_from([None, GrainTypeDiversity()]),
    "numbered": st.booleans(),
    "highlight_over": st.none(),
})  # fmt: skip


@st.composite
def cases(draw: st.DrawFn, *more: TokenCounter) -> Case:
    """A call in any mode and format; its counter is one of `COUNTERS` or of those given."""
    found = [draw(rows(place)) for place in range(draw(st.integers(0, AT_MOST)))]
    lead = LEADS[draw(st.sampled_from(list(MODES)))]
    if draw(st.booleans()):
        found[1::4] = [{**row, "recall_source": "expansion"} for row in found[1::4]]
    found = led(found, lead)
    return Case(
        tuple(map(SearchHit.model_validate, found)),
        FormatPolicy(**{**draw(policies), **lead.policy}),
        RenderingHints(**lead.hints),
        draw(st.sampled_from([*COUNTERS.values(), *more])),
    )


law = settings(
    max_examples=examples(300),
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class Pages:
    """The pages that plans make of a case, and their counts."""

    def __init__(self, case: Case, decided: Advice = NO_ADVICE) -> None:
        self.counter = case.counter
        screened = screen(case.hits, case.policy)
        self.draft: Draft = drafted(screened, case.policy, case.hints, {}, decided)
        self.body = self.draft.selection.body
        self.updates = self.draft.updates
        self.nothing = [OMIT] * (len(self.body) + len(self.updates))

    def forms_of(self, context: FormattedContext) -> list[Allocation]:
        """Return at what length a result shows each hit of the body, then each update."""
        outcomes = context.outcomes
        body = [outcomes[each.index].allocation for each in self.body]
        shown = [outcomes[each.old_index].reason is Reason.UPDATE for each in self.updates]
        return [*(form or OMIT for form in body), *(FULL if each else OMIT for each in shown)]

    def text(self, forms: Sequence[Allocation], *, entity_line: bool = True) -> str:
        size = len(self.body)
        if set(forms) <= {OMIT}:
            return ""
        entries = [
            self.draft.entry(each, form)
            for each, form in zip(self.body, forms[:size], strict=True)
            if form is not OMIT
        ]
        shown = zip(self.updates, forms[size:], strict=True)
        updates = [each for each, form in shown if form is not OMIT]
        return self.draft.format.write(
            self.draft.outline(entries, updates, entity_line=entity_line)
        )

    def tokens(self, text: str) -> int:
        return self.counter(text) if text else 0

    def piece(self, unit: int, form: Allocation) -> int:
        """Return the tokens of a hit's own text, or of what an update adds to an empty one."""
        if form is OMIT:
            return 0
        if unit < len(self.body):
            return self.tokens(self.draft.text_of(self.draft.entry(self.body[unit], form)))
        update, empty = self.updates[unit - len(self.body)], Update(-1, -1, "", None, "", "", "")
        alone, rest = (self.draft.format.write(self.draft.alone(each)) for each in (update, empty))
        return max(1, self.tokens(alone) - self.tokens(rest))

    def longer(self, unit: int, now: Allocation) -> Iterator[Allocation]:
        """Yield the forms of a unit that say more than its present one, and are of use."""
        if now is not FULL:
            yield FULL
        summaries = self.draft.format.shortens and unit < len(self.body)
        if now is OMIT and summaries and self.piece(unit, SUMMARY) < self.piece(unit, FULL):
            yield SUMMARY

    def spare(
        self, forms: list[Allocation], budget: int, *, entity_line: bool = True
    ) -> list[tuple[int, Allocation]]:
        """Return what a plan leaves out or shortens although it would fit.

        Would fit: by the sum of the pieces and two tokens a join, and by the count of the real
        text. A heading that it brings along is not even added to the sum.
        """
        now, found = self.tokens(self.text(forms, entity_line=entity_line)), []
        for unit, form in enumerate(forms):
            for longer in self.longer(unit, form):
                grows = self.piece(unit, longer) - self.piece(unit, form)
                if now + grows + 2 * (form is OMIT and now > 0) > budget:
                    continue
                more = [*forms[:unit], longer, *forms[unit + 1 :]]
                if self.tokens(self.text(more, entity_line=entity_line)) <= budget:
                    found.append((unit, longer))
        return found


# --- the laws ---------------------------------------------------------------------------------


def test_the_laws_know_the_way_to_every_mode() -> None:
    assert set(LEADS) == set(MODES)


@pytest.mark.parametrize("mode", MODES)
def test_the_way_leads_to_the_mode(mode: str) -> None:
    lead = LEADS[mode]
    found = led([{**row(n, str(n)), "created_at_sec": 10**9} for n in range(3)], lead)
    policy = FormatPolicy(**{"highlight_over": None, **lead.policy})
    assert ContextAssembler().format(found, policy, RenderingHints(**lead.hints)).mode == mode


@law
@given(cases(erratic, lambda text: 7, lambda text: 10**6))
def test_no_text_passes_its_budget(case: Case) -> None:
    context = case.format()
    assert context.tokens == (case.counter(context.text) if context.text else 0)
    assert context.tokens <= case.budget


def by_the_reference(case: Case, **policy: Any) -> Case:
    """Return a case whose summaries are the formats' own, as `Pages` has them."""
    return replace(case, policy=case.policy.replace(allocation="reference", **policy))


def check_room(context: FormattedContext, pages: Pages, budget: int) -> None:
    """Fail where a page leaves out or shortens what would fit."""
    forms = pages.forms_of(context)
    if any(outcome.reason is Reason.CUT for outcome in context.outcomes):
        forms = pages.nothing  # what was cut is shown only where no other page can be
    if forms == pages.nothing:
        assert pages.spare(forms, budget, entity_line=True) == []
        assert pages.spare(forms, budget, entity_line=False) == []
        return
    entity_line = context.text == pages.text(forms)
    assert context.text == pages.text(
        forms, entity_line=entity_line
    )  # the plan is what the text shows
    assert pages.spare(forms, budget, entity_line=entity_line) == []
    shortened = [unit for unit, form in enumerate(forms) if form is SUMMARY]
    assert all(pages.piece(unit, SUMMARY) < pages.piece(unit, FULL) for unit in shortened)


@law
@given(cases())
def test_the_room_is_used(case: Case) -> None:
    case = by_the_reference(case)
    check_room(case.format(), Pages(case), case.budget)


@settings(law, max_examples=examples(100))
@given(cases(), opinions)
def test_the_room_is_used_whatever_a_decider_says(case: Case, decider: Opinion) -> None:
    case = by_the_reference(case, query_text="where does ann live now?")
    screened, rules = screen(case.hits, case.policy), (case.policy, case.hints, {})
    prompt = prompt_of(screened, *rules)
    decided = advice_of(prompt, ask_backend(decider, prompt.requests, 10_000))
    context = case.format(decider)
    assert context.tokens <= case.budget
    check_room(context, Pages(case, decided), case.budget)


@law
@given(cases())
def test_without_a_budget_a_counter_only_counts(case: Case) -> None:
    policy = case.policy.replace(token_budget=None)
    arguments = (list(case.hits), policy, case.hints)
    plain = ContextAssembler().format(*arguments)
    counted = ContextAssembler(counter=case.counter).format(*arguments)
    assert counted.text == plain.text
    assert counted.tokens == (case.counter(plain.text) if plain.text else 0)
    assert (plain.counter, plain.tokens) == (None, estimate_tokens(plain.text))
    uncounted = [replace(o, tokens=None, full_tokens=None) for o in counted.outcomes]
    assert uncounted == [replace(o, tokens=None, full_tokens=None) for o in plain.outcomes]


# --- what is shown, by example ----------------------------------------------------------------


def row(place: int, content: str, **more: Any) -> dict[str, Any]:
    """Return a passage; an earlier place is worth more."""
    score = 1 - place / 1_000
    made = {"grain_type": "document", "hash": f"d{place}", "score": score}
    return {**made, "fields": {"content": content}, **more}


def fact(place: int, content: str, **more: Any) -> dict[str, Any]:
    fields = {"subject": "desk", "relation": "is", "object": content}
    return {"grain_type": "fact", "hash": f"f{place}", "score": 0.5, "fields": fields, **more}


def within(
    budget: int | None,
    found: list[dict[str, Any]],
    counter: TokenCounter,
    hints: RenderingHints | None = None,
    renderers: Sequence[Any] = (),
    **options: Any,
) -> FormattedContext:
    policy = FormatPolicy(token_budget=budget, **options)
    context = ContextAssembler(renderers, counter=counter).format(found, policy, hints)
    assert budget is None or context.tokens <= budget
    return context


def reasons(context: FormattedContext) -> list[str]:
    return [outcome.reason for outcome in context.outcomes]


@pytest.mark.parametrize("counter", [cl100k, o200k], ids=["cl100k", "o200k"])
@pytest.mark.parametrize("form", FORMATS)
def test_one_passage_that_fits_is_whole_in_every_format(form: str, counter: TokenCounter) -> None:
    sentence = "The customer asked for a refund because the walnut desk arrived late. "
    text = " ".join((sentence * 9).split()[:74])
    assert counter(text) == 80
    context = within(100, [row(0, text)], counter, format=form)
    assert reasons(context) == ["full"]
    assert context.tokens >= 80
    assert not context.truncated


@pytest.mark.parametrize("form", FORMATS)
def test_of_four_the_one_that_does_not_fit_goes(form: str) -> None:
    written, policy = FORMATS[OutputFormat(form)], FormatPolicy(format=form)
    one = SharedRenderer("document").render(SearchHit.model_validate(row(0, "w")).grain, policy)
    texts = ["w" + f" w{n}" * (size - words(one)) for n, size in enumerate(SIZES)]
    header = 1 if written.name == "toon" else 0
    context = within(sum((90, 5, 5)) + header, list(map(row, range(4), texts)), words, format=form)
    assert reasons(context) == ["full", "omitted_budget", "full", "full"]
    assert [outcome.full_tokens for outcome in context.outcomes] == SIZES
    assert context.tokens == 100 + header


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("form", FORMATS)
def test_no_room_is_no_text(form: str, grouped: bool) -> None:
    for found in ([], [row(0, "x")], [row(0, "")], [fact(0, "x", **replaced(1)), fact(1, "y")]):
        context = within(0, found, characters, format=form, group_by_type=grouped)
        assert (context.text, context.tokens, context.included_count) == ("", 0, 0)


def test_a_json_document_of_nothing_is_shown_where_it_fits() -> None:
    for budget, text in [(1, ""), (2, "[]"), (9, "[]"), (None, "[]")]:
        assert within(budget, [], characters, format="json").text == text
    assert within(2, [], characters, format="json", group_by_type=True).text == "{}"
    assert within(2, [row(0, "x")], characters, format="json").text == "[]"


def test_the_lowest_priority_is_shortened_first_then_left_out() -> None:
    texts = [f"{name} opens. " + "It goes on and on. " * 3 for name in ("First", "Second", "Third")]
    found = list(map(row, range(3), texts))
    whole, short = words(texts[0]), 2
    seen = {
        budget: reasons(within(budget, found, words, allocation="reference"))
        for budget in (3 * whole, 3 * whole - 1, whole + 2 * short, whole + short, 2 * short, short)
    }
    assert seen == {
        3 * whole: ["full", "full", "full"],
        3 * whole - 1: ["full", "full", "summary"],
        whole + 2 * short: ["full", "summary", "summary"],
        whole + short: ["full", "summary", "omitted_budget"],
        2 * short: ["summary", "summary", "omitted_budget"],
        short: ["summary", "omitted_budget", "omitted_budget"],
    }


def test_a_summary_that_is_not_smaller_is_not_used() -> None:
    found = [row(0, "Of four words only."), row(1, "One more. And then some.")]
    assert reasons(within(6, found, words, allocation="reference")) == ["full", "summary"]
    assert reasons(within(4, found, words, allocation="reference")) == ["full", "omitted_budget"]
    same = fact(0, "a b c d e f g h i j k")  # a fact's summary says all of it
    assert reasons(within(9, [same], words, format="sml")) == ["cut"]


# --- updates ----------------------------------------------------------------------------------


def replaced(by: int) -> dict[str, Any]:
    return {"supersession_status": "superseded", "superseded_by_hash": f"f{by}"}


CHAIN = [
    fact(0, "in the old hall", **replaced(1)),
    fact(1, "in the new hall", supersession_status="current"),
]


@pytest.mark.parametrize("form", FORMATS)
def test_an_update_is_shown_as_a_pair_or_not_at_all(form: str) -> None:
    whole = within(None, CHAIN, cl100k, format=form)
    assert reasons(whole) == ["update", "update"]
    assert reasons(within(whole.tokens, CHAIN, cl100k, format=form)) == ["update", "update"]
    for budget in range(whole.tokens):
        context = within(budget, CHAIN, cl100k, format=form)
        assert reasons(context) == ["omitted_budget", "omitted_budget"]
        assert "hall" not in context.text
        assert (context.included_count, context.omitted_count) == (0, 2)


def test_an_update_stays_longer_than_what_is_worth_less() -> None:
    event = {"grain_type": "event", "hash": "e", "fields": {"content": "A word of some sort."}}
    found, options = [event, *CHAIN], {"grain_type_diversity": None}
    whole = within(None, found, words)
    assert reasons(within(whole.tokens, found, words, **options)) == ["full", "update", "update"]
    less = within(whole.tokens - 1, found, words, **options)
    assert reasons(less) == ["omitted_budget", "update", "update"]


def test_an_update_gives_way_to_what_is_worth_more() -> None:
    goal = {"grain_type": "goal", "hash": "g", "score": 1.0, "fields": {"description": "move out"}}
    found = [*CHAIN, goal]
    whole = within(None, found, words, format="markdown")
    context = within(whole.tokens - 1, found, words, format="markdown")
    assert reasons(context) == ["omitted_budget", "omitted_budget", "full"]


# --- a floor per type -------------------------------------------------------------------------

DOCUMENTS = [row(n, f"Passage {n} of five words.") for n in range(6)]
RARE = {"grain_type": "trigger", "hash": "t", "score": 0.0, "fields": {"cron": "5 0 * *"}}


def test_the_best_of_each_type_stays_longer_than_its_priority_would_let_it() -> None:
    floored = within(17, [*DOCUMENTS, RARE], words)
    assert reasons(floored) == ["full", "full", *["omitted_budget"] * 4, "full"]
    without = within(17, [*DOCUMENTS, RARE], words, grain_type_diversity=None)
    assert reasons(without) == ["full", "full", "full", *["omitted_budget"] * 4]


def test_a_floor_that_cannot_be_had_is_reported_and_never_passes_the_ceiling() -> None:
    long = [{**RARE, "fields": {"description": "word " * 50}}, *DOCUMENTS[:2]]
    context = within(10, long, words, format="toon")
    assert reasons(context)[0] == "floor_unaffordable"
    assert context.outcomes[0].tokens == 0
    assert context.outcomes[0].full_tokens == words("word " * 50) + 1
    without = within(10, long, words, format="toon", grain_type_diversity=None)
    assert reasons(without)[0] == "omitted_budget"


# --- one entry is cut where nothing else would be shown ---------------------------------------

HUGE = TEXTS["huge"]
SENTENCES = "One sentence. Another one of five words. " * 200


@pytest.mark.parametrize("counter", [cl100k, o200k, mistral, characters])
@pytest.mark.parametrize("form", WITH_SUMMARIES)
def test_a_huge_entry_is_cut_to_what_fits(form: str, counter: TokenCounter) -> None:
    for budget in (60, 500):
        context = within(budget, [row(0, HUGE)], counter, format=form, allocation="reference")
        assert reasons(context) == ["cut"]
        assert context.text.removesuffix("</document>").endswith(f"word{CUT_MARK}")
        assert context.tokens > budget - counter(" word") - 1
        assert context.outcomes[0].allocation == "summary"
        assert context.outcomes[0].tokens is not None
        assert 0 < context.outcomes[0].tokens <= context.tokens


@pytest.mark.parametrize("content", [HUGE, TEXTS["cjk"], SENTENCES])
@pytest.mark.parametrize("form", WITHOUT)
def test_json_and_toon_are_never_cut(form: str, content: str) -> None:
    context = within(200, [row(0, content)], characters, format=form)
    assert reasons(context) == ["floor_unaffordable"]
    assert context.text == ("[]" if form == "json" else "")


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (10, "desk is One sentence. Another one of five words. […]"),
        (9, "desk is One sentence. […]"),
        (5, "desk is One sentence. […]"),
        (4, "desk is One […]"),
        (3, ""),
    ],
)
def test_a_cut_falls_after_a_sentence_else_after_a_word(budget: int, text: str) -> None:
    assert within(budget, [fact(0, SENTENCES)], words).text == text


def test_a_cut_inside_a_word_falls_between_characters() -> None:
    family = "👩\u200d👩\u200d👧"
    for budget in range(16):
        text = within(budget, [row(0, family * 50)], characters).text
        assert text in ("", family + CUT_MARK, family * 2 + CUT_MARK)


def test_nothing_is_cut_where_something_fits_whole() -> None:
    context = within(6, [row(0, HUGE), row(1, "Fits as it is.")], words)
    assert reasons(context) == ["omitted_budget", "full"]


def test_the_next_best_is_cut_where_the_best_cannot_be() -> None:
    blocks = [{"type": "text", "text": HUGE}]
    event = {"grain_type": "event", "score": 1.0, "fields": {"content_blocks": blocks}}
    consent = {**event, "grain_type": "consent", "fields": {"subject_did": 7, "scope": HUGE}}
    assert reasons(within(5, [event, row(1, HUGE)], words)) == ["floor_unaffordable", "cut"]
    assert within(5, [event], words).text == ""
    assert reasons(within(5, [consent, row(1, HUGE)], words)) == ["cut", "floor_unaffordable"]


def test_the_longest_field_that_is_shown_is_cut() -> None:
    fields = {"subject": "desk", "relation": "is", "object": "w " * 90, "note": "secret " * 99}
    context = within(9, [{"grain_type": "fact", "fields": fields}], words)
    assert context.text == "desk is w w w w w w […]"
    notes = {f"note {n}": "secret " * (99 + n) for n in range(9)}
    assert within(9, [{"grain_type": "fact", "fields": fields | notes}], words).text == context.text
    longer = {"subject": "d" * 500, "relation": "is", "object": "w " * 90}  # one word
    found = [{"grain_type": "fact", "fields": longer}]
    assert within(5, found, words).text == "d" * 500 + " is w w […]"


@pytest.mark.parametrize("form", WITH_SUMMARIES)
@pytest.mark.parametrize("mode", MODES)
def test_a_cut_page_keeps_its_mode_its_numbers_and_its_marks(mode: str, form: str) -> None:
    lead = LEADS[mode]
    more = {"created_at_sec": 10**9, "supersession_status": "current"}
    found = led([row(n, HUGE + str(n), **more) for n in range(3)], lead)
    options = {"highlight_over": None, "format": form, "numbered": True, **lead.policy}
    options["allocation"] = "reference"  # whose entries are whole, or summaries that are too long
    context = within(90, found, cl100k, RenderingHints(**lead.hints), **options)
    assert context.mode == mode
    assert Counter(reasons(context))["cut"] == 1
    assert "[CURRENT] " in context.text
    assert ('id="1"' if form == "sml" else "[1] ") in context.text or mode == "timeline"
    assert [source.number for source in context.sources] == [1]
    assert CUT_MARK in context.text


class Ticket(SharedRenderer):
    """A host's renderer with texts of its own length."""

    def render(self, grain: Any, policy: FormatPolicy) -> str:
        return "ticket " * grain.fields["size"]

    def render_summary(self, grain: Any, policy: FormatPolicy) -> str:
        return "a ticket of some size that says very little"


def ticket(size: int) -> dict[str, Any]:
    return {"grain_type": "ticket", "hash": str(size), "fields": {"size": size, "text": HUGE}}


@pytest.mark.parametrize("form", FORMATS)
def test_a_hosts_text_is_counted_and_never_cut(form: str) -> None:
    hosts = [Ticket("ticket")]
    for budget in (0, 1, 8, 9, 20, 60):
        context = within(budget, [ticket(9), ticket(30)], words, None, hosts, format=form)
        assert CUT_MARK not in context.text
        assert set(reasons(context)) <= {"full", "summary", "omitted_budget", "floor_unaffordable"}
    whole = within(60, [ticket(9), ticket(30)], words, None, hosts, format=form)
    assert reasons(whole) == ["full", "full"]
    assert whole.text.count("ticket ") >= 39


# --- the line of entities ---------------------------------------------------------------------


@pytest.mark.parametrize("form", WITH_SUMMARIES)
def test_the_line_of_entities_goes_before_the_only_entry_does(form: str) -> None:
    entities = tuple(f"entity number {n}" for n in range(40))
    hints = RenderingHints(entity_count=40, entities=entities)
    whole = within(None, [fact(0, "walnut")], words, hints, format=form)
    context = within(whole.tokens - 1, [fact(0, "walnut")], words, hints, format=form)
    assert reasons(context) == ["full"]
    assert "entity number" in whole.text
    assert "entity number" not in context.text
    cut = within(12, [row(0, HUGE)], words, hints, format=form, allocation="reference")
    assert reasons(cut) == ["cut"]
    assert "entity number" not in cut.text


# --- many of them -----------------------------------------------------------------------------


def many(count: int) -> list[dict[str, Any]]:
    """Return hits of all types, sizes and dates, a few of which replace others."""
    found = []
    for n in range(count):
        main, name = prose(3 + n * 7 % 40, n), f"entity {n % 9}"
        known = {"subject": name, "relation": "is", "name": name, "title": name}
        fields = {**known, "context": {"label": main}, **dict.fromkeys(MAIN, main)}
        found.append({
            "grain_type": [*GRAIN_TYPES, "ticket"][n % 15],
            "hash": f"f{n}",
            "fields": fields,
            "score": n * 37 % 100 / 100,
            "created_at_sec": 1_700_000_000 + n % 13 * 86_400,
            **(replaced(n + 1) if n % 20 == 3 else {"supersession_status": "current"}),
        })  # fmt: skip
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", FORMATS)
def test_many_hits_fill_their_room_too(form: str, mode: str) -> None:
    lead = LEADS[mode]
    found = led(many(120), lead)
    for budget, counter in ((70, cl100k), (700, o200k), (3_000, cl100k), (900, words)):
        chosen = {
            "allocation": "reference",
            "highlight_over": None,
            "group_by_type": budget == 700,
            **lead.policy,
        }
        policy = FormatPolicy(format=form, token_budget=budget, **chosen)
        hits = tuple(map(SearchHit.model_validate, found))
        case = Case(hits, policy, RenderingHints(**lead.hints), counter)
        context, pages = case.format(), Pages(case)
        assert context.tokens <= budget
        forms = pages.forms_of(context)
        assert forms == pages.nothing or context.text == pages.text(forms)
        assert pages.spare(forms, budget) == []


@pytest.mark.parametrize("form", FORMATS)
def test_each_piece_is_counted_once_and_few_whole_texts(form: str) -> None:
    asked: Counter[str] = Counter()

    def counter(text: str) -> int:
        asked[text] += 1
        return cl100k(text)

    found = [row(n, f"{n} {prose(40 + n % 30, n)}") for n in range(400)]
    context = within(2_000, found, counter, format=form)
    assert context.included_count > 5
    assert max(asked.values()) <= 2
    pieces = 2 if OutputFormat(form) in WITH_SUMMARIES else 1
    assert sum(asked.values()) < 400 * pieces + 60


# --- the counter ------------------------------------------------------------------------------


def named(text: str) -> int:
    return len(text)


def test_the_result_says_who_counted() -> None:
    counted = within(100, [row(0, "of some words")], named)
    assert (counted.counter, counted.tokens) == ("named", len(counted.text))
    assert "13 tokens by named, budget 100" in counted.report()
    free = within(None, [row(0, "of some words")], named)
    assert (free.counter, free.tokens) == ("named", len(free.text))
    policy = FormatPolicy(token_budget=100)
    estimated = ContextAssembler().format([row(0, "of some words")], policy)
    assert (estimated.counter, estimated.tokens) == (None, estimated.estimated_tokens)
    assert "about 3 tokens, budget 100" in estimated.report()


def test_outcomes_tell_counted_tokens() -> None:
    context = within(100, [row(0, "One opens. It goes on.")], words)
    assert (context.outcomes[0].tokens, context.outcomes[0].full_tokens) == (5, 5)


def broken(text: str) -> int:
    raise RuntimeError("out of words")


BAD: dict[str, tuple[Callable[[str], Any], str]] = {
    "raises": (broken, "the token counter broken raised RuntimeError: out of words"),
    "a fraction": (lambda text: 1.5, "the token counter function returned 1.5; give a whole"),
    "nothing": (lambda text: None, "the token counter function returned None; give a whole"),
    "less than nothing": (lambda text: -1, "the token counter function returned -1; give a whole"),
    "a truth": (lambda text: True, "the token counter function returned True; give a whole"),
}


@pytest.mark.parametrize(("counter", "message"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("budget", [None, 0, 50])
def test_a_counter_that_fails_is_an_error_and_never_an_estimate(
    budget: int | None, counter: Any, message: str
) -> None:
    assembler = ContextAssembler(counter=counter)
    with pytest.raises(CounterError) as failed:
        assembler.format([row(0, "x")], FormatPolicy(token_budget=budget))
    assert str(failed.value).startswith(message)
    assert failed.value.counter in message


@pytest.mark.parametrize("counter", [42, "cl100k_base", object()])
def test_a_counter_that_cannot_be_called_is_refused_at_the_door(counter: Any) -> None:
    kind = type(counter).__name__
    with pytest.raises(AreevContextError, match=f"counter is of type {kind}: give a callable"):
        ContextAssembler(counter=counter)


def test_a_price_for_nothing_is_never_paid() -> None:
    context = within(3, [], lambda text: len(text) + 7, format="plain_text")
    assert (context.text, context.tokens) == ("", 0)


def test_inputs_stay_as_they_are() -> None:
    found: list[Mapping[str, Any]] = [row(0, HUGE), *CHAIN]
    before = repr(found)
    ContextAssembler(counter=words).format(found, FormatPolicy(token_budget=9))
    assert repr(found) == before


@pytest.mark.parametrize("form", WITH_SUMMARIES)
def test_of_many_fields_the_longest_that_are_shown_are_found(form: str) -> None:
    beside = {f"other {n}": f"not shown {n} " * 40 for n in range(100)}
    own = {"subject": "the walnut desk " * 9, "relation": "is", "object": "sold to a carrier " * 20}
    hits = [{"grain_type": "fact", "fields": {**beside, **own}}]
    policy = FormatPolicy(format=form, token_budget=70, metadata="none")
    context = ContextAssembler(counter=words).format(hits, policy)
    assert context.outcomes[0].reason is Reason.CUT
    assert ("the walnut desk" in context.text, "sold to a carrier" in context.text) == (True, True)
    assert "not shown" not in context.text
