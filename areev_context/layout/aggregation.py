"""One section per entity, for questions that count or compare several entities."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.layout.mode import Mode, Situation, one_pool
from areev_context.layout.ordering import in_order
from areev_context.layout.outline import EntityLine, Entry, Node, Section
from areev_context.policy import FormatPolicy, RenderingHints
from areev_context.text.clean import clean

__all__ = ["MODE"]

_OTHER = "Other"


def _applies(situation: Situation) -> bool:
    return situation.hints.entity_count is not None


def _entity(entry: Entry) -> str:
    fields = entry.item.grain.fields
    for name in ("subject", "subject_did"):
        value = fields.get(name)
        if value and isinstance(value, str):
            return value
    return ""


def _arrange(
    entries: Sequence[Entry], policy: FormatPolicy, hints: RenderingHints
) -> tuple[Node, ...]:
    groups: dict[str, list[Entry]] = {}
    for entry in in_order(entries, policy.ordering):
        groups.setdefault(_entity(entry), []).append(entry)
    unnamed = groups.pop("", None)
    named = [*groups.items(), *([] if unnamed is None else [(_OTHER, unnamed)])]
    sections = [Section("entity", "Entity", tuple(of), name) for name, of in named]
    if not sections:
        return ()
    names = tuple(clean(name)[0] for name in hints.entities or groups)
    return EntityLine(hints.entity_count or 0, names), *sections


MODE = Mode("aggregation", _applies, _arrange, one_pool, updates=True)
