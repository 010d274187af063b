"""Source: its lines as rows of an outline, whatever the language."""

from __future__ import annotations

import re

from areev_context.text.draft import Lines
from areev_context.text.outline import CLOSES, GLUES, JOINS, OPENS, OWN, SPACED, Rows

__all__ = ["rows_of_code"]

_HERE = 200  # lines that a here document may have
_DEEP = 10**6  # the level of a line within a string or a comment: it belongs to what is before

# A line that goes on with the statement before it, at the same indentation.
_JOINS = re.compile(
    r"[\])}]|\{\s*$|</|\*|\.\w|\?\.|&&|\|\||[?:+] |#\s*(?:el|endif)"
    r"|(?:else|elif|elsif|elseif|except|finally|catch|end|rescue|ensure|when|esac|fi|done|then|do"
    r"|and|or|where|case|default|public|private|protected|EOF)\b(?!\s*[=(.]|\s+(?:static|class|"
    r"void|final|int|func|function|async|def|boolean|long|abstract|interface|enum|[A-Z]))"
)
_LABEL = re.compile(r"(?:\w+:|#\s*(?:if|define|include|pragma)\b.*)$")
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
    """Return the lines of source from ``first`` up to ``end`` as rows; blank ones are none."""
    bodies, widths = lines.bodies, lines.widths
    inside = _inside(bodies, first, end)
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
            levels.append(_DEEP)
            flags.append(flag)
            before = ""
            continue
        outside = braces and level > widths[place] == 0 and _LABEL.match(body)
        level = level if outside else widths[place]
        if body[0] == "{" and len(body) < 3 and flags:
            flags[-1] |= GLUES
        levels.append(level)
        flags.append(flag | _flags(body, before, sql=sql))
        before = body
    starts = [lines.starts[place] for place in places]
    starts.append(lines.starts[end])
    return Rows(starts, levels, flags, [lines.indents[place] for place in places])


def _flags(body: str, before: str, *, sql: bool) -> int:
    flag = 0
    if (
        _JOINS.match(body)
        or before[-1:] in {"\\", ",", "(", "="}
        or (sql and before and before[-1] != ";" and _SQL_JOINS.match(body))
    ):
        flag = JOINS
    if _GLUES.match(body):
        flag |= GLUES
    elif _OWN.match(body):
        flag |= OWN
    if body[-1] in "([":
        flag |= OPENS
    if body[0] in ")]":
        flag |= CLOSES
    return flag


def _inside(bodies: list[str], first: int, end: int) -> frozenset[int]:
    """Return the lines that begin within a string or a comment of several lines.

    Where the first mark that is seen closes one, it was opened in what was cut off.
    """
    marks: list[tuple[int, str, str]] = []
    for place in range(first, end):
        body = bodies[place]
        if '"""' in body or "'''" in body or "*" in body or "<<" in body:
            marks += [(place, match[0], match[1] or "") for match in _QUOTES.finditer(body)]
    if not marks:
        return frozenset()
    found: set[int] = set()
    closing, since = _cut_off(bodies, marks, first)
    for place, mark, word in marks:
        if closing and mark == closing:
            found.update(range(since + 1, place + 1))
            closing = ""
        elif not closing and mark != "*/":
            closing, since = ("*/" if mark == "/*" else mark), place
            if word:  # a here document ends at its word, which is no mark
                last = next(
                    (n for n in range(place + 1, min(end, place + _HERE)) if bodies[n] == word),
                    place,
                )
                found.update(range(place + 1, last + 1))
                closing = ""
    if closing and since >= first:
        found.update(range(since + 1, end))
    return frozenset(found)


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
