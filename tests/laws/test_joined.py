"""A joined entry holds every shown part of every hit once, in the order of the source."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from amount import examples
from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper
from areev_context.extend import Allocation

FORMS = ("markdown", "sml", "plain_text")


@st.composite
def sources(draw: Any) -> tuple[list[str], list[Passage]]:
    """Return sentences of one source, each found in it once, and passages cut out of it."""
    count = draw(st.integers(2, 14))
    sentences = [f"Sentence w{n}w tells what part {n} of the pump is for." for n in range(count)]
    if draw(st.booleans()):
        sentences[draw(st.integers(0, count - 1))] += " But only then."
    between = draw(st.sampled_from([" ", "\n", "\n\n"]))
    text = between.join(sentences)
    starts = [text.index(sentence) for sentence in sentences]
    known = draw(st.sampled_from(["start", "number", "overlap"]))
    passages, first = [], 0
    while first < count:
        last = min(count, first + draw(st.integers(1, 4)))
        end = starts[last - 1] + len(sentences[last - 1])
        metadata: dict[str, Any] = {"source": "manual.txt"}
        if known == "start":
            metadata["start_index"] = starts[first]
        name = f"m-{len(passages)}" if known == "number" else None
        passages.append(Passage(text[starts[first] : end], metadata, None, name))
        overlap = known == "overlap" or draw(st.booleans())
        first = last - 1 if overlap and last < count and last - first > 1 else last
    chosen = draw(st.lists(st.sampled_from(range(len(passages))), min_size=1, unique=True))
    return sentences, [passages[n] for n in chosen]


@settings(max_examples=examples(60))
@given(sources(), st.sampled_from(FORMS), st.one_of(st.none(), st.integers(0, 400)), st.booleans())
def test_what_is_shown_of_a_source_stands_once_in_its_order(
    of: tuple[list[str], list[Passage]], form: str, budget: int | None, numbered: bool
) -> None:
    sentences, passages = of
    hits = PassageMapper().hits(passages)
    policy = FormatPolicy(
        format=form, token_budget=budget, numbered=numbered, query_text="pump w3w part 5"
    )
    context = ContextAssembler().format(hits, policy)
    assert budget is None or context.tokens <= budget
    names = [f"w{n}w" for n in range(len(sentences))]
    places = [context.text.find(name) for name in names]
    entries = {outcome.within for outcome in context.outcomes if outcome.allocation != "omit"}
    if len(passages) == 1 or (budget is None and len(entries) == 2):  # one entry holds them all
        shown = [place for place in places if place >= 0]
        assert shown == sorted(shown)
        assert all(context.text.count(name) <= 1 for name in names)
    for passage, outcome in zip(passages, context.outcomes, strict=True):
        inside = [name for name in names if name in (passage.text or "")]
        found = [name for name in inside if name in context.text]
        if outcome.allocation is Allocation.FULL:
            assert found == inside
        if budget is None:
            assert outcome.allocation is not Allocation.OMIT
    listed = {source.index for source in context.sources}
    shown_hits = {o.index for o in context.outcomes if o.allocation is not Allocation.OMIT}
    assert listed == shown_hits


@settings(max_examples=examples(30))
@given(sources(), st.sampled_from(FORMS), st.one_of(st.none(), st.integers(0, 400)))
def test_without_joining_a_hit_is_as_without_a_position(
    of: tuple[list[str], list[Passage]], form: str, budget: int | None
) -> None:
    _, passages = of
    bare = [Passage(each.text, {"source": "manual.txt"}, None, None) for each in passages]
    policy = FormatPolicy(format=form, token_budget=budget, join=False)
    placed = [Passage(each.text, each.metadata, None, None) for each in passages]
    texts = [
        ContextAssembler().format(PassageMapper().hits(p), policy).text for p in (placed, bare)
    ]
    assert texts[0] == texts[1]
