"""Trust in a grain: find its statements, and choose the one that counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from areev_context.hits.grain_types import GRAIN_TYPES
from areev_context.hits.retraction import bare, text_of, visible, withholds
from areev_context.text.json_values import plain

__all__ = [
    "is_withheld",
    "statements",
    "status",
    "strictest",
    "strictness",
    "trust_free",
    "trust_of",
]

_KEYS = ("verification_status", "vstatus")
_INNER = ("context", "metadata")
_READ = frozenset({*_KEYS, *_INNER, "fields"})
# Passed by fast: what a row and its fields mostly have. None of them reads as one of those.
_OF_TYPES = {name for row in GRAIN_TYPES.values() for name in row.fields}
_USUAL = (_OF_TYPES - _READ) | frozenset({
    "author", "confidence", "conflict_status", "content", "created_at", "created_at_sec",
    "explanation", "grain_type", "hash", "id", "namespace", "object", "page", "recall_source",
    "relation", "relative_time", "role", "score", "section", "source", "source_namespace",
    "subject", "superseded_by", "superseded_by_hash", "supersession_status", "title", "type", "url",
})  # fmt: skip
_MOST = 1_000_000  # entries of a mapping that are read: one of another library may have no end
_NAMES = {name.replace("_", ""): name for name in _READ}


def statements(source: Mapping[Any, Any]) -> list[Any]:
    """Return all statements of trust in a row or in a passage's metadata, unchanged.

    These are the values of the keys ``verification_status`` and ``vstatus``, in any spelling, in
    the object and in its ``fields``, ``context`` and ``metadata``.
    """
    found: list[Any] = []
    todo, seen = [source], {id(source): source}  # and alive, so that no other one gets its id
    while todo:
        each = todo.pop()
        for given, value in each.items() if type(each) is dict else _entries(each):
            name = given if type(given) is str else text_of(given) or ""
            if name in _USUAL:
                continue
            key = name if name in _READ else _key(name)
            if key in _KEYS:
                found.append(value)
            elif key and id(value) not in seen and (type(value) is dict or _is_mapping(value)):
                seen[id(value)] = value
                todo.append(value)
    return found


def _entries(source: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    try:
        found = dict.items(source) if isinstance(source, dict) else source.items()
        return [(name, value) for name, value in islice(found, _MOST)]
    except Exception:  # somebody's mapping
        return [(name, _got(source, name)) for name in sorted(_READ)]


def _got(source: Mapping[Any, Any], name: str) -> Any:
    try:
        return source.get(name)
    except Exception:  # that one too
        return None


def _is_mapping(value: object) -> bool:
    try:
        return isinstance(value, Mapping)
    except Exception:  # what is asked of a reference to an object that is gone
        return False


def _key(name: str) -> str:
    """Return which of the names that are read a key is, whatever it is spelled like; else ""."""
    plain_name = name.isidentifier() and name.isascii() and name.islower()
    if plain_name and "status" not in name and name[-1] != "_":
        return ""  # most keys
    return _NAMES.get("".join(filter(str.isalpha, visible(name).casefold())), "")


def trust_free(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields without statements of trust, and without objects that are empty then."""
    free: dict[str, Any] = {}
    for name, value in fields.items():
        key = name if name in _READ else _key(name)
        inner = trust_free(value) if key and value.__class__ is dict else value
        if key not in _KEYS and (inner or not key):
            free[name] = inner
    return free


def is_withheld(fields: Mapping[str, Any]) -> bool:
    """Return whether a statement of trust in the fields withholds their grain."""
    for key in _KEYS:
        if key in fields and withholds(fields[key]):
            return True
    for name in _INNER:
        inner = fields.get(name)
        if inner.__class__ is dict and any(key in inner and withholds(inner[key]) for key in _KEYS):
            return True
    return False


def trust_of(fields: Mapping[str, Any]) -> Any:
    """Return the statement of trust that counts in the fields; None if there is none."""
    stated = [fields.get(key) for key in _KEYS]
    for name in _INNER:
        inner = fields.get(name)
        if inner.__class__ is dict:
            stated += [inner.get(key) for key in _KEYS]
    return strictest(stated)


def strictest(stated: Iterable[Any]) -> Any:
    """Return the statement that counts: retracted before contested before any other.

    Of equally strict statements it is the first; None without statements.
    """
    return max((each for each in stated if each is not None), key=strictness, default=None)


def strictness(stated: object) -> int:
    """Return 2 for a statement of retraction, 1 for one that the grain is contested, else 0."""
    if withholds(stated):
        return 2
    text = text_of(stated)
    return int(bare(text) == "contested")


def status(stated: object) -> Any:
    """Return a statement as an equivalent JSON value; bytes are read as text."""
    text = text_of(stated)
    spelled = plain(stated) if text is None else text
    return "retracted" if withholds(stated) and not withholds(spelled) else spelled
