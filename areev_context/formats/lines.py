"""The one line that survives a squeezed budget, and the plain line of a grain shown whole.

Both are put together from the same words; `say` decides whether white space is folded and how a
value is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from areev_context.hits import fields as reading
from areev_context.hits.fields import Fields, text
from areev_context.text.clean import Say, clip, fold

__all__ = [
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


_TRIPLE = ("subject", "relation", "object")


def _triple(fields: Fields, say: Say) -> str:
    return " ".join(say(text(fields, name, "?")) for name in _TRIPLE)


def _state(fields: Fields, say: Say) -> str:
    return say(reading.state_label(fields))


def _workflow(fields: Fields, say: Say) -> str:
    nodes, edges = reading.size(fields, "nodes"), reading.size(fields, "edges")
    return f"{say(text(fields, 'trigger', 'workflow'))} ({nodes} nodes, {edges} edges)"


def _tool(fields: Fields, say: Say) -> str:
    verdict = "FAIL" if reading.flag(fields, "is_error") else "OK"
    return f"{say(text(fields, 'tool_name', 'unknown'))} [{verdict}]"


def _observation(fields: Fields, say: Say) -> str:
    observer, subject = text(fields, "observer_id", "?"), text(fields, "subject")
    return f"{say(observer)}: {say(subject)}" if subject else say(observer)


def _goal(fields: Fields, say: Say) -> str:
    priority, state = text(fields, "priority", "medium"), text(fields, "goal_state", "active")
    return f"[{say(priority)}/{say(state)}] {say(text(fields, 'description', '?'))}"


def _reasoning(fields: Fields, say: Say) -> str:
    return say(text(fields, "conclusion", "reasoning"))


def _consensus(fields: Fields, say: Say) -> str:
    return say(text(fields, "agreed_content", "consensus"))


def _consent(fields: Fields, say: Say) -> str:
    verb = "withdraws" if reading.flag(fields, "is_withdrawal") else "grants"
    line = f"{say(text(fields, 'subject_did', '?'))} {verb}"
    scope = text(fields, "scope")
    return f"{line} {say(scope)}" if scope else line


def _skill(fields: Fields, say: Say) -> str:
    name, domain = say(text(fields, "name", "?")), text(fields, "domain")
    return f"{name} [{say(domain)}]" if domain else name


def _recommendation(fields: Fields, say: Say) -> str:
    severity = say(text(fields, "severity", "info"))
    return f"[{severity}] {reading.recommendation_text(fields, say)}"


def _trigger(fields: Fields, say: Say) -> str:
    kind, found = text(fields, "kind"), reading.trigger_text(fields)
    if kind and found:
        return f"[{say(kind)}] {say(found)}"
    return f"[{say(kind)}]" if kind else say(found) or "trigger"


def _event(fields: Fields, say: Say) -> str:
    return say(reading.event_text(fields))


LINES: dict[str, Callable[[Fields, Say], str]] = {
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


def other_line(grain_type: str, grain_hash: str, fields: Fields, say: Say) -> str:
    """Return the plain line of a grain of unknown type; it has no other form."""
    triple = [text(fields, name) for name in _TRIPLE]
    if any(triple):
        shown = [name for name in _TRIPLE if isinstance(fields.get(name), str)]
        return " ".join(map(say, triple)) + rest_of(fields, shown, say)
    if text(fields, "content"):
        return say(text(fields, "content")) + rest_of(fields, ["content"], say)
    listed = listing(fields, (), say)
    return listed or f"[{say(grain_type)}: {say(grain_hash[:8])}]"


def listing(fields: Fields, shown: Collection[str], say: Say) -> str:
    """Return the fields that a grain of no known shape lists, without those shown already."""
    found = reading.other_fields(fields)
    return ", ".join(f"{say(k)}: {say(v)}" for k, v in found if k not in shown)


def rest_of(fields: Fields, shown: Collection[str], say: Say) -> str:
    """Return in brackets, after a space, the fields of an unknown type that its line leaves out."""
    listed = listing(fields, shown, say)
    return f" ({listed})" if listed else ""


def summary_line(grain_type: str, grain_hash: str, fields: Fields, say: Say) -> str:
    """Return the summary of a grain that is no document, clipped where its type says so."""
    if grain_type == "event":
        return _event(fields, lambda value: say(clip(fold(value), _EVENT_BYTES)))
    line = LINES.get(grain_type)
    return line(fields, say) if line else other_line(grain_type, grain_hash, fields, say)


def _whole_fact(fields: Fields, say: Say) -> str:
    triple = [text(fields, name) for name in _TRIPLE]
    if any(triple):
        return " ".join(map(say, triple))
    return LINES["fact"](fields, say)


def _whole_event(fields: Fields, say: Say) -> str:
    said, by = say(reading.event_text(fields)), reading.speaker(fields)
    return f"{say(by)}: {said}" if by else said


def _whole_observation(fields: Fields, say: Say) -> str:
    said = reading.observation_text(fields, say)
    return said or say(text(fields, "observer_id", "?"))


def _whole_tool(fields: Fields, say: Say) -> str:
    line, said = LINES["tool"](fields, say), reading.tool_text(fields)
    return f"{line}: {say(said)}" if said else line


def _whole_skill(fields: Fields, say: Say) -> str:
    name, domain, said = (text(fields, n) for n in ("name", "domain", "description"))
    line = " ".join(part for part in (say(name), f"[{say(domain)}]" if domain else "") if part)
    if line and said:
        return f"{line}: {say(said)}"
    return line or say(said)


def _whole_workflow(fields: Fields, say: Say) -> str:
    trigger = text(fields, "trigger", "workflow")
    line = f"{say(reading.workflow_name(fields))} (on: {say(trigger)})"
    said = reading.topology(fields, say)
    return f"{line}: {said}" if said else line


def consensus_line(fields: Fields, say: Say) -> str:
    """Return what was agreed, and the votes where any was cast."""
    agreed, dissent = (reading.count(fields, n) for n in ("agreement_count", "dissent_count"))
    line = say(text(fields, "agreed_content")) or "Consensus"
    return f"{line} ({agreed} agreed, {dissent} dissent)" if agreed or dissent else line


def _whole_recommendation(fields: Fields, say: Say) -> str:
    line, target = LINES["recommendation"](fields, say), text(fields, "target_ref")
    return f"{line} -> {say(target)}" if target else line


_WHOLE: dict[str, Callable[[Fields, Say], str]] = {
    "fact": _whole_fact,
    "event": _whole_event,
    "observation": _whole_observation,
    "tool": _whole_tool,
    "skill": _whole_skill,
    "workflow": _whole_workflow,
    "consensus": consensus_line,
    "recommendation": _whole_recommendation,
}


def document_line(fields: Fields, content: str, say: Say, entitle: Say | None = None) -> str:
    """Return a passage after its title and, in brackets, its source and the rest of it.

    `entitle` is how the format speaks a title, where that differs from how it speaks a value.
    """
    title = ""
    details: list[str] = []
    for key, value in reading.document_details(fields):
        if key == "title":
            title = (entitle or say)(value)
        elif key == "source":
            details.insert(0, say(value))
        else:
            details.append(f"{say(key)} {say(value)}")
    bracket = f"({', '.join(details)})" if details else ""
    head = " ".join(part for part in (title, bracket) if part)
    return f"{head}: {say(content)}" if head else say(content)


def plain_line(
    grain_type: str, grain_hash: str, fields: Fields, say: Say, *, full: bool = False
) -> str:
    """Return a grain, whole, as plain text says it: one line where its values are of one line.

    `full` adds the texts of the grain's own that the line leaves out.
    """
    if grain_type == "document":
        return document_line(fields, text(fields, "content"), say)
    line = _WHOLE.get(grain_type) or LINES.get(grain_type)
    if line is None:
        return other_line(grain_type, grain_hash, fields, say)
    if full and grain_type == "observation":
        fields = reading.observed(fields)
    whole = line(fields, say) or LINES[grain_type](fields, say)
    if not full:
        return whole
    return whole + with_rest(grain_type, fields, shown_by(grain_type, fields), say)


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
    """Return which of a type's own texts its plain line shows."""
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
    """Return the names of a type's own texts that are not among those shown."""
    names = [name for name in _OWN.get(grain_type, ()) if name not in shown]
    return reading.present(fields, *names)


def with_rest(grain_type: str, fields: Fields, shown: Collection[str], say: Say) -> str:
    """Return what follows a line so that it shows every text of the type's own.

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
    added = (_ADDED.get(n, f" ({n}: {{}})").format(say(text(fields, n))) for n in names)
    return "".join(added) + (f" ({numbers})" if numbers else "")


def progress(fields: Fields) -> str:
    """Return how much of a goal is done, in whole percent, or the empty string."""
    done = reading.number(fields, "progress")
    return "" if done is None else f"{done * 100:.0f}% done"


def mastery(fields: Fields) -> str:
    """Return how well a skill is known, 0..1, and how often it was practised, as far as known."""
    level, times = reading.number(fields, "proficiency"), reading.count(fields, "practice_count")
    if level is not None:
        return f"proficiency {level:.2f}, practised {times}×"
    return f"practised {times}×" if times else ""
