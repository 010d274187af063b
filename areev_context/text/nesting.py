"""Read text that is nested by indentation or by brackets, such as source: a part a statement."""

from __future__ import annotations

import re
from typing import NamedTuple

from areev_context.text.part import PartKind
from areev_context.text.part_draft import LONGEST, MOST, Above, PartDraft, pauses

__all__ = [
    "CLOSES",
    "DEEP",
    "GLUES",
    "JOINS",
    "OPENS",
    "OWN",
    "SAYS",
    "SPACED",
    "Rows",
    "read_outline",
]

# What a row is, one bit each.
JOINS = 1  # belongs to the statement before it at its level: a closing brace, `else:`
GLUES = 2  # belongs to the statement that follows: a comment, a decorator
SPACED = 4  # a blank line stands before it
OWN = 8  # is never put together with its neighbors
OPENS = 16  # opens a list that a row which closes ends: `def f(`
CLOSES = 32  # closes that list
SAYS = 64  # begins a comment or a text of several lines, with words of its own

DEEP = 10**6  # the level of a row within a string or a comment: it belongs to what is before
_TOP = -(10**9)  # the level of what encloses all rows: brackets may close that never opened
_NAMES = 8  # elements that count as context for the ones after them, at most
_NAMED = re.compile(r"[-{\s\"'<]*(?:name|id|kind|title|metadata|type|key)\b", re.I)
_OPENS = re.compile(  # a line that encloses what follows
    r"(?:class|module|def|if|unless|while|until|for|case|begin|func|function|switch|impl|struct"
    r"|interface|enum|select)\b|.*(?:[{(\[:]|\b(?:do|then)(?: \|.*\|)?)$"
)
_CROSSED = 20  # characters; shorter than this a part is looked at, whether it has a word


class Rows(NamedTuple):
    """Rows of source or data: lines, or pieces of a long line.

    Attributes:
        starts: The start of each row, and the end of the last row.
        levels: The depth of each row; only the order of depths matters.
        flags: The bits of each row, from the constants of this module.
        indents: The number of blanks at the start of each row.
    """

    starts: list[int]
    levels: list[int]
    flags: list[int]
    indents: list[int]

    def size(self, first: int, end: int) -> int:
        """Return the number of characters from the row `first` up to, without, the row `end`."""
        return self.starts[end] - self.starts[first]


class _Statement:
    """A row, those that join it, and what is nested in it."""

    __slots__ = ("first", "joints", "kids", "level")

    def __init__(self, first: int, level: int, joints: list[int], kids: list[_Statement]) -> None:
        self.first = first
        self.level = level
        self.joints = joints  # its own rows: the head and the joining ones
        self.kids = kids


class _Frame:
    """An opened statement, and what the part that comes next in it needs."""

    __slots__ = ("above", "first", "head", "inner", "part", "tail")

    def __init__(self, above: Above, head: int, tail: int) -> None:
        self.above = above
        self.inner = above
        self.first = True  # whether no part but the head has come yet
        self.head = head  # the row that opens it, or -1
        self.tail = tail  # the row that closes it, or -1
        self.part = -1  # the part of the row that opens it, once there is one


class _Step(NamedTuple):
    """A statement, or a row of an opened one, still to be written."""

    frame: _Frame
    statement: _Statement | None
    row: int
    end: int


def read_outline(draft: PartDraft, rows: Rows, kind: PartKind, above: Above) -> None:
    """Add the parts of source or data.

    A text of up to 480 characters is one part. So is a statement of that size with everything
    nested in it; short statements side by side are one part. A longer statement is opened: its own
    rows become ``FRAME`` parts, which the parts nested in it need.
    """
    count = len(rows.levels)
    if rows.size(0, count) <= MOST:
        draft.add(kind, rows.starts[0], above, indent=rows.indents[0])
        return
    if rows.starts[0] == 0 and rows.levels[0] == 0:
        rows.levels[0] = _level_of_first(draft.text, rows)
    writer = _Writer(draft, rows, kind)
    steps = _steps(_tree(rows), [], _Frame(above, -1, -1), count)
    while steps:
        step = steps.pop()
        if step.statement is None:
            writer.frame(step)
        elif rows.size(step.row, step.end) > MOST and step.statement.kids:
            steps += _opened(rows, step, step.statement)
        else:
            writer.whole(step, step.statement)


def _level_of_first(text: str, rows: Rows) -> int:
    """Return the level of the first line, which a splitter may have taken its indentation from."""
    if len(rows.levels) < 2 or not 0 < rows.levels[1] < DEEP:
        return 0
    inner = rows.levels[1]
    first = text[: rows.starts[1]].strip()
    if _OPENS.match(first) or (first[:2] == "- " and not rows.flags[1] & JOINS):
        outer = (level for level in rows.levels[1:] if level < inner)
        return next(outer, 0)
    return inner + 1 if rows.flags[1] & JOINS else inner


def _tree(rows: Rows) -> list[_Statement]:
    top = _Statement(0, _TOP, [], [])
    stack = [top]
    for row, level in enumerate(rows.levels):
        flags = rows.flags[row]
        while stack[-1].level > level:
            stack.pop()
        last = stack[-1]
        if last.level == level:
            if flags & JOINS or (not flags & SPACED and _glued(rows, last, row)):
                last.joints.append(row)
                continue
            stack.pop()
        stack.append(_added(stack[-1].kids, row, level, joins=bool(flags & JOINS)))
    return top.kids


def _glued(rows: Rows, statement: _Statement, row: int) -> bool:
    """Tell whether a row belongs to the comment or the decorator before it."""
    return bool(rows.flags[statement.joints[-1]] & GLUES) and (
        rows.size(statement.first, row) <= MOST
    )


def _added(kids: list[_Statement], row: int, level: int, *, joins: bool) -> _Statement:
    """Add a statement; a row that closes one whose head was cut off takes what it closes."""
    place = len(kids)
    while joins and place and kids[place - 1].level > level:
        place -= 1
    inside = kids[place:]
    statement = _Statement(inside[0].first if inside else row, level, [row], inside)
    kids[place:] = [statement]
    return statement


def _steps(kids: list[_Statement], joints: list[int], frame: _Frame, end: int) -> list[_Step]:
    """Return the rows and kids of a statement in order, the first one last."""
    rows: list[tuple[int, _Statement | None]] = [(row, None) for row in joints]
    marks = sorted(rows + [(kid.first, kid) for kid in kids], key=lambda mark: mark[0])
    steps = []
    for row, kid in reversed(marks):
        steps.append(_Step(frame, kid, row, end))
        end = row
    return steps


def _opened(rows: Rows, step: _Step, statement: _Statement) -> list[_Step]:
    """Return what an opened statement consists of, the first one last.

    The rows of a signature, and the comment or the decorators above it, are one part.
    """
    joints = statement.joints[:1]
    kids = list(statement.kids)
    left = [kid for kid in kids if kid.first < joints[0]]
    following = iter(kids[len(left) :])
    kid = next(following, None)
    before = joints[0]
    for row in [*statement.joints[1:], step.end]:
        between = []
        while kid is not None and kid.first < row:
            between.append(kid)
            kid = next(following, None)
        if row == step.end or not _same_frame(rows, joints[-1], before, row):
            left += between
            joints.append(row)
        before = row
    joints.pop()
    headed = joints[0] == statement.first
    closed = not left or left[-1].first < joints[-1]
    tail = joints[-1] if closed and (len(joints) > 1 or not headed) else -1
    frame = _Frame(step.frame.inner, joints[0] if headed else -1, tail)
    return _steps(left, joints, frame, step.end)


def _same_frame(rows: Rows, first: int, before: int, row: int) -> bool:
    """Tell whether a row is shown together always with the one before it at its level."""
    flags = rows.flags[before]
    joined = flags & GLUES or (flags & OPENS and rows.flags[row] & CLOSES)
    return bool(joined) and rows.size(first, row) <= MOST


class _Writer:
    """Adds the parts of one outline to a draft, in order."""

    def __init__(self, draft: PartDraft, rows: Rows, kind: PartKind) -> None:
        self._draft = draft
        self._rows = rows
        self._kind = kind
        self._data = kind is PartKind.DATA
        self._longest = LONGEST * 2 // 3 if self._data else LONGEST
        self._run: tuple[_Frame, int] | None = None  # short statements that are one part so far

    def frame(self, step: _Step) -> None:
        """Add a row of an opened statement."""
        self._run = None
        frame = step.frame
        inside = frame.part >= 0 and step.row != frame.tail
        needs = (frame.part,) if inside else frame.above.needs
        context = frame.inner.context
        alone = bool(self._rows.flags[step.row] & SAYS)
        index = self._add(PartKind.FRAME, step, Above(needs, context), alone=alone)
        if step.row == frame.head:
            frame.part = index
        elif step.row == frame.tail and frame.part >= 0:
            # The head needs the row that closes it and not the other way: there is no cycle.
            self._draft.need(frame.part, index)
        frame.inner = Above((index,), context)

    def whole(self, step: _Step, statement: _Statement) -> None:
        """Add a statement as one part, or to the short ones before it."""
        rows = self._rows
        frame, row = step.frame, step.row
        single = not rows.flags[row] & OWN and not (self._data and statement.kids)
        if self._run is not None and single and not rows.flags[row] & SPACED:
            of, first = self._run
            if of is frame and rows.size(first, step.end) <= self._longest:
                return
        start = rows.starts[row]
        near = self._draft.text[start : start + _CROSSED]
        alone = rows.size(row, step.end) >= _CROSSED or any(map(str.isalnum, near))
        index = self._add(self._kind, step, frame.inner, alone=alone)
        self._run = (frame, row) if single else None
        above = frame.inner
        named = (frame.first and not statement.kids) or _NAMED.match(near)
        frame.first = False
        if self._data and named and not rows.flags[row] & OWN and len(above.context) < _NAMES:
            frame.inner = Above(above.needs, (*above.context, index))

    def _add(self, kind: PartKind, step: _Step, above: Above, *, alone: bool) -> int:
        rows, draft = self._rows, self._draft
        row, end = step.row, step.end
        index = draft.add(kind, rows.starts[row], above, indent=rows.indents[row], alone=alone)
        if rows.size(row, end) <= MOST:
            return index
        after = above if kind is self._kind else Above((index,), above.context)
        for later in range(row, end):
            if later > row and rows.starts[later + 1] - draft.start(len(draft) - 1) > LONGEST:
                draft.add(PartKind.PIECE, rows.starts[later], after, indent=rows.indents[later])
            for place in pauses(draft.text, rows.starts[later], rows.starts[later + 1]):
                draft.add(PartKind.PIECE, place, after)
        return index
