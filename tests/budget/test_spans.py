"""The span of a source: which stretch of its hit's text the page shows."""

import re
from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    Grain,
    Passage,
    PassageMapper,
    SearchHit,
    SharedRenderer,
    load_hits,
)
from areev_context.budget.spans import in_twin
from areev_context.extend import FORMATS
from areev_context.selection.item import Item

SENTENCES = [
    "The first clause says one thing about rent.",
    "The second clause says pets are allowed in the cellar.",
    "The third clause is about notice of three months.",
    "The fourth clause says nothing at all.",
]
LEASE = " ".join(SENTENCES)
QUERY = "are pets allowed in the cellar?"
REFERENCE = {"allocation": "reference", "grain_type_diversity": None}


def document(text: str) -> SearchHit:
    [hit] = PassageMapper().hits([Passage(text)])
    return hit


def grain(kind: str, **fields: Any) -> SearchHit:
    return SearchHit(grain_type=kind, fields=fields)


def made(hits: list[SearchHit], budget: int | None, **options: Any) -> FormattedContext:
    policy = FormatPolicy.gpt4(token_budget=budget, **options)
    return ContextAssembler().format(hits, policy, query=QUERY)


def stretches(hits: list[SearchHit], context: FormattedContext, name: str) -> list[str | None]:
    """Return what the span of each source holds of the field of its hit."""
    return [
        None if source.span is None else hits[source.index or 0].fields[name][slice(*source.span)]
        for source in context.sources
    ]


IN_PART = {
    "a document": (document(LEASE), "content"),
    "one with blanks at its ends": (document(f"\n \n{LEASE} \n\n"), "content"),
    "one with lines of Windows": (document("\r\n".join(SENTENCES)), "content"),
    "one with control characters": (document(f"\0\1\r\n\r\n{LEASE}\2"), "content"),
    "one with halves of characters": (document(f"{LEASE} \ud83d\ude00 \ud800"), "content"),
    "a turn": (grain("event", role="user", content=LEASE), "content"),
    "a result of a tool": (grain("tool", tool_name="x", tool_content=2 * LEASE), "tool_content"),
    "one under another name": (grain("tool", tool_name="x", content=2 * LEASE), "content"),
    "an error of a tool": (grain("tool", tool_name="x", is_error=True, error=2 * LEASE), "error"),
}


@pytest.mark.parametrize("name", IN_PART)
def test_the_span_of_a_part_holds_it_from_its_first_to_its_last_character(name: str) -> None:
    hit, field = IN_PART[name]
    context = made([hit], 34)
    assert context.outcomes[0].allocation == "summary"
    [shown] = stretches([hit], context, field)
    assert shown
    assert shown == shown.strip()
    pieces = [piece for line in context.text.split("\n") for piece in re.split("…|: ", line)]
    inside = [piece.strip() for piece in pieces if piece.strip() in LEASE and piece.strip()]
    assert shown.startswith(inside[0])
    assert shown.endswith(inside[-1])


@pytest.mark.parametrize("name", IN_PART)
@pytest.mark.parametrize("form", FORMATS)
def test_the_span_of_a_whole_text_is_the_whole_text(form: str, name: str) -> None:
    hit, field = IN_PART[name]
    context = made([hit], None, format=form)
    assert stretches([hit], context, field) == [hit.fields[field]]


def test_the_span_of_a_duplicate_is_in_its_own_text() -> None:
    hits = [document(text) for text in (LEASE, "\r\n".join(SENTENCES), LEASE.replace(" ", "  "))]
    shown = stretches(hits, made(hits, 34), "content")
    assert shown[0] != LEASE
    assert [" ".join((text or "").split()) for text in shown] == [shown[0]] * 3
    assert stretches(hits, made(hits, None), "content") == [h.fields["content"] for h in hits]


@pytest.mark.parametrize(
    ("hit", "field", "expected"),
    [
        (document(3 * f"{LEASE} "), "content", SENTENCES[1]),
        (grain("event", role="user", content=f"{LEASE} {LEASE}"), "content", LEASE[:76]),
        (grain("goal", description=LEASE, criteria=LEASE), "description", LEASE),
        (grain("tool", tool_name="x", tool_content=LEASE), "tool_content", None),
    ],
    ids=["a document", "a turn", "a goal", "a tool"],
)
def test_the_span_of_a_summary(hit: SearchHit, field: str, expected: str | None) -> None:
    context = made([hit], 60 if hit.grain_type != "tool" else 30, **REFERENCE)
    assert context.outcomes[0].allocation == "summary", context.report()
    [shown, *_] = stretches([hit], context, field)
    assert (shown or "").startswith(expected or "")
    assert (shown is None) == (expected is None)


def test_a_text_that_does_not_hold_a_stretch_has_none() -> None:
    first, other = (
        Item(n, hit, hit.grain, 1.0) for n, hit in enumerate(map(document, SENTENCES[:2]))
    )
    assert in_twin(first, other, (4, 9)) is None
    assert in_twin(first, first, (4, 9)) == (4, 9)
    assert in_twin(first, other, None) is None


class Hidden(SharedRenderer):
    """Shows nothing of a document."""

    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        """Return one line, whatever the grain says."""
        return "- a document"


def test_there_is_no_span_of_a_text_that_is_not_shown_as_it_stands() -> None:
    hits = [
        document(LEASE),
        grain("event", role="user", content=[{"type": "text", "text": "Pets?"}, "In the cellar"]),
        grain("state", context={"label": "waiting"}),
    ]
    context = ContextAssembler([Hidden("document")]).format(hits, FormatPolicy.gpt4())
    assert [source.span for source in context.sources] == [None, None, None]


def test_the_span_of_an_update_is_its_new_value() -> None:
    triple = {"subject": "ada", "relation": "owns"}
    rows = [
        {
            "grain_type": "fact",
            "hash": "a",
            "fields": {**triple, "object": "x", "superseded_by": "b"},
        },
        {"grain_type": "fact", "hash": "b", "fields": {**triple, "object": "new"}},
    ]
    hits = load_hits(rows)
    context = ContextAssembler().format(hits, FormatPolicy.gpt4())
    assert [(source.id, source.span) for source in context.sources] == [("b", (0, 3))]
