"""Documents: Markdown, reStructuredText and plain text, block by block."""

from __future__ import annotations

import re

from areev_context.text.blocks import BULLETS, CONTAINER, ITEM, RULE, Blocks, unquoted
from areev_context.text.fences import Fence, fences_of, read_fence
from areev_context.text.genre import Genre, genre_of, looks_like_source
from areev_context.text.markup import BLOCK_TAG
from areev_context.text.part import PartKind
from areev_context.text.part_draft import MOST, Above, Lines, PartDraft
from areev_context.text.place import ListItem, Place
from areev_context.text.prose import read_prose
from areev_context.text.readers import read_genre
from areev_context.text.tables import columns_end, pipe_end, read_columns, read_pipes
from areev_context.text.titles import is_hash_heading, is_underline

__all__ = ["read_document"]

_FIRST = re.compile(r"\(?(?:\d|[ai][.)])")
_LITERAL = re.compile(r"\.\. (?:code|code-block|sourcecode|highlight|math)::")
_ODD_ENDS = frozenset("{};)]>\\,:=(|0123456789\"'")
_ODD_STARTS = frozenset("{}<[\"'@$/%\\>;")
_CAPTION = 100  # characters of a line that may be the caption of the table below it


def read_document(draft: PartDraft, lines: Lines, above: Above) -> None:
    """Add the parts of a document."""
    breaks: frozenset[int] = frozenset()
    if any(body[:1] == ">" for body in lines.bodies):
        lines, breaks = unquoted(lines)
    _Document(draft, lines, breaks, above).read()


class _Document:
    """Reads the blocks of a document in order."""

    def __init__(
        self, draft: PartDraft, lines: Lines, breaks: frozenset[int], above: Above
    ) -> None:
        self._draft = draft
        self._lines = lines
        self._breaks = breaks
        self._place = Place(above)
        self._end = len(lines.bodies)
        self._fences = {
            -1 if fence.opening is None else fence.opening: fence for fence in fences_of(lines)
        }
        self._blocks = Blocks(lines, self._fences.keys(), breaks)
        self._marks: list[str] = []  # of underlines, the highest first
        self._prose_until = 0  # the end of indented lines that have been found to be prose
        self._literal = False  # whether what is indented next is source
        self._readers = (
            self._heading,
            self._rule,
            self._table,
            self._markup,
            self._item,
            self._container,
            self._indented,
        )

    def read(self) -> None:
        """Add the parts of all blocks."""
        place = self._front()
        if -1 in self._fences:
            place = self._fence(self._fences[-1], 0)
        while place < self._end:
            body = self._lines.bodies[place]
            if not body:
                place += 1
            elif place in self._fences:
                place = self._fence(self._fences[place], place)
            else:
                place = self._block(place, body)

    def _front(self) -> int:
        """Add the data between `---` that stand in front of a document."""
        first, end = self._blocks.front()
        if end:
            lines = self._lines.part(first, end)
            read_genre(self._draft, lines, Genre.INDENTED, self._place.prose())
        return end

    def _block(self, place: int, body: str) -> int:
        if place in self._breaks:
            self._place.items.clear()
        self._place.leave(self._lines.widths[place])
        for reader in self._readers:
            after = reader(place, body)
            if after > place:
                return after
        return self._paragraph(place)

    def _fence(self, fence: Fence, place: int) -> int:
        self._place.leave(self._lines.widths[place])
        return read_fence(self._draft, self._lines, fence, self._place.block())

    def _heading(self, place: int, body: str) -> int:
        if is_hash_heading(body):
            return self._headed(place, place + 1, len(body) - len(body.lstrip("#")))
        bodies = self._lines.bodies
        after = bodies[place + 1] if place + 1 < self._end else ""
        if place + 1 in self._fences:
            return place
        if after and is_underline(after, body) and not is_underline(body, ""):
            return self._headed(place, place + 2, self._level(after[0]))
        over = place + 2 < self._end and after and is_underline(body, after)
        if over and bodies[place + 2] == body:
            return self._headed(place, place + 3, self._level("over" + body[0]))
        return place

    def _level(self, mark: str) -> int:
        """Return the level of an underline: `=` and `-` first, the others as they come."""
        if mark in {"=", "-"}:
            return 1 + (mark == "-")
        if mark not in self._marks:
            self._marks.append(mark)
        return self._marks.index(mark) + (0 if mark[:4] == "over" else 3)

    def _headed(self, first: int, end: int, level: int) -> int:
        above = self._place.heading(level)
        indent = self._lines.indents[first]
        part = self._draft.add(
            PartKind.HEADING, self._lines.starts[first], above, indent=indent, alone=False
        )
        self._place.headed(level, part)
        return end

    def _rule(self, place: int, body: str) -> int:
        if body[0] not in "-*_=/" or not RULE.match(body):
            return place
        lines = self._lines
        above = self._place.prose()
        indent = lines.indents[place]
        self._draft.add(PartKind.FRAME, lines.starts[place], above, indent=indent, alone=False)
        return place + 1

    def _table(self, place: int, body: str) -> int:
        if "|" not in body and body[0] != "+":
            return place
        end = pipe_end(self._lines, place, self._end)
        if end > place:
            read_pipes(self._draft, self._lines, place, end, self._place.block(table=True))
        return end

    def _markup(self, place: int, body: str) -> int:
        if body[0] != "<" or not BLOCK_TAG.match(body):
            return place
        end = self._blocks.end(place)
        if genre_of(self._lines, place, end) is not Genre.MARKUP and "<table" not in body:
            return place
        while end < self._end and "<table" in body:
            follows = self._blocks.next_text(end)
            if follows == self._end or self._lines.bodies[follows][0] != "<":
                break
            end = self._blocks.end(follows)
        read_genre(self._draft, self._lines.part(place, end), Genre.MARKUP, self._place.block())
        return end

    def _item(self, place: int, body: str) -> int:
        found = ITEM.match(body)
        left, lines = self._place.left, self._lines
        column = lines.widths[place]
        if found is None:
            return place
        sibling = left is not None and left.marker <= column
        if body[0] not in BULLETS and not sibling and not _FIRST.match(body):
            return place
        end = self._blocks.text_end(place + 1, listed=True)
        level = 0 if sibling or column else self._blocks.title(place, end)
        if level:
            return self._headed(place, end, level)
        above = left.above if left is not None and sibling else self._place.block()
        part = len(self._draft)
        start, stop = lines.starts[place], lines.starts[end]
        indent = lines.indents[place]
        if stop - start - indent <= MOST:
            self._draft.add(PartKind.ITEM, start, above, indent=indent)
        else:
            read_prose(
                self._draft, start, stop, above, kind=PartKind.ITEM, leads=True, indent=indent
            )
        self._place.items.append(ListItem(column, column + 2, part, above))
        self._introduce(part, place, end)
        return end

    def _container(self, place: int, body: str) -> int:
        """Add the line of a note or a directive, which what is indented below it belongs to."""
        found = CONTAINER.match(body)
        lines = self._lines
        if found is None:
            return place
        column = lines.widths[place]
        below = self._blocks.next_text(place + 1)
        holds = below < self._end and lines.widths[below] > column
        bare = holds and (body[0] != "." or body.endswith("::") or _LITERAL.match(body) is not None)
        above = self._place.block()
        part = self._draft.add(
            PartKind.FRAME if bare else PartKind.SENTENCE,
            lines.starts[place],
            above,
            indent=lines.indents[place],
            alone=not bare,
        )
        if holds:
            self._place.items.append(ListItem(10**9, column + 2, part, above))
            self._literal = _LITERAL.match(body) is not None
        return place + 1

    def _indented(self, place: int, body: str) -> int:
        """Add a block of source that is indented by four more than what it belongs to."""
        lines = self._lines
        literal, self._literal = self._literal, False
        base = self._place.items[-1].inner if self._place.items else 0
        least = base if literal and self._place.items else base + (1 if literal else 4)
        if lines.widths[place] < least or (ITEM.match(body) and not literal):
            return place
        if place < self._prose_until and not literal:
            return place
        end = last = place
        while end < self._end and (not lines.bodies[end] or lines.widths[end] >= least):
            if end in self._fences:
                break
            last = end + 1 if lines.bodies[end] else last
            end += 1
        places = [n for n in range(place, last) if lines.bodies[n]]
        source = sum(looks_like_source(lines.bodies[n], 0) for n in places)
        if not literal and 2 * source < len(places):
            self._prose_until = end
            return place
        genre = genre_of(lines, place, last)
        genre = genre if genre is Genre.INDENTED else Genre.CODE
        read_genre(self._draft, lines.part(place, last), genre, self._place.block())
        return last

    def _paragraph(self, place: int) -> int:
        lines, bodies = self._lines, self._lines.bodies
        end = self._other(place)
        if end > place:
            return end
        end = self._blocks.text_end(place + 1, listed=bool(self._place.items))
        if (
            end < self._end
            and end not in self._fences
            and bodies[end]
            and end - place <= 3
            and is_underline(bodies[end], bodies[end - 1])
        ):
            return self._headed(place, end + 1, self._level(bodies[end][0]))
        level = 0 if self._place.items else self._blocks.title(place, end)
        if level:
            return self._headed(place, end, level)
        above = self._place.prose()
        start, stop = lines.starts[place], lines.starts[end]
        part = read_prose(self._draft, start, stop, above, indent=lines.indents[place])
        self._introduce(part, place, end)
        self._literal = bodies[end - 1].endswith("::")
        return end

    def _introduce(self, part: int, first: int, end: int) -> None:
        """Take note of what may introduce the next block: all, or a table only."""
        last = self._lines.bodies[end - 1]
        colon = last[-1] in ":：" or last.endswith((":**", ":*", ":`"))
        short = end - first == 1 and len(last) <= _CAPTION and last[-1] != "."
        self._place.introduce(part, needed=colon, caption=short)

    def _other(self, place: int) -> int:
        """Add a block of lines that reads as no prose, with those after it that read alike."""
        lines = self._lines
        end = self._blocks.end(place)
        if end - place < 2 and lines.size(place, end) <= MOST:
            return place
        bodies = lines.bodies[place:end]
        if "  " in bodies[-1] or "\t" in bodies[-1]:
            columns = columns_end(lines, place, end)
            if columns > place:
                read_columns(self._draft, lines, place, columns, self._place.block(table=True))
                return columns
        odd = sum(
            body[0] in _ODD_STARTS or body[-1] in _ODD_ENDS or "=" in body or ":" in body[:40]
            for body in bodies
        )
        if 2 * odd < len(bodies):
            return place
        genre = genre_of(lines, place, end)
        if genre is Genre.PROSE:
            return place
        while end < self._end and end not in self._fences and end not in self._breaks:
            follows = self._blocks.next_text(end)
            if follows == self._end or follows in self._fences:
                break
            stop = self._blocks.end(follows)
            if not self._blocks.goes_on(genre, follows, stop):
                break
            end = stop
        read_genre(self._draft, lines.part(place, end), genre, self._place.block())
        return end
