"""The table of grain types: one row has everything the package needs to know about a type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["GRAIN_TYPES", "SECTION_ORDER", "GrainType", "section_of"]


@dataclass(frozen=True, slots=True)
class GrainType:
    """One row of the table of grain types. A type that is only its row works everywhere.

    Attributes:
        name: The name of the type in the rows of a recall, and in SML's tag.
        section: Its plural, which is the section tag in SML, and the key in TOON and JSON.
        columns: The columns in TOON, in order. For a type without code of its own, each column is
            a field, and ``content`` has all other fields.
        base: The base priority, 0..1.
        fields: The fields of the type, which the metadata of a passage may fill.
        text_field: The field for the text of a passage, if the metadata do not fill it; None if
            code of the type chooses the field.
        in_part: Whether its text may be shown in part.
        may_be_empty: Whether a grain of this type without text is useful; if not, such a grain is
            never shown.
    """

    name: str
    section: str
    columns: tuple[str, ...] = ("content",)
    base: float = 0.50
    fields: tuple[str, ...] = ()
    text_field: str | None = None
    in_part: bool = False
    may_be_empty: bool = True


_TABLE = (
    GrainType("state", "states", ("context", "content"), 0.90, ("context",)),
    GrainType(
        "goal", "goals", ("subject", "content", "state"), 0.80,
        ("subject", "description", "goal_state", "state", "priority", "criteria", "progress"),
        text_field="description",
    ),
    GrainType(
        "fact", "facts", ("subject", "content", "confidence"), 0.70,
        ("subject", "relation", "object"), text_field="object",
    ),
    GrainType(
        "tool", "tools", ("tool", "phase", "content"), 0.50,
        ("tool_name", "tool_content", "content", "is_error", "error", "duration_ms"),
        text_field="tool_content",
    ),
    GrainType(
        "event", "events", ("role", "time", "content"), 0.60,
        ("relation", "role", "speaker", "content", "content_blocks", "tool_calls"),
        text_field="content", in_part=True, may_be_empty=False,
    ),
    GrainType(
        "observation", "observations", ("observer", "content"), 0.60,
        ("observer_id", "subject", "object"), text_field="object",
    ),
    GrainType(
        "reasoning", "reasoning", ("type", "content"), 0.70,
        ("conclusion", "premises", "inference_method"), text_field="conclusion",
    ),
    GrainType(
        "workflow", "workflows", ("name", "content"), 0.50,
        ("name", "trigger", "nodes", "edges", "bindings"), text_field="name",
    ),
    GrainType(
        "consensus", "consensus", ("threshold", "count", "content"), 0.65,
        ("agreed_content", "agreement_count", "dissent_count", "threshold"),
        text_field="agreed_content",
    ),
    GrainType(
        "consent", "consents", ("grantor", "grantee", "action", "content"), 0.95,
        ("subject_did", "is_withdrawal", "scope", "grantee_did"), text_field="scope",
    ),
    GrainType(
        "skill", "skills", ("name", "domain", "proficiency"), 0.60,
        ("name", "domain", "description", "proficiency", "practice_count"),
        text_field="description",
    ),
    GrainType(
        "recommendation", "recommendations", ("target_ref", "severity", "content"), 0.70,
        ("target_ref", "severity", "summary"),
    ),
    GrainType(
        "trigger", "triggers", ("kind", "content"), 0.55,
        ("kind", "scope", "description", "name", "connector", "cron", "workflow"),
        text_field="description",
    ),
    GrainType(
        "document", "documents", ("source", "title", "content"), 0.70,
        ("content",), text_field="content", in_part=True, may_be_empty=False,
    ),
)  # fmt: skip

GRAIN_TYPES: Mapping[str, GrainType] = {row.name: row for row in _TABLE}
"""The known grain types by name; the first twelve in the order of their sections."""

SECTION_ORDER: tuple[str, ...] = tuple(row.name for row in _TABLE[:12])
"""The types whose sections have a fixed order; other types follow as they first appear."""

# Keys of the package beside the sections in TOON and JSON: a host's type must not take one of them.
_PREFIX = "other_"
_TAKEN = frozenset(row.section for row in _TABLE) | {
    "by_entity", "census", "context", "entities", "expansion",
    "knowledge_updates", "most_relevant", "additional_context", "timeline",
}  # fmt: skip


def section_of(grain_type: str) -> str:
    """Return the section name of a type: its plural, for an unknown type its name and ``s``.

    An unknown type whose plural is a section or a key of the package gets ``other_`` before it;
    two types never share a section.
    """
    row = GRAIN_TYPES.get(grain_type)
    if row is not None:
        return row.section
    name = bare = f"{grain_type}s"
    while bare.startswith(_PREFIX):
        bare = bare.removeprefix(_PREFIX)
    return _PREFIX + name if bare in _TAKEN else name
