"""Records, one part per entry: logs, comma-separated values, and the turns of a talk."""

from __future__ import annotations

import re
from collections import Counter

from areev_context.text.part import PartKind
from areev_context.text.part_draft import LONGEST, Above, Lines, PartDraft
from areev_context.text.prose import read_prose

__all__ = [
    "LABEL",
    "STAMP",
    "delimiter_of",
    "labels_speak",
    "read_log",
    "read_turns",
    "read_values",
]

STAMP = re.compile(
    r"[\[(<*]*(?:\d{4}[-/.]\d\d?[-/.]\d\d?[T ,\]]|\d\d?[-/.]\d\d?[-/.]\d{2,4}[T ,]|\d{8}[T ]\d{4}"
    r"|(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2} [ \d]?\d[, ]\s?(?:\d{4}|\d\d:)|\d{10}(?:\d{3})?[. \]:]"
    r"|(?:\d\d:){2}\d\d[ .,\]|]|\d{1,2}/[A-Z][a-z]{2}/\d{4}|[IWEF]\d{4} \d\d:)"
    r"|(?:\d{1,3}\.){3}\d{1,3} \S+ \S+ \[|[\da-fA-F.:]{6,39} - \S+ \[\d"
    r"|\S{1,60} \S{1,40} \S{1,40} \[\d\d?/[A-Z][a-z]{2}/\d{4}"
    r"|[\[<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE)[\]>]?[ :|\t-]"
    r"|\[ *\d+\.\d+\]|[\w.-]+ {2,}\| |\{\"|<\d{1,3}>|(?:ts|time|level|timestamp)="
    r"|.{0,90}?\b\d\d:\d\d:\d\d\b"
)
LABEL = re.compile(
    r"(?:[-*] |> )?(?:[\[(]?(?:\d\d?:)?\d\d?:\d\d[\])]?[ -]*)?(?P<bold>\*\*|__)?"
    r"(?P<name>(?:<[^<>\n]{1,30}>|[^\W\d_][\w.'’&-]*(?: [\w.'’&()#/-]+){0,4}))"
    r"(?: ?[\[(][^\])\n]{1,24}[\])])?(?:(?P=bold))?\s?[:：](?:\*\*|__)?(?:\s+|$|(?<=：))"
    r"|<[^<>\s]{1,30}> "
)
_FIRST = 3  # lines that are looked at before all are
_ROLES = frozenset(
    [
        "user",
        "assistant",
        "human",
        "ai",
        "bot",
        "system",
        "agent",
        "customer",
        "client",
        "caller",
        "support",
        "operator",
        "interviewer",
        "interviewee",
        "moderator",
        "host",
        "guest",
        "speaker",
        "q",
        "a",
        "me",
        "you",
        "doctor",
        "patient",
        "teacher",
        "student",
    ]
)
_WORDS = re.compile(r"[^\W\d_]")


def read_log(draft: PartDraft, lines: Lines, above: Above) -> None:
    """Add the entries of a log, each with the following lines that have no time stamp."""
    bodies = lines.bodies
    for place, body in enumerate(bodies):
        entry = place == 0 or (body and not lines.indents[place] and STAMP.match(body))
        if entry and "-->" in body and place and bodies[place - 1].isdigit():
            continue  # a subtitle, whose number has begun it
        following = bodies[place + 1] if place + 1 < len(bodies) else ""
        if entry or (body.isdigit() and "-->" in following):
            draft.add(PartKind.RECORD, lines.starts[place], above, indent=lines.indents[place])


def delimiter_of(lines: Lines, first: int, end: int) -> str:
    """Return the delimiter of values in lines: a comma, a semicolon or a tab; empty without one.

    At least three lines have the same number of delimiters outside of quotes, and are no prose.
    """
    bodies = [body for body in lines.bodies[first:end] if body]
    if len(bodies) < 3 or bodies[0][0] == "|":
        return ""
    for mark in "\t;,":
        least = 1 if mark == "\t" else 2
        if sum(body.count(mark) >= least for body in bodies[:_FIRST]) < _FIRST - 1:
            continue
        counts = [_count(body, mark) for body in bodies]
        usual, often = Counter(counts).most_common(1)[0]
        spaced = sum(body.count(f"{mark} ") for body in bodies) if mark != "\t" else 0
        if usual >= least and often >= 0.8 * len(bodies) and 2 * spaced <= sum(counts):
            return mark
    return ""


def _count(body: str, mark: str) -> int:
    if '"' not in body:
        return body.count(mark)
    return sum(piece.count(mark) for piece in body.split('"')[::2])


def read_values(draft: PartDraft, lines: Lines, above: Above) -> None:
    """Add the lines of comma-separated values, which need the header if there is one."""
    mark = delimiter_of(lines, 0, len(lines.bodies))
    places = [place for place, body in enumerate(lines.bodies) if body]
    usual = Counter(_count(lines.bodies[place], mark) for place in places).most_common(1)[0][0]
    head = places[0]
    for place in places:
        body = lines.bodies[place]
        header = place == head and _count(body, mark) == usual and _is_header(body, mark)
        kind = PartKind.HEADER if header else PartKind.RECORD
        start = lines.starts[place]
        index = draft.add(kind, start, above, indent=lines.indents[place], alone=not header)
        if header:
            above = Above((index,), above.context)


def _is_header(body: str, mark: str) -> bool:
    fields = [field.strip(' "') for field in body.split(mark)]
    return all(field and _WORDS.search(field) and len(field) < 40 for field in fields) and not any(
        field[0].isdigit() or "@" in field or "://" in field for field in fields
    )


def labels_speak(lines: Lines, first: int, end: int) -> bool:
    """Return whether lines that begin with a name and a colon are the turns of a talk.

    They are if names repeat, if names are roles such as `User` or `Q`, or if lines are sentences.
    """
    names: list[str] = []
    sentences = count = 0
    for place in range(first, end):
        body = lines.bodies[place]
        count += bool(body)
        found = LABEL.match(body) if body and not lines.indents[place] else None
        if found:
            names.append(found["name"] or found[0])
            sentences += body[-1] in ".?!…。？！" and len(body) - found.end() > 30
    if len(names) < 2 or len(names) < 0.25 * count or not all(map(_is_name, names[:4])):
        return False
    again = len(names) - len(set(names))
    roles = sum(name.lower().split()[0] in _ROLES for name in names)
    return 4 * again >= len(names) or 2 * roles >= len(names) or 3 * sentences >= len(names)


def _is_name(name: str) -> bool:
    """Tell whether a label may be the name of who speaks: it has a capital, or it is a role."""
    return name[0] == "<" or not name[0].islower() or name.lower() in _ROLES


def read_turns(draft: PartDraft, lines: Lines, above: Above) -> None:
    """Add the turns of a talk: a short one is one part; sentences of a long one need its label."""
    starts = [
        place
        for place, body in enumerate(lines.bodies)
        if body and (place == 0 or (not lines.indents[place] and LABEL.match(body)))
    ]
    end = len(lines.bodies)
    for place, after in zip(starts, [*starts[1:], end], strict=True):
        start, stop, indent = lines.starts[place], lines.starts[after], lines.indents[place]
        found = LABEL.match(lines.bodies[place])
        if found and stop - start <= LONGEST:
            alone = bool(draft.text[start + indent + found.end() : stop].strip())
            draft.add(PartKind.TURN, start, above, indent=indent, alone=alone)
            continue
        mine = above
        if found:
            label = draft.add(PartKind.LABEL, start, above, indent=indent, alone=False)
            mine = Above((label,), above.context)
            ends_line = found.end() >= len(lines.bodies[place])
            start = lines.starts[place + 1] if ends_line else start + indent + found.end()
        read_prose(draft, start, stop, mine, kind=PartKind.TURN, rest=PartKind.TURN, indent=indent)
