"""TOON: one table per grain type, the densest format that programs can read; uses toon-format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, repeat
from typing import Any

import toon_format

from areev_context.formats.base import Format
from areev_context.formats.lines import plain_line
from areev_context.hits import fields as reading
from areev_context.hits.fields import Fields, text
from areev_context.hits.grain_types import GRAIN_TYPES, section_of
from areev_context.hits.hit import Grain
from areev_context.layout.outline import (
    EntityLine,
    Entry,
    Gap,
    Node,
    Outline,
    Piece,
    Section,
    Update,
)
from areev_context.policy import MetadataLevel, OutputFormat
from areev_context.text.json_text import as_text

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
    parts = [text(fields, name) for name in ("relation", "object")]
    content = " ".join(part for part in parts if part)
    return text(fields, "subject"), content, reading.confidence(fields)


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
        shown = [f"{name}={as_text(context[name])}" for name in names]
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
    return text(grain.fields, "created_at", grain.day)


def row(grain: Grain) -> Columns:
    """Return the columns of a grain with their values, in order."""
    fields = grain.fields
    if grain.grain_type == "event":
        role = text(fields, "role", text(fields, "speaker", "user"))
        return {"role": role, "time": _time(grain), "content": reading.event_text(fields)}
    known, cells = GRAIN_TYPES.get(grain.grain_type), _CELLS.get(grain.grain_type)
    if known is None:
        return {"content": plain_line(grain.grain_type, grain.hash, fields, str)}
    if cells is None:
        return _by_columns(grain, known.columns)
    return dict(zip(known.columns, cells(fields), strict=True))


def _by_columns(grain: Grain, columns: tuple[str, ...]) -> Columns:
    """Return the columns of a type without cells of its own; ``content`` has the other fields."""
    fields = grain.fields
    shown = [name for name in columns if name != "content"]
    rest = {name: value for name, value in fields.items() if name not in shown}
    cells = {name: _cell(fields, name) for name in columns}
    some = any(cells[name] != "" for name in shown)
    if some and not any(True for _ in reading.other_fields(rest)):
        return {**cells, "content": ""}
    return {**cells, "content": plain_line(grain.grain_type, grain.hash, rest, str)}


def _cell(fields: Fields, name: str) -> Any:
    value = reading.number(fields, name)
    return reading.detail(fields, name) if value is None else value


_OURS = frozenset({"id", "date", "content", "session"})


def _unlike_ours(name: str) -> str:
    """Return the column of a detail that is not a column of the page's own."""
    return f"meta-{name}" if name in _OURS else name


def _before_content(cells: Columns, more: Columns) -> Columns:
    """Return columns with more of them, before the column of the content if there is one."""
    content = {"content": cells["content"]} if "content" in cells else {}
    return {**{n: v for n, v in cells.items() if n != "content"}, **more, **content}


def _aligned(rows: list[Row]) -> None:
    """Give the rows of one table the same columns, empty where a row has none."""
    names: dict[str, None] = {}
    for each in rows:
        names.update(dict.fromkeys(each))
    if all(len(each) == len(names) for each in rows):
        return
    last = [name for name in ("content", "session") if name in names]
    order = [*(name for name in names if name not in last), *last]
    for each in rows:
        cells = {name: each.get(name, "") for name in order}
        each.clear()
        each.update(cells)


def _numbered(index: int, outline: Outline) -> Columns:
    number = outline.numbers.get(index)
    return {} if number is None else {"id": number}


def _entry(entry: Entry, outline: Outline, write: Write) -> Row:
    shown = write(entry.item.grain) if entry.text is None else {"content": entry.text}
    from_session = {} if entry.session is None else {"session": entry.session}
    return Row(entry, {**_numbered(entry.index, outline), **shown, **from_session})


def _update(update: Update, outline: Outline) -> Row:
    old = {"old": update.old, "old_date": update.old_date or None}
    return Row(update, {
        **_numbered(update.index, outline),
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
            grain = node.item.grain
            line = plain_line(grain.grain_type, grain.hash, grain.fields, str)
            rows.append(Row(node, {
                **_numbered(node.index, outline),
                "date": node.moment or None,
                "type": grain.grain_type,
                "content": line if node.text is None else node.text,
                "gap": gap,
            }))  # fmt: skip
            gap = None
    return rows


Write = Callable[[Grain], Columns]
"""A function from a grain to its columns."""


def _page(nodes: Iterable[Node], outline: Outline, write: Write) -> Columns:
    """Return tables by section, each type's rows where its first entry stands."""
    page: Columns = {}
    for node in nodes:
        match node:
            case EntityLine():
                page["entities"] = list(node.names)
            case Entry():
                key = section_of(node.item.grain.grain_type)
                _add(page, {key: [_entry(node, outline, write)]})
            case Update():
                _add(page, {"knowledge_updates": [_update(node, outline)]})
            case Section(of_type=True):
                _add(page, _page(node.nodes, outline, write))
            case Section(ordered=True):
                _add(page, {node.key: _timeline(node.nodes, outline)})
            case Section(nodes=updates) if all(isinstance(each, Update) for each in updates):
                _add(
                    page,
                    {node.key: [_update(n, outline) for n in updates if isinstance(n, Update)]},
                )
            case Section(name=None):
                _add(page, {node.key: _page(node.nodes, outline, write)})
            case Section():
                _add(page, {f"by_{node.key}": {node.name: _page(node.nodes, outline, write)}})
            case Gap():
                pass
    return page


def _add(page: Columns, tables: Columns) -> None:
    """Add tables to a page; what stands under one key is one table, or one group of tables."""
    for name, found in tables.items():
        key = name
        while type(page.get(key, found)) is not type(found):
            key += "_"
        if key not in page:
            page[key] = found
        elif isinstance(found, dict):
            _add(page[key], found)
        else:
            page[key].extend(found)


def _tables(value: Any) -> Iterator[list[Row]]:
    """Yield the tables of documents of a page, and of what else may lack a column."""
    if isinstance(value, dict):
        for each in value.values():
            yield from _tables(each)
    elif value and isinstance(value[0], Row):
        yield value


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


class Toon(Format):
    """Tables of rows by type, in one TOON document."""

    name = OutputFormat.TOON
    shortens = False
    joins = False
    marks = False
    escape = staticmethod(escape)

    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole, as the row of a table."""
        lines: list[str] = toon_format.encode([self._row(grain, level)]).split("\n")
        return lines[-1].removeprefix("  ")

    def _row(self, grain: Grain, level: MetadataLevel) -> Columns:
        """Return the columns of a grain; a document has its date and its other details too."""
        cells = row(self.dated(grain))
        more: Columns = {}
        if self.shows_date(grain, level) and "time" not in cells:
            more["date"] = grain.day
        if grain.grain_type == "document" and level is not MetadataLevel.NONE:
            details = reading.document_details(grain.fields)
            more |= {
                _unlike_ours(name): _cell(grain.fields, name)
                for name, _ in details
                if name not in cells
            }
        return _before_content(cells, more) if more else cells

    def line(self, grain: Grain, level: MetadataLevel) -> None:
        """Return None: the page writes rows."""

    def own_text(self, entry: Entry, level: MetadataLevel, *, ordered: bool) -> str:
        """Return an entry's row; in an ordered section its plain-text line, as a cell has it."""
        grain = entry.item.grain
        if ordered and entry.text is None:
            return plain_line(grain.grain_type, grain.hash, grain.fields, str)
        return super().own_text(entry, level, ordered=ordered)

    def reading_order(self, nodes: tuple[Node, ...]) -> Iterable[int]:
        """Return the indexes of hits in the order of the page's rows, which are grouped by type."""
        page = _page(nodes, Outline(nodes), row)
        return [node.index for node in _by_line(page) if node is not None]

    def pieces(self, outline: Outline) -> Iterator[Piece]:
        """Yield the page, one TOON document; the indent of a row stands before it."""
        page = _page(outline.nodes, outline, partial(self._row, level=self.metadata))
        for table in _tables(page):
            _aligned(table)
        lines: list[str] = toon_format.encode(page).split("\n")
        between = ""
        for line, node in zip(lines, chain(_by_line(page), repeat(None)), strict=False):
            shown = line.lstrip(" ")
            yield None, between + " " * (len(line) - len(shown))
            yield node, shown
            between = "\n"


FORMAT = Toon()
