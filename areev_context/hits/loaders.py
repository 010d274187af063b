"""The details of a passage in the metadata that loaders and readers write, each by its own names.

`docs/loaders.md` lists the loaders whose names were read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

from areev_context.text.foreign import has_digits, number
from areev_context.text.json_text import as_text
from areev_context.text.json_values import plain

__all__ = ["DETAILS", "arranged", "details_in", "last_part"]

DETAILS = ("title", "source", "file_name", "page", "section", "author", "url")
"""The details that are read, in the order in which they are shown."""

_NAMES: dict[str, tuple[str, ...]] = {
    "title": ("title", "Title", "Title of this paper", "subject"),
    "source": ("source", "Source"),
    "file_name": ("file_name", "filename", "file name", "file_path", "file path", "path"),
    "page": ("page_label", "page_number", "slide_number", "page"),
    "section": ("section", "header_path", "sheet_name", "page_name"),
    "author": ("author", "authors", "Authors", "sender", "sent_from"),
    "url": ("url", "URL", "link", "html_url", "source_url", "sourceURL", "source-url", "Entry ID"),
}
_MEANING = {
    name: (detail, rank) for detail, names in _NAMES.items() for rank, name in enumerate(names)
}
_LEVEL = {
    form.format(level): level
    for level in range(1, 7)
    for form in ("Header {}", "header_{}", "Heading {}", "h{}", "H{}")
}
_STEP = " > "

_ROOTED = re.compile(r"(?:[/\\~]|\.{1,2}[/\\]|[A-Za-z]:[/\\]|file:)")
_RELATIVE = re.compile(r"[^\s/\\](?:[^/\\:]*[^\s/\\:])?[/\\](?:.*[/\\])?[^\s/\\][^/\\]*\.\w{1,8}")


def details_in(metadata: Mapping[str, Any], excluded: Container[str] = ()) -> dict[str, Any]:
    """Return the details in a loader's metadata, by the names of `DETAILS`.

    The first of a detail's names that has a value counts: the page as it is printed before its
    number, a section before the headings of a splitter, which become one path. A page that is
    counted from 0 gets 1 added.

    Args:
        metadata: The metadata of a passage.
        excluded: Keys that are not read.
    """
    found: dict[str, tuple[int, str]] = {}
    headings: dict[int, str] = {}
    for key in metadata:
        meaning = _MEANING.get(key)
        if meaning is None:
            if key in _LEVEL and _has(metadata, key, excluded):
                headings[_LEVEL[key]] = key
            continue
        detail, rank = meaning
        if _has(metadata, key, excluded) and (detail not in found or rank < found[detail][0]):
            found[detail] = (rank, key)
    details = {name: _read(metadata, key) for name, (_, key) in found.items()}
    if headings and "section" not in details:
        path = (as_text(plain(metadata[headings[level]])) for level in sorted(headings))
        details["section"] = _STEP.join(path)
    return details


def _has(metadata: Mapping[str, Any], key: str, excluded: Container[str]) -> bool:
    value = metadata[key]
    return value is not None and key not in excluded and not (type(value) is str and not value)


def _read(metadata: Mapping[str, Any], key: str) -> Any:
    value = metadata[key]
    if key == "header_path" and type(value) is str:
        return _STEP.join(filter(None, value.split("/"))) or None
    return _printed_page(value, metadata) if key == "page" else value


def _printed_page(page: Any, metadata: Mapping[str, Any]) -> Any:
    """Return a page as it is printed: the loaders of LangChain count the pages of a PDF from 0."""
    if type(page) is bool or metadata.get("total_pages") is None:
        return page
    if "source" not in metadata and "file_path" in metadata:
        return page  # LlamaIndex's reader of PyMuPDF4LLM counts from 1
    counted = number(page)
    return counted + 1 if type(counted) is int and has_digits(counted) else page


def arranged(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return details in the order of `DETAILS`, so that each is shown once.

    A file is the source where there is no other, and is not repeated where the source ends with
    its name; nor is a URL that is the source.
    """
    details = dict(details)
    source, file = _text(details, "source"), _text(details, "file_name")
    if file and source.isdecimal() and "page" not in details:  # LlamaIndex's reader of PyMuPDF
        details["page"], source = details.pop("source"), ""
    if file and not source:
        details["source"] = details.pop("file_name")
    elif file and last_part(file) == last_part(source):
        del details["file_name"]
    if source and source == _text(details, "url"):
        del details["url"]
    return {name: details[name] for name in DETAILS if details.get(name) is not None}


def _text(details: Mapping[str, Any], name: str) -> str:
    value = details.get(name)
    return value if type(value) is str else ""


def last_part(path: str) -> str:
    """Return the last part of a path, or a text that is no path of files as it is.

    An address with a scheme, such as ``https`` or ``s3``, is no such path.
    """
    if "/" not in path and "\\" not in path:
        return path
    if not _ROOTED.match(path) and not _RELATIVE.fullmatch(path):
        return path
    parts = [part for part in re.split(r"[/\\]", path) if part]
    return parts[-1] if parts else path
