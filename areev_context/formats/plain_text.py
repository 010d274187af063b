"""Plain text: one line a grain, banners between sections; for small local models."""

from __future__ import annotations

import re
from collections.abc import Iterator

from areev_context.core.dates import day
from areev_context.core.format import Format
from areev_context.core.grains import GRAIN_TYPES, Grain
from areev_context.core.lines import document_line, plain_line, summary_line
from areev_context.core.outline import (
    Entry,
    Gap,
    Outline,
    Piece,
    Roster,
    Section,
    SectionKind,
    Update,
)
from areev_context.core.page import TITLES, Words, pieces_of_page
from areev_context.core.policy import MetadataLevel, OutputFormat
from areev_context.core.reading import text
from areev_context.core.sentences import opening_or_best
from areev_context.core.text import folding, guard_lines, held, seal

__all__ = ["FORMAT"]

escape = guard_lines


def _line(line: str) -> str:
    """Seal a line that no bullet opens: two blanks would make it a line of the entry before."""
    sealed = seal(line)
    indented = len(sealed) > 1 and sealed[:2].isspace()
    return f"\\{sealed}" if indented else sealed


def render(grain: Grain, level: MetadataLevel) -> str:
    """Return one grain, whole; the metadata level changes nothing here."""
    return _line(plain_line(grain.grain_type, grain.hash, grain.fields, escape))


def summary(grain: Grain, level: MetadataLevel, query: str) -> str:
    """Return one grain in one line; a document keeps its title and its bracket."""
    fields, say = grain.fields, folding(escape)
    if grain.grain_type == "document":
        return _line(document_line(fields, opening_or_best(text(fields, "content"), query), say))
    return _line(summary_line(grain.grain_type, grain.hash, fields, say))


def _banner(section: Section) -> str:
    if section.kind is SectionKind.TYPE and section.name in GRAIN_TYPES:
        return f"=== {GRAIN_TYPES[section.name].section.upper()} ==="
    if section.kind is SectionKind.TYPE:
        return f"=== Other: {held(escape(section.name))}s ==="
    if section.kind is SectionKind.ENTITY:
        return f"=== Entity: {held(escape(section.name))} ==="
    return f"=== {TITLES[section.kind]} ==="


# A run of backslashes before one of our signs is doubled, so that the sign's own can be told apart.
_IN_UPDATE = re.compile(r'(?<!\\)(\\*+)("|→|\Z)')


def _in_update(value: str) -> str:
    return held(_IN_UPDATE.sub(lambda m: m[1] * 2 + (m[2] and f"\\{m[2]}"), escape(value)))


def _dated(value: str, date: str) -> str:
    return f'"{_in_update(value)}" ({date})' if date else f'"{_in_update(value)}"'


def _update(update: Update, number: int | None) -> str:
    subject = _in_update(update.subject)
    if update.old is None:
        line = f'{subject}: "{_in_update(update.new)}"'
    else:
        old, new = _dated(update.old, update.old_date), _dated(update.new, update.new_date)
        line = f"{subject}: {old} → {new}"
    shown = "" if number is None else f"[{number}] "
    return f"{shown}{_line(line)} [CURRENT]"


def _entry(entry: Entry, kind: SectionKind | None, place: int, number: int | None) -> str:
    mark, line = entry.candidate.mark, entry.text or ""
    if mark:
        line = f"[{mark}] {line}"
    if kind is SectionKind.TIMELINE:
        date = day(entry.candidate.kept.grain.created_at) or "undated"
        return f"{place}. {date}: {line}"
    if kind is SectionKind.CENSUS:
        session = held(escape(entry.candidate.kept.hit.source_namespace or "unknown"))
        line = f"{held(line)} [session: {seal(f'{session}]', opens=False)}"
    return line if number is None else f"[{number}] {line}"


def _gap(gap: Gap, before: str) -> str:
    return f"   ↓ {gap.label}"


def _roster(roster: Roster) -> str:
    names = ", ".join(map(escape, roster.names))
    return f"{roster.count} entities: {seal(names, opens=False)}"


_WORDS = Words(_banner, _entry, _update, _gap, _roster)


def pieces(outline: Outline) -> Iterator[Piece]:
    """Yield the page; a blank line stands between sections."""
    return pieces_of_page(outline, _WORDS)


FORMAT = Format(OutputFormat.PLAIN_TEXT, escape, render, summary, pieces)
