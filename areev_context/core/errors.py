"""The errors of this library, drawn as a tree.

::

    AreevContextError
    ├── InputError       a row, a file or an argument that cannot be read
    ├── RendererError    a host's renderer failed or returned no text
    └── CounterError     a host's token counter failed, or cannot be had

pydantic's ``ValidationError`` stands beside the tree: it is what a wrong option of a policy, or a
row given straight to ``SearchHit.model_validate``, raises.
"""

from __future__ import annotations

__all__ = ["AreevContextError", "CounterError", "InputError", "RendererError"]


class AreevContextError(Exception):
    """Base of every error this library raises on its own account."""


class InputError(AreevContextError):
    """Something that came in cannot be read; nothing was formatted.

    Attributes:
        row: Place of the offending row, from 0, or None when the whole source is meant.
        field: Name of the offending field, or None when the whole row is meant.
    """

    def __init__(self, message: str, *, row: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.row = row
        self.field = field


class RendererError(AreevContextError):
    """A host's renderer raised, or returned something that is not what the seam asks for.

    Attributes:
        grain_type: The type whose renderer failed.
        method: The method of the renderer that was called.
    """

    def __init__(self, message: str, *, grain_type: str, method: str) -> None:
        super().__init__(message)
        self.grain_type = grain_type
        self.method = method


class CounterError(AreevContextError):
    """A host's token counter raised or returned no count, or its vocabulary cannot be had.

    Attributes:
        counter: The counter's name.
    """

    def __init__(self, message: str, *, counter: str) -> None:
        super().__init__(message)
        self.counter = counter
