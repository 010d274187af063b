"""The laws for hours: every round draws other examples, and the seed says which.

    python tests/laws/fuzz.py --seconds 3600 --seed 7

The seed is printed first, the number of examples last. A law that fails is printed with the
smallest example found, and the exit status is 1; the same seed finds it again.
"""

import argparse
import itertools
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1]))

import budget.test_ceiling as ceiling
import decide.test_decide_laws as deciders
import laws.test_complete  # this, and the next three, register laws
import laws.test_lookalikes
import laws.test_withheld  # noqa: F401
import selection.test_chains  # noqa: F401
from laws.drawing import LAWS as OF_MANY_THINGS
from laws.strategies import cases
from laws.test_laws import LAWS as OF_TEXTS


def _of(test: Any) -> Any:
    return test.hypothesis.inner_test


_counted = ceiling.cases()
_decided = st.tuples(
    cases(withheld=True, **deciders.queried), deciders.opinions, st.sampled_from(deciders.COUNTERS)
)
_babbled = st.tuples(cases(**deciders.queried), deciders.babble, st.sampled_from(deciders.COUNTERS))
LAWS = OF_TEXTS | OF_MANY_THINGS | {
    "no_text_passes_its_budget": (
        _of(ceiling.test_no_text_passes_its_budget), ceiling.cases(ceiling.erratic)
    ),
    "the_room_is_used": (_of(ceiling.test_the_room_is_used), _counted),
    "whatever_a_judge_says": (
        lambda drawn: _of(deciders.test_whatever_a_decider_says)(*drawn), _decided
    ),
    "an_unsure_judge_hides_nothing": (
        lambda drawn: _of(deciders.test_an_unsure_decider_hides_nothing)(*drawn),
        st.tuples(deciders.dated(), deciders.unsure),
    ),
    "whatever_a_judge_says_that_is_no_answer": (
        lambda drawn: _of(deciders.test_whatever_a_decider_says_that_is_no_answer)(*drawn), _babbled
    ),
}  # fmt: skip
"""Every law by its name: the check, and what is drawn for it."""


def examine(name: str, of_round: int, examples: int, counted: Counter[str]) -> None:
    """Run one law on examples that the round's seed draws; raise what it raises."""
    holds, drawn = LAWS[name]

    def once(example: Any) -> None:
        counted[name] += 1
        holds(example)

    once.__name__ = name
    once.__annotations__ = {}
    fresh = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    seed(of_round)(fresh(given(drawn)(once)))()


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the laws on examples without end.")
    add = parser.add_argument
    add("--seconds", type=float, default=3600.0, help="how long, at least one round")
    add("--seed", type=int, default=None, help="where to start; one is drawn and printed without")
    add("--examples", type=int, default=200, help="examples a law and a round")
    add("--law", action="append", choices=list(LAWS), help="only this law; may be repeated")
    add("--keep-going", action="store_true", help="go on after a law has failed")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    options = _options(words)
    start = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    print(f"seed {start}", flush=True)
    began, counted = time.monotonic(), Counter[str]()
    failures = 0
    try:
        for of_round in itertools.count():
            failures += _round(options, f"{start} {of_round}", began, counted)
            over = time.monotonic() - began >= options.seconds
            if over or (failures and not options.keep_going):
                break
    except KeyboardInterrupt:
        print("stopped")
    for name in options.law or LAWS:
        print(f"{counted[name]:>9} {name}")
    took = time.monotonic() - began
    print(f"{counted.total():>9} examples in {took:.0f} s, {failures} failures, seed {start}")
    return 1 if failures else 0


def _round(options: argparse.Namespace, of_round: str, began: float, counted: Counter[str]) -> int:
    """Run every law once; return how many failed. Only the first round outlasts the time."""
    failures = 0
    for name in options.law or LAWS:
        try:
            seed_of_law = random.Random(f"{of_round} {name}").getrandbits(64)
            examine(name, seed_of_law, options.examples, counted)
        except Exception:
            failures += 1
            traceback.print_exc(limit=-4)
            print(f"{name} failed; seed and round {of_round}", flush=True)
            if not options.keep_going:
                break
        if not of_round.endswith(" 0") and time.monotonic() - began >= options.seconds:
            break
    return failures


if __name__ == "__main__":
    sys.exit(main())
