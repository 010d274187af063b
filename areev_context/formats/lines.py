"""The summary of a grain in one line, and the plain line of a grain shown whole.

Both have the same words. The function `write` escapes each value, and folds its white space or
keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from areev_context.hits import fields as reading
from areev_context.hits.fields import Fields, text, text_field
from areev_context.text.clean import Write, clip, fold

__all__ = [
    "Line",
    "consensus_line",
    "document_line",
    "left_out",
    "listing",
    "mastery",
    "plain_line",
    "progress",
    "rest_of",
    "shown_by",
    "summary_line",
    "with_rest",
]

_EVENT_BYTES = 80


class Line(NamedTuple):
    """A line, and the names of the fields that it shows."""

    text: str
    shown: tuple[str, ...]


_TRIPLE = ("subject", "relation", "object")


def _triple(fields: Fields, write: Write) -> str:
    return " ".join(write(text(fields, name, "?")) for name in _TRIPLE)


def _state(fields: Fields, write: Write) -> str:
    return write(reading.state_label(fields))


def _workflow(fields: Fields, write: Write) -> str:
    nodes, edges = reading.size(fields, "nodes"), reading.size(fields, "edges")
    return f"{write(text(fields, 'trigger', 'workflow'))} ({nodes} nodes, {edges} edges)"


def _tool(fields: Fields, write: Write) -> str:
    outcome = "FAIL" if reading.flag(fields, "is_error") else "OK"
    return f"{write(text(fields, 'tool_name', 'unknown'))} [{outcome}]"


def _observation(fields: Fields, write: Write) -> str:
    observer, subject = text(fields, "observer_id", "?"), text(fields, "subject")
    return f"{write(observer)}: {write(subject)}" if subject else write(observer)


def _goal(fields: Fields, write: Write) -> str:
    priority, state = text(fields, "priority", "medium"), text(fields, "goal_state", "active")
    return f"[{write(priority)}/{write(state)}] {write(text(fields, 'description', '?'))}"


def _reasoning(fields: Fields, write: Write) -> str:
    return write(text(fields, "conclusion", "reasoning"))


def _consensus(fields: Fields, write: Write) -> str:
    return write(text(fields, "agreed_content", "consensus"))


def _consent(fields: Fields, write: Write) -> str:
    verb = "withdraws" if reading.flag(fields, "is_withdrawal") else "grants"
    line = f"{write(text(fields, 'subject_did', '?'))} {verb}"
    scope = text(fields, "scope")
    return f"{line} {write(scope)}" if scope else line


def _skill(fields: Fields, write: Write) -> str:
    name, domain = write(text(fields, "name", "?")), text(fields, "domain")
    return f"{name} [{write(domain)}]" if domain else name


def _recommendation(fields: Fields, write: Write) -> str:
    severity = write(text(fields, "severity", "info"))
    return f"[{severity}] {reading.recommendation_text(fields, write)}"


def _trigger(fields: Fields, write: Write) -> str:
    kind, found = text(fields, "kind"), reading.trigger_text(fields)
    if kind and found:
        return f"[{write(kind)}] {write(found)}"
    return f"[{write(kind)}]" if kind else write(found) or "trigger"


def _event(fields: Fields, write: Write) -> str:
    return write(reading.event_text(fields))


LINES: dict[str, Callable[[Fields, Write], str]] = {
    "fact": _triple,
    "event": _event,
    "state": _state,
    "workflow": _workflow,
    "tool": _tool,
    "observation": _observation,
    "goal": _goal,
    "reasoning": _reasoning,
    "consensus": _consensus,
    "consent": _consent,
    "skill": _skill,
    "recommendation": _recommendation,
    "trigger": _trigger,
}
"""The summary of each known type but document, unclipped."""


def other_line(grain_type: str, grain_hash: str, fields: Fields, write: Write) -> str:
    """Return the line of a grain of unknown type, which is its summary and its whole form."""
    triple = [text(fields, name) for name in _TRIPLE]
    if any(triple):
        shown = [name for name in _TRIPLE if isinstance(fields.get(name), str)]
        return " ".join(map(write, triple)) + rest_of(fields, shown, write)
    name = text_field(grain_type)
    if text(fields, name):
        return write(text(fields, name)) + rest_of(fields, [name], write)
    listed = listing(fields, (), write)
    return listed or f"[{write(grain_type)}: {write(grain_hash[:8])}]"


def listing(fields: Fields, shown: Collection[str], write: Write) -> str:
    """Return the list of fields of a grain of unknown type, without the fields already shown."""
    found, aside = reading.other_fields(fields), frozenset(shown)
    return ", ".join(f"{write(k)}: {write(v)}" for k, v in found if k not in aside)


def rest_of(fields: Fields, shown: Collection[str], write: Write) -> str:
    """Return, in brackets after a space, the fields of an unknown type missing in its line."""
    listed = listing(fields, shown, write)
    return f" ({listed})" if listed else ""


def summary_line(grain_type: str, grain_hash: str, fields: Fields, write: Write) -> str:
    """Return the summary of a grain that is no document; some types clip it."""
    if grain_type == "event":
        return _event(fields, lambda value: write(clip(fold(value), _EVENT_BYTES)))
    line = LINES.get(grain_type)
    return line(fields, write) if line else other_line(grain_type, grain_hash, fields, write)


def _whole_fact(fields: Fields, write: Write) -> str:
    triple = [text(fields, name) for name in _TRIPLE]
    if any(triple):
        return " ".join(map(write, triple))
    return LINES["fact"](fields, write)


def _whole_event(fields: Fields, write: Write) -> str:
    body, by = write(reading.event_text(fields)), reading.speaker(fields)
    return f"{write(by)}: {body}" if by else body


def _whole_observation(fields: Fields, write: Write) -> str:
    body = reading.observation_text(fields, write)
    return body or write(reading.observer(fields))


def _whole_tool(fields: Fields, write: Write) -> str:
    line, body = LINES["tool"](fields, write), reading.tool_text(fields)
    return f"{line}: {write(body)}" if body else line


def _whole_skill(fields: Fields, write: Write) -> str:
    name, domain, body = (text(fields, n) for n in ("name", "domain", "description"))
    line = " ".join(part for part in (write(name), f"[{write(domain)}]" if domain else "") if part)
    if line and body:
        return f"{line}: {write(body)}"
    return line or write(body)


def _whole_workflow(fields: Fields, write: Write) -> str:
    trigger = text(fields, "trigger", "workflow")
    line = f"{write(reading.workflow_name(fields))} (on: {write(trigger)})"
    body = reading.topology(fields, write)
    return f"{line}: {body}" if body else line


def consensus_line(fields: Fields, write: Write) -> str:
    """Return the agreed content of a consensus, and its votes if there are any."""
    agreed, dissent = (reading.count(fields, n) for n in ("agreement_count", "dissent_count"))
    line = write(text(fields, "agreed_content")) or "Consensus"
    return f"{line} ({agreed} agreed, {dissent} dissent)" if agreed or dissent else line


def _whole_recommendation(fields: Fields, write: Write) -> str:
    line, target = LINES["recommendation"](fields, write), text(fields, "target_ref")
    return f"{line} -> {write(target)}" if target else line


_WHOLE: dict[str, Callable[[Fields, Write], str]] = {
    "fact": _whole_fact,
    "event": _whole_event,
    "observation": _whole_observation,
    "tool": _whole_tool,
    "skill": _whole_skill,
    "workflow": _whole_workflow,
    "consensus": consensus_line,
    "recommendation": _whole_recommendation,
}


def document_line(fields: Fields, content: str, write: Write, entitle: Write | None = None) -> str:
    """Return a passage after its title and, in brackets, its source and other details.

    `entitle` writes the title, if the format writes titles differently from other values.
    """
    title = ""
    details: list[str] = []
    for key, value in reading.document_details(fields):
        if key == "title":
            title = (entitle or write)(value)
        elif key == "source":
            details.insert(0, write(value))
        else:
            details.append(f"{write(key)} {write(value)}")
    bracket = f"({', '.join(details)})" if details else ""
    head = " ".join(part for part in (title, bracket) if part)
    return f"{head}: {write(content)}" if head else write(content)


def plain_line(
    grain_type: str, grain_hash: str, fields: Fields, write: Write, *, full: bool = False
) -> str:
    """Return a grain, whole, as plain text; it is one line if no value has several lines.

    `full` adds the text fields of the grain that the line leaves out.
    """
    if grain_type == "document":
        return document_line(fields, text(fields, "content"), write)
    line = _WHOLE.get(grain_type) or LINES.get(grain_type)
    if line is None:
        return other_line(grain_type, grain_hash, fields, write)
    if full and grain_type == "observation":
        fields = reading.observed(fields)
    whole = line(fields, write) or LINES[grain_type](fields, write)
    if not full:
        return whole
    return whole + with_rest(grain_type, fields, shown_by(grain_type, fields), write)


_OWN = {
    "workflow": ("name",),
    "tool": ("error", "tool_content", "content"),
    "observation": ("subject", "object", "content", "observer_id"),
    "goal": ("subject", "description", "criteria"),
    "reasoning": ("inference_method",),
    "consensus": ("threshold",),
    "consent": ("grantee_did",),
    "skill": ("domain", "description"),
    "trigger": ("description", "name", "connector", "cron", "workflow", "scope"),
}
"""The texts of a type's own that some line leaves out, in the order in which they are added."""

_ADDED = {
    "observer_id": " (observer: {})",
    "tool_content": " (content: {})",
    "inference_method": " ({})",
    "grantee_did": " to {}",
    "domain": " [{}]",
    "goal_state": " (state: {})",
}
"""How a text is added to a line, where that is not its name and itself in brackets."""


def shown_by(grain_type: str, fields: Fields) -> tuple[str, ...]:
    """Return the names of a type's text fields that its plain line shows."""
    match grain_type:
        case "tool":
            return tuple(reading.tool_field(fields))
        case "observation":
            if not reading.present(fields, "subject", "object"):
                return ("observer_id",)
            same = text(fields, "object") == text(fields, "content")
            return ("subject", "object", *(["content"] if same else []))
        case "trigger":
            return tuple(reading.trigger_fields(fields))
        case "goal":
            return ("description", "goal_state", "priority")
        case "skill":
            return ("domain", "description")
        case _:
            return ("name",)


def left_out(grain_type: str, fields: Fields, shown: Collection[str]) -> list[str]:
    """Return the names of a type's text fields that are not in `shown`."""
    names = [name for name in _OWN.get(grain_type, ()) if name not in shown]
    return reading.present(fields, *names)


def with_rest(grain_type: str, fields: Fields, shown: Collection[str], write: Write) -> str:
    """Return the text to add to a line so that it shows every text field of its type.

    The reference's line stays as it is where it leaves no text out; where it does, a goal's state,
    priority and progress and a skill's numbers are added too.
    """
    names = left_out(grain_type, fields, shown)
    numbers = ""
    if grain_type == "goal" and names:
        names += [n for n in reading.present(fields, "goal_state", "priority") if n not in shown]
        numbers = "" if "progress" in shown else progress(fields)
    if grain_type == "skill" and (names or "domain" in shown) and "practice_count" not in shown:
        numbers = "" if "proficiency" in shown else mastery(fields)
    added = (_ADDED.get(n, f" ({n}: {{}})").format(write(text(fields, n))) for n in names)
    return "".join(added) + (f" ({numbers})" if numbers else "")


def progress(fields: Fields) -> str:
    """Return how much of a goal is done, in whole percent, or the empty string."""
    done = reading.number(fields, "progress")
    return "" if done is None else f"{done * 100:.0f}% done"


def mastery(fields: Fields) -> str:
    """Return the mastery of a skill, 0..1, and how often it was practiced, if they are known."""
    level, times = reading.number(fields, "proficiency"), reading.count(fields, "practice_count")
    if level is not None:
        return f"proficiency {level:.2f}, practised {times}×"
    return f"practised {times}×" if times else ""
