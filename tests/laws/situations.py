"""Fixed pages: one value in every place of every type, and what leads to each mode."""

from collections.abc import Callable
from typing import Any

from areev_context import FormatPolicy, RenderingHints, SearchHit
from areev_context.formats.registry import FORMATS
from areev_context.layout.all_modes import MODES
from laws.strategies import KNOWN, NAMES, OTHER, Case
from leads import LEADS, Lead, led

Row = dict[str, Any]
COMBINATIONS = [
    (str(form), mode)
    for form, row in FORMATS.items()
    for mode in (MODES if row.takes_modes else ["default"])
]
"""Every format in every mode that it has."""

_IN: dict[str, Callable[[str], Any]] = {
    "content_blocks": lambda v: [
        {"type": "text", "text": v},
        {"type": "tool_use", "name": v, "id": v, "input": {v: v}},
        {"type": "tool_result", "tool_use_id": v, "content": v},
    ],
    "edges": lambda v: [{"src": v, "dst": v, "cond": v, "max_cycles": 2}] * 2,
    "nodes": lambda v: [v, v],
    "premises": lambda v: [v],
    "bindings": lambda v: {v: v},
    "context": lambda v: {"label": v, v: v},
    "summary": lambda v: {"args": {v: v, f"{v}\n": v}},
    "structural_tags": lambda v: [v, v],
    "tags": lambda v: [v],
    "is_error": lambda v: True,
    "is_withdrawal": lambda v: True,
    "created_at": lambda v: v,
    **dict.fromkeys(
        ("confidence", "proficiency", "progress", "practice_count", "agreement_count",
         "dissent_count", "duration_ms"),
        lambda v: 1,
    ),
}  # fmt: skip


def filled(names: str, value: str) -> Row:
    """Return fields of these names that all say one value."""
    return {name: _IN[name](value) if name in _IN else value for name in names.split()}


def everything(value: str) -> list[Row]:
    """Return rows of every type that hold one value wherever a text may stand."""
    about = {"namespace": value, "structural_tags": [value], "confidence": 0.5}
    found: list[Row] = [
        {"grain_type": kind, "fields": {**filled(NAMES.get(kind, OTHER), value), **about}}
        for kind in KNOWN
    ]
    found += [
        {"grain_type": "event", "fields": {"speaker": value, "content": value}},
        {"grain_type": "event", "fields": {"content_blocks": _IN["content_blocks"](value)}},
        {"grain_type": "observation", "fields": {"object": value, "name": value}},
        {"grain_type": "tool", "fields": {"content": value, "subject": value}},
        {"grain_type": "workflow", "fields": {"trigger": value, "nodes": [value, value]}},
        {"grain_type": "document", "fields": {value: value, "content": f"{value} {value}"}},
        {"grain_type": value, "fields": {value: value, f"{value}\n": value}},
        {"grain_type": value, "fields": {"subject": value, "relation": value, "object": value}},
        {"grain_type": value, "fields": {}},
    ]
    for place, row in enumerate(found):
        row["hash"] = f"{place:064x}"
        row["id"] = row["source_namespace"] = value
        row["conflict_status"] = ["current", "outdated", None][place % 3]
    return [*found, *chain(value, "", "a"), *chain(value, value, "b")]


def chain(subject: str, value: str, name: str) -> list[Row]:
    """Return an old value and the new one that replaced it."""
    fields = {"subject": subject, "object": value}
    old = {"supersession_status": "superseded", "superseded_by_hash": f"new-{name}"}
    return [
        {
            "grain_type": "fact",
            "hash": f"old-{name}",
            "fields": fields,
            "created_at": 86_400,
            **old,
        },
        {
            "grain_type": "fact",
            "hash": f"new-{name}",
            "fields": {**fields, "object": f"{value}{value}"},
            "supersession_status": "current",
        },
    ]


def situated(found: list[Row], form: str, mode: str, **policy: Any) -> Case:
    """Return a case that leads these rows to a mode."""
    lead = LEADS.get(mode, Lead())
    options = {"format": form, "highlight_over": None, **lead.policy, **policy}
    return Case(
        tuple(SearchHit.model_validate(row) for row in led(found, lead)),
        FormatPolicy(**options),
        RenderingHints(**lead.hints),
    )
