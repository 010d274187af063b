"""What holds of deciders for every input: hits, policies, counters and opinions that are drawn."""

import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from areev_context import ContextAssembler, FormatPolicy, FormattedContext, Reason, RenderingHints
from areev_context.hits.trust import is_withheld
from counters import characters, dear_joins, shared_words, words
from deciders import Decider, Opinion, opinions
from laws.strategies import SECRET, Case, cases
from laws.test_laws import EXAMPLES

COUNTERS: list[Callable[[str], int] | None] = [
    None, characters, words, dear_joins, shared_words, lambda text: zlib.crc32(text.encode()) % 50,
]  # fmt: skip

law = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
queried = {"query_text": "where does ann live now?"}


def formatted(case: Case, decider: Decider | None, counter: Any) -> FormattedContext:
    assembler = ContextAssembler(decider=decider, counter=counter)
    return assembler.format(list(case.hits), case.policy, case.hints)


def seen(context: FormattedContext) -> set[int]:
    """Return the places of the hits that a text shows."""
    forms = (Reason.FULL, Reason.UPDATE)
    return {outcome.index for outcome in context.outcomes if outcome.reason in forms}


def without_time(context: FormattedContext) -> dict[str, Any]:
    dumped = context.model_dump()
    dumped.get("decision", {}).pop("latency_ms", None)
    return dumped


@law
@given(cases(withheld=True, **queried), opinions, st.sampled_from(COUNTERS))
def test_whatever_a_decider_says(case: Case, decider: Opinion, counter: Any) -> None:
    context = formatted(case, decider, counter)
    budget = case.policy.token_budget
    if counter is not None and budget is not None:
        assert (counter(context.text) if context.text else 0) == context.tokens <= budget
    omitted = {o.index for o in context.outcomes if o.reason is Reason.OMITTED_DECIDER}
    assert decider.calibrated or not omitted
    if not case.policy.include_retracted:
        assert SECRET not in json.dumps(decider.requests)
        shown = [hit for hit in case.hits if not is_withheld(hit.fields)]
        alone = formatted(Case(tuple(shown), case.policy, case.hints), decider, counter)
        assert alone.text == context.text
    assert without_time(formatted(case, decider, counter)) == without_time(context)


@st.composite
def dated(draw: st.DrawFn) -> Case:
    """A case whose mode is open: its hits are dated, and nothing but a budget keeps one out."""
    case = draw(cases(token_budget=None, **queried))
    moments = draw(st.lists(moment, min_size=len(case.hits), max_size=len(case.hits)))
    hits = [
        hit.model_copy(update={"created_at_sec": at})
        for hit, at in zip(case.hits, moments, strict=True)
    ]
    hints = RenderingHints(query_text=draw(st.sampled_from(["", "when did ann move?"])))
    return Case(tuple(hits), case.policy, hints)


moment = st.integers(1, 2_000_000_000)
unsure = st.builds(Opinion, st.integers(0, 2**16), st.just(False))


@law
@given(dated(), unsure)
def test_an_unsure_decider_hides_nothing(case: Case, decider: Opinion) -> None:
    context = formatted(case, decider, None)
    assert seen(context) >= seen(formatted(case, None, None))
    assert context.omitted_count == 0


babble = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["answers", "intent", "rel_0", "type", "score", "noul", "model"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


class Babbles(Decider):
    def __init__(self, response: Any) -> None:
        super().__init__(calibrated=True)
        self.response = response

    def decide(self, request: Any) -> Any:
        return self.response


@law
@given(cases(**queried), babble, st.sampled_from(COUNTERS))
def test_whatever_a_decider_says_that_is_no_answer(case: Case, reply: Any, counter: Any) -> None:
    assert formatted(case, Babbles(reply), counter) == formatted(case, None, counter)


@pytest.mark.parametrize("counter", COUNTERS)
def test_a_decider_that_finds_all_relevant_omits_nothing(counter: Any) -> None:
    rows = [{"grain_type": "fact", "fields": {"object": f"value {n}"}} for n in range(4)]
    policy = FormatPolicy(query_text="which value?")
    decider = Decider(lambda text: (3.0, 1.0), calibrated=True)
    context = ContextAssembler(decider=decider, counter=counter).format(rows, policy)
    assert [outcome.reason for outcome in context.outcomes] == ["full"] * 4
