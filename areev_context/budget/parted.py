"""The hits of a body as passages in parts: the text that can be divided, and its tokens."""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.budget.resize import within
from areev_context.formats.lines import plain_line
from areev_context.hits import fields as reading
from areev_context.selection.item import Allocation, Item
from areev_context.text.part import Part, PartKind
from areev_context.text.parts import parts_of

__all__ = ["TEXT_TYPES", "Parted", "PassageNumber", "divided_field", "number_of", "parted"]

TEXT_TYPES = frozenset({"document", "event"})
"""The grain types whose content is one text."""

PassageNumber = tuple[str, int]
"""The document that a passage is a piece of, and the number of the piece."""

_LONG = 200  # characters, about 50 tokens, below which a text of another type is not divided
_FIELDS = {
    "document": ("content",),
    "event": ("content",),
    "tool": ("tool_content", "content"),
    "observation": ("object",),
    "skill": ("description",),
    "reasoning": ("conclusion",),
}

_CHARACTERS = 3.0  # a token of markup has about so many
_LARGEST = 0.9  # of the budget, that a part may take
_PIECE = 0.6  # of that, what the pieces of a larger one may take
_LONG_SENTENCE = 400  # characters from which on one is shown in pieces, a mark where it goes on
_FEWEST = 24  # characters, that a part may always have


class Parted(NamedTuple):
    """One passage, as it can be shown in part.

    Attributes:
        text: Its text.
        parts: The parts of the text, in reading order, at least one.
        tokens: The tokens of each part.
        head: The tokens of the text around the parts, such as the title.
        speaker: The name of the speaker; empty if it has none.
        title: Its title and source.
        number: The document it is a piece of, and the number of the piece; None if unknown.
        source: A key of its source; None if the source is unknown.
        together: Whether the whole passage is tried first when its best part's turn comes.
        glued: Sentences of up to so many characters are never shown in pieces.
        field: The name of the grain's field with the text; empty if the text is not divided.
    """

    text: str
    parts: Sequence[Part]
    tokens: Sequence[float] = ()
    head: float = 0.0
    speaker: str = ""
    title: str = ""
    number: PassageNumber | None = None
    source: Hashable = None
    together: bool = False
    glued: int = 0
    field: str = ""


def divided_field(item: Item, hosted: Container[str] = ()) -> str:
    """Return the name of the field whose text can be shown in part; empty if there is none.

    This is the text of a document or an event; of the types in the table, a field with a long text.

    Args:
        item: The hit.
        hosted: The grain types that the application renders; their texts are not divided.
    """
    grain_type, fields = item.grain.grain_type, item.grain.fields
    names = _FIELDS.get(grain_type, ())
    if grain_type in hosted or not names:
        return ""
    if grain_type == "tool" and fields.get("is_error") is True:
        names = ("error", *names)
    for name in names:
        value = fields.get(name)
        if value and isinstance(value, str):  # as the formats do: the first that is not empty
            long = grain_type in TEXT_TYPES or len(value) > _LONG
            return name if long and not value.isspace() else ""
    return ""


def parted(draft: Draft, wholes: Sequence[tuple[int, str]], budget: int) -> list[Parted]:
    """Return the hits of a draft's body as passages; no part is larger than the budget allows.

    Args:
        draft: The draft.
        wholes: For each hit of the body shown whole, its counted tokens and its text.
        budget: The ceiling.
    """
    shortens, hosted = draft.shortens, draft.renderers.hosted
    passages = []
    for item, (tokens, whole) in zip(draft.selection.body, wholes, strict=True):
        field = divided_field(item, hosted)
        text = _text(item, field)
        size = len(text) or 1
        head = min(tokens / 2, max(0, len(whole) - size) / _CHARACTERS)
        most = max(_FEWEST, int((_LARGEST * budget - head) * size / max(1.0, tokens - head)))
        parts: Sequence[Part] = (Part(PartKind.SENTENCE, 0, len(text)),)
        if shortens:
            if field:
                parts = parts_of(text, reading.first(item.grain.fields, "source", "title"))
            parts = within(text, parts, most, max(_FEWEST, int(_PIECE * most)))
        each = (tokens - head) / size
        speaker, title = _about(item, field)
        passages.append(
            Parted(
                text,
                parts,
                [(part.end - part.start) * each for part in parts],
                head,
                speaker,
                title,
                number_of(item.hit.id) if field else None,
                _source(item),
                item.at_least is Allocation.FULL,
                min(most, _LONG_SENTENCE),
                field,
            )
        )
    return passages


def _text(item: Item, field: str) -> str:
    """Return the text that can be shown in part, else the line that says it whole."""
    grain = item.grain
    if field:
        return reading.text(grain.fields, field)
    return plain_line(grain.grain_type, grain.hash, grain.fields, str) or "?"


def _about(item: Item, field: str) -> tuple[str, str]:
    """Return who speaks, and where nobody does the words that stand about a text."""
    grain_type, fields = item.grain.grain_type, item.grain.fields
    speaker = reading.speaker(fields) if grain_type == "event" and field else ""
    if speaker or not field:
        return speaker, ""
    if grain_type in TEXT_TYPES:
        return "", " ".join([value for _, value in reading.document_details(fields)])
    names = ("tool_name", "subject", "name", "domain")
    return "", " ".join([reading.text(fields, name) for name in names])


def _source(item: Item) -> Hashable:
    """Return what tells the source of a passage from others; None where that is unknown."""
    if item.grain.grain_type != "document":
        return None
    return reading.details(item.grain.fields, "source", "url", "title")


def number_of(identifier: str | None) -> PassageNumber | None:
    """Return the text before the number at the end of an id, and the number; None without one."""
    whole = identifier or ""
    head = whole.rstrip("0123456789")
    digits = whole[len(head) :]
    return (head, int(digits)) if 0 < len(digits) <= 9 and digits.isascii() else None
