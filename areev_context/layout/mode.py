"""What a mode is: when it applies, how it divides the budget, how it arranges entries."""

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
    """What the choice of a mode may look at.

    Attributes:
        items: The hits that may be shown.
        policy: The policy.
        hints: What the caller knows of the query.
        intent: What a decider says that the query wants; None = its phrases decide.
    """

    items: tuple[Item, ...]
    policy: FormatPolicy
    hints: RenderingHints
    intent: Intent | None = None


Arrange = Callable[[Sequence[Entry], FormatPolicy, RenderingHints], tuple[Node, ...]]
"""Entries in input order -> nodes in reading order; nothing for no entries."""


Pools = Callable[[Sequence[Item], int], list[tuple[list[int], int]]]
"""How a mode divides the budget: places in the body, and their share in estimated tokens."""


@dataclass(frozen=True, slots=True)
class Mode:
    """One row of the registry of modes.

    Attributes:
        name: Its name.
        applies: Whether it is the one, in a situation.
        arrange: Its arrangement.
        pools: Its division of the budget.
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
    """Give the whole budget to the whole body."""
    return [(list(range(len(body))), budget)]
