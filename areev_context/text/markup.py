"""HTML: its blocks as parts, by their tags; line breaks do not matter."""

from __future__ import annotations

import re
from typing import NamedTuple

from areev_context.text.code import rows_of_code
from areev_context.text.nesting import read_outline
from areev_context.text.part import PartKind
from areev_context.text.part_draft import MOST, Above, PartDraft, lines_of
from areev_context.text.prose import read_prose

__all__ = ["BLOCK_TAG", "read_markup"]

BLOCK_TAG = re.compile(
    r"<(/?)(h[1-6]|p|li|ul|ol|table|thead|tbody|tfoot|tr|caption|pre|div|section|article|header"
    r"|footer|main|nav|aside|dl|dt|dd|blockquote|form|fieldset|figure|figcaption|details|summary"
    r"|hr|body|html|head|title|script|style|option|select|td|th)\b[^<>]*>|<!--",
    re.I,
)
_TAG = re.compile(r"<[^<>]*>")
# What ends a block that is never divided: its own tag, or another one, which begins the next.
_WHOLE = {
    name: re.compile(rf"(</{name}\s*>)", re.I)
    for name in ("pre", "script", "style", "caption", "title")
} | {"tr": re.compile(r"(</tr\s*>)|<tr\b|</?t(?:able|body|head|foot)\b", re.I)}
_WITHIN = frozenset({"td", "th"})
_BLANKS = re.compile(r"\s*")
_CELL = re.compile(r"<td\b", re.I)
_HEAD_CELL = re.compile(r"<th\b", re.I)
_LISTS = frozenset({"ul", "ol"})
_ENTITY = re.compile(r"&#?\w+;")


class _Block(NamedTuple):
    """A block of HTML: the tag that begins it, if any, and its span."""

    tag: str
    start: int
    end: int
    depth: int  # of lists
    shows: bool  # anything at all


def read_markup(draft: PartDraft, start: int, end: int, above: Above) -> None:
    """Add the blocks of HTML as parts: headings, paragraphs, items, rows, `<pre>`.

    A tag that only encloses others belongs to the block after it; if there is none, it is a
    ``FRAME``.
    """
    reader = _Reader(draft, above)
    for block in _blocks(draft.text, start, end):
        reader.read(block)


def _blocks(text: str, start: int, end: int) -> list[_Block]:
    blocks: list[_Block] = []
    depth = 0
    place = begin = start
    tag = ""
    shown = False
    while True:
        match = BLOCK_TAG.search(text, place, end)
        edge = match.start() if match else end
        name = (match[2] or "!").lower() if match else ""
        closing = bool(match and match[1])
        shown = shown or bool(_TAG.sub("", text[place:edge]).strip())
        if match is None or (shown and not closing and name not in _WITHIN):
            begin = _at_text(text, begin, edge)
            if edge > begin:
                blocks.append(_Block(tag, begin, edge, depth, shown))
            begin, tag, shown = edge, "", False
        if match is None:
            return blocks
        place = match.end()
        if name == "!":
            comment = text.find("-->", place, end)
            place = comment + 3 if comment >= 0 else end
        elif closing:
            if shown and name not in _WITHIN:
                begin = _at_text(text, begin, place)
                blocks.append(_Block(tag, begin, place, depth, True))
                begin, tag, shown = place, "", False
            elif blocks and not tag:
                blocks[-1] = blocks[-1]._replace(end=place)
                begin = place
            depth = max(0, depth - (name in _LISTS))
        elif name in _WHOLE:
            place = _end_of(text, name, place, end)
            begin = _at_text(text, begin, place)
            blocks.append(_Block(name, begin, place, depth, True))
            begin, tag, shown = place, "", False
        elif name not in _WITHIN:
            depth += name in _LISTS
            tag = tag if tag and name == "p" else name


def _at_text(text: str, begin: int, end: int) -> int:
    """Return where the line of the first character that is not blank starts, or that character."""
    blanks = _BLANKS.match(text, begin, end)
    place = blanks.end() if blanks else begin
    return max(begin, text.rfind("\n", begin, place) + 1) if place < end else end


def _end_of(text: str, name: str, place: int, end: int) -> int:
    """Return where a block that is never divided ends; one that is not closed, at the end."""
    match = _WHOLE[name].search(text, place, end)
    if match is None:
        return end
    return match.end() if match[1] else match.start()


class _Reader:
    """Adds blocks to a draft, in order, with the headings and headers that they need."""

    def __init__(self, draft: PartDraft, above: Above) -> None:
        self._draft = draft
        self._above = above
        self._headings: list[tuple[int, int]] = []
        self._items: list[int] = []
        self._header: tuple[int, ...] = ()
        self._intro: tuple[int, bool] | None = None
        self._term: int | None = None

    def read(self, block: _Block) -> None:
        """Add one block."""
        text = self._draft.text
        if not block.shows or not _TAG.sub("", text[block.start : block.end]).strip():
            self._frame(block)
            return
        tag = block.tag
        if tag in {"table", "caption"} or "<table" in text[block.start : block.end].lower():
            self._header = ()
        if (tag[:1] == "h" and tag[1:].isdigit()) or tag == "title":
            self._heading(block, int(tag[1:]) if tag != "title" else 1)
        elif tag == "tr":
            self._row(block)
        elif tag in {"pre", "script", "style"}:
            self._pre(block)
        elif tag == "li":
            self._item(block)
        elif tag in {"caption", "dt"}:
            self._named(block)
        else:
            self._prose(block)

    def _frame(self, block: _Block) -> None:
        above, indent = self._base(), self._indent(block)
        self._draft.add(PartKind.FRAME, block.start, above, indent=indent, alone=False)

    def _indent(self, block: _Block) -> int:
        text = self._draft.text[block.start : block.start + 80]
        stripped = text.lstrip()
        return len(text) - len(stripped) - text.rfind("\n", 0, len(text) - len(stripped)) - 1

    def _base(self) -> Above:
        headings = [index for _, index in self._headings]
        needs = tuple(headings[-1:]) or self._above.needs
        return Above(needs, (*self._above.context, *headings[:-1]))

    def _introduced(self) -> Above:
        base = self._base()
        if self._intro is None:
            return base
        index, needed = self._intro
        if needed:
            return Above((*base.needs, index), base.context)
        return Above(base.needs, (*base.context, index))

    def _heading(self, block: _Block, level: int) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        above = Above((), (*self._above.context, *(index for _, index in self._headings)))
        indent = self._indent(block)
        index = self._draft.add(PartKind.HEADING, block.start, above, indent=indent, alone=False)
        self._headings.append((level, index))
        self._intro, self._term, self._items, self._header = None, None, [], ()

    def _row(self, block: _Block) -> None:
        text = self._draft.text[block.start : block.end]
        header = _HEAD_CELL.search(text) is not None and _CELL.search(text) is None
        above = self._introduced()
        if self._header:
            above = Above(self._header, above.context)
        kind = PartKind.HEADER if header else PartKind.ROW
        index = self._draft.add(
            kind, block.start, above, indent=self._indent(block), alone=not header
        )
        if header:
            self._header = (index,)

    def _pre(self, block: _Block) -> None:
        lines = lines_of(self._draft.text, block.start, block.end)
        first = next(n for n, body in enumerate(lines.bodies) if body)
        rows = rows_of_code(lines, first, len(lines.bodies))
        rows.starts[0] = block.start
        read_outline(self._draft, rows, PartKind.CODE, self._introduced())

    def _item(self, block: _Block) -> None:
        depth = max(1, block.depth)
        del self._items[depth - 1 :]
        above = self._introduced()
        if self._items:
            above = Above((self._items[-1],), above.context)
        self._items.append(self._whole(block, PartKind.ITEM, above))

    def _whole(self, block: _Block, kind: PartKind, above: Above) -> int:
        index = len(self._draft)
        indent = self._indent(block)
        if block.end - block.start <= MOST:
            self._draft.add(kind, block.start, above, indent=indent)
        else:
            read_prose(
                self._draft, block.start, block.end, above, kind=kind, leads=True, indent=indent
            )
        return index

    def _named(self, block: _Block) -> None:
        kind = PartKind.HEADER if block.tag == "caption" else PartKind.HEADING
        base = self._base()
        indent = self._indent(block)
        index = self._draft.add(kind, block.start, base, indent=indent, alone=False)
        if block.tag == "caption":
            self._header = (index,)
        else:
            self._term = index

    def _prose(self, block: _Block) -> None:
        above = self._base()
        if block.tag == "dd" and self._term is not None:
            above = Above((*above.needs, self._term), above.context)
        index = read_prose(self._draft, block.start, block.end, above, indent=self._indent(block))
        shown = _TAG.sub("", self._draft.text[self._draft.start(index) : block.end]).rstrip()
        self._intro = (index, shown.endswith(":"))
