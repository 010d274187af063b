"""Markdown: one list item a grain, headings between sections; for GPT and Gemini models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from areev_context.core import reading
from areev_context.core.dates import day
from areev_context.core.format import Format
from areev_context.core.grains import GRAIN_TYPES, Grain
from areev_context.core.lines import consensus_line, document_line, summary_line
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
from areev_context.core.reading import Fields, first, text
from areev_context.core.sentences import opening_or_best
from areev_context.core.text import Say, folding, guard_lines, held, seal

__all__ = ["FORMAT"]

_BULLET = "- "

escape = guard_lines


def _verdict(fields: Fields) -> str:
    return "failed" if reading.flag(fields, "is_error") else "returned"


def _event(fields: Fields) -> str:
    said, by = escape(reading.event_text(fields)), reading.speaker(fields)
    return f"**{escape(by)}**: {said}" if by else said


def _observation(fields: Fields) -> str:
    subject, found = text(fields, "subject"), text(fields, "object")
    if subject and found:
        return f"**{escape(subject)}**: {escape(found)}"
    return _by_content(fields, found)


def _tool(fields: Fields) -> str:
    name, said = text(fields, "tool_name"), reading.tool_text(fields)
    if not name:
        return _by_content(fields)
    line = f"**{escape(name)}** {_verdict(fields)}"
    return f"{line}: {escape(said)}" if said else line


def _state(fields: Fields) -> str:
    return f"**State**: {escape(reading.state_label(fields))}"


def _workflow(fields: Fields) -> str:
    trigger = text(fields, "trigger", "workflow")
    line = f"**{escape(reading.workflow_name(fields))}** (on: {escape(trigger)})"
    said = reading.topology(fields, escape)
    return f"{line}: {said}" if said else line


def _reasoning(fields: Fields) -> str:
    conclusion, method = text(fields, "conclusion"), text(fields, "inference_method")
    premises = reading.size(fields, "premises")
    parts = [escape(conclusion) or "Reasoning"]
    if method:
        parts.append(f"({escape(method)})")
    if not conclusion:
        parts.append(f"({premises} premises)")
    return " ".join(parts)


def _consensus(fields: Fields) -> str:
    return consensus_line(fields, escape)


def _consent(fields: Fields) -> str:
    verb = "withdraws" if reading.flag(fields, "is_withdrawal") else "grants"
    line = f"**{escape(text(fields, 'subject_did', '?'))}** {verb}"
    scope = text(fields, "scope")
    return f"{line} for {escape(scope)}" if scope else line


def _recommendation(fields: Fields) -> str:
    severity, target = text(fields, "severity", "info"), text(fields, "target_ref")
    said = reading.recommendation_text(fields, escape)
    return f"[{escape(severity)}] {said} → `{escape(target)}`"


def _trigger(fields: Fields) -> str:
    kind, scope = text(fields, "kind"), text(fields, "scope")
    said = escape(reading.trigger_text(fields))
    line = f"**{escape(kind)}** trigger" if kind else "trigger"
    line = f"{line}: {said}" if said else line
    return f"{line} ({escape(scope)})" if scope else line


_TEXT = ("content", "body", "tool_content", "description")


def _by_shape(fields: Fields) -> str:
    """Write a grain by the shape of its fields: the first of the reference's rules that fits."""
    subject, relation, found = (text(fields, n) for n in ("subject", "relation", "object"))
    if subject and relation and found:
        return f"**{escape(subject)}** {escape(relation)} {escape(found)}"
    content = text(fields, "content")
    if content and relation:
        return f"**{escape(relation)}**: {escape(content)}"
    name = text(fields, "tool_name")
    if name:
        said = first(fields, *_TEXT)
        line = f"**{escape(name)}** {_verdict(fields)}"
        return f"{line}: {escape(said)}" if said else line
    return _by_content(fields)


def _by_content(fields: Fields, last_choice: str = "") -> str:
    """Write a grain by its name, its subject or its text; else list its fields (rules 4 to 8)."""
    said = first(fields, *_TEXT) or last_choice
    name, subject = text(fields, "name"), text(fields, "subject")
    if name:
        line = f"**{escape(name)}**"
        line = f"{line} — {escape(said)}" if said else line
        return line + _proficiency(fields)
    if subject and said:
        return f"**{escape(subject)}**: {escape(said)}{_goal_state(fields)}"
    if said:
        relation = text(fields, "relation")
        return f"**{escape(relation)}**: {escape(said)}" if relation else escape(said)
    if subject:
        return f"**{escape(subject)}**"
    return ", ".join(f"{escape(k)}: {escape(v)}" for k, v in reading.other_fields(fields))


def _proficiency(fields: Fields) -> str:
    level = reading.number(fields, "proficiency")
    if level is None:
        return ""
    return f" (proficiency {level:.2f}, practised {reading.count(fields, 'practice_count')}×)"


def _goal_state(fields: Fields) -> str:
    state, progress = text(fields, "goal_state"), reading.number(fields, "progress")
    if not state:
        return ""
    done = "" if progress is None else f", {progress * 100:.0f}% done"
    return f" ({escape(state)}{done})"


_LINES: dict[str, Callable[[Fields], str]] = {
    "event": _event,
    "observation": _observation,
    "tool": _tool,
    "state": _state,
    "workflow": _workflow,
    "reasoning": _reasoning,
    "consensus": _consensus,
    "consent": _consent,
    "recommendation": _recommendation,
    "trigger": _trigger,
}


def _document(fields: Fields, content: str, say: Say) -> str:
    return document_line(fields, content, say, entitle=lambda title: f"**{say(title)}**")


def _note(grain: Grain) -> str:
    fields = grain.fields
    confidence = reading.number(fields, "confidence")
    parts = [
        f"{confidence:.2f}" if confidence is not None and confidence < 1.0 else "",
        day(grain.created_at),
        "superseded" if fields.get("superseded_by") is not None else "",
    ]
    shown = ", ".join(filter(None, parts))
    return f" *({shown})*" if shown else ""


def render(grain: Grain, level: MetadataLevel) -> str:
    """Return one grain, whole, as one list item; its note is the same at every metadata level."""
    if grain.grain_type == "document":
        line = _document(grain.fields, text(grain.fields, "content"), escape)
    else:
        line = _LINES.get(grain.grain_type, _by_shape)(grain.fields)
    return _BULLET + seal(line + _note(grain))


def summary(grain: Grain, level: MetadataLevel, query: str) -> str:
    """Return one grain in one line, without a note; a document keeps what stands about it."""
    fields, say = grain.fields, folding(escape)
    if grain.grain_type == "document":
        line = _document(fields, opening_or_best(text(fields, "content"), query), say)
        return _BULLET + seal(line + _note(grain))
    return _BULLET + seal(summary_line(grain.grain_type, grain.hash, fields, say))


def _heading(section: Section) -> str:
    if section.kind is SectionKind.TYPE and section.name in GRAIN_TYPES:
        return f"## {GRAIN_TYPES[section.name].section.capitalize()}"
    if section.kind is SectionKind.TYPE:
        return f"## Other: {held(escape(section.name))}s"
    if section.kind is SectionKind.ENTITY:
        return f"## Entity: {escape(section.name)}"
    return f"## {TITLES[section.kind]}"


# A run of backslashes before one of our signs is doubled, so that the sign's own can be told apart.
_IN_UPDATE = re.compile(r"(?<!\\)(\\*+)(~~|\*\*|→|\Z)")
_IN_SESSION = re.compile(r"(?<!\\)(\\*+)(\(from )")


def _guarding(signs: re.Pattern[str], value: str) -> str:
    guarded = signs.sub(lambda m: m[1] * 2 + (m[2] and f"\\{m[2]}"), escape(value))
    return held(guarded)


def _in_update(value: str) -> str:
    return _guarding(_IN_UPDATE, value)


def _dated(value: str, date: str) -> str:
    return f"{value} ({date})" if date else value


def _update(update: Update, number: int | None) -> str:
    line = f"**{_in_update(update.subject)}**: "
    if update.old is not None:
        line += _dated(f"~~{_in_update(update.old)}~~", update.old_date) + " → "
    line += _dated(f"**{_in_update(update.new)}**", update.new_date)
    shown = "" if number is None else f"[{number}] "
    return f"{shown}{seal(line)} [CURRENT]"


def _entry(entry: Entry, kind: SectionKind | None, place: int, number: int | None) -> str:
    line = entry.text or ""
    mark = f"[{entry.candidate.mark}] " if entry.candidate.mark else ""
    shown = "" if number is None or kind is SectionKind.TIMELINE else f"[{number}] "
    if mark or shown:
        line = f"{_BULLET}{shown}{mark}{line.removeprefix(_BULLET)}"
    if kind is SectionKind.TIMELINE:
        return _moment(f"{place}. ", day(entry.candidate.kept.grain.created_at), line)
    if kind is SectionKind.CENSUS:
        session = entry.candidate.kept.hit.source_namespace or "unknown"
        shown = seal(f"{_guarding(_IN_SESSION, session)})", opens=False)
        return f"{held(line)} (from {shown}"
    return line


def _moment(ordinal: str, date: str, line: str) -> str:
    """Return an entry of a timeline; CommonMark ends it at a line left of what its first says."""
    further = line.replace("\n  ", "\n" + " " * len(ordinal))
    return f"{ordinal}{date or 'undated'}: {further}"


def _gap(gap: Gap, before: str) -> str:
    """Return a gap as a line of the entry before it, whose ordinal may be wider than three."""
    indent = before.index(" ") + 1 if "\n" in before else 3
    return f"{' ' * indent}↓ *{gap.label}*"


def _roster(roster: Roster) -> str:
    names = ", ".join(map(escape, roster.names))
    return f"**{roster.count} entities**: {seal(names, opens=False)}"


_WORDS = Words(_heading, _entry, _update, _gap, _roster)


def pieces(outline: Outline) -> Iterator[Piece]:
    """Yield the page; a blank line stands between sections."""
    return pieces_of_page(outline, _WORDS)


FORMAT = Format(OutputFormat.MARKDOWN, escape, render, summary, pieces)
