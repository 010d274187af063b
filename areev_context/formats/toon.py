"""TOON: tables of rows by type, the densest form a program can read; written by toon-format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat
from typing import Any

import toon_format

from areev_context.formats.base import Format
from areev_context.formats.lines import plain_line
from areev_context.hits import fields as reading
from areev_context.hits.fields import Fields, text
from areev_context.hits.hit import GRAIN_TYPES, Grain, section_of
from areev_context.layout.outline import (
    Entry,
    Gap,
    Node,
    Outline,
    Piece,
    Roster,
    Section,
    SectionKind,
    Update,
)
from areev_context.policy import MetadataLevel, OutputFormat
from areev_context.text.dates import day
from areev_context.text.json_text import spoken

__all__ = ["FORMAT"]

Cells = tuple[Any, ...]
Columns = dict[str, Any]


class Row(dict[str, Any]):
    """The cells of one node by column, in order; it knows its node."""

    __slots__ = ("node",)

    def __init__(self, node: Entry | Update, cells: Columns) -> None:
        super().__init__(cells)
        self.node = node


_DETAILS = 3
_LABELS = frozenset({"label", "description", "title", "name"})


def escape(value: str) -> str:
    """Return a value as a cell: quoted only where TOON requires it."""
    return toon_format.encode([value]).removeprefix("[1]: ")


def _fact(fields: Fields) -> Cells:
    said = [text(fields, name) for name in ("relation", "object")]
    content = " ".join(part for part in said if part)
    return text(fields, "subject"), content, reading.number(fields, "confidence")


def _goal(fields: Fields) -> Cells:
    description = text(fields, "description")
    subject = text(fields, "subject", description)
    state = text(fields, "goal_state", text(fields, "state", "active"))
    return subject, description, state


def _tool(fields: Fields) -> Cells:
    phase = "fail" if reading.flag(fields, "is_error") else "ok"
    return text(fields, "tool_name", "unknown"), phase, reading.tool_text(fields)


def _observation(fields: Fields) -> Cells:
    return text(fields, "observer_id", "?"), reading.observation_text(fields, str)


def _reasoning(fields: Fields) -> Cells:
    return text(fields, "inference_method", "reasoning"), text(fields, "conclusion")


def _state(fields: Fields) -> Cells:
    label, context = reading.state_label(fields), fields.get("context")
    shown: list[str] = []
    if isinstance(context, dict):
        names = [name for name in sorted(context) if name not in _LABELS][:_DETAILS]
        shown = [f"{name}={spoken(context[name])}" for name in names]
    return label, "; ".join(shown) or label


def _workflow(fields: Fields) -> Cells:
    nodes, edges = reading.size(fields, "nodes"), reading.size(fields, "edges")
    shown = reading.topology(fields, str) or f"{nodes} nodes, {edges} edges"
    return text(fields, "trigger"), shown


def _consensus(fields: Fields) -> Cells:
    agreed = reading.count(fields, "agreement_count")
    return text(fields, "threshold", "-"), agreed, text(fields, "agreed_content")


def _consent(fields: Fields) -> Cells:
    action = "withdraws" if reading.flag(fields, "is_withdrawal") else "grants"
    return text(fields, "subject_did"), text(fields, "grantee_did"), action, text(fields, "scope")


def _skill(fields: Fields) -> Cells:
    return text(fields, "name"), text(fields, "domain"), reading.number(fields, "proficiency")


def _recommendation(fields: Fields) -> Cells:
    severity = text(fields, "severity") or "info"
    return text(fields, "target_ref"), severity, reading.recommendation_cell(fields)


def _trigger(fields: Fields) -> Cells:
    return text(fields, "kind"), reading.trigger_text(fields)


def _document(fields: Fields) -> Cells:
    about = reading.detail(fields, "source"), reading.detail(fields, "title")
    return *about, text(fields, "content")


_CELLS: dict[str, Callable[[Fields], Cells]] = {
    "fact": _fact,
    "goal": _goal,
    "tool": _tool,
    "observation": _observation,
    "reasoning": _reasoning,
    "state": _state,
    "workflow": _workflow,
    "consensus": _consensus,
    "consent": _consent,
    "skill": _skill,
    "recommendation": _recommendation,
    "trigger": _trigger,
    "document": _document,
}


def _time(grain: Grain) -> str:
    return text(grain.fields, "created_at", day(grain.created_at))


def row(grain: Grain) -> Columns:
    """Return the columns of a grain with their values, in order."""
    fields = grain.fields
    if grain.grain_type == "event":
        role = text(fields, "role", text(fields, "speaker", "user"))
        return {"role": role, "time": _time(grain), "content": reading.event_text(fields)}
    cells = _CELLS.get(grain.grain_type)
    if cells is None:
        return {"content": plain_line(grain.grain_type, grain.hash, fields, str)}
    return dict(zip(GRAIN_TYPES[grain.grain_type].columns, cells(fields), strict=True))


def render(grain: Grain, level: MetadataLevel) -> str:
    """Return one grain, whole, as the row of a table, the same at every metadata level."""
    lines: list[str] = toon_format.encode([row(grain)]).split("\n")
    return lines[-1].removeprefix("  ")


def _numbered(index: int, outline: Outline) -> Columns:
    number = outline.numbers.get(index)
    return {} if number is None else {"id": number}


def _entry(entry: Entry, outline: Outline) -> Row:
    shown = row(entry.candidate.kept.grain) if entry.text is None else {"content": entry.text}
    return Row(entry, {**_numbered(entry.place, outline), **shown})


def _sections(nodes: Iterable[Node], outline: Outline, *, census: bool = False) -> Columns:
    """Return rows by section, sections in order of first appearance."""
    out: Columns = {}
    for node in nodes:
        entries = node.nodes if isinstance(node, Section) else (node,)
        for entry in entries:
            assert isinstance(entry, Entry)
            kept = entry.candidate.kept
            shown = _entry(entry, outline)
            if census:
                shown["session"] = kept.hit.source_namespace or "unknown"
            out.setdefault(section_of(kept.grain.grain_type), []).append(shown)
    return out


def _update(update: Update, outline: Outline) -> Row:
    old = {"old": update.old, "old_date": update.old_date or None}
    return Row(update, {
        **_numbered(update.place, outline),
        "subject": update.subject,
        **({} if update.old is None else old),
        "new": update.new,
        "new_date": update.new_date or None,
    })  # fmt: skip


def _timeline(nodes: Iterable[Node], outline: Outline) -> list[Row]:
    rows: list[Row] = []
    gap: str | None = None
    for node in nodes:
        if isinstance(node, Gap):
            gap = node.label
        else:
            assert isinstance(node, Entry)
            grain = node.candidate.kept.grain
            line = plain_line(grain.grain_type, grain.hash, grain.fields, str)
            rows.append(Row(node, {
                **_numbered(node.place, outline),
                "date": day(grain.created_at) or None,
                "type": grain.grain_type,
                "content": line if node.text is None else node.text,
                "gap": gap,
            }))  # fmt: skip
            gap = None
    return rows


def _page(outline: Outline) -> Columns:
    page: Columns = {}
    loose: list[Node] = []
    for node in outline.nodes:
        match node:
            case Roster():
                page["entities"] = list(node.names)
            case Section(kind=SectionKind.UPDATES):
                page[node.kind] = [_update(n, outline) for n in node.nodes if isinstance(n, Update)]
            case Section(kind=SectionKind.TIMELINE):
                page[node.kind] = _timeline(node.nodes, outline)
            case Section(kind=SectionKind.ENTITY):
                groups = page.setdefault("by_entity", {}).setdefault(node.name, {})
                for name, rows in _sections(node.nodes, outline).items():
                    groups.setdefault(name, []).extend(rows)
            case Section(kind=SectionKind.TYPE) | Entry():
                loose.append(node)
            case _:
                assert isinstance(node, Section)
                census = node.kind is SectionKind.CENSUS
                page.update(_sections(loose, outline))
                loose.clear()
                page[node.kind] = _sections(node.nodes, outline, census=census)
    page.update(_sections(loose, outline))
    return {str(name): value for name, value in page.items()}


def reads(nodes: tuple[Node, ...]) -> Iterable[int]:
    """Return the places of hits in the order of the page's rows, which stand by type."""
    return [node.place for node in _by_line(_page(Outline(nodes))) if node is not None]


def _by_line(value: Any) -> Iterator[Entry | Update | None]:
    """Yield for each line of a page the node whose row it is; None for a key.

    A section holds rows of one type, and so of the same columns: a table, one line a row.
    """
    if isinstance(value, list):
        yield from (each.node for each in value if isinstance(each, Row))  # not entities' names
    else:
        for each in value.values():
            yield None
            yield from _by_line(each)


def pieces(outline: Outline) -> Iterator[Piece]:
    """Yield the page, one TOON document; the indent of a row stands before it."""
    page = _page(outline)
    lines: list[str] = toon_format.encode(page).split("\n")
    between = ""
    for line, node in zip(lines, chain(_by_line(page), repeat(None)), strict=False):
        said = line.lstrip(" ")
        yield None, between + " " * (len(line) - len(said))
        yield node, said
        between = "\n"


FORMAT = Format(
    OutputFormat.TOON, escape, render, None, pieces, tables=True, reads=reads, lazy=True
)
