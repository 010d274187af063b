"""The hits of a body as passages in parts: the text that can be divided, and its tokens."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Hashable, Iterator, Sequence
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.budget.resize import within
from areev_context.formats.lines import plain_line
from areev_context.hits import fields as reading
from areev_context.selection.item import Allocation, Item, Joined
from areev_context.selection.source_order import number_of
from areev_context.text.part import Part, PartKind
from areev_context.text.parts import parts_of

__all__ = ["TEXT_TYPES", "Parted", "PassageNumber", "divided_field", "members_of", "parted"]

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
_SHARED_HEAD = 8.0  # tokens of a date and what stands around it
_AROUND_TITLE = 24  # characters: brackets, a bullet, the names of attributes
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
        shared: What tells the passages from others that share a head with it; None if none do.
        shared_head: The tokens of that head.
        units: The ranges of parts that are a passage each; empty if it is one passage.
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
    units: Sequence[range] = ()
    shared: Hashable = None
    shared_head: float = 0.0


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
        around = len(whole) - size
        if item.joined is not None:  # its escapes and indentations are no head, however many
            around = min(around, _AROUND_TITLE + len(_about(item, field)[1]))
        head = min(tokens / 2, max(0, around) / _CHARACTERS)
        most = max(_FEWEST, int((_LARGEST * budget - head) * size / max(1.0, tokens - head)))
        parts: Sequence[Part] = (Part(PartKind.SENTENCE, 0, len(text)),)
        if shortens:
            if field:
                parts = _parts(item, text)
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
                number_of(item.hit.id) if field and item.joined is None else None,
                _source(item),
                item.at_least is Allocation.FULL,
                min(most, _LONG_SENTENCE),
                field,
                () if item.joined is None else _units(parts, item.joined),
                item.talk,
                _SHARED_HEAD,
            )
        )
    return passages


def _parts(item: Item, text: str) -> tuple[Part, ...]:
    """Return the parts of a text; a joined one is read from gap to gap, each gap a part."""
    named = reading.first(item.grain.fields, "source", "title")
    if item.joined is None or not item.joined.gaps:
        return parts_of(text, named)
    out: list[Part] = []
    at = 0
    for start, end in (*item.joined.gaps, (len(text), len(text))):
        out.extend(_moved(parts_of(text[at:start], named), at, len(out)))
        if start < end:
            out.append(Part(PartKind.SENTENCE, start, end, alone=False))
        at = end
    return tuple(out)


def _moved(parts: Sequence[Part], characters: int, places: int) -> Iterator[Part]:
    """Yield parts as they are behind so many characters and so many parts."""
    for part in parts:
        yield part._replace(
            start=part.start + characters,
            end=part.end + characters,
            needs=tuple([n + places for n in part.needs]),
            context=tuple([n + places for n in part.context]),
        )


def _units(parts: Sequence[Part], of: Joined) -> tuple[range, ...]:
    """Return the parts of each hit of a joined entry; what two share is the first one's."""
    starts = [part.start for part in parts]
    out, at = [], 0
    for member in of.members:
        first, last = bisect_left(starts, member.start), bisect_left(starts, member.end)
        out.append(range(max(at, first), max(at, last)))
        at = max(at, last)
    return tuple(out)


def members_of(passage: Parted, of: Joined) -> Iterator[tuple[Parted, range]]:
    """Yield each hit of a joined passage as a passage, and the range of parts that it has."""
    starts = [part.start for part in passage.parts]
    for member in of.members:
        first = max(0, bisect_right(starts, member.start) - 1)
        last = max(first + 1, bisect_left(starts, member.end))
        within, item = range(first, last), member.item
        begin, end = passage.parts[first].start, passage.parts[last - 1].end
        parts = [
            part._replace(
                start=part.start - begin,
                end=part.end - begin,
                needs=tuple([n - first for n in part.needs if n in within]),
                context=tuple([n - first for n in part.context if n in within]),
            )
            for part in passage.parts[first:last]
        ]
        speaker, title = _about(item, passage.field)
        yield (
            passage._replace(
                text=passage.text[begin:end],
                parts=parts,
                tokens=passage.tokens[first:last],
                speaker=speaker,
                title=title,
                number=number_of(item.hit.id),
                together=item.at_least is Allocation.FULL,
                units=(),
            ),
            within,
        )


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
