"""The formats: each one file that says one grain and writes a page."""

from __future__ import annotations

from areev_context.errors import InputError
from areev_context.formats import json, markdown, plain_text, sml, toon
from areev_context.formats.base import Format
from areev_context.policy import OutputFormat
from areev_context.text.clean import clean

__all__ = ["FORMATS", "escape"]

FORMATS: dict[OutputFormat, Format] = {
    module.FORMAT.name: module.FORMAT for module in (sml, toon, markdown, plain_text, json)
}
"""The registry, by name."""


def escape(text: str, format: OutputFormat | str) -> str:
    """Return a value as a format writes it, so that it cannot pass for anything of ours.

    Every piece of the format is written so, and reading back undoes exactly it. In Markdown and
    plain text the value is safe wherever other words put it in a line: what they could make a mark
    of, at its start or on its last line, is guarded too. In SML it is the text of an element.

    Args:
        text: One value; what no output may hold is cleaned away first.
        format: The format, or its name.

    Raises:
        InputError: No format has this name, or the value is no string.
    """
    if format not in FORMATS:
        raise InputError(f"there is no format {format!r}: give one of {', '.join(FORMATS)}")
    given: object = text
    if not isinstance(given, str):
        raise InputError(f"the value is of type {type(given).__name__}: give a string")
    return FORMATS[OutputFormat(format)].escape(clean(text)[0])
