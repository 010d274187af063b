"""What holds for every input: the laws, each over hits, formats and modes that are drawn.

``AREEV_PROFILE`` sets how many examples a law gets; the examples are the same in every run.
`fuzz.py` runs the same laws for as long as one likes, each round with another seed.
"""

import copy
import json
import pickle
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import toon_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import ValidationError

from amount import examples
from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    Reason,
    RenderingHints,
    SearchHit,
    escape,
    load_hits,
)
from areev_context.extend import OutputFormat
from areev_context.formats.registry import FORMATS
from areev_context.layout.all_modes import MODES
from areev_context.layout.outline import Entry as OutlineEntry
from areev_context.layout.outline import Node, Section, entries_of
from areev_context.selection.screening import Item
from awkward import BAD_BUDGETS, DATES, METADATA
from checker import SHOWN, check
from laws import readers, strategies, tables
from laws.expected import assembled, page_of, same
from laws.readers import Entry, Update, unescape
from laws.strategies import SECRET, Asked, Case, asked, cases, texts, values

Check = Callable[[Any], None]
LAWS: dict[str, tuple[Check, SearchStrategy[Any]]] = {}
"""Every law by name: what is drawn, and what must hold for it."""

EXAMPLES = examples(300)
steadily = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def law(
    drawn: SearchStrategy[Any],
    by_format: Callable[[str], SearchStrategy[Any]] | None = None,
    times: int = 1,
) -> Callable[[Check], Any]:
    """Register a law, and make it a test of `EXAMPLES` examples.

    Args:
        drawn: What is drawn for one example.
        by_format: The same for one format, where each format gets so many examples of its own.
        times: How many times as many examples, of a law that takes no time.
    """
    often = settings(steadily, max_examples=times * EXAMPLES)

    def register(holds: Check) -> Any:
        LAWS[holds.__name__] = (holds, drawn)
        if by_format is None:
            return often(given(drawn)(holds))

        def test(form: str) -> None:
            often(given(by_format(form))(holds))()

        test.__name__, test.__doc__ = holds.__name__, holds.__doc__
        return pytest.mark.parametrize("form", FORMATS)(test)

    return register


def read(text: str, form: str) -> readers.Page:
    return readers.READERS[form](text)


# --- the registries ---------------------------------------------------------------------------


def test_every_format_has_a_reader() -> None:
    assert set(readers.READERS) == set(FORMATS)


def test_every_mode_is_reached() -> None:
    """A mode that needs something of the hits or the hints needs a row in `strategies.LEADS`."""
    found: set[str] = set()

    @settings(steadily, max_examples=500)
    @given(cases(format="sml"))
    def collect(case: Case) -> None:
        found.add(ContextAssembler().format(*_of(case)).mode)

    collect()
    assert found == set(MODES)


def _of(case: Case) -> tuple[list[SearchHit], FormatPolicy, RenderingHints]:
    return list(case.hits), case.policy, case.hints


# --- 1 and 2: one valid document, and no forging ----------------------------------------------


@law(cases())
def test_1_each_page_is_one_valid_document(case: Case) -> None:
    """Its own format's parser reads it, and finds as many of our pieces as stand in it."""
    context, outline = assembled(case)
    check(context, len(case.hits), case.policy)
    page = read(context.text, case.policy.format)
    shown = list(entries_of(outline.nodes))
    entries = [piece for piece in page if isinstance(piece, Entry)]
    updates = [piece for piece in page if isinstance(piece, Update)]
    assert len(entries) == sum(isinstance(node, OutlineEntry) for node in shown)
    assert len(updates) == len(shown) - len(entries)


@law(cases(), lambda form: cases(format=form))
def test_2_read_back_nothing_is_changed(case: Case) -> None:
    """Sections, entries, updates, numbers, marks, gaps; texts, names, ids, types, namespaces."""
    context, outline = assembled(case)
    form = case.policy.format
    same(read(context.text, form), page_of(outline, form, case.policy.metadata), form)


_signs = st.lists(st.sampled_from(strategies.SIGNS + strategies.BREAKS), max_size=5).map("".join)
_any_text = st.one_of(_signs, texts)


@law(
    st.tuples(st.sampled_from(list(FORMATS)), _any_text),
    lambda form: st.tuples(st.just(form), _any_text),
    times=5,
)
def test_2_escape_is_undone_without_a_remainder(drawn: tuple[OutputFormat, str]) -> None:
    form, text = drawn
    text = mended(text)[0]
    written = escape(text, form)
    assert UNDONE[form](written) == text


UNDONE: dict[str, Callable[[str], str]] = {
    "sml": lambda s: "".join(ET.fromstring(f"<a>{s}</a>").itertext()),
    "toon": lambda s: toon_format.loads(f"[1]: {s}")[0],
    "markdown": unescape,
    "plain_text": unescape,
    "json": lambda s: json.loads(f'"{s}"'),
}


# --- 3: clean text ----------------------------------------------------------------------------

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def mended(text: str) -> tuple[str, int]:
    """Return a text as any output may hold it, and at how many places it was not so."""
    text, pairs = _PAIR.subn(
        lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), text
    )
    text, breaks = re.subn("\r\n?", "\n", text)
    text, lost = re.subn("[\ud800-\udfff\ufffe\uffff]", "\ufffd", text)
    text, dropped = _BAD.subn("", text)
    return text, pairs + breaks + lost + dropped


def _dirt(value: Any) -> int:
    if isinstance(value, str):
        return mended(value)[1]
    if isinstance(value, dict):
        return sum(_dirt(k) + _dirt(v) for k, v in value.items())
    return sum(map(_dirt, value)) if isinstance(value, list) else 0


@law(cases())
def test_3_the_text_is_clean(case: Case) -> None:
    before = copy.deepcopy(case)
    context, outline = assembled(case)
    context.text.encode()
    assert not _BAD.search(context.text)
    names = ("grain_type", "hash", "id", "source_namespace", "superseded_by_hash")
    seen = [
        hit
        for hit, outcome in zip(case.hits, context.outcomes, strict=True)
        if outcome.reason not in (Reason.WITHHELD, Reason.EXCLUDED_TYPE)
    ]
    dirt = sum(_dirt(hit.fields) + sum(_dirt(getattr(hit, n)) for n in names) for hit in seen)
    assert context.cleaned_characters == dirt
    assert case == before
    for node in entries_of(outline.nodes):
        if isinstance(node, OutlineEntry):
            _is_the_clean(node.item.hit.fields, case.hits[node.index].fields)


def _is_the_clean(clean: Any, dirty: Any) -> None:
    if isinstance(dirty, str):
        assert clean == mended(dirty)[0]
    elif isinstance(dirty, dict):
        assert len(clean) == len(dirty)
        for (name, value), (dirty_name, dirty_value) in zip(
            clean.items(), dirty.items(), strict=True
        ):
            assert name.rstrip("_") == mended(dirty_name)[0].rstrip("_")  # twins get underscores
            _is_the_clean(value, dirty_value)
    elif isinstance(dirty, list):
        for value, dirty_value in zip(clean, dirty, strict=True):
            _is_the_clean(value, dirty_value)
    else:
        assert clean is dirty


# --- 4: nothing invented, nothing lost in silence ---------------------------------------------


@law(cases(withheld=True))
def test_4_what_counts_as_shown_is_in_the_text_and_nothing_else(case: Case) -> None:
    context, outline = assembled(case)
    check(context, len(case.hits), case.policy)
    nodes = list(entries_of(outline.nodes))
    by_reason = {
        index: outcome.reason
        for index, outcome in enumerate(context.outcomes)
        if outcome.reason in SHOWN
    }
    entries = {node.index: node for node in nodes if isinstance(node, OutlineEntry)}
    updates = {n for node in nodes if not isinstance(node, OutlineEntry)
               for n in (node.index, node.old_index)}  # fmt: skip
    assert len(entries) == sum(isinstance(node, OutlineEntry) for node in nodes)
    assert {n for n, reason in by_reason.items() if reason == Reason.UPDATE} == updates
    in_part = {Reason.CUT: "summary", Reason.TRIMMED: "summary"}
    forms = {n: in_part.get(r, str(r)) for n, r in by_reason.items() if r != Reason.UPDATE}
    assert forms == {n: str(node.form) for n, node in entries.items()}
    page = read(context.text, case.policy.format)
    assert sum(isinstance(piece, Entry) for piece in page) == len(entries)
    if case.policy.numbered:
        numbers = [
            piece.number or (piece.place if isinstance(piece, Entry) else None) or 0
            for piece in page
            if isinstance(piece, Entry | Update)
        ]  # in the lines of a timeline the number takes the ordinal's place
        listed = [source.number or 0 for source in context.sources]
        if case.policy.format == "toon":  # its rows stand by type, whatever the reading order is
            numbers, listed = sorted(numbers), sorted(listed)
        assert list(dict.fromkeys(numbers)) == list(dict.fromkeys(listed))
    if context.included_count == 0:
        assert context.text in ("", "[]", "{}")


@law(cases(withheld=True, include_retracted=False))
def test_4_what_is_withheld_is_nowhere(case: Case) -> None:
    context, _ = assembled(case)
    places = [
        context.text,
        context.report(),
        context.model_dump_json(),
        repr(context),
        str(context),
    ]
    places += [repr(context.sources), repr(context.outcomes)]
    assert not [place for place in places if SECRET in place]
    assert context.withheld_count > 0


# --- 5: withheld means never retrieved --------------------------------------------------------


@law(cases(withheld=True, include_retracted=False))
def test_5_withheld_hits_change_nothing(case: Case) -> None:
    context, _ = assembled(case)
    reasons = [outcome.reason for outcome in context.outcomes]
    left = [
        n for n, reason in enumerate(reasons)
        if reason not in (Reason.WITHHELD, Reason.EXCLUDED_TYPE)
    ]  # fmt: skip
    hidden = [n for n, hit in enumerate(case.hits) if SECRET in hit.hash]
    assert not set(hidden) & set(left)
    hits = [case.hits[n] for n in left]
    without = ContextAssembler().format(hits, case.policy, case.hints)
    counts = {"outcomes": (), "sources": (), "withheld_count": 0}
    assert context.model_copy(update=counts) == without.model_copy(update=counts)
    place_of = {index: place for place, index in enumerate(left)}
    placed = [replace(source, index=place_of[source.index or 0]) for source in context.sources]
    assert placed == list(without.sources)
    moved = [replace(context.outcomes[place], index=n) for n, place in enumerate(left)]
    assert moved == list(without.outcomes)


# --- 7: same in, same out ---------------------------------------------------------------------


@law(cases())
def test_7_the_same_comes_out(case: Case) -> None:
    before = pickle.dumps(case)
    first = ContextAssembler().format(*_of(case))
    again = ContextAssembler().format(*_of(pickle.loads(before)))
    dumped = FormatPolicy.model_validate(
        json.loads(json.dumps(case.policy.model_dump(mode="json")))
    )
    replayed = ContextAssembler().format(list(case.hits), dumped, case.hints)
    with ThreadPoolExecutor(1) as elsewhere:
        there = elsewhere.submit(ContextAssembler().format, *_of(case)).result()
    assert first == again == replayed == there
    assert pickle.loads(before) == case


_tied = st.builds(
    lambda turns, case: replace(
        case,
        hits=tuple(
            hit.model_copy(update={"score": 0.5, "created_at_sec": 86_400 * (turn % 2)})
            for hit, turn in zip(case.hits, turns, strict=False)
        ),
    ),
    st.lists(st.integers(0, 1), min_size=6, max_size=6),
    cases(token_budget=None),
)


@law(_tied)
def test_7_ties_keep_the_order_in_which_they_came(case: Case) -> None:
    _, outline = assembled(case)
    in_time = any(
        isinstance(node, Section) and node.ordered for node in outline.nodes
    )  # its order is its own
    ordering = "chronological" if in_time else str(case.policy.ordering)
    if ordering not in ORDERS:  # by source, or best at the edges: tests/selection/test_orders.py
        return
    key = ORDERS[ordering]
    for entries in _runs(outline.nodes):
        alike: dict[Any, list[int]] = {}
        for entry in entries:
            alike.setdefault(key(entry.item), []).append(entry.index)
        assert all(places == sorted(places) for places in alike.values())


ORDERS: dict[str, Callable[[Item], Any]] = {
    "as_given": lambda left: None,
    "chronological": lambda left: left.grain.created_at,
    "reverse_chronological": lambda left: left.grain.created_at,
    "by_entity": lambda left: (tables.string(left.grain.fields, "subject"), left.score),
}
"""What two hits have in common where an ordering does not tell them apart."""


def _runs(nodes: tuple[Node, ...]) -> Iterator[list[OutlineEntry]]:
    """Yield the entries that stand together, outside sections and in each of them."""
    yield [node for node in nodes if isinstance(node, OutlineEntry)]
    for node in nodes:
        if isinstance(node, Section):
            yield from _runs(node.nodes)


# --- 8: never an exception --------------------------------------------------------------------

_anything = st.one_of(values, strategies.odd_objects, st.sampled_from(DATES), strategies.scores)
_loose_rows = st.builds(
    lambda odd, fields, row: {**row, **odd, "fields": {**row["fields"], **fields}},
    st.dictionaries(
        st.sampled_from([
            "hash", "id", "score", "created_at", "created_at_sec", "source_namespace", "unknown",
            "recall_source", "conflict_status", "supersession_status", "superseded_by_hash",
            "relative_time", "explanation",
        ]),
        _anything,
        max_size=4,
    ),
    st.dictionaries(
        st.one_of(texts, st.sampled_from(["created_at", "context", "confidence", 3, None])),
        _anything,
        max_size=3,
    ),
    strategies.rows(),
)  # fmt: skip


@law(st.tuples(asked(), st.lists(_loose_rows, max_size=4)))
def test_8_no_row_of_a_recall_raises(drawn: tuple[Asked, list[dict[str, Any]]]) -> None:
    how, found = drawn
    load_hits(found)
    case = how.of(found)
    context, outline = assembled(case)
    check(context, len(found), case.policy)
    form = case.policy.format
    same(read(context.text, form), page_of(outline, form, case.policy.metadata), form)


_metadata = st.dictionaries(
    st.one_of(
        st.sampled_from([
            "title", "source", "page", "url", "grain_type", "subject", "object", "context",
            "verification_status", "created_at", "superseded_by", "score", "text", "meta-id", "id",
        ]),
        texts,
        st.integers(),
    ),
    st.one_of(_anything, st.sampled_from(["fact", "event", "state", "goal", "retracted"])),
    max_size=5,
)  # fmt: skip
_passages = st.builds(
    Passage,
    st.one_of(texts, st.none()),
    st.one_of(_metadata, st.sampled_from(list(METADATA.values()))),
    _anything,
    st.one_of(texts, st.none()),
)


_HIDDEN = {"grain_type": "fact", "subject": "s", "verification_status": "retracted"}


@pytest.mark.parametrize(
    ("hidden", "found", "budget"),
    [
        (
            Passage("hidden", _HIDDEN, 7.5),  # outside 0..1: no score of the list is read
            [Passage("a" * 30, {"grain_type": "tool", "tool_name": "t"}, 1.0),
             Passage("b" * 30, {"grain_type": "event"}, 0.3)],
            9,
        ),
        (
            Passage("hidden", _HIDDEN, None, "x"),  # takes the id that another one names
            [Passage("old", {"grain_type": "fact", "superseded_by": "x"}, None, "o"),
             Passage("new", {"grain_type": "fact"}, None, "x")],
            None,
        ),
    ],
    ids=["a score", "an id"],
)  # fmt: skip
def test_5_a_withheld_passage_is_not_read(
    hidden: Passage, found: list[Passage], budget: int | None
) -> None:
    policy = FormatPolicy(token_budget=budget, grain_type_diversity=None)
    texts_of = [
        ContextAssembler().format(PassageMapper().hits(passages), policy).text
        for passages in ([hidden, *found], found)
    ]
    assert texts_of[0] == texts_of[1]


_mappers = st.builds(
    PassageMapper,
    shown=st.lists(
        st.one_of(st.sampled_from(["title", "source", "page", "id", "type", "a.b"]), texts),
        max_size=4,
    ).map(tuple),
    score_key=st.sampled_from([None, "score"]),
    higher_is_better=st.booleans(),
)


@law(st.tuples(asked(), _mappers, st.lists(_passages, max_size=5)))
def test_8_no_passage_raises(drawn: tuple[Asked, PassageMapper, list[Passage]]) -> None:
    how, mapper, found = drawn
    hits = mapper.hits(found)
    assert len(hits) == len(found)
    case = how.of(list(map(dict, hits)))
    context, outline = assembled(case)
    check(context, len(hits), case.policy)
    form = case.policy.format
    same(read(context.text, form), page_of(outline, form, case.policy.metadata), form)


@pytest.mark.parametrize("budget", BAD_BUDGETS, ids=repr)
def test_8_a_wrong_budget_is_an_error_at_the_door(budget: Any) -> None:
    with pytest.raises(ValidationError, match="token_budget"):
        FormatPolicy(token_budget=budget)


@pytest.mark.parametrize("of", [FormatPolicy, RenderingHints])
def test_8_an_unknown_option_is_an_error_at_the_door(of: Any) -> None:
    with pytest.raises(ValidationError, match="colour"):
        of(colour="red")
