"""What every result must keep, whatever came in; `conftest.py` runs it on each one in the suite."""

import json

from areev_context import FormatPolicy, FormattedContext, HitOutcome, Reason

SHOWN = {Reason.FULL, Reason.SUMMARY, Reason.UPDATE, Reason.CUT, Reason.TRIMMED}
OMITTED = {
    Reason.OMITTED_BUDGET,
    Reason.FLOOR_UNAFFORDABLE,
    Reason.OMITTED_DECIDER,
    Reason.OVER_SOURCE_CAP,
}
WITHHELD = {Reason.WITHHELD, Reason.EXCLUDED_TYPE}
SET_ASIDE = {Reason.OVER_MAX_COUNT, Reason.SUPERSEDED, Reason.DUPLICATE, Reason.EMPTY}


def check(context: FormattedContext, hits: int, policy: FormatPolicy) -> None:
    """Fail unless the outcomes add up to the hits, and the counts to the outcomes."""
    outcomes = context.outcomes
    assert [outcome.index for outcome in outcomes] == list(range(hits))
    assert {outcome.reason for outcome in outcomes} <= SHOWN | OMITTED | WITHHELD | SET_ASIDE
    assert context.included_count == sum(o.reason in SHOWN for o in outcomes)
    assert context.omitted_count == sum(o.reason in OMITTED for o in outcomes)
    assert context.withheld_count == sum(o.reason in WITHHELD for o in outcomes)
    assert context.truncated == (context.omitted_count > 0)
    assert context.estimated_tokens == len(context.text.encode()) // 4
    assert context.token_budget == policy.token_budget
    if policy.token_budget is not None and (context.counter or policy.allocation == "auto"):
        assert context.tokens <= policy.token_budget
    for outcome in outcomes:
        check_outcome(outcome)
    check_numbers(context, policy)
    assert type(context).model_validate(json.loads(context.model_dump_json())) == context
    assert len(context.report().splitlines()) == hits + 3


def check_outcome(outcome: HitOutcome) -> None:
    if outcome.reason in WITHHELD:
        assert outcome == HitOutcome(index=outcome.index, reason=outcome.reason)
        return
    assert outcome.grain_type
    assert outcome.hash
    assert outcome.label is not None
    assert (outcome.allocation != "omit") == (outcome.reason in SHOWN)
    assert outcome.tokens is not None
    assert outcome.tokens >= 0
    if outcome.reason not in SHOWN:
        assert outcome.tokens == 0
        assert outcome.number is None


def check_numbers(context: FormattedContext, policy: FormatPolicy) -> None:
    numbers = sorted({o.number for o in context.outcomes if o.number is not None})
    first = policy.first_number
    for outcome in context.outcomes:
        if outcome.within is not None:
            assert outcome.number == context.outcomes[outcome.within].number
    assert numbers == (list(range(first, first + len(numbers))) if policy.numbered else [])
    listed = [source.number for source in context.sources if source.number is not None]
    assert sorted(set(listed)) == numbers
    assert listed == sorted(listed)
