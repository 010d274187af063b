"""The formats: each is one file, which writes a grain and a page."""

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
"""Name -> format."""


def escape(text: str, format: OutputFormat | str) -> str:
    """Escape a value as a format does, so that no part of it reads as markup of the format.

    Every value in a page is escaped like this, and a reader can undo it exactly. In Markdown and
    plain text the value is safe anywhere in a line of other text: its start and its last line are
    escaped where other words could complete a mark. In SML it is the text of an element.

    Args:
        text: One value; characters that no output may hold are cleaned first.
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
