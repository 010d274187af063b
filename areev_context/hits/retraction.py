"""Recognize retraction: decide whether a statement of trust withholds a grain.

A status comes from people, programs and other libraries, so it is read as a person reads it: a
statement of retraction counts in any spelling, and a denied one does not.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Any

from areev_context.text.clean import clean
from areev_context.text.json_values import plain

__all__ = ["bare", "text_of", "visible", "withholds"]

_PARTS = 100_000

_WITHHELD = frozenset({"retracted", "rejected"})
_NOT = frozenset({
    "not", "no", "non", "un", "never", "nor", "neither", "without", "isn", "isnt", "wasn", "wasnt",
    "hasn", "hasnt", "aren", "arent", "weren", "werent",
})  # fmt: skip
_BETWEEN = frozenset({
    "t", "yet", "been", "be", "being", "longer", "ever", "or", "is", "was", "currently",
})  # fmt: skip
_FALSE = frozenset({"false", "no", "n", "off", "f", "0"})
_NOTHING = frozenset({"", "none", "null", "nil", "never"})

_WORD = re.compile(r"[^\W\d_]+")
# What may stand between two words of one phrase; all else begins another.
_JOINT = re.compile(r"[\s_'\"`\u2018-\u201f\u2010-\u2015\u2212-]*")
_DENIED = re.compile(
    r"[\"'\s]*[:=?]+>?[\"'\s]*(?:false|no|none|null|never|nil|off)\b[\"'\s]*"
    r"(?=$|[,;|})\]&.!]|\w+[\"']?\s*[:=])"
)
_OF_ENUM = re.compile(r"\W*<([^<>:]*):(.*)>\W*", re.DOTALL)  # <Status.RETRACTED: 0>
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
# No mark, no letter that is seen: categories, and what Unicode counts among letters and symbols.
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn"})
_BLANKS = frozenset("\u115f\u1160\u2800\ufffc\ufffd")
_EDGES = " \t\n.,;:!?'\"`()[]{}<>*_-"


def withholds(stated: object) -> bool:
    """Return whether a statement of trust withholds its grain.

    It does if it has the word ``retracted`` or ``rejected``, in any letter case, with invisible
    characters in it and punctuation around it, alone or among other words. The word may be text or
    bytes, the name or the value of an enum member, an item of a list or an object, or a key whose
    value is not false. ``not_retracted``, ``unretracted`` and ``{"retracted": false}`` do not
    withhold. In doubt the grain is withheld.
    """
    if stated is None or (type(stated) is str and _is_silent(stated)):
        return False
    todo, seen = [stated], dict[int, object]()  # by id, and alive, so that no id is used again
    while todo:
        each = todo.pop()
        text = text_of(each)
        if text is not None and _reading(text):
            return True
        if each is not None and type(each) is not str and id(each) not in seen:
            seen[id(each)] = each
            todo.extend(_parts(each))
        if len(seen) > _PARTS:
            return True  # it has no end
    return False


def text_of(value: object) -> str | None:
    """Return a text, or its bytes, as a plain `str`; None for anything else."""
    if type(value) is str:
        return value
    try:
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, bytes | bytearray | memoryview):
            return bytes(value).decode(errors="replace")
    except Exception:  # an object of somebody else's failed to say what it is
        return None
    return None


def _parts(value: object) -> list[Any]:
    """Return what a value that is more than text consists of; never raises."""
    try:
        if isinstance(value, enum.Enum):
            return _attributes(value, ("name", "value"))
        if isinstance(value, Mapping):
            entries = islice(value.items(), _PARTS + 1)
            return [part for name, item in entries for part in _of_entry(name, item)]
        if isinstance(value, str | bytes | bytearray | memoryview | int | float | type):
            return []
        if callable(getattr(value, "tolist", None)):  # an array, or a scalar, of a numeric library
            return [value.tolist()]  # type: ignore[attr-defined]  # it was just asked
        parts = list(islice(value, _PARTS + 1)) if isinstance(value, Collection) else None
        return _of_object(value) if parts is None else parts
    except Exception:  # an object of somebody else's failed to say what it holds
        return []


def _attributes(value: object, names: Iterable[str]) -> list[Any]:
    out = []
    for name in names:
        try:
            out.append(getattr(value, name))
        except Exception:  # a property of somebody else's, or none
            continue
    return out


def _of_object(value: object) -> list[Any]:
    """Return what an object of no known kind shows of itself: its attributes and its text."""
    inside = {**getattr(value, "__dict__", {})}
    inside |= {
        name: getattr(value, name)
        for kind in type(value).__mro__
        for name in _names_of_slots(kind)
        if hasattr(value, name)
    }
    parts: list[Any] = [inside] if inside else []
    parts += [each for each in _attributes(value, ("name", "value")) if not callable(each)]
    if type(value).__str__ is not object.__str__:
        parts.append(str(value))
    return [each for each in parts if each.__class__ is dict or not _is_opaque(each)]


def _names_of_slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _is_opaque(value: object) -> bool:
    """Return whether a value is an object whose insides are not the status's own."""
    return not isinstance(value, str | bytes | enum.Enum | list | tuple | Mapping)


def _of_entry(name: object, item: Any) -> list[Any]:
    """Return what an entry of an object states: a key of retraction speaks for itself."""
    reads = _reading(text_of(name) or "")
    if isinstance(name, enum.Enum):
        reads = True if withholds(name) else None
    if reads is None:
        return [item]
    value = text_of(item)
    value = plain(item) if value is None else value
    if reads:
        return [] if _denies(value) else ["retracted"]
    return ["retracted"] if _is_false(value) else []


def _denies(value: Any) -> bool:
    """Return whether a JSON value is false, nothing, or holds nothing else."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return all(map(_denies, value))
    return value is None or _is_false(value) or bare(value) in _NOTHING


def _is_false(value: Any) -> bool:
    return value is False or (value == 0 and not isinstance(value, str)) or bare(value) in _FALSE


def bare(value: object) -> str | None:
    """Return a text without punctuation around it; None for what is no text."""
    return visible(value).casefold().strip(_EDGES) if isinstance(value, str) else None


def visible(text: str) -> str:
    """Return the text as a reader sees it: in plain letters, without invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    spelled = unicodedata.normalize("NFKD", clean(text)[0])
    return "".join(
        each
        for each in spelled
        if each in "\n\t" or (each not in _BLANKS and unicodedata.category(each) not in _UNSEEN)
    )


def _reading(text: str) -> bool | None:
    """Return True where a text says retracted, False where it says that only to deny it."""
    seen = visible(text)
    if _is_silent(seen):
        return None
    member = _OF_ENUM.fullmatch(seen)
    readings = {_of_words(part) for part in (member.groups() if member else (seen,))}
    return True if True in readings else False if False in readings else None


def _is_silent(text: str) -> bool:
    """Return whether a text cannot say that it is retracted; asked of every status there is."""
    folded = text.casefold()
    return (
        text.isprintable()
        and text.isascii()
        and not ("retracted" in folded or "rejected" in folded)
    )


def _of_words(text: str) -> bool | None:
    found = _of_phrases(text.casefold())
    return _of_phrases(_HUMP.sub(" ", text).casefold()) if found is None else found


def _of_phrases(text: str) -> bool | None:
    """Read a text word by word; a word that denies reaches to the end of its phrase."""
    found, denied, end = None, False, 0
    for match in _WORD.finditer(text):
        if not _JOINT.fullmatch(text, end, match.start()):
            denied = False
        word, end = match.group(), match.end()
        if word in _WITHHELD:
            if not denied and not _DENIED.match(text, end):
                return True
            found = False
        elif word not in _BETWEEN:
            denied = word in _NOT
    return found
