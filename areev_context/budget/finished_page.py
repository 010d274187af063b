"""A finished page: its text, and what each hit got of the budget."""

from __future__ import annotations

from typing import NamedTuple

from areev_context.budget.plan import Grant
from areev_context.layout.outline import Outline

__all__ = ["Page"]


class Page(NamedTuple):
    """A page within the budget, its text, and what each hit got of the budget.

    Attributes:
        outline: The page.
        text: The text of the page.
        body: The grant of each hit of the body.
        updates: Whether each update is shown.
        tokens: The counted tokens of the text; None if they were not counted.
    """

    outline: Outline
    text: str
    body: tuple[Grant, ...]
    updates: tuple[bool, ...]
    tokens: int | None
