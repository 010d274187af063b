"""The one line that survives a squeezed budget, and the plain line of a grain shown whole.

Both are put together from the same words; `say` decides whether white space is folded and how a
value is escaped.
"""

from __future__ import annotations

from collections.abc import Callable

from areev_context.hits import fields as reading
from areev_context.hits.fields import Fields, text
from areev_context.text.clean import Say, clip, fold

__all__ = ["consensus_line", "document_line", "plain_line", "summary_line"]

_EVENT_BYTES = 80


def _triple(fields: Fields, say: Say) -> str:
    return " ".join(say(text(fields, name, "?")) for name in ("subject", "relation", "object"))


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
    return f"[{say(kind)}]" if kind else say(found)


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
    triple = [text(fields, name) for name in ("subject", "relation", "object")]
    if any(triple):
        return " ".join(say(part) for part in triple)
    if text(fields, "content"):
        return say(text(fields, "content"))
    listed = ", ".join(f"{say(k)}: {say(v)}" for k, v in reading.other_fields(fields))
    return listed or f"[{say(grain_type)}: {say(grain_hash[:8])}]"


def summary_line(grain_type: str, grain_hash: str, fields: Fields, say: Say) -> str:
    """Return the summary of a grain that is no document, clipped where its type says so."""
    if grain_type == "event":
        return _event(fields, lambda value: say(clip(fold(value), _EVENT_BYTES)))
    line = LINES.get(grain_type)
    return line(fields, say) if line else other_line(grain_type, grain_hash, fields, say)


def _whole_fact(fields: Fields, say: Say) -> str:
    triple = [text(fields, name) for name in ("subject", "relation", "object")]
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


def plain_line(grain_type: str, grain_hash: str, fields: Fields, say: Say) -> str:
    """Return a grain, whole, as plain text says it: one line where its values are of one line."""
    if grain_type == "document":
        return document_line(fields, text(fields, "content"), say)
    line = _WHOLE.get(grain_type) or LINES.get(grain_type)
    return line(fields, say) if line else other_line(grain_type, grain_hash, fields, say)
