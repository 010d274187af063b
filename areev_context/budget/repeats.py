"""Text that passages of one source share: overlaps of neighbors, a child inside its parent."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from areev_context.budget.parted import Parted
from areev_context.text.overlap import SHORTEST, overlap

__all__ = ["Repeats", "repeats_of"]

_LONGER = 4  # longer passages of its source that a passage is looked for in


Place = tuple[int, int]
"""A passage and one of its parts, by index."""
Repeats = Mapping[Place, Sequence[tuple[int, range]]]
"""Part -> the other passages that contain its text, each with the range of parts that do."""


class _Common(NamedTuple):
    """A stretch of characters that two passages share."""

    one: int
    start: int
    other: int
    other_start: int
    size: int


def repeats_of(passages: Sequence[Parted]) -> Repeats:
    """Return what stands twice within one source.

    Equal words of two sources are two facts, so they do not count.

    Args:
        passages: The passages, best first.
    """
    found: dict[Place, list[tuple[int, range]]] = {}
    for common in (*_overlaps(passages), *_contained(passages), *_equal_parts(passages)):
        turned = _Common(common.other, common.other_start, common.one, common.start, common.size)
        for each in (common, turned):
            for index, within in _shared_parts(passages, each):
                others = found.setdefault((each.one, index), [])
                if (each.other, within) not in others:
                    others.append((each.other, within))
    return found


def _shared_parts(passages: Sequence[Parted], common: _Common) -> Iterator[tuple[int, range]]:
    """Yield the parts of the one passage that lie in a stretch, and those of the other they are."""
    one, other = passages[common.one], passages[common.other]
    shift, end = common.other_start - common.start, common.start + common.size
    first = bisect_left(one.parts, common.start, key=lambda part: part.start)
    for index in range(max(0, first - 1), len(one.parts)):
        part = one.parts[index]
        if part.start >= end:
            return
        text = one.text[part.start : part.end]
        start = part.start + len(text) - len(text.lstrip())
        stop = part.start + len(text.rstrip())
        if start < common.start or stop > end or stop - start < SHORTEST:
            continue
        yield (
            index,
            range(
                bisect_right(other.parts, start + shift, key=lambda part: part.start) - 1,
                bisect_left(other.parts, stop + shift, key=lambda part: part.start),
            ),
        )


def _overlaps(passages: Sequence[Parted]) -> Iterator[_Common]:
    """Yield what the end of a passage shares with the beginning of the one after it."""
    at = {p.number: n for n, p in reversed(list(enumerate(passages))) if p.number is not None}
    for n, passage in enumerate(passages):
        if passage.number is None:
            continue
        after = at.get((passage.number[0], passage.number[1] + 1))
        if after is not None and passages[after].source == passage.source:
            text, following = passage.text.rstrip(), passages[after].text
            begin = len(following) - len(following.lstrip())
            size = overlap(text, following[begin:])
            if size:
                yield _Common(n, len(text) - size, after, begin, size)


def _contained(passages: Sequence[Parted]) -> Iterator[_Common]:
    """Yield passages that stand whole in a longer one of their source, a few of them looked at."""
    groups: dict[Hashable, list[int]] = {}
    for n, passage in enumerate(passages):
        if passage.source is not None:
            groups.setdefault(passage.source, []).append(n)
    for group in groups.values():
        longest = sorted(group, key=lambda n: (-len(passages[n].text), n))[:_LONGER]
        for n in group:
            text = passages[n].text.strip()
            for other in longest:
                if other == n or len(passages[other].text) <= len(text) or len(text) < SHORTEST:
                    continue
                start = passages[other].text.find(text)
                if start >= 0:
                    yield _Common(n, passages[n].text.index(text), other, start, len(text))


def _equal_parts(passages: Sequence[Parted]) -> Iterator[_Common]:
    """Yield parts that stand word for word in two passages of one source."""
    last: dict[tuple[Hashable, str], list[Place]] = {}
    for n, passage in enumerate(passages):
        for index, part in enumerate(passage.parts) if passage.source is not None else ():
            text = passage.text[part.start : part.end].strip()
            if len(text) >= SHORTEST and part.alone:
                last.setdefault((passage.source, text), []).append((n, index))
    for (_, text), places in last.items():
        for (n, index), (other, twin) in pairwise(places):
            if n != other:
                start = passages[n].text.index(text, passages[n].parts[index].start)
                there = passages[other].text.index(text, passages[other].parts[twin].start)
                yield _Common(n, start, other, there, len(text))
