"""The definition of a mode: when it applies, how it divides the budget and arranges entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from areev_context.layout.outline import Entry, Node
from areev_context.policy import FormatPolicy, RenderingHints
from areev_context.selection.advice import Intent
from areev_context.selection.item import Item

__all__ = ["Arrange", "Mode", "Pools", "Situation", "one_pool"]


@dataclass(frozen=True, slots=True)
class Situation:
    """The data by which a mode is chosen.

    Attributes:
        items: The hits that may be shown.
        policy: The policy.
        hints: What the caller knows about the query.
        intent: What the query wants, by a decider; None = the phrases of the query decide.
    """

    items: tuple[Item, ...]
    policy: FormatPolicy
    hints: RenderingHints
    intent: Intent | None = None


Arrange = Callable[[Sequence[Entry], FormatPolicy, RenderingHints], tuple[Node, ...]]
"""A function from entries in input order to nodes in reading order; no nodes for no entries."""


Pools = Callable[[Sequence[Item], int], list[tuple[list[int], int]]]
"""A function that divides a budget: slots of the body, and their share in estimated tokens."""


@dataclass(frozen=True, slots=True)
class Mode:
    """One mode: a way to arrange entries for a kind of question.

    Attributes:
        name: Its name.
        applies: A function that tells whether the mode applies in a situation.
        arrange: A function that arranges entries.
        pools: A function that divides the budget.
        updates: Whether it shows knowledge updates.
        ordered: Whether it arranges all entries in one ordered section.
    """

    name: str
    applies: Callable[[Situation], bool]
    arrange: Arrange
    pools: Pools
    updates: bool
    ordered: bool = False


def one_pool(body: Sequence[Item], budget: int) -> list[tuple[list[int], int]]:
    """Return one pool: the whole body, with the whole budget."""
    return [(list(range(len(body))), budget)]
