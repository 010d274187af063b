"""Guarding lines, as Markdown and plain text do; each owns its escape and calls this."""

from __future__ import annotations

import re

__all__ = ["guard_lines", "held", "seal"]

# White space and characters without width that may stand before a mark of ours and hide it.
_BLANK = r"(?:\s|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff])*"
_BLANK_HERE = _BLANK.replace(r"\s", r"[^\S\u2028\u2029]")  # within what a line separator starts
# A run of backslashes is read from its start alone: tried from every one, it would take for ever.
_STATUS = re.compile(r"(?<!\\)\\*+\[(?:CURRENT\]|OUTDATED\]|session:)")
_END = r"[ \t]*$"
_MARKS = "|".join(
    (
        r"\\",  # a backslash of the text's own
        r"\[\d[\d, \-]*\]",  # a number: [3], [1, 2]
        r"[-*+](?:[ \t]|$)",  # a bullet
        r"\#{1,6}(?:[ \t]|$)",  # a heading
        r"={3}|=+" + _END,  # a banner, an underline
        r"-{3}|-+" + _END,
        r"([-*_])(?:[ \t]*\3)*" + _END,  # a rule
        "`{3}|~{3}",  # a fence
        r">|\||:-+:?[ \t]*(?:\||$)",  # a quotation, a row of a table
        r"\d{1,9}[.)](?:[ \t]|$)",  # an ordered item
        "↓",  # a gap of a timeline
    )
)
_OPENING = re.compile(rf"({_BLANK})(?:({_STATUS.pattern})|(?={_MARKS}))")
_HTML = re.compile(rf"({_BLANK})()(?=<[A-Za-z/!?])")  # would open a block that swallows lines
# What values become side by side, or beside something of ours, at the start of a line.
_TOGETHER = (
    rf"\[\d[\d, \-]*\]|={{3}}|=+{_END}|[`~]{{3}}|\d{{1,9}}\)(?:[ \t]|$)|\*(?:[ \t]*\*){{2,}}{_END}"
)
_STARTED = re.compile(rf"({_BLANK})(?={_TOGETHER})")
_FORGED = re.compile(
    r"(?<!\\)(?=\[(?:CURRENT\]|OUTDATED\]|session:))"
    rf"|((?:^|(?<=[\u2028\u2029])){_BLANK_HERE})(?={_TOGETHER})"
)
_OPEN_END = re.compile(r"(?<=\n)(?=[^\S\n]*\Z)")


def guard_lines(text: str) -> str:
    """Return the text so that no line of it reads as a mark of ours; undone without a remainder.

    A backslash goes before what would open a heading, a list item, a banner, a rule, a fence, a
    quotation, a table, a number, a gap or, on a further line, raw HTML; one more where a line
    starts with a backslash; and one before ``[CURRENT]``, ``[OUTDATED]`` and ``[session:``
    anywhere. Every further line that is not blank is indented by two spaces.
    """
    if text[:1].isalpha() and "[" not in text and text.isprintable():
        return text  # one line that starts with a letter: most values
    first, *further = text.split("\n")
    lines = [_guarded(first, opens=_OPENING)]
    for line in further:
        guarded = _guarded(line, opens=_HTML)
        lines.append(f"  {guarded}" if line and not line.isspace() else guarded)
    return "\n".join(lines)


def _guarded(line: str, opens: re.Pattern[str]) -> str:
    """Guard one line; a line separator of Unicode's starts another, which is not indented."""
    if "\u2028" in line or "\u2029" in line:
        head, *parts = re.split("([\u2028\u2029])", line)
        guarded = (
            f"{mark}{_guarded(part, _HTML)}"
            for mark, part in zip(parts[::2], parts[1::2], strict=True)
        )
        return _guarded(head, opens) + "".join(guarded)
    if line[:1].isalpha() or not line:
        return _STATUS.sub(r"\\\g<0>", line) if "[" in line else line
    opening = _OPENING.match(line) or opens.match(line)
    if opening is None:
        return _STATUS.sub(r"\\\g<0>", line) if "[" in line else line
    rest = _STATUS.sub(r"\\\g<0>", line[opening.end() :])
    return f"{opening[1]}\\{opening[2] or ''}{rest}"


def seal(line: str, *, opens: bool = True) -> str:
    """Guard what guarded values became by being put together.

    ``[`` of ours and a value ``CURRENT`` make a mark that neither holds alone. What follows a value
    that ends in a newline is indented as every further line is. A blank first line gets a
    backslash. What is guarded already stays as it is.

    Args:
        line: Values and what stands between them.
        opens: Whether it starts a line; else only its further lines can.
    """
    plain = line.removeprefix("**")[:1].isalpha() or line[:1] == "("
    if plain and "[" not in line and line.isprintable():
        return line
    first, *further = line.split("\n")
    if opens:
        first = _sealed(first) if first.strip() else f"\\{first}"
    return "\n".join([first, *(_sealed(_indented(each)) for each in further)])


def _sealed(line: str) -> str:
    if "[" in line or not line.isprintable():
        return _FORGED.sub(lambda match: f"{match[1] or ''}\\", line)
    if line.lstrip(" ")[:1].isalpha():  # most lines
        return line
    return _STARTED.sub(r"\1\\", line, count=1) if _STARTED.match(line) else line


def _indented(line: str) -> str:
    return line if line.startswith("  ") or not line.strip() else f"  {line}"


def held(value: str) -> str:
    """Return a guarded value that something of ours follows: a new line it ends in is indented."""
    return _OPEN_END.sub("  ", value)
