"""Plain text: one line a grain, banners between sections; for small local models."""

from __future__ import annotations

import re
from collections.abc import Iterable

from areev_context.formats.escaping import (
    guard_end,
    guard_joined,
    guard_lines,
    guard_numbers,
    guard_ordinals,
    guard_value,
)
from areev_context.formats.lines import document_line, plain_line, summary_line
from areev_context.formats.marks import BREAKS, PLAIN_TEXT
from areev_context.formats.page import PageFormat, indented
from areev_context.hits.fields import text
from areev_context.hits.hit import Grain
from areev_context.layout.outline import EntityLine, Entry, Gap, Section, Update
from areev_context.policy import MetadataLevel, OutputFormat
from areev_context.text.clean import folding
from areev_context.text.splitting import opening_or_best

__all__ = ["FORMAT"]


def escape(value: str) -> str:
    """Return a value so that no line of it reads as a mark of plain text."""
    return guard_lines(value, PLAIN_TEXT)


_LIKE_GUARDED = re.compile(rf"\\++(?:\s{{2}}|\s*+(?:[{BREAKS}]|\Z))")


def _line(line: str) -> str:
    """Guard a line that no bullet opens: two blanks would make it a line of the entry before.

    What would read as guarded in this way gets one more backslash.
    """
    guarded = guard_joined(line, PLAIN_TEXT)
    indented = len(guarded) > 1 and guarded[:2].isspace()
    return f"\\{guarded}" if indented or _LIKE_GUARDED.match(line) else guarded


def render(grain: Grain, level: MetadataLevel, *, complete: bool = True) -> str:
    """Return one grain, whole; the metadata level full adds every text field of its type."""
    full = complete and level is MetadataLevel.FULL
    return _line(plain_line(grain.grain_type, grain.hash, grain.fields, escape, full=full))


def summary(grain: Grain, level: MetadataLevel, query: str) -> str:
    """Return one grain in one line; a document keeps its title and its bracket."""
    fields, write = grain.fields, folding(escape)
    if grain.grain_type == "document":
        return _line(document_line(fields, opening_or_best(text(fields, "content"), query), write))
    return _line(summary_line(grain.grain_type, grain.hash, fields, write))


# A run of backslashes before one of our signs is doubled, so that the sign's own can be told apart.
_IN_UPDATE = re.compile(r'(?<!\\)(\\*+)("|→|\Z)')


def _in_update(value: str) -> str:
    return guard_end(_IN_UPDATE.sub(lambda m: m[1] * 2 + (m[2] and f"\\{m[2]}"), escape(value)))


def _dated(value: str, date: str) -> str:
    return f'"{_in_update(value)}" ({date})' if date else f'"{_in_update(value)}"'


def _with_date(document: Grain) -> Grain:
    """Return a document with its date as the last of its details."""
    return document._replace(fields={**document.fields, "date": document.day})


class PlainText(PageFormat):
    """One line a grain, banners between sections."""

    name = OutputFormat.PLAIN_TEXT
    escape = staticmethod(guard_value)

    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole, as one line; a document has its date in its bracket."""
        if not self.shows_date(grain, level):
            return render(grain, level, complete=self.complete)
        if grain.grain_type == "document":
            return render(_with_date(grain), level, complete=self.complete)
        line = render(grain, level, complete=self.complete)
        return f"{guard_end(line)} ({grain.day})"

    def summary(self, grain: Grain, level: MetadataLevel, query: str) -> str:
        """Return one grain in one line; a document has its date in its bracket."""
        is_dated = grain.grain_type == "document" and self.shows_date(grain, level)
        return summary(_with_date(grain) if is_dated else grain, level, query)

    def talk(self, grain: Grain, turns: Iterable[str], level: MetadataLevel) -> str:
        """Return the turns below their date."""
        is_shown = self.dates is not False and level is not MetadataLevel.NONE
        if not grain.created_at or not (is_shown or self.dates):
            return ""
        return "\n".join([f"{grain.day}:", *map(indented, turns)])

    def heading(self, section: Section) -> str:
        """Return a section's banner; the banner of a known type is in capitals."""
        if section.name is not None:
            return f"=== {section.title}: {guard_end(escape(section.name))} ==="
        return f"=== {section.title.upper() if section.of_type else section.title} ==="

    def entry(self, entry: Entry, mark: str | None, ordinal: int | None, number: int | None) -> str:
        """Return the line of an entry; an ordinal takes the place of a number."""
        line = entry.text or ""
        line, below, turns = line.partition("\n") if entry.turns else (line, "", "")
        if entry.session is not None:
            session = guard_end(escape(entry.session))
            session = guard_joined(f"{session}]", PLAIN_TEXT, opens=False)
            line = f"{guard_end(line)} [session: {session}"
        line = f"{line}{below}{turns}"
        if number is not None:
            line = guard_numbers(line)
        if mark:
            line = f"[{mark}] {line}"
        if ordinal is not None:
            return f"{ordinal}. {entry.moment or 'undated'}: {guard_ordinals(line)}"
        return line if number is None else f"[{number}] {line}"

    def update(self, update: Update, number: int | None) -> str:
        """Return the line of an update: the values quoted, the old one first."""
        subject = _in_update(update.subject)
        if update.old is None:
            line = f'{subject}: "{_in_update(update.new)}"'
        else:
            old, new = _dated(update.old, update.old_date), _dated(update.new, update.new_date)
            line = f"{subject}: {old} → {new}"
        line = _line(line)
        shown = "" if number is None else f"[{number}] "
        return f"{shown}{line if number is None else guard_numbers(line)} [CURRENT]"

    def gap(self, gap: Gap, before: str) -> str:
        """Return the line of a gap."""
        return f"   ↓ {gap.label}"

    def entity_line(self, entity_line: EntityLine) -> str:
        """Return the line of entities."""
        names = ", ".join(map(escape, entity_line.names))
        return f"{entity_line.count} entities: {guard_joined(names, PLAIN_TEXT, opens=False)}"


FORMAT = PlainText()
