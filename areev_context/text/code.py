"""Source code: its lines as rows of a nested text, for any programming language."""

from __future__ import annotations

import re

from areev_context.text.nesting import CLOSES, DEEP, GLUES, JOINS, OPENS, OWN, SAYS, SPACED, Rows
from areev_context.text.part_draft import Lines

__all__ = ["rows_of_code"]

_SAYING = 25  # characters of a comment that says something
_HERE = 200  # lines that a here document may have

# A line that goes on with the statement before it, at the same indentation.
_JOINS = re.compile(
    r"[\])}]|\{\s*$|</|\*|\.\w|\?\.|&&|\|\||[?:+] |#\s*(?:el|endif)"
    r"|(?:else|elif|elsif|elseif|except|finally|catch|rescue|ensure|esac|fi|done|then)\b"
    r"|(?:end|when|do|and|or|where)\b(?!\s*[=(.:])|(?:public|private|protected|default)\s*:"
    r"|case\b.*:"
)
_LABEL = re.compile(r"(?:\w+:|#\s*(?:ifn?(?:def)?|el\w*|endif|define|include|pragma|undef)\b.*)$")
_TYPE = re.compile(  # of a function, in a line of its own
    r"(?!(?:import|package|return|use|using|break|continue|let|var|else|do|end)\b)"
    r"[A-Za-z_][\w *&<>:]*$"
)
_NAMED = re.compile(r"\*?\w+\s*\([^;]*$")
_GLUES = re.compile(
    r"@\w|//|/\*|#(?!\s*(?:include|define|if|el|endif|pragma|import|undef))|--\s"
    r"|template\s*<|;;|%\s"
)
_OWN = re.compile(
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub"
    r"|pub\(\w+\)|unsafe|extern|open|override|sealed|data|partial|virtual|inline|const|declare)\s+)*"
    r"(?:def|class|func|function|fn|fun|impl|trait|struct|interface|enum|module|namespace|type|sub"
    r"|proc|record|object|protocol|extension|CREATE|create|test|describe|it)\b"
)
_SQL = re.compile(
    r"(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:OR REPLACE )?(?:TABLE|VIEW|INDEX)"
    r"|ALTER TABLE|WITH)\b",
    re.I,
)
_SQL_JOINS = re.compile(
    r"(?:SELECT|FROM|WHERE|AND|OR|(?:LEFT |RIGHT |INNER |OUTER |FULL |CROSS )*JOIN|GROUP|ORDER"
    r"|HAVING|LIMIT|OFFSET|ON|SET|VALUES|UNION|RETURNING|USING|WINDOW|INTERSECT|EXCEPT|AS)\b",
    re.I,
)
_QUOTES = re.compile(r"\"\"\"|'''|/\*|\*/|<<[-~]?\s*['\"]?([A-Z_]{3,})")


def rows_of_code(lines: Lines, first: int, end: int) -> Rows:
    """Return the lines of source from ``first`` up to ``end`` as rows; blank lines are left out."""
    bodies, widths = lines.bodies, lines.widths
    inside, closing = _inside(lines, first, end)
    places = [place for place in range(first, end) if bodies[place]]
    braces = any(bodies[place][-1] in "{;" for place in places)
    sql = _SQL.match(bodies[places[0]]) is not None
    levels: list[int] = []
    flags: list[int] = []
    level = 0
    before = ""
    for place in places:
        body = bodies[place]
        flag = SPACED if place > first and not bodies[place - 1] else 0
        if place in inside:
            levels.append(DEEP)
            flags.append(flag)
            continue
        if place in closing:
            flag |= JOINS | GLUES * (body[0] == "*")
            level = level if levels and levels[0] < DEEP else widths[place]
        elif not (braces and level > widths[place] == 0 and _LABEL.match(body)):
            level = widths[place]
            flag |= _flags(body)
            if _goes_on(body, before, braces=braces, sql=sql):
                flag |= JOINS
        if body[0] == "{" and len(body) < 3 and flags:
            flags[-1] |= GLUES
        levels.append(level)
        flags.append(flag)
        before = body
    starts = [lines.starts[place] for place in places]
    starts.append(lines.starts[end])
    return Rows(starts, levels, flags, [lines.indents[place] for place in places])


def _goes_on(body: str, before: str, *, braces: bool, sql: bool) -> bool:
    """Tell whether a line goes on with the statement before it at the same indentation."""
    if _JOINS.match(body) or before[-1:] in {"\\", ",", "(", "="}:
        return True
    if sql:
        return before[-1:] not in {"", ";"} and _SQL_JOINS.match(body) is not None
    return braces and _TYPE.match(before) is not None and _NAMED.match(body) is not None


def _flags(body: str) -> int:
    flag = 0
    if _GLUES.match(body):
        flag |= GLUES
    elif _OWN.match(body):
        flag |= OWN
    if body[0] in "\"'/#" and len(body) > _SAYING:
        flag |= SAYS
    if body[-1] in "([":
        flag |= OPENS
    if body[0] in ")]":
        flag |= CLOSES
    return flag


def _inside(lines: Lines, first: int, end: int) -> tuple[set[int], set[int]]:
    """Return the lines within a string or a comment of several lines, and those that close one.

    Only a line that is nothing but the closing mark closes one. Where the first mark closes, its
    string or comment was opened in what was cut off.
    """
    inside: set[int] = set()
    closers: set[int] = set()
    if _QUOTES.search(lines.text, lines.starts[first], lines.starts[end]) is None:
        return inside, closers
    bodies = lines.bodies
    marks = [
        (place, match[0], match[1] or "")
        for place in range(first, end)
        for match in _QUOTES.finditer(bodies[place])
    ]
    closing, since = _cut_off(bodies, marks, first)
    for place, mark, word in marks:
        if closing and mark == closing:
            inside.update(range(since + 1, place + 1))
            if bodies[place] == mark and place > since:
                inside.discard(place)
                closers.add(place)
            closing = ""
        elif not closing and mark != "*/":
            closing, since = ("*/" if mark == "/*" else mark), place
            if word:  # a here document ends at its word, which is no mark
                reach = range(place + 1, min(end, place + _HERE))
                last = next((later for later in reach if bodies[later] == word), place)
                inside.update(range(place + 1, last + 1))
                closing = ""
    if closing:
        inside.update(range(since + 1, end))
    return inside, closers


def _cut_off(bodies: list[str], marks: list[tuple[int, str, str]], first: int) -> tuple[str, int]:
    """Return what closes a string or comment that the lines begin in, and the line before them."""
    place, mark, _ = marks[0]
    if mark == "*/":
        return mark, first - 1
    odd = sum(found[1] == mark for found in marks) % 2
    body = bodies[place]
    opened = body.startswith(mark) and body != mark
    if mark == "/*" or not odd or opened or not body.endswith(mark):
        return "", first - 1
    before = bodies[place - 1] if place > first else ""
    starts_here = body[: -len(mark)].rstrip()[-1:] in {"=", "(", ","} or before[-1:] in {":", "{"}
    return ("" if starts_here and (body != mark or before) else mark), first - 1
