"""The texts of a grain: the strings in its fields, combined in the way all formats combine them.

`fields` is a JSON object. A string field that holds anything but a string counts as absent. The
function `write` of a format escapes one value; the text between values is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from areev_context.hits.grain_types import GRAIN_TYPES
from areev_context.hits.trust import strictest
from areev_context.text.clean import Write
from areev_context.text.json_text import as_text, compact

__all__ = [
    "NOT_SHOWN",
    "Fields",
    "blocks",
    "confidence",
    "content_of",
    "count",
    "detail",
    "details",
    "document_details",
    "event_text",
    "first",
    "flag",
    "has_text",
    "key_values",
    "number",
    "observation_text",
    "observed",
    "observer",
    "other_fields",
    "present",
    "recommendation_cell",
    "recommendation_text",
    "size",
    "speaker",
    "state_label",
    "subject_of",
    "text",
    "text_field",
    "tool_field",
    "tool_text",
    "topology",
    "trigger_fields",
    "trigger_text",
    "trust",
    "workflow_bindings",
    "workflow_name",
]

Fields = Mapping[str, Any]

_EDGES_SHOWN = 12


def text(fields: Fields, name: str, default: str = "") -> str:
    """Return the field when it is a string, else the default. An empty string stays empty."""
    value = fields.get(name)
    return value if isinstance(value, str) else default


def first(fields: Fields, *names: str) -> str:
    """Return the first of these fields that is a non-empty string, else the empty string."""
    for name in names:
        value = fields.get(name)
        if value and isinstance(value, str):
            return value
    return ""


def present(fields: Fields, *names: str) -> list[str]:
    """Return the names whose fields are non-empty strings, in the order given."""
    return [name for name in names if text(fields, name)]


def number(fields: Fields, name: str) -> int | float | None:
    """Return the field when it is a number that fits a float, else None."""
    value: Any = fields.get(name)
    kind = value.__class__  # a bool is an int to isinstance, and no number here
    if (kind is float or kind is int) and -1e300 < value < 1e300:
        return value  # type: ignore[no-any-return]  # its class was just asked
    return None


def confidence(fields: Fields) -> float | None:
    """Return the confidence of a grain, 0..1; a number above 1, up to 100, is a percentage.

    None is unknown. A text is read when it is such a number, or one with a percent sign.
    """
    value: Any = fields.get("confidence")
    kind = value.__class__
    if (kind is float or kind is int) and 0 <= value <= 1:  # nearly always
        return value  # type: ignore[no-any-return]  # its class was just asked
    percent = False
    if kind is str:
        found = _NUMBER.fullmatch(value)
        if found is None:
            return None
        value, percent = float(found[1]), bool(found[2])
    elif kind is not int and kind is not float:
        return None
    if percent or value > 1:
        value = round(value / 100, 6) if value <= 100 else -1.0
    return float(value) if 0 <= value <= 1 else None


_NUMBER = re.compile(r"\s*+(\d{1,9}+(?:\.\d{1,20}+)?+)\s*+(%?+)\s*+", re.ASCII)


def count(fields: Fields, name: str) -> int:
    """Return the field when it is a whole number, else 0."""
    value = fields.get(name)
    return value if value.__class__ is int else 0


def flag(fields: Fields, name: str) -> bool:
    """Return whether the field is the JSON value true."""
    return fields.get(name) is True


def trust(fields: Fields) -> str:
    """Return the verification status: ``verification_status`` or ``context.vstatus``.

    If both are present, it is the stricter one.
    """
    status = fields.get("verification_status")
    own = status if isinstance(status, str) else ""
    context = fields.get("context")
    other = text(context, "vstatus") if isinstance(context, dict) else ""
    return str(strictest((own, other))) if own and other else own or other


def subject_of(fields: Fields) -> str:
    """Return the subject of a knowledge update: the field subject, else description."""
    value = fields.get("subject")
    return value if isinstance(value, str) else text(fields, "description")


def content_of(fields: Fields) -> str:
    """Return the value a knowledge update shows: object, else content, else context.

    Of a context it is the label, of an event with content blocks their text.
    """
    for name in ("object", "content", "context"):
        value = fields.get(name)
        if isinstance(value, str):
            return value or event_text(fields)
    context = fields.get("context")
    return _label(context) if isinstance(context, dict) else event_text(fields)


def speaker(fields: Fields) -> str:
    """Return the speaker of an event: the first non-empty field of relation, role, speaker."""
    return first(fields, "relation", "role", "speaker")


def blocks(fields: Fields) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the usable content blocks of an event as kind and block, in order."""
    found = fields.get("content_blocks")
    if isinstance(found, list):
        for block in found:
            if isinstance(block, dict):
                kind = block.get("type")
                if kind in ("text", "tool_use", "tool_result"):
                    yield kind, block


def _block_text(kind: str, block: dict[str, Any]) -> str:
    if kind == "text":
        return text(block, "text")
    if kind == "tool_use":
        return f"{text(block, 'name')}({compact(block.get('input', {}))})"
    return as_text(block.get("content", ""))


def event_text(fields: Fields) -> str:
    """Return the text of an event: the content, or the texts of its blocks if that is blank."""
    content = text(fields, "content")
    if content and not content.isspace():
        return content
    return " ".join(_block_text(kind, block) for kind, block in blocks(fields)) or content


def has_text(grain_type: str, fields: Fields) -> bool:
    """Return False if a grain has no text and its type is useless without one."""
    row = GRAIN_TYPES.get(grain_type)
    if row is None or row.may_be_empty:
        return True
    content = text(fields, text_field(grain_type))
    if content.strip():
        return True
    return "content_blocks" in row.fields and any(True for _ in blocks(fields))


def text_field(grain_type: str) -> str:
    """Return the name of the field that holds the text of a grain of this type."""
    row = GRAIN_TYPES.get(grain_type)
    return "content" if row is None or row.text_field is None else row.text_field


def state_label(fields: Fields) -> str:
    """Return a state's label from its context; ``state`` if there is none."""
    context = fields.get("context")
    if not isinstance(context, dict):
        return "state"
    return _label(context) or f"{len(context)} keys"


def _label(context: Fields) -> str:
    return first(context, "label", "description", "title", "name")


def tool_field(fields: Fields) -> list[str]:
    """Return the name of the field with the result of a tool call, in a tuple; empty if none."""
    names = ("error", *_TOOL_TEXT) if flag(fields, "is_error") else _TOOL_TEXT
    return present(fields, *names)[:1]


def tool_text(fields: Fields) -> str:
    """Return the result of a tool call; for a failed call, its error if it has one."""
    return first(fields, *tool_field(fields))


_TOOL_TEXT = ("tool_content", "content")


def observation_text(fields: Fields, write: Write) -> str:
    """Return ``subject: object``, or the one of the two that is present."""
    subject, found = text(fields, "subject"), text(fields, "object")
    if subject and found:
        return f"{write(subject)}: {write(found)}"
    return write(subject or found)


def observer(fields: Fields) -> str:
    """Return who observed: the id of the observer, else its type, else ``?``."""
    return first(fields, "observer_id", "observer_type") or text(fields, "observer_id", "?")


def observed(fields: Fields) -> Fields:
    """Return the fields of an observation, complete.

    If it has no object, its content is the object; if it has no observer, the observer's type is.
    """
    more = {}
    if not text(fields, "object") and text(fields, "content"):
        more["object"] = text(fields, "content")
    if not text(fields, "observer_id") and text(fields, "observer_type"):
        more["observer_id"] = text(fields, "observer_type")
    return {**fields, **more} if more else fields


def key_values(args: Any, write: Write, separator: str) -> str:
    """Return the entries of an object as ``k=v``, sorted by key; strings bare, the rest JSON."""
    if not isinstance(args, dict):
        return ""
    return separator.join(f"{write(key)}={write(as_text(args[key]))}" for key in sorted(args))


def _summary_args(fields: Fields) -> Any:
    summary = fields.get("summary")
    return summary.get("args") if isinstance(summary, dict) else None


def recommendation_text(fields: Fields, write: Write) -> str:
    """Return the arguments of a recommendation, else its target, else ``recommendation``."""
    args = key_values(_summary_args(fields), write, ", ")
    return args or write(text(fields, "target_ref", "recommendation"))


def recommendation_cell(fields: Fields) -> str:
    """Return the arguments of a recommendation as TOON's cell holds them."""
    return key_values(_summary_args(fields), str, "; ")


def workflow_name(fields: Fields) -> str:
    """Return a workflow's name, else its trigger, else ``workflow``."""
    return text(fields, "name") or text(fields, "trigger", "workflow")


def _edge(edge: dict[str, Any], write: Write) -> str:
    condition, cycles = edge.get("cond"), edge.get("max_cycles")
    when = f" [when {write(condition)}]" if isinstance(condition, str) else ""
    most = f" [max {cycles}x]" if cycles.__class__ is int else ""
    return f"{write(edge['src'])} -> {write(edge['dst'])}{when}{most}"


def topology(fields: Fields, write: Write) -> str:
    """Return the graph of a workflow: its edges, at most twelve, else its nodes."""
    edges = fields.get("edges")
    if not isinstance(edges, list) or not edges:
        nodes = fields.get("nodes")
        names = nodes if isinstance(nodes, list) else []
        return ", ".join(write(name) for name in names if isinstance(name, str))
    parts = [
        _edge(edge, write)
        for edge in edges[:_EDGES_SHOWN]
        if isinstance(edge, dict)
        and isinstance(edge.get("src"), str)
        and isinstance(edge.get("dst"), str)
    ]
    if len(edges) > _EDGES_SHOWN:
        parts.append(f"… +{len(edges) - _EDGES_SHOWN} more")
    return "; ".join(parts)


def size(fields: Fields, name: str) -> int:
    """Return the length of a list field, 0 where it is no list."""
    value = fields.get(name)
    return len(value) if isinstance(value, list) else 0


def workflow_bindings(fields: Fields) -> str:
    """Return ``node=hash`` pairs, sorted and joined, or the empty string."""
    bindings = fields.get("bindings")
    if not isinstance(bindings, dict):
        return ""
    return ", ".join(f"{k}={v}" for k, v in sorted(bindings.items()) if isinstance(v, str))


def trigger_fields(fields: Fields) -> list[str]:
    """Return the names of the fields that the text of a trigger uses."""
    for names in (("description",), ("name",), ("connector", "cron"), ("workflow",)):
        found = present(fields, *names)
        if found:
            return found
    return []


def trigger_text(fields: Fields) -> str:
    """Return a trigger's description, else its name, else connector and cron, else workflow."""
    return " ".join(text(fields, name) for name in trigger_fields(fields))


NOT_SHOWN = frozenset({
    "type", "content", "namespace", "created_at", "confidence", "verification_status",
    "derived_from", "superseded_by", "structural_tags",
})  # fmt: skip
"""Fields of a document that are not shown as details beside its text."""


def detail(fields: Fields, name: str) -> str:
    """Return the text of a detail of a document, or the empty string."""
    value = fields.get(name)
    return value if value.__class__ is str else "" if value is None else as_text(value)


def details(fields: Fields, *names: str) -> tuple[str, ...]:
    """Return the texts of these details of a document."""
    return tuple([detail(fields, name) for name in names])


def document_details(fields: Fields) -> list[tuple[str, str]]:
    """Return the details that a document shows beside its text: names and values, none empty."""
    return [
        (name, value if value.__class__ is str else as_text(value))
        for name, value in fields.items()
        if name not in NOT_SHOWN and value is not None and value != ""
    ]


def other_fields(fields: Fields) -> Iterator[tuple[str, str]]:
    """Yield the fields of a grain of unknown type: names and values, sorted by name."""
    for name in sorted(fields):
        if name not in _NEVER_LISTED:
            yield name, as_text(fields[name])


_NEVER_LISTED = frozenset({
    "type", "namespace", "created_at", "confidence", "derived_from",
    "superseded_by", "observer_id", "observer_type",
})  # fmt: skip
