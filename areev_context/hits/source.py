"""Read rows from a text or the bytes of a file: JSON or JSON Lines, else a clear error."""

from __future__ import annotations

import json
from typing import Any

from areev_context.errors import InputError
from areev_context.text.json_text import read_json

__all__ = ["rows_in"]

_SIGNATURES = {
    b"%PDF": "a PDF file",
    b"PK\x03\x04": "a ZIP archive or an Office document",
    b"PAR1": "a Parquet file",
    b"SQLite format 3": "an SQLite database",
    b"\x1f\x8b": "a gzip file",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
    b"ARROW1": "an Arrow file",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}
_WANTED = "give UTF-8 text: a JSON list of rows, or JSON Lines, one row a line"
_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


def rows_in(source: Any) -> Any:
    """Return the value of a JSON text, or the list of the values of JSON Lines.

    Args:
        source: Text, or the UTF-8 bytes of a file; a byte order mark is ignored.

    Raises:
        InputError: The source is neither; the error names the likely file type and the position.
    """
    text = _text(source)
    value, why = _value(text)
    if why is None:
        return value
    lines = text.split("\n")
    if not _is_lines(lines):
        raise InputError(f"not JSON{_kind(text)}: {why}" if " at line " in why else why)
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            value, why = _value(line, number)
            if why is not None:
                raise InputError(f"not JSON Lines, one row a line: {why}")
            found.append(value)
    return found


def _value(text: str, line: int | None = None) -> tuple[Any, str | None]:
    """Return the value of a JSON text, or why there is none; no error of a parser, it has text."""
    try:
        return read_json(text), None
    except json.JSONDecodeError as error:
        return None, f"{error.msg} at line {line or error.lineno}, column {error.colno}"
    except RecursionError:
        return None, "the JSON is nested too deeply to read"
    except ValueError as error:  # a number that is too long or too large
        return None, f"the JSON cannot be read: {error}"


def _text(source: Any) -> str:
    if issubclass(type(source), str):
        return str.__str__(source).removeprefix(_BOM)
    data = bytes(memoryview(source))  # past what a class overrides
    for signature, name in _SIGNATURES.items():
        if data.startswith(signature):
            raise InputError(f"not JSON, but {name}: {_WANTED}")
    try:
        return data.decode("utf-8-sig").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        where = error.start  # out here, because the error holds the text
    raise InputError(f"not UTF-8: byte {where} cannot be read; {_WANTED}")


def _is_lines(lines: list[str]) -> bool:
    """Return whether the first line that is not blank is an object, and another follows."""
    found = [line for line in lines if line.strip()][:2]
    return len(found) == 2 and isinstance(_value(found[0])[0], dict)


def _are_columns(lines: list[str], mark: str) -> bool:
    """Return whether two lines have as many columns, more than one."""
    return len(lines) == 2 and 0 < lines[0].count(mark) == lines[1].count(mark)


def _kind(text: str) -> str:
    """Return what a text that is no JSON looks like, for an error."""
    opening = text.lstrip()[:200]
    if not opening:
        return ", the text is empty"
    if opening[0] == "<":
        return f", but HTML or XML ({_WANTED})"
    if opening[0] in "[{":
        return ""
    first = opening.splitlines()[0]
    if first.startswith(("---", "- ")) or first.rstrip().endswith(":"):
        return f", but perhaps YAML ({_WANTED})"
    if any(_are_columns(opening.splitlines()[:2], mark) for mark in ",;\t"):
        return f", but perhaps a table of comma-separated values ({_WANTED})"
    return f" ({_WANTED})"
