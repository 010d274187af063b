"""Recognize the genre of lines: prose, source, data, a log, a table of values, a talk, HTML."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import pairwise

from areev_context.text.markup import BLOCK_TAG
from areev_context.text.part_draft import Lines
from areev_context.text.records import STAMP, delimiter_of, labels_speak
from areev_context.text.tables import is_rule

__all__ = ["Genre", "genre_of", "is_source", "looks_like_source", "named_genre", "reads_as_prose"]


class Genre(StrEnum):
    """The genre of a stretch of lines."""

    PROSE = "prose"
    CODE = "code"
    INDENTED = "data nested by indentation"
    BRACKETS = "data on long lines"
    SECTIONS = "data in sections"
    LOG = "log"
    VALUES = "comma-separated values"
    TALK = "talk"
    MARKUP = "markup"


_SOURCE = re.compile(  # the start of a line of source, in any of the usual languages
    r"(?:@\w[\w.]*(?:\(.*)?$|//|/\*|\*/|#!|#(?:include|define|ifn?def|if|endif|pragma)\b|>>> |\$ \w"
    r"|(?:def|class|fn|func|function|impl|trait|struct|enum|interface|module|namespace|package)"
    r" [\w(][\w.<>:&' ]*(?:\(.*|\{|:|;)?$"
    r"|(?:async |export |public |private |protected |static |final |pub )+\w"
    r"|from [\w.]+ import\b|import (?:[\w.*]+;?|[\w{}*, ]+ from ['\"].*|['\"].*)$|use [\w:{}*, ]+;"
    r"|(?:if|for|while|switch|elif|catch|else if|with|match|until|foreach)\b.*(?::|\{|then|do|\))$"
    r"|(?:else|try|finally|do|default|begin|ensure|loop)\s*[:{]?$"
    r"|(?:return|break|continue|pass|raise|throw|yield|await|assert|del|delete|puts|echo|exit|fi|done"
    r"|esac|end|end;)\b(?! \w+ \w+ \w+)"
    r"|(?:const|let|var|val|auto|int|void|char|bool|float|double|long|String|local|my|type)\s+"
    r"[\w*&$<>\[\], ]+(?:[=;(:]|$)"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|JOIN|LEFT JOIN|GROUP BY"
    r"|ORDER BY)\b"
    r"|(?:RUN|COPY|FROM|ENV|CMD|ENTRYPOINT|WORKDIR|EXPOSE|ADD)\s+\S"
    r"|[\w.\[\]\"'$*>-]+(?:\s*:\s*[\w.\[\], |\"']+)?\s*(?:[-+*/|&%^.]|<<|>>|\?\?)?:?=\s*(?!=)\S"
    r"|[\w.:>$!-]+\(.*\)?\s*[;,{:\\]?$|[\])}{;,]+$|[\w.$\[\]]+(?:\+\+|--);?$|\.\w+\("
    r"|\}.*[{;,]?$|--\w"
    r"|Traceback \(|File \"[^\"]+\", line \d|at [\w$.<>/]+\(.*\)$|Caused by: |\.\.\. \d+ more$"
    r"|[\w.]*(?:Error|Exception)(?:: |$)"
    r"|diff --git |index [\da-f]+\.\.|@@ -\d|--- [ab/]|\+\+\+ [ab/]|[+-][\w@#/])"
)
_DEFINES = re.compile(
    r"(?:(?:async )?def \w+\(|class \w+[(:]|(?:export |default |async |public |static )*"
    r"function\b.*[{(]$|func [\w(].*\{$|(?:pub )?fn \w+.*[{(]$"
    r"|(?:public|private|protected) .*[{;]$)"
)
_SOME = 10  # lines that are looked at before all are
_TAGGED = frozenset("/!?abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LONG_LINE = 400  # characters from which on a line may be data by itself
_LONG_LINE_READ = 2000  # characters that are read of it
_LONG_ENTRY = 1500  # characters of an entry of a log in JSON that is not opened
_ENTRY = re.compile(r'"(?:@?timestamp|ts|time|level|severity|datetime)":')
_ENDS = frozenset("{};,([\\=")
_HEADING = re.compile(r"#{2,6} \S")
_KEY = re.compile(
    r"(?:-\s+)*(?:[\w.$@/*\"'][\w.$@/*\"'-]*|\"[^\"]+\"|'[^']+'):(?:\s+\S|$)|-\s+\S|#|---$|-$"
)
_TRUE_KEY = re.compile(r"(?:-\s+)*[\w.$@/\"'-]+:(?:\s|$)")
_PAIR = re.compile(
    r"(?:export )?[\w.\-\"' /\[\]]+\s*=\s*\S*|\[{1,2}[\w.\-\"' :/]+\]{1,2}\s*$|[#;]|[\]}],?$"
)
_SECTION = re.compile(r"\[{1,2}[\w.\-\"' :/@]+\]{1,2}\s*(?:#.*)?$")
_SETTING = re.compile(r"(?:export )?(?:[A-Z][A-Z0-9_]+|[a-z][\w-]*(?:\.[\w-]+)+)\s*=(?!=)|[#;]")
_JSON = re.compile(
    r"[{}\[\]]+,?$|\"(?:[^\"\\]|\\.)*\"\s*(?::|,?$)|-?[\d.eE+-]+,?$|(?:true|false|null),?$"
)
_WORDS = re.compile(r"(?:\b[^\W\d_]{2,}[,;]? ){3}[^\W\d_]{2}")
_NAMES = {
    Genre.CODE: "python javascript typescript golang rust ruby console text shell powershell py pyi"
    " go js jsx ts tsx mjs cjs java c h cc cpp hpp cs rs rb sh bash zsh sql kt swift "
    "php pl lua scala r jl ex exs hs ml css scss vue dart m tf proto gradle",
    Genre.INDENTED: "yaml yml json jsonc",
    Genre.SECTIONS: "toml ini cfg conf env properties",
}
_BY_NAME = {name: genre for genre, names in _NAMES.items() for name in names.split()}


def looks_like_source(body: str, indent: int) -> bool:
    """Return whether one line, without blanks around it, reads as source rather than as prose."""
    if body[:2] in {"- ", "* ", "+ "}:
        return False
    if _SOURCE.match(body):
        return True
    if not indent and body[-1] == "," and body[:-1].replace(" ", "").isalpha():
        return False  # an address: `Dear Tom,`
    if indent >= 4 or body[-1] in _ENDS or (indent and body[-1] == ":"):
        return _WORDS.search(body) is None
    return False


def is_source(body: str) -> bool:
    """Return whether a line begins in a way that only lines of source do."""
    return _SOURCE.match(body) is not None


def named_genre(name: str) -> Genre | None:
    """Return the genre for the ending of a file name or for the language of a fence."""
    return _BY_NAME.get(name.lower())


def reads_as_prose(line: str) -> bool:
    """Return whether a single line, without tags, is neither an entry of a log nor data."""
    if len(line) > _LONG_LINE and _is_long_json(line[:_LONG_LINE_READ]):
        return False
    return _WORDS.search(line, 0, 200) is not None or STAMP.match(line) is None


def genre_of(lines: Lines, first: int, end: int, title: str = "") -> Genre:
    """Return the genre of the lines from ``first`` up to ``end``; in doubt it is prose."""
    places = [place for place in range(first, end) if lines.bodies[place]]
    bodies = [lines.bodies[place] for place in places]
    ruled = len(bodies) > 1 and "|" in bodies[0] and is_rule(bodies[1])
    if ruled or _is_document(lines, first, end):
        return Genre.PROSE
    named = named_genre(title.rsplit(".", 1)[-1]) if "." in title else None
    return (
        _data(lines, places, bodies, named)
        or _records(lines, first, end, bodies)
        or _source(lines, places, bodies, named)
        or Genre.PROSE
    )


def _is_document(lines: Lines, first: int, end: int) -> bool:
    """Tell whether lines have a heading of Markdown, or a matter in front of prose."""
    bodies = lines.bodies
    for place in range(first, end):
        body = bodies[place]
        if body[:2] == "##" and _HEADING.match(body) and not lines.indents[place]:
            before = bodies[place - 1] if place > first else ""
            if not before and (place in (first, end - 1) or not bodies[place + 1]):
                return True
    if bodies[first] != "---":
        return False
    closing = next((n for n in range(first + 1, min(end, first + 80)) if bodies[n] == "---"), end)
    rest = [body for body in bodies[closing + 1 : end] if body]
    return closing < end and (
        not rest or 2 * sum(map(bool, map(_TRUE_KEY.match, rest))) < len(rest)
    )


def _data(lines: Lines, places: list[int], bodies: list[str], named: Genre | None) -> Genre | None:
    count = len(bodies)
    if sum(body[:2] == '{"' and len(body) > 20 for body in bodies) >= max(2, 0.5 * count):
        return Genre.LOG
    longest = max(bodies, key=len)
    if len(longest) > _LONG_LINE and _is_long_json(longest[:_LONG_LINE_READ]):
        if longest[0] != "{" and STAMP.match(longest):
            return Genre.LOG
        entry = bodies[0][:2] == '{"' and _ENTRY.search(bodies[0], 0, 200) is not None
        return Genre.LOG if entry and len(longest) < _LONG_ENTRY else Genre.BRACKETS
    marked = sum(body[0] in '{}[]"' or body[-1] in "{}[]" for body in bodies)
    pretty = count > 1 and 2 * marked >= count
    if pretty and sum(_JSON.match(body) is not None for body in bodies) >= 0.85 * count:
        return Genre.INDENTED
    return _tagged(lines, places, bodies) if named is None else None


def _tagged(lines: Lines, places: list[int], bodies: list[str]) -> Genre | None:
    """Return whether lines are HTML, or XML that is nested by its indentation."""
    count = len(bodies)
    if _is_markup(lines, places, bodies):
        return Genre.MARKUP
    tags = sum(body[0] == "<" and body[1:2] in _TAGGED for body in bodies)
    if not tags or tags < 0.25 * count or bodies[0][:2] == "# ":
        return None
    text, start, stop = lines.text, lines.starts[places[0]], lines.starts[places[-1]]
    blocks = len(BLOCK_TAG.findall(text, start, stop)) + bool(BLOCK_TAG.match(bodies[-1]))
    if blocks >= 2 and blocks >= 0.2 * count:
        return Genre.MARKUP
    stop += len(bodies[-1])
    closed = any(text.find(mark, start, stop) >= 0 for mark in ("</", "/>", "<?"))
    return Genre.INDENTED if closed and count > 1 and tags >= 0.6 * count else None


def _is_markup(lines: Lines, places: list[int], bodies: list[str]) -> bool:
    """Tell whether lines begin with a block of HTML, or are dense with its tags."""
    start, end = lines.starts[places[0]], lines.starts[places[-1]] + len(bodies[-1])
    if bodies[0][0] == "<" and BLOCK_TAG.match(bodies[0]):
        return lines.text.find("</", start, end) >= 0
    if any(body[:2] == "# " for body in bodies):
        return False
    closing = lines.text.count("</", start, end)
    return closing >= max(2, 0.5 * len(bodies)) and bool(BLOCK_TAG.search(lines.text, start, end))


def _is_long_json(body: str) -> bool:
    pairs = body.count('":') + body.count('" :') + body.count('","') + body.count('", "')
    return (pairs >= 3 and pairs * 100 >= len(body)) or (body[0] == "[" and body.count(",") > 40)


def _records(lines: Lines, first: int, end: int, bodies: list[str]) -> Genre | None:
    count = len(bodies)
    if delimiter_of(lines, first, end):
        return Genre.VALUES
    if any(map(STAMP.match, bodies[:_SOME])):
        outer = [
            lines.bodies[place]
            for place in range(first, end)
            if lines.bodies[place] and not lines.indents[place]
        ]
        stamps = sum(STAMP.match(body) is not None for body in outer)
        if stamps >= 2 and stamps >= 0.3 * len(outer):
            return Genre.LOG
        enough = count > 2 or _WORDS.search(bodies[0], 0, 200) is None
        beneath = count - len(outer)
        if enough and STAMP.match(bodies[0]) and stamps + beneath >= 0.8 * count:
            return Genre.LOG
    labels = sum(":" in body or "：" in body or body[0] == "<" for body in bodies)
    if labels >= 2 and labels_speak(lines, first, end):
        return Genre.TALK
    return None


def _source(
    lines: Lines, places: list[int], bodies: list[str], named: Genre | None
) -> Genre | None:
    count = len(bodies)
    if named is None and count > _SOME:
        some = places[:: 1 + count // _SOME]
        if sum(_may_be_source(lines.bodies[place], lines.widths[place]) for place in some) < 2:
            return None
    nested = _settings(bodies, named)
    if nested is not None or named not in {None, Genre.CODE}:
        return nested or named
    source = _comments(lines, places, bodies)
    source += sum(
        looks_like_source(body, lines.widths[place])
        for body, place in zip(bodies, places, strict=True)
    )
    least = 0.15 if named else 0.6 if count > 3 else 0.8
    if 0.2 * count <= source < least * count and _defines(lines, places):
        return Genre.CODE
    return Genre.CODE if count > 1 and source >= least * count else None


def _may_be_source(body: str, indent: int) -> bool:
    return body[0] in "#*" or looks_like_source(body, indent) or _KEY.match(body) is not None


def _settings(bodies: list[str], named: Genre | None) -> Genre | None:
    """Return which data lines are that have a key each, comments aside."""
    real = [body for body in bodies if body[0] != "#"]
    count = len(real)
    if not real:
        return None
    keys = sum(_KEY.match(body) is not None for body in real)
    if keys >= (0.4 if named is Genre.INDENTED else 0.7) * count:
        true = sum(_TRUE_KEY.match(body) is not None for body in real)
        worded = sum(_WORDS.search(body) is not None for body in real)
        nested = any(body[0] != "-" for body in real)
        if true >= max(2, 0.3 * count) and nested and 3 * worded <= count:
            return Genre.INDENTED
    if count > 1 and sum("=" in body or body[0] in "[;" for body in real) >= 0.6 * count:
        sections = sum(_SECTION.match(body) is not None for body in real)
        pairs = sum(_PAIR.match(body) is not None for body in real)
        if pairs >= 0.7 * count and (sections or _are_settings(real)):
            return Genre.SECTIONS
    return None


def _are_settings(bodies: list[str]) -> bool:
    """Tell whether lines without a section are `KEY=value` or `some.key=value`."""
    return sum(_SETTING.match(body) is not None for body in bodies) >= 0.7 * len(bodies)


def _comments(lines: Lines, places: list[int], bodies: list[str]) -> int:
    """Return how many lines go on with a comment, which begin as a heading or an item does."""
    start, stop = lines.starts[places[0]], lines.starts[places[-1]] + len(bodies[-1])
    text = lines.text
    starred = text.find("*/", start, stop) >= 0 or text.find("/*", start, stop) >= 0
    comments = sum(body[:2] == "* " for body in bodies) if starred else 0
    asked = False  # what follows `>>> ` up to a blank line is an answer
    for before, place in pairwise([-1, *places]):
        asked = lines.bodies[place][:4] == ">>> " or (asked and place == before + 1)
        comments += asked and lines.bodies[place][:4] != ">>> "
    return comments + sum(
        body[0] == "#" and body[:2] == before[:2] and places[n + 1] == places[n] + 1
        for n, (before, body) in enumerate(pairwise(bodies))
    )


def _defines(lines: Lines, places: list[int]) -> bool:
    """Tell whether lines define something and have no prose but in it, as its comments are."""
    bodies = lines.bodies
    return any(_DEFINES.match(bodies[place]) for place in places) and all(
        lines.widths[place] or looks_like_source(bodies[place], 0) or bodies[place][0] in "#\"'"
        for place in places[1:]
    )
