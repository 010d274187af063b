"""A budget believes the order of a retriever, and the scores of a reranker."""

import math
from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, SearchHit
from areev_context.tokens import estimate_tokens

QUERY = "how quickly do I get my money back?"
ANSWER = "Refunds take five days."
BESIDE = [
    f"Money, money: you get back to us quickly, {n} times, and how you do it is told here."
    for n in range(6)
]
FORMATS = ("sml", "markdown", "plain_text", "toon", "json")


def hits(texts: list[str], numbers: list[Any] | None = None, **options: Any) -> list[SearchHit]:
    given = [None] * len(texts) if numbers is None else numbers
    passages = [
        Passage(text, {"source": f"{n}.md"}, score)
        for n, (text, score) in enumerate(zip(texts, given, strict=True))
    ]
    return PassageMapper(**options).hits(passages)


def shown(found: list[SearchHit], budget: int, **options: Any) -> list[int]:
    policy = FormatPolicy(token_budget=budget, **{"format": "markdown", **options})
    context = ContextAssembler(counter=estimate_tokens).format(found, policy, query=QUERY)
    return sorted(o.index for o in context.outcomes if o.reason in ("full", "summary", "trimmed"))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("budget", [30, 60, 120, 240])
def test_the_first_hit_is_shown_whenever_it_fits(form: str, budget: int) -> None:
    first = [ANSWER, f"{ANSWER} " * 3 + "\n\n" + "Nothing here has to do with it. " * 20]
    for text in first:
        found = hits([text, *BESIDE])
        alone = shown(found[:1], budget, format=form)
        assert set(alone) <= set(shown(found, budget, format=form))


def test_a_reranker_decides_whatever_words_are_shared() -> None:
    texts = [*BESIDE, ANSWER, "Payments back arrive within five working days of our receipt."]
    scores = [0.1] * len(BESIDE) + [0.95, 0.9]
    assert {6, 7} <= set(shown(hits(texts, scores, scores="reranker"), 40))
    assert 7 not in shown(hits(texts, scores), 40)


@pytest.mark.parametrize(
    ("scores", "higher", "relevances"),
    [
        ([0.9, 0.2, None], True, [0.9, 0.2, None]),
        ([0.1, 0.8], False, [0.9, 0.2]),
        ([4.0, -4.0], True, [0.982, 0.018]),
        ([-4.0, 4.0], False, [0.982, 0.018]),
        ([1e9, -1e9], True, [1.0, 0.0]),
        (["high", math.nan, 0.5], True, [None, None, 0.5]),
    ],
)
def test_scores_of_a_reranker_become_relevances(
    scores: list[Any], higher: bool, relevances: list[float | None]
) -> None:
    found = hits(["a"] * len(scores), scores, scores="reranker", higher_is_better=higher)
    rounded = [None if h.relevance is None else round(h.relevance, 3) for h in found]
    assert rounded == relevances


def test_a_rerankers_key_is_read() -> None:
    mapper = PassageMapper(score_key="relevance_score", scores="reranker")
    metadata = {"relevance_score": 0.7}
    assert mapper.hits([Passage("a", metadata, 0.1)])[0].relevance == 0.7


def test_what_was_not_rated_comes_last() -> None:
    found = hits([*BESIDE, ANSWER], [None] * 6 + [0.01], scores="reranker")
    assert 6 in shown(found, 40)


def test_known_scores_count_for_more_than_a_few_words() -> None:
    texts = [ANSWER + " This is so by law.", *BESIDE[:2]]
    far, near = hits(texts, [0.99, 0.02, 0.01]), hits(texts, [0.99, 0.98, 0.97])
    assert 0 in shown(far, 60)
    assert 0 in shown(near, 60)


@pytest.mark.parametrize(
    ("scores", "why"),
    [
        ([0.1, 0.9], "not falling"),
        ([12.5, 3.1], "outside of 0..1"),
        ([0.9, 0.1], None),
        ([None, None], None),
    ],
)
def test_scores_that_are_not_used_are_named_once(scores: list[Any], why: str | None) -> None:
    context = ContextAssembler().format(hits(["a", "b"], scores))
    assert context.unused_scores == why
    assert context.report().count("scores not used") == (why is not None)
    assert f"scores not used: {why}" in context.report() or why is None
    assert ("unused_scores" in context.model_dump()) == (why is not None)
    assert type(context).model_validate(context.model_dump()) == context


def test_distances_that_rise_are_used() -> None:
    context = ContextAssembler().format(hits(["a", "b"], [0.1, 0.9], higher_is_better=False))
    assert context.unused_scores is None


def test_scores_of_a_reranker_are_always_used() -> None:
    context = ContextAssembler().format(hits(["a", "b"], [-3.0, 9.0], scores="reranker"))
    assert context.unused_scores is None


def turns(days: range) -> list[dict[str, Any]]:
    return [
        {
            "type": "event",
            "fields": {"content": f"Turn {n}: I would take the blue one.", "role": "user"},
            "created_at": 1_700_000_000 + n * 86_400,
        }
        for n in days
    ]


def test_of_a_conversation_given_oldest_first_the_newest_turns_stay() -> None:
    policy = FormatPolicy.gpt4(token_budget=60, ordering="chronological", highlight_over=None)
    context = ContextAssembler().format(turns(range(10)), policy)
    assert "Turn 9" in context.text
    assert "Turn 0:" not in context.text
    positions = [
        context.text.index(f"Turn {n}:") for n in range(10) if f"Turn {n}:" in context.text
    ]
    assert positions == sorted(positions)


def test_of_a_list_given_newest_first_they_stay_too() -> None:
    policy = FormatPolicy.gpt4(token_budget=60, ordering="chronological", highlight_over=None)
    context = ContextAssembler().format(turns(range(9, -1, -1)), policy)
    assert "Turn 9" in context.text
    assert "Turn 0:" not in context.text
