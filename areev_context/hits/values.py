"""Read the values of a grain's fields that are not of the kind that formats expect.

Formats read texts from strings and numbers from numbers. Here a grain gets fields that they can
read, before any other step reads them; the hit itself does not change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from areev_context.hits.contents import (
    arguments_of,
    content_text,
    is_call,
    is_result,
    name_of_call,
    result_of,
    value_text,
    without_calls,
)
from areev_context.hits.fields import Fields, confidence, number
from areev_context.hits.grain_types import GRAIN_TYPES
from areev_context.hits.hit import Grain

__all__ = ["readable", "readable_fields"]


@dataclass(frozen=True, slots=True)
class _Unread:
    """A value that its reader did not understand as a whole; `value` is what formats get."""

    value: Any


_Reader = Callable[[Any], Any]
"""A function from the value of a field, not None, to what formats read; if they can read the
value, to the same object."""


def _number(value: Any) -> Any:
    if number({"": value}, "") is not None:
        return value
    if value.__class__ is str and _DECIMAL.fullmatch(value):
        return float(value) if "." in value else int(value)
    return _Unread(value)


_DECIMAL = re.compile(r"\s*+-?+\d{1,15}+(?:\.\d{1,15}+)?+\s*+", re.ASCII)


def _count(value: Any) -> Any:
    if value.__class__ is int:
        return value
    found = _number(value)
    if found.__class__ is float and found.is_integer():
        return int(found)
    return found if found.__class__ is int else _Unread(value)


def _duration(value: Any) -> Any:
    found = _count(value)
    return found if found.__class__ is int and found >= 0 else _Unread(value)


def _confidence(value: Any) -> Any:
    usual = value.__class__ is float and 0.0 <= value <= 1.0
    return value if usual or confidence({"confidence": value}) is not None else _Unread(value)


_FLAGS = {"true": True, "false": False, "1": True, "0": False}


def _flag(value: Any) -> Any:
    if value.__class__ is str or value.__class__ is int:
        return _FLAGS.get(str(value).strip().lower(), _Unread(value))
    return value if value.__class__ is bool else _Unread(value)


def _nodes(value: Any) -> Any:
    """Read the nodes of a workflow, which may be objects."""
    return _same(value, list(map(value_text, value))) if value.__class__ is list else _Unread(value)


def _names(value: Any) -> Any:
    """Read a list of names; formats show those that are texts, and no others."""
    return value if value.__class__ is list and set(map(type, value)) <= _STR else _Unread(value)


_STR = {str}


def _bindings(value: Any) -> Any:
    if value.__class__ is not dict:
        return _Unread(value)
    return _same(value, {k: value_text(v) for k, v in value.items() if v is not None})


def _edges(value: Any) -> Any:
    """Read the edges of a workflow: objects that say from where and to where."""
    if value.__class__ is not list:
        return _Unread(value)
    made = [_edge(each) for each in value]
    known = all(each.__class__ is dict and _has_ends(each) for each in value)
    return _same(value, made) if known else _Unread(_same(value, made))


def _has_ends(edge: Mapping[str, Any]) -> bool:
    cycles = edge.get("max_cycles")
    read = cycles is None or _count(cycles).__class__ is int
    return read and edge.get("src") is not None and edge.get("dst") is not None


def _edge(edge: Any) -> Any:
    if edge.__class__ is not dict:
        return edge
    names = [name for name in ("src", "dst", "cond") if edge.get(name) is not None]
    made = {**edge, **{name: value_text(edge[name]) for name in names}}
    cycles = edge.get("max_cycles")
    if cycles is not None and _count(cycles).__class__ is int:
        made["max_cycles"] = _count(cycles)
    return made


def _context(value: Any) -> Any:
    """Read the context of a state: its label is the first text of four names."""
    if value.__class__ is not dict:
        return _Unread(value)
    for name in ("label", "description", "title", "name"):
        found = value_text(value.get(name))
        if found:
            return value if found is value[name] else {**value, name: found}
    return value


def _summary(value: Any) -> Any:
    """Read the summary of a recommendation: formats show its arguments, and nothing else of it."""
    arguments = value.get("args") if value.__class__ is dict else value
    return value if arguments.__class__ is dict or value == {} else _Unread(value)


def _blocks(value: Any) -> Any:
    """Read blocks of content as the three kinds that formats write: text, call and result."""
    if value.__class__ is not list:
        return _Unread(value)
    known = all(each.__class__ is dict or each.__class__ is str for each in value)
    return _same(value, _made(value)) if known else _Unread(_made(value))


def _named_kind(block: Any) -> bool:
    return block.__class__ is dict and block.get("type").__class__ is str


def _made(blocks: list[Any]) -> list[dict[str, Any]]:
    found = [_block(each) for each in blocks if each.__class__ is dict or each.__class__ is str]
    return [block for block in found if block is not None]


_USUAL_IN: dict[str, dict[str, tuple[type, ...]]] = {
    "text": {"text": (str,)},
    "tool_use": {"name": (str,), "id": (str,), "input": (dict,)},
    "tool_result": {"tool_use_id": (str,), "content": (str, dict), "is_error": (bool,)},
}
"""The kinds of blocks that formats write, and the classes of values that need no reading."""


def _block(block: Any) -> dict[str, Any] | None:
    usual = _USUAL_IN.get(block["type"]) if _named_kind(block) else None
    if usual and all(block[n].__class__ in kinds for n, kinds in usual.items() if n in block):
        return block  # type: ignore[no-any-return]  # an object: it names its kind
    if is_call(block):
        name = block.get("name", "") if block["type"] == "tool_use" else name_of_call(block)
        own = {"name": value_text(name), "id": _identifier(block), "input": arguments_of(block)}
        return {"type": "tool_use", **own}
    if is_result(block):
        shown = {"tool_use_id": _identifier(block), "content": value_text(result_of(block))}
        failed = _flag(block.get("is_error")) is True or block.get("status") == "error"
        return {"type": "tool_result", **shown, "is_error": failed}
    shown_text = content_text([block])
    return {"type": "text", "text": shown_text} if shown_text else None


def _identifier(block: Mapping[str, Any]) -> str:
    names = ("tool_use_id", "tool_call_id", "call_id", "id")
    return value_text(next((block[name] for name in names if block.get(name) is not None), ""))


def _calls(value: Any) -> Any:
    """Read the calls of tools that stand beside a content."""
    found = value if value.__class__ is list else [value]
    calls = [each for each in found if each.__class__ is dict]
    return calls if len(calls) == len(found) else _Unread(calls)


def _same(value: Any, made: Any) -> Any:
    """Return the value itself if what was made of it is equal."""
    return value if made == value else made


_TEXTS = (
    "agreed_content", "conclusion", "connector", "criteria", "cron", "description", "domain",
    "goal_state", "grantee_did", "inference_method", "kind", "name", "namespace", "object",
    "observer_id", "observer_type", "priority", "relation", "role", "scope", "severity", "speaker",
    "state", "subject", "subject_did", "target_ref", "tool_name", "trigger",
    "verification_status", "workflow",
)  # fmt: skip
_READERS: dict[str, tuple[_Reader, type | None]] = {
    **dict.fromkeys(_TEXTS, (value_text, str)),
    **dict.fromkeys(("body", "content", "error", "tool_content"), (content_text, str)),
    **dict.fromkeys(("proficiency", "progress"), (_number, None)),
    **dict.fromkeys(("agreement_count", "dissent_count", "practice_count"), (_count, int)),
    **dict.fromkeys(("is_error", "is_withdrawal"), (_flag, bool)),
    **dict.fromkeys(("structural_tags", "tags"), (_names, None)),
    **dict.fromkeys(("tool_calls", "function_call"), (_calls, None)),
    "bindings": (_bindings, None),
    "confidence": (_confidence, None),
    "content_blocks": (_blocks, None),
    "context": (_context, None),
    "duration_ms": (_duration, None),
    "edges": (_edges, None),
    "nodes": (_nodes, None),
    "premises": (_Unread, list),
    "summary": (_summary, None),
    "threshold": (_Unread, str),  # the reference shows no number
}
"""What reads a field of this name, and the class of values that need no reading; None = none."""

_OF_ALL = ("confidence", "namespace", "verification_status")
_BY_SHAPE = (
    "subject", "relation", "object", "content", "body", "tool_content", "description", "tool_name",
    "name", "goal_state", "observer_type", "tags", "structural_tags",
)  # fmt: skip


def _usual(*names: str) -> dict[str, type | None]:
    """Return the class of values that need no reading, for the fields of these names."""
    return {name: _READERS[name][1] for name in names if name in _READERS}


_OF_UNKNOWN = _usual(*_OF_ALL)
_OF_TYPE = {
    **{name: _usual(*_OF_ALL, *_BY_SHAPE, *row.fields) for name, row in GRAIN_TYPES.items()},
    "document": _usual(*_OF_ALL, "content", "structural_tags"),
    "event": _usual(*_OF_ALL, *_BY_SHAPE, *GRAIN_TYPES["event"].fields, "function_call"),
}


def readable(grain: Grain) -> Grain:
    """Return the grain with fields that formats can read; the grain itself if they can."""
    fields, _ = readable_fields(grain.grain_type, grain.fields)
    return grain if fields is grain.fields else grain._replace(fields=fields)


def readable_fields(grain_type: str, fields: Fields) -> tuple[Fields, tuple[str, ...]]:
    """Return the fields as formats can read them, and the names of those not understood.

    A value that is no string in a field of text becomes its text: numbers and booleans as JSON has
    them, blocks of content as the text of their message, all else compact JSON. A number that is a
    text becomes a number. The calls of tools beside an event's content become content blocks.

    Args:
        grain_type: A known type, or any other; of that, all values are shown as they are.
        fields: The grain's fields, a JSON object. It does not change.
    """
    usual = _OF_TYPE.get(grain_type, _OF_UNKNOWN)
    changed: dict[str, Any] = {}
    unread: tuple[str, ...] = ()
    for name, value in fields.items():
        kind = value.__class__
        if usual.get(name, kind) is kind or value is None:
            continue
        found = _READERS[name][0](value)
        if found.__class__ is _Unread:
            found, unread = found.value, (*unread, name)
        if found is not value:
            changed[name] = found
    if not changed:
        return fields, unread
    made = {**fields, **changed}
    return (_with_calls(fields, made) if grain_type == "event" else made), unread


def _with_calls(given: Fields, made: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an event with its calls of tools as content blocks.

    Args:
        given: The fields as they came in.
        made: The same fields, read.
    """
    calls = [*(made.pop("tool_calls", None) or ()), *(made.pop("function_call", None) or ())]
    content = without_calls(given.get("content"), calls)
    called = content.__class__ is list and any(is_call(each) or is_result(each) for each in content)
    if not calls and not called:
        return made
    shown = made.get("content_blocks")
    if shown.__class__ is not list or not shown:
        shown = _made(content if content.__class__ is list else [content_text(content)])
    more = _made([{**call, "type": "tool_call"} for call in calls])
    return {**made, "content": "", "content_blocks": [*without_calls(shown, calls), *more]}
