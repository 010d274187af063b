"""Find the field of a grain whose text can be shown in part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from areev_context.hits.fields import flag, text

__all__ = ["TEXT_TYPES", "long_text_field"]

TEXT_TYPES = frozenset({"document", "event"})
"""The grain types whose content is one text."""

_LONG = 200  # characters, about 50 tokens, below which a text of another type is not divided

_FIELDS = {
    "document": ("content",),
    "event": ("content",),
    "tool": ("tool_content", "content"),
    "observation": ("object",),
    "skill": ("description",),
    "reasoning": ("conclusion",),
}


def long_text_field(grain_type: str, fields: Mapping[str, Any]) -> str | None:
    """Return the name of the field whose text can be shown in part; None if there is none.

    This is the text of a document or an event; of the types in the table, a field with a long
    text.
    """
    names = _FIELDS.get(grain_type, ())
    if grain_type == "tool" and flag(fields, "is_error"):
        names = ("error", *names)
    for name in names:
        value = text(fields, name)
        if value:  # as the formats do: the first that is not empty is the one they show
            long = grain_type in TEXT_TYPES or len(value) > _LONG
            return name if long and value.strip() else None
    return None
