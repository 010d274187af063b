"""What a stretch of lines is: prose, source, data, a log, a table of values, a talk, HTML."""

from __future__ import annotations

import re
from enum import StrEnum

from areev_context.text.draft import Lines
from areev_context.text.markup import BLOCK_TAG
from areev_context.text.records import STAMP, delimiter_of, labels_speak

__all__ = ["Genre", "genre_of", "looks_like_source"]


class Genre(StrEnum):
    """What a stretch of lines is."""

    PROSE = "prose"
    CODE = "code"
    INDENTED = "data nested by indentation"
    BRACKETS = "data on long lines"
    SECTIONS = "data in sections"
    LOG = "log"
    VALUES = "comma-separated values"
    TALK = "talk"
    MARKUP = "markup"


_SOURCE = re.compile(
    r"(?:@\w[\w.]*(?:\(.*)?$|//|/\*|\*/|#!|#(?:include|define|ifn?def|if|endif|pragma)\b|>>> |\$ \w"
    r"|(?:def|class|fn|func|function|impl|trait|struct|enum|interface|module|namespace|package)"
    r" [\w(][\w.<>:&' ]*(?:\(.*|\{|:|;)?$"
    r"|(?:async |export |public |private |protected |static |final |pub )+\w"
    r"|from [\w.]+ import\b|import (?:[\w.*]+;?|[\w{}*, ]+ from ['\"].*|['\"].*)$|use [\w:{}*, ]+;"
    r"|(?:if|for|while|switch|elif|catch|else if|with|match|until|foreach)\b.*(?::|\{|then|do|\))$"
    r"|(?:else|try|finally|do|default|begin|ensure|loop)\s*[:{]?$|(?:return|break|continue|pass|raise"
    r"|throw|yield|await|assert|del|delete|puts|echo|exit|fi|done|esac|end|end;)\b(?! \w+ \w+ \w+)"
    r"|(?:const|let|var|val|auto|int|void|char|bool|float|double|long|String|local|my|type)\s+"
    r"[\w*&$<>\[\], ]+(?:[=;(:]|$)"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|JOIN|LEFT JOIN|GROUP BY|ORDER BY)\b"
    r"|(?:RUN|COPY|FROM|ENV|CMD|ENTRYPOINT|WORKDIR|EXPOSE|ADD)\s+\S"
    r"|[\w.\[\]\"'$*>-]+(?:\s*:\s*[\w.\[\], |\"']+)?\s*(?:[-+*/|&%^.]|<<|>>|\?\?)?:?=\s*(?!=)\S"
    r"|[\w.:>$!-]+\(.*\)?\s*[;,{:\\]?$|[\])}{;,]+$|[\w.$\[\]]+(?:\+\+|--);?$|\.\w+\("
    r"|\}.*[{;,]?$|--\w)"
)
_ENDS = frozenset("{};,([\\=")
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
_SPOKEN = re.compile(r"(?:[^\W\d_]{2,}[,;]? ){4}[^\W\d_]")
_NAMES = {
    Genre.CODE: "py pyi go js jsx ts tsx mjs cjs java c h cc cpp hpp cs rs rb sh bash zsh sql kt swift "
    "php pl lua scala r jl ex exs hs ml css scss vue dart m tf proto gradle",
    Genre.INDENTED: "yaml yml json jsonc",
    Genre.SECTIONS: "toml ini cfg conf env properties",
}
_BY_NAME = {name: genre for genre, names in _NAMES.items() for name in names.split()}


def looks_like_source(body: str, indent: int) -> bool:
    """Tell whether one line, without blanks around it, reads as source rather than as prose."""
    if _SOURCE.match(body):
        return True
    if body[-1] in _ENDS or (indent and body[-1] == ":"):
        return not _SPOKEN.match(body)
    return indent >= 4 and not _SPOKEN.match(body)


def genre_of(lines: Lines, first: int, end: int, title: str = "") -> Genre:
    """Return what the lines from ``first`` up to ``end`` are; in doubt they are prose."""
    places = [place for place in range(first, end) if lines.bodies[place]]
    if not places:
        return Genre.PROSE
    bodies = [lines.bodies[place] for place in places]
    named = _BY_NAME.get(title.rsplit(".", 1)[-1].lower()) if "." in title else None
    return (
        _data(lines, places, bodies, named)
        or _records(lines, first, end, bodies)
        or _source(lines, places, bodies, named)
        or Genre.PROSE
    )


def _data(lines: Lines, places: list[int], bodies: list[str], named: Genre | None) -> Genre | None:
    count = len(bodies)
    marked = sum(body[0] in '{}[]"' or body[-1] in "{}[]" for body in bodies)
    if 2 * marked >= count:
        entries = sum(body[:2] == '{"' and body[-1] == "}" for body in bodies)
        if entries >= max(2, 0.5 * count):
            return Genre.LOG
        longest = max(bodies, key=len)
        if len(longest) > 400 and _is_long_json(longest[:2000]):
            return Genre.BRACKETS
        if count > 1 and sum(_JSON.match(body) is not None for body in bodies) >= 0.85 * count:
            return Genre.INDENTED
    tags = sum(body[0] == "<" and body[1:2] not in {" ", "<", "="} for body in bodies)
    if named is None and tags and tags >= 0.25 * count:
        blocks = len(
            BLOCK_TAG.findall(lines.text, lines.starts[places[0]], lines.starts[places[-1]])
        )
        if BLOCK_TAG.match(bodies[-1]):
            blocks += 1
        if blocks >= 2 and blocks >= 0.2 * count:
            return Genre.MARKUP
        if tags >= 0.6 * count and count > 1:
            return Genre.INDENTED
    return None


def _is_long_json(body: str) -> bool:
    pairs = body.count('":') + body.count('" :') + body.count('","')
    return (pairs >= 3 and pairs * 100 >= len(body)) or (body[0] == "[" and body.count(",") > 40)


def _records(lines: Lines, first: int, end: int, bodies: list[str]) -> Genre | None:
    count = len(bodies)
    stamps = sum(
        lines.indents[place] == 0 and STAMP.match(lines.bodies[place]) is not None
        for place in range(first, end)
        if lines.bodies[place]
    )
    if stamps >= 2 and stamps >= 0.3 * count:
        return Genre.LOG
    if stamps and count > 2 and STAMP.match(bodies[0]):
        beneath = sum(
            lines.indents[place] > 0 for place in range(first, end) if lines.bodies[place]
        )
        if stamps + beneath >= 0.8 * count:
            return Genre.LOG
    if delimiter_of(lines, first, end):
        return Genre.VALUES
    if sum(":" in body or "：" in body or body[0] == "<" for body in bodies) >= 2:
        if labels_speak(lines, first, end):
            return Genre.TALK
    return None


def _source(
    lines: Lines, places: list[int], bodies: list[str], named: Genre | None
) -> Genre | None:
    count = len(bodies)
    keys = sum(_KEY.match(body) is not None for body in bodies)
    if keys >= (0.4 if named is Genre.INDENTED else 0.7) * count:
        true = [body for body in bodies if _TRUE_KEY.match(body)]
        spoken = sum(_SPOKEN.search(body) is not None for body in bodies if body[0] != "#")
        dashed = sum(body[0] == "-" for body in bodies)
        if len(true) >= max(2, 0.3 * count) and dashed < count and 3 * spoken <= count:
            return Genre.INDENTED
    if sum("=" in body or body[0] in "[#;" for body in bodies) >= 0.6 * count:
        sections = sum(_SECTION.match(body) is not None for body in bodies)
        pairs = sum(_PAIR.match(body) is not None for body in bodies)
        if pairs >= 0.7 * count and (sections or _are_settings(bodies)):
            return Genre.SECTIONS
    if named is not None and named is not Genre.CODE:
        return named
    source = sum(
        looks_like_source(body, indent)
        for body, indent in zip(bodies, (lines.indents[place] for place in places), strict=True)
    )
    least = 0.15 if named else 0.6 if count > 3 else 0.8
    return Genre.CODE if count > 1 and source >= least * count else None


def _are_settings(bodies: list[str]) -> bool:
    """Tell whether lines without a section are `KEY=value` or `some.key=value`."""
    return sum(_SETTING.match(body) is not None for body in bodies) >= 0.7 * len(bodies)
