"""Fences of Markdown hold texts of several lines, unchanged, that would need backslashes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from areev_context.formats.escaping import guard_lines
from areev_context.formats.marks import LOOKS
from areev_context.hits.fields import Fields

__all__ = ["Fenced", "fenced", "split_fences"]

_TEXTS = (
    "content", "body", "tool_content", "description", "error", "object", "conclusion",
    "agreed_content", "criteria",
)  # fmt: skip
_OF_CONTEXT = ("label", "description")
_TILDES = re.compile(r"~(?:[ \t]*+~)*+")
_OPENING = re.compile(r"\n  (~{3,})\n")
# No clean text has this character, so a place that it marks is one of ours.
_PLACE = re.compile("\\A\0(\\d+)\0 ?| ?\0(\\d+)\0")


class Fenced(NamedTuple):
    """The fields of a grain whose texts stand in fences.

    Attributes:
        fields: The fields, with a placeholder instead of each text that stands in a fence.
        texts: The texts, in the order of the numbers of their placeholders.
    """

    fields: Fields
    texts: list[str]

    def parted(self, line: str) -> tuple[str, str]:
        """Return a line without its placeholders, and the fences that they stand for, in order."""
        numbers = [int(found[1] or found[2]) for found in _PLACE.finditer(line)]
        fences = "".join(_fence(self.texts[number]) for number in dict.fromkeys(numbers))
        return _PLACE.sub("", line), fences


def fenced(fields: Fields) -> Fenced | None:
    """Return the fields without the texts that belong in a fence; None if there are none."""
    texts: list[str] = []
    places = _places(fields, _TEXTS, texts)
    context = fields.get("context")
    if isinstance(context, dict):
        named = _places(context, _OF_CONTEXT, texts)
        if named:
            places["context"] = {**context, **named}
    return Fenced({**fields, **places}, texts) if places else None


def _places(fields: Fields, names: tuple[str, ...], texts: list[str]) -> dict[str, Any]:
    """Return a place for each text that belongs in a fence, which is added to the texts."""
    places: dict[str, Any] = {}
    for name in names:
        value = fields.get(name)
        if value.__class__ is str and _belongs(value):
            if value not in texts:
                texts.append(value)
            places[name] = f"\0{texts.index(value)}\0"
    return places


def _belongs(text: str) -> bool:
    """Return whether a text has several lines, and one of them would get a backslash.

    A line that begins with something unseen hides what follows it: no text that somebody reads or
    runs has one, so it gets its backslashes.
    """
    lines = text.splitlines()
    if text.isprintable() or len(lines) < 2:
        return False
    if not text.isascii() and any(map(_begins_unseen, lines)):
        return False
    return guard_lines(text).count("\\") != text.count("\\")


def _begins_unseen(line: str) -> bool:
    first = line.lstrip()[:1]
    return not first.isascii() and LOOKS[ord(first)] == " "


def _fence(text: str) -> str:
    """Return a text, verbatim, in a fence beneath the first line of a list item.

    The fence is longer than any run of tildes in the text. It is indented by two, as is every
    line in it that is not empty; a line ends where `str.splitlines` ends it.
    """
    seen = text if text.isascii() else text.translate(LOOKS)
    longest = max((run[0].count("~") for run in _TILDES.finditer(seen)), default=0)
    tildes = "~" * max(3, longest + 1)
    lines = f"{text}\n".splitlines(keepends=True)
    inside = "".join(line if line == "\n" else f"  {line}" for line in lines)
    return f"\n  {tildes}\n{inside}  {tildes}"


def split_fences(entry: str) -> tuple[str, str]:
    """Return an entry in two parts: the text before the fences at its end, and the fences."""
    found = _OPENING.search(entry)
    end = len(entry) if found is None else found.start()
    start = end
    while (opened := _OPENING.match(entry, end)) is not None:
        closing = f"\n  {opened[1]}"
        place = entry.find(closing, opened.end() - 1)
        if place < 0:
            break
        end = place + len(closing)
    # A host's renderer may write a fence of its own, and go on after it.
    return (entry[:start], entry[start:]) if end == len(entry) else (entry, "")
