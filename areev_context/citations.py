"""Read the numbers of entries that an answer cites, in the forms in which models write them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from areev_context.errors import InputError
from areev_context.policy import FormatPolicy, OutputFormat

__all__ = ["Numbered", "citation_instructions", "cited_numbers"]

_MOST = 999  # the largest number that is read without sources: a year is none
_DIGITS = 9  # of a number; more are an id

_WORD = (
    r"(?:sources?|documents?|docs?|passages?|entr(?:y|ies)|results?|refs?|references?|items?|notes?"
    r"|quellen?|fuentes?|fonti?|nos?|nr|n[°º]|id)\s*[.:=]?\s*[\"']?"
)
_JOINED = r"(?:\s*(?:[,;，、；&+/]|\band\b|\bund\b|\bet\b|\by\b|\be\b|\bor\b|和|与|と)\s*)+"
_RANGE = r"\s*(?:[-–—‒−~～]|\.\.|\bto\b|\bbis\b)\s*"
_ONE = rf"[\^#]?(?:{_WORD})?\d{{1,{_DIGITS}}}(?:{_RANGE}[\^#]?\d{{1,{_DIGITS}}})?[\"']?"
_INSIDE = rf"\s*({_ONE}(?:{_JOINED}{_ONE})*)\s*(?:[†‡][^\]】\[【\n]{{0,200}})?"
_SQUARE = rf"[\[［【〔]{_INSIDE}[\]］】〕]"
_ROUND = rf"[(（]{_INSIDE}[)）]"
_PART = re.compile(rf"(\d{{1,{_DIGITS}}})(?:{_RANGE}[\^#]?(\d{{1,{_DIGITS}}}))?", re.IGNORECASE)

_FENCE = re.compile(r"(?m)^[ \t>]*(`{3,}|~{3,})")
_TICKS = re.compile(r"`+")
_CODE_WORD = re.compile(
    r"(?:^|[^\w.])((?:[A-Za-z]\w*\.)+\w+|\w*_\w*|[A-Za-z]+\d\w*|[a-z]+[A-Z]\w*|[A-Za-z]"
    r"|argv|argc|args|arr|array|buf|cells|cols|columns|data|df|dict|elements|env|fields|files|items"
    r"|keys|lines|list|lst|map|matrix|names|nums|obj|params|parts|queue|results?|row|rows|stack|str"
    r"|table|tmp|tokens|values|vec|words|xs)$"
)
_CODE_AFTER = re.compile(r"\s*(?:[-+*/%&|^]?=(?!=)|==|\.[A-Za-z_]|\()")
_LINK_AFTER = re.compile(r"\]?[(]|:\s*<?(?:https?:|www\.|mailto:|/|#)")
_LOOK_BACK = 60  # characters before a bracket that say whether it is an index


class Numbered(Protocol):
    """What a number leads to; a `Source` is one."""

    @property
    def number(self) -> int | None:
        """The number in the text; None without numbering."""
        ...


def cited_numbers(
    answer: str,
    sources: Iterable[Numbered | Mapping[str, Any]] | None = None,
    *,
    parentheses: bool = False,
) -> list[int]:
    """Return the numbers an answer cites, in order of appearance, without repeats.

    ``[1]``, ``[1, 2]``, ``[1][2]``, ``[1-3]``, ``[1, 2 and 3]``, ``[^2]``, ``[Source 1]``,
    ``【1】`` and ``【1†source】`` are read, also with digits of other scripts. Code, links and an
    index such as ``argv[1]`` are not read, nor is a bracket after a backslash, which is quoted from
    a passage.

    Args:
        answer: The answer of a model.
        sources: The sources of the context, or of several contexts, as objects or as a dump has
            them; then no number is read that no source has. None = every number up to 999, so that
            no year is one.
        parentheses: Whether ``(1)`` is read too.

    Raises:
        InputError: The answer is no string, or a source has no number.
    """
    given: object = answer
    if not isinstance(given, str):
        raise InputError(f"the answer is of type {type(given).__name__}: give a string")
    known = None if sources is None else sorted(_numbers_of(sources))
    found: dict[int, None] = {}
    after: dict[int, int] = {}
    prose, index_end = _without_code(given), -1
    for bracket in (_EITHER if parentheses else _BRACKETS).finditer(prose):
        start, end = bracket.span()
        if _is_quoted(prose, start):
            continue
        if start == index_end or _is_code(prose, start, end):  # matrix[1][2]
            index_end = end
            continue
        for part in _PART.finditer(bracket[1] or bracket[bracket.lastindex or 1]):
            first, last = int(part[1]), int(part[2] or part[1])
            found.update(dict.fromkeys(_numbers(first, last, known, after)))
    return list(found)


def _numbers_of(sources: Iterable[Numbered | Mapping[str, Any]]) -> set[int]:
    """Return the numbers of sources that have one.

    Raises:
        InputError: One is no source.
    """
    numbers: set[int] = set()
    for place, source in enumerate(sources):
        number: object = (
            source.get("number", "")
            if isinstance(source, Mapping)
            else getattr(source, "number", "")
        )
        if isinstance(number, int):
            numbers.add(number)
        elif number is not None:
            kind = type(source).__name__
            raise InputError(f"source {place} is of type {kind}: give a Source", row=place)
    return numbers


_BRACKETS = re.compile(_SQUARE, re.IGNORECASE)
_EITHER = re.compile(f"{_SQUARE}|{_ROUND}", re.IGNORECASE)


def _numbers(
    first: int, last: int, known: Sequence[int] | None, after: dict[int, int]
) -> Iterator[int]:
    """Yield the numbers from one to another that may be meant; the two ends of a range that falls.

    Args:
        first: The first number.
        last: The last number.
        known: The numbers that there are, in rising order; None = all up to 999.
        after: What `_new_ones` returned already.
    """
    if last < first or (known is None and last > _MOST and first != last):  # a slip, no range
        yield from _numbers(first, first, known, after)
        yield from _numbers(last, last, known, after)
    elif known is None:
        yield from _new_ones(max(first, 1), min(last, _MOST), after)
    else:
        start, end = bisect_left(known, first), bisect_left(known, last + 1)
        yield from (known[place] for place in _new_ones(start, end - 1, after))


def _new_ones(first: int, last: int, after: dict[int, int]) -> Iterator[int]:
    """Yield the numbers of a range that no range before it had: one answer cites many alike.

    `after` leads from a number that a range had to one after it that may be new.
    """
    passed: list[int] = []
    number = first
    while number <= last:
        passed.append(number)
        if number not in after:
            yield number
        number = after.get(number, number + 1)
    after.update(dict.fromkeys(passed, number))


def _without_code(answer: str) -> str:
    """Return an answer with its fences and its code in backticks taken out."""
    parts: list[str] = []
    end = 0
    while (opened := _FENCE.search(answer, end)) is not None:
        parts.append(_without_ticks(answer[end : opened.start()]))
        closing = re.compile(rf"(?m)^[ \t>]*{opened[1][0]}{{{len(opened[1])},}}[ \t]*$")
        closed = closing.search(answer, opened.end())
        if closed is None:
            return "\n".join(parts)
        end = closed.end()
    return "\n".join((*parts, _without_ticks(answer[end:])))


def _without_ticks(text: str) -> str:
    """Return a text without what stands between two runs of as many backticks."""
    if "`" not in text:
        return text
    runs = list(_TICKS.finditer(text))
    next_of: dict[int, list[int]] = {}
    for place, run in enumerate(runs):
        next_of.setdefault(len(run[0]), []).append(place)
    parts, end, place = [], 0, 0
    while place < len(runs):
        run = runs[place]
        same = next_of[len(run[0])]
        at = bisect_left(same, place + 1)
        if at == len(same):
            place += 1
            continue
        parts.append(text[end : run.start()])
        end, place = runs[same[at]].end(), same[at] + 1
    return "` `".join((*parts, text[end:]))


def _is_quoted(text: str, place: int) -> bool:
    return text[place - 1 : place] == "\\"


def _is_code(text: str, start: int, end: int) -> bool:
    """Return whether a bracket is the index of a variable, or the text of a link."""
    if _LINK_AFTER.match(text, end):
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    if not before[-1:].isascii() or not (before[-1:].isalnum() or before[-1:] in "_])"):
        return False
    if _CODE_WORD.search(before):
        return True
    return before[-1:].isalnum() and _CODE_AFTER.match(text, end) is not None


def citation_instructions(policy: FormatPolicy) -> str:
    """Return the sentences that tell a model how to cite the entries of a context.

    Args:
        policy: The policy of the context; its entries are numbered.

    Returns:
        Two sentences for the prompt, in English. `cited_numbers` and `FormattedContext.cited` read
        what they ask for.

    Raises:
        InputError: The policy has no numbers to cite.
    """
    if not policy.numbered:
        raise InputError("there are no numbers to cite: give a policy with numbered=True")
    first, n = policy.first_number, policy.first_number + 1
    return (
        f"{_SHOWN[policy.format].format(n=n)} Directly after each statement, cite the entries that "
        f"support it by their numbers in square brackets, such as [{n}] or [{first}, {n}], and "
        "nothing else in square brackets."
    )


_IN_LINES = (
    "The number of an entry stands before it, in brackets, as in [{n}]; in a timeline it begins "
    "the line, as in {n}."
)
_SHOWN = {
    OutputFormat.SML: 'The number of an entry is its attribute id, as in id="{n}".',
    OutputFormat.MARKDOWN: _IN_LINES,
    OutputFormat.PLAIN_TEXT: _IN_LINES,
    OutputFormat.TOON: "The number of an entry is its column id, the first value of its row.",
    OutputFormat.JSON: 'The number of an entry is its property id, as in "id":{n}.',
}
