"""Markdown: one list item a grain, headings between sections; for GPT and Gemini models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from areev_context.formats.escaping import (
    guard_end,
    guard_joined,
    guard_lines,
    guard_numbers,
    guard_value,
)
from areev_context.formats.fencing import fenced, split_fences
from areev_context.formats.lines import (
    LINES,
    Line,
    consensus_line,
    document_line,
    listing,
    mastery,
    progress,
    rest_of,
    shown_by,
    summary_line,
    with_rest,
)
from areev_context.formats.page import PageFormat, indented
from areev_context.hits import fields as reading
from areev_context.hits.fields import Fields, first, text
from areev_context.hits.hit import Grain
from areev_context.layout.outline import EntityLine, Entry, Gap, Section, Update
from areev_context.policy import MetadataLevel, OutputFormat
from areev_context.text.clean import Write, folding
from areev_context.text.splitting import opening_or_best

__all__ = ["FORMAT"]

_BULLET = "- "
_NOTHING = (None,) * 4

escape = guard_lines


def _event(fields: Fields) -> str:
    body, by = escape(reading.event_text(fields)), reading.speaker(fields)
    return f"**{escape(by)}**: {body}" if by else body


def _observation(fields: Fields) -> Line:
    subject, found = text(fields, "subject"), text(fields, "object")
    if subject and found:
        return Line(f"**{escape(subject)}**: {escape(found)}", ("subject", "object"))
    return _by_content(fields, "object")


def _whole_observation(fields: Fields) -> Line:
    fields = reading.observed(fields)
    if not reading.present(fields, "subject", "object", "name", *_TEXT):
        return Line(escape(reading.observer(fields)), ("observer_id",))
    line = _observation(fields)
    same = text(fields, "object") == text(fields, "content")
    return Line(line.text, (*line.shown, "object", "content")) if same else line


def _tool(fields: Fields) -> Line:
    if not text(fields, "tool_name"):
        return _by_content(fields)
    return _called(fields, reading.tool_field(fields))


def _state(fields: Fields) -> str:
    return f"**State**: {escape(reading.state_label(fields))}"


def _workflow(fields: Fields) -> str:
    trigger = text(fields, "trigger", "workflow")
    line = f"**{escape(reading.workflow_name(fields))}** (on: {escape(trigger)})"
    body = reading.topology(fields, escape)
    return f"{line}: {body}" if body else line


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
    body = reading.recommendation_text(fields, escape)
    return f"[{escape(severity)}] {body} → `{escape(target)}`"


def _trigger(fields: Fields) -> str:
    kind, scope = text(fields, "kind"), text(fields, "scope")
    body = escape(reading.trigger_text(fields))
    line = f"**{escape(kind)}** trigger" if kind else "trigger"
    line = f"{line}: {body}" if body else line
    return f"{line} ({escape(scope)})" if scope else line


_TRIPLE = ("subject", "relation", "object")
_TEXT = ("content", "body", "tool_content", "description")


def _fact(fields: Fields) -> Line:
    """Write a fact by its shape, or where that leaves a part of it out, by its parts."""
    line = _by_shape(fields)
    if line.shown is _TRIPLE:  # most facts
        return line
    parts = reading.present(fields, *_TRIPLE)
    return line if set(parts) <= set(line.shown) else _by_parts(fields, parts)


def _whole_fact(fields: Fields) -> Line:
    parts = reading.present(fields, "relation", "object")
    if len(parts) == 2 and not text(fields, "subject"):
        return _by_parts(fields, parts)  # the reference lists them
    return _fact(fields)


def _by_parts(fields: Fields, parts: list[str]) -> Line:
    if "object" not in parts:  # another text says it
        parts = [*parts, *reading.present(fields, *_TEXT)[:1]]
    values = {name: escape(text(fields, name)) for name in parts}
    if "subject" in values:
        values["subject"] = f"**{values['subject']}**"
    return Line(" ".join(values.values()), tuple(values))


def _by_shape(fields: Fields) -> Line:
    """Write a grain by the shape of its fields: the first of the reference's rules that fits."""
    subject, relation, found = (text(fields, name) for name in _TRIPLE)
    if subject and relation and found:
        return Line(f"**{escape(subject)}** {escape(relation)} {escape(found)}", _TRIPLE)
    content = text(fields, "content")
    if content and relation:
        return Line(f"**{escape(relation)}**: {escape(content)}", ("relation", "content"))
    if text(fields, "tool_name"):
        return _called(fields, reading.present(fields, *_TEXT)[:1])
    return _by_content(fields)


def _called(fields: Fields, of: list[str]) -> Line:
    """Write a call of a tool; `of` names the field of its text, if there is one."""
    failed = fields.get("is_error")
    verb = "failed" if failed is True else "returned"
    line = f"**{escape(text(fields, 'tool_name'))}** {verb}"
    shown = ("tool_name", *of, *(["is_error"] if isinstance(failed, bool) else []))
    return Line(f"{line}: {escape(text(fields, of[0]))}" if of else line, shown)


def _by_content(fields: Fields, *last_choice: str) -> Line:
    """Write a grain by its name, its subject or its text; else list its fields (rules 4 to 8).

    `last_choice` names a field that is its text where no other is.
    """
    of = reading.present(fields, *_TEXT, *last_choice)[:1]
    content, subject = first(fields, *of), text(fields, "subject")
    if text(fields, "name"):
        return _named(fields, of)
    if subject and content:
        about = _goal_state(fields)
        line = f"**{escape(subject)}**: {escape(content)}{about.text}"
        return Line(line, ("subject", *of, *about.shown))
    if content:
        relation = text(fields, "relation")
        line = f"**{escape(relation)}**: {escape(content)}" if relation else escape(content)
        return Line(line, ("relation", *of) if relation else tuple(of))
    if subject:
        return Line(f"**{escape(subject)}**", ("subject",))
    listed = listing(fields, (), escape)
    return Line(listed, tuple(name for name, _ in reading.other_fields(fields)))


def _named(fields: Fields, of: list[str]) -> Line:
    line, shown = f"**{escape(text(fields, 'name'))}**", ["name", *of]
    if of:
        line += f" — {escape(text(fields, of[0]))}"
    if reading.number(fields, "proficiency") is not None:
        line += f" ({mastery(fields)})"
        counted = fields.get("practice_count").__class__ is int
        shown += ["proficiency", "practice_count"] if counted else ["proficiency"]
    return Line(line, tuple(shown))


def _goal_state(fields: Fields) -> Line:
    state, done = text(fields, "goal_state"), progress(fields)
    if not state:
        return Line("", ())
    line = f" ({escape(state)}, {done})" if done else f" ({escape(state)})"
    return Line(line, ("goal_state", "progress") if done else ("goal_state",))


_LINES: dict[str, Callable[[Fields], str]] = {
    "event": _event,
    "state": _state,
    "workflow": _workflow,
    "reasoning": _reasoning,
    "consensus": _consensus,
    "consent": _consent,
    "recommendation": _recommendation,
    "trigger": _trigger,
}
_BY_SHAPE: dict[str, Callable[[Fields], Line]] = {
    "fact": _fact,
    "observation": _observation,
    "tool": _tool,
    "goal": _by_shape,
    "skill": _by_shape,
}
_AT_FULL = {**_BY_SHAPE, "fact": _whole_fact, "observation": _whole_observation}
_SHOWN = {"reasoning": ("inference_method",), "trigger": ("scope",)}
"""What the line of a type shows beside what its plain line does."""


def _line(grain: Grain, *, full: bool) -> str:
    """Return a grain, whole; `full` adds every text of its type's own."""
    kind, fields = grain.grain_type, grain.fields
    if kind in _LINES:
        line = _LINES[kind](fields)
        shown = (*shown_by(kind, fields), *_SHOWN.get(kind, ())) if full else ()
    else:
        line, shown = (_AT_FULL if full else _BY_SHAPE).get(kind, _by_shape)(fields)
        if kind != "observation" or not _note(grain):  # the reference's may be a note alone
            line = line or _nothing(grain)
    if kind not in LINES:
        return line + rest_of(fields, shown, escape)
    return line + with_rest(kind, fields, shown, escape) if full else line


def _nothing(grain: Grain) -> str:
    """Return the line of a grain that has nothing to show: its observer, else its summary."""
    if grain.grain_type == "observation":
        return escape(reading.observer(grain.fields))
    return summary_line(grain.grain_type, grain.hash, grain.fields, escape)


def _document(fields: Fields, content: str, write: Write) -> str:
    return document_line(fields, content, write, entitle=lambda title: f"**{write(title)}**")


def _note(grain: Grain) -> str:
    fields = grain.fields
    confidence = reading.confidence(fields)
    shown = grain.day
    if confidence is not None and confidence < 1.0:
        shown = f"{confidence:.2f}, {shown}" if shown else f"{confidence:.2f}"
    if fields.get("superseded_by") is not None:
        shown = f"{shown}, superseded" if shown else "superseded"
    return f" *({shown})*" if shown else ""


def render(grain: Grain, level: MetadataLevel, *, complete: bool = True) -> str:
    """Return one grain, whole, as one list item; its note is the same at every level.

    A text of several lines that would need backslashes stands in a fence beneath the first line.
    """
    full = complete and level is MetadataLevel.FULL
    line = _whole(grain, full=full)
    within = None if line.isprintable() else fenced(grain.fields)
    if within is None:
        return _BULLET + guard_joined(line)
    head, fences = within.parted(_whole(grain._replace(fields=within.fields), full=full))
    return f"{_BULLET}{guard_joined(head) if head else head}{fences}"


def _whole(grain: Grain, *, full: bool) -> str:
    fields = grain.fields
    if grain.grain_type == "document":
        line = _document(fields, text(fields, "content"), escape)
    else:
        line = _line(grain, full=full)
    return line + _note(grain)


def summary(grain: Grain, level: MetadataLevel, query: str) -> str:
    """Return one grain in one line, without a note; a document has its title and its source."""
    fields, write = grain.fields, folding(escape)
    if grain.grain_type == "document":
        line = _document(fields, opening_or_best(text(fields, "content"), query), write)
        return _BULLET + guard_joined(line + _note(grain))
    return _BULLET + guard_joined(summary_line(grain.grain_type, grain.hash, fields, write))


# A run of backslashes before one of our signs is doubled, so that the sign's own can be told apart.
_IN_UPDATE = re.compile(r"(?<!\\)(\\*+)(~~|\*\*|→|\Z)")
_IN_SESSION = re.compile(r"(?<!\\)(\\*+)(\(from )")


def _guarding(signs: re.Pattern[str], value: str) -> str:
    guarded = signs.sub(lambda m: m[1] * 2 + (m[2] and f"\\{m[2]}"), escape(value))
    return guard_end(guarded)


def _in_update(value: str) -> str:
    return _guarding(_IN_UPDATE, value)


def _dated(value: str, date: str) -> str:
    return f"{value} ({date})" if date else value


def _moment(ordinal: str, date: str, line: str) -> str:
    """Return an entry of a timeline; CommonMark ends it at a line left of what its first says."""
    further = line.replace("\n  ", "\n" + " " * len(ordinal))
    return f"{ordinal}{date or 'undated'}: {further}"


class Markdown(PageFormat):
    """One list item a grain, headings between sections."""

    name = OutputFormat.MARKDOWN
    escape = staticmethod(guard_value)

    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole, as one list item."""
        return render(self.dated(grain), level, complete=self.complete)

    def summary(self, grain: Grain, level: MetadataLevel, query: str) -> str:
        """Return one grain in one line."""
        return summary(self.dated(grain), level, query)

    def talk(self, grain: Grain, turns: Iterable[str], level: MetadataLevel) -> str:
        """Return a list of the turns below what all have in common."""
        note = _note(self.dated(grain)).strip()
        return "\n".join([f"{_BULLET}{note}", *map(indented, turns)]) if note else ""

    def heading(self, section: Section) -> str:
        """Return a section's heading."""
        named = "" if section.name is None else f": {escape(section.name)}"
        return f"## {section.title}{named}"

    def entry(self, entry: Entry, mark: str | None, ordinal: int | None, number: int | None) -> str:
        """Return the list item of an entry; an ordinal takes the place of a number."""
        text = entry.text or ""
        added = (mark, ordinal, number, entry.session)
        if added == _NOTHING and text.startswith(_BULLET):
            return text  # most entries
        line, fences = split_fences(text.removeprefix(_BULLET))
        shown = "" if number is None or ordinal is not None else f"[{number}] "
        if entry.turns:
            line, below, turns = f"{line}{fences}".partition("\n")
            fences = below + (turns if number is None else guard_numbers(turns))
        if entry.session is not None:
            session = guard_joined(f"{_guarding(_IN_SESSION, entry.session)})", opens=False)
            line = f"{guard_end(line)} (from {session}"
        if number is not None:
            line = guard_numbers(line)
        line += fences
        if mark or shown or text.startswith(_BULLET):
            marked = f"[{mark}] " if mark else ""
            line = f"{_BULLET}{shown}{marked}{line}"
        if ordinal is not None:
            return _moment(f"{ordinal}. ", entry.moment, line)
        return line

    def update(self, update: Update, number: int | None) -> str:
        """Return the line of an update: the old value struck out, the new one bold."""
        line = f"**{_in_update(update.subject)}**: "
        if update.old is not None:
            line += _dated(f"~~{_in_update(update.old)}~~", update.old_date) + " → "
        line += _dated(f"**{_in_update(update.new)}**", update.new_date)
        line = guard_joined(line)
        shown = "" if number is None else f"[{number}] "
        return f"{shown}{line if number is None else guard_numbers(line)} [CURRENT]"

    def gap(self, gap: Gap, before: str) -> str:
        """Return a gap as a line of the entry before it, whose ordinal may be wider than three."""
        indent = before.index(" ") + 1 if "\n" in before else 3
        return f"{' ' * indent}↓ *{gap.label}*"

    def entity_line(self, entity_line: EntityLine) -> str:
        """Return the line of entities."""
        names = ", ".join(map(escape, entity_line.names))
        return f"**{entity_line.count} entities**: {guard_joined(names, opens=False)}"


FORMAT = Markdown()
