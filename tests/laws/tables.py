"""What each type shows, told from the tables of the design and from nothing in the package.

A line is a list of parts: a plain string is ours, a `Said` is a value. What a format makes of a
value is no business of this module.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

Fields = Mapping[str, Any]


class Value(str):
    """A value of the hit, as it is."""

    __slots__ = ()


Parts = list[str]
Element = tuple[str, list[tuple[str, str]], list[Any]]
"""A tag, its attributes in order, and its texts and elements."""


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def as_text(value: object) -> str:
    return value if isinstance(value, str) else compact(value)


def day(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d") if moment else ""


def string(fields: Fields, name: str, default: str = "") -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else default


def first(fields: Fields, *names: str) -> str:
    return next((v for n in names if (v := string(fields, n))), "")


def number(fields: Fields, name: str) -> float | None:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) < 1e300 else None  # what is past it counts as no number


def confidence(fields: Fields) -> float | None:
    """Return the confidence, 0..1: a number up to 100, with or without a percent sign as text."""
    value = fields.get("confidence")
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,20})?)\s*(%?)\s*", value, re.ASCII)
        value = found and (float(found[1]) / 100 if found[2] else float(found[1]))
        if found and found[2]:
            return round(value, 6) if value is not None and value <= 1 else None
    sure = number({"": value}, "")
    if sure is None or not 0 <= sure <= 100:
        return None
    return round(sure / 100, 6) if sure > 1 else sure


def whole(fields: Fields, name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def length(fields: Fields, name: str) -> int:
    value = fields.get(name)
    return len(value) if isinstance(value, list) else 0


def is_true(fields: Fields, name: str) -> bool:
    return fields.get(name) is True


def blocks(fields: Fields) -> list[dict[str, Any]]:
    found = fields.get("content_blocks")
    kinds = ("text", "tool_use", "tool_result")
    usable = found if isinstance(found, list) else []
    return [b for b in usable if isinstance(b, dict) and b.get("type") in kinds]


def block_text(block: dict[str, Any]) -> str:
    if block["type"] == "text":
        return string(block, "text")
    if block["type"] == "tool_use":
        return f"{string(block, 'name')}({compact(block.get('input', {}))})"
    return as_text(block.get("content", ""))


def event_text(fields: Fields) -> str:
    content = string(fields, "content")
    if content.strip():
        return content
    return " ".join(map(block_text, blocks(fields))) or content


def speaker(fields: Fields) -> str:
    return first(fields, "relation", "role", "speaker")


def tool_text(fields: Fields) -> str:
    error = ["error"] if is_true(fields, "is_error") else []
    return first(fields, *error, "tool_content", "content")


def context_of(fields: Fields) -> dict[str, Any] | None:
    context = fields.get("context")
    return context if isinstance(context, dict) else None


def state_label(fields: Fields) -> str:
    context = context_of(fields)
    if context is None:
        return "state"
    return first(context, "label", "description", "title", "name") or f"{len(context)} keys"


def joined(pieces: Iterable[Sequence[str]], between: str) -> Parts:
    out: Parts = []
    for piece in pieces:
        out += [between, *piece] if out else [*piece]
    return out


def observation(fields: Fields) -> Parts:
    shown = [[Value(v)] for name in ("subject", "object") if (v := string(fields, name))]
    return joined(shown, ": ")


def topology(fields: Fields) -> Parts:
    edges = fields.get("edges")
    if not isinstance(edges, list) or not edges:
        nodes = fields.get("nodes")
        names = nodes if isinstance(nodes, list) else []
        return joined(([Value(n)] for n in names if isinstance(n, str)), ", ")
    pieces = []
    for edge in edges[:12]:
        if not isinstance(edge, dict):
            continue
        src, dst, when = edge.get("src"), edge.get("dst"), edge.get("cond")
        if not (isinstance(src, str) and isinstance(dst, str)):
            continue
        piece = [Value(src), " -> ", Value(dst)]
        if isinstance(when, str):
            piece += [" [when ", Value(when), "]"]
        most = edge.get("max_cycles")
        if isinstance(most, int) and not isinstance(most, bool):
            piece.append(f" [max {most}x]")
        pieces.append(piece)
    if len(edges) > 12:
        pieces.append([f"… +{len(edges) - 12} more"])
    return joined(pieces, "; ")


def pairs_of(args: object, between: str) -> Parts:
    found = args if isinstance(args, dict) else {}
    return joined(([Value(k), "=", Value(as_text(found[k]))] for k in sorted(found)), between)


def args_of(fields: Fields) -> object:
    summary = fields.get("summary")
    return summary.get("args") if isinstance(summary, dict) else None


def recommendation(fields: Fields) -> Parts:
    body = Value(string(fields, "target_ref", "recommendation"))
    return pairs_of(args_of(fields), ", ") or [body]


def trigger_text(fields: Fields) -> str:
    schedule = [v for n in ("connector", "cron") if (v := string(fields, n))]
    return first(fields, "description", "name") or " ".join(schedule) or string(fields, "workflow")


def listed(fields: Fields) -> list[tuple[str, str]]:
    never = {
        "type", "namespace", "created_at", "confidence", "derived_from", "superseded_by",
        "observer_id", "observer_type",
    }  # fmt: skip
    return [(name, as_text(fields[name])) for name in sorted(fields) if name not in never]


def listing(fields: Fields, without: Iterable[str] = ()) -> Parts:
    shown = set(without)
    rest = [(k, v) for k, v in listed(fields) if k not in shown]
    return joined(([Value(k), ": ", Value(v)] for k, v in rest), ", ")


def others(fields: Fields, shown: Iterable[str]) -> Parts:
    """Return what a line leaves out of an unknown type: its other fields, in brackets."""
    rest = listing(fields, shown)
    return [" (", *rest, ")"] if rest else []


def details(fields: Fields) -> list[tuple[str, str]]:
    """Return what a document shows beside its text, in the order of its fields."""
    never = {
        "type", "content", "namespace", "created_at", "confidence", "verification_status",
        "derived_from", "superseded_by", "structural_tags",
    }  # fmt: skip
    filled = [(k, v) for k, v in fields.items() if k not in never and v is not None and v != ""]
    return [(k, as_text(v)) for k, v in filled]


def document(fields: Fields, *, bold: bool = False) -> Parts:
    """Return what stands before a document's text, the colon included."""
    around = ["**"] if bold else []
    title: Parts = []
    source: list[Parts] = []
    rest: list[Parts] = []
    for name, value in details(fields):
        if name == "title":
            title = [*around, Value(value), *around]
        elif name == "source":
            source = [[Value(value)]]
        else:
            rest.append([Value(name), " ", Value(value)])
    inside = joined([*source, *rest], ", ")
    bracket = ["(", *inside, ")"] if inside else []
    head = joined([part for part in (title, bracket) if part], " ")
    return [*head, ": "] if head else []


def votes(fields: Fields, otherwise: str) -> Parts:
    agreed, dissent = whole(fields, "agreement_count"), whole(fields, "dissent_count")
    body = string(fields, "agreed_content")
    line: Parts = [Value(body)] if body else [otherwise]
    return [*line, f" ({agreed} agreed, {dissent} dissent)"] if agreed or dissent else line


# --- the line that survives a squeezed budget -------------------------------------------------


def clip(text: str, size: int) -> str:
    raw = text.encode()
    if len(raw) <= size:
        return text
    return raw[: size - 3].decode(errors="ignore") + "…"


def _observed(fields: Fields) -> Parts:
    subject = string(fields, "subject")
    about = [": ", Value(subject)] if subject else []
    return [Value(string(fields, "observer_id", "?")), *about]


def _goal(fields: Fields) -> Parts:
    priority = Value(string(fields, "priority", "medium"))
    state, body = string(fields, "goal_state", "active"), string(fields, "description", "?")
    return ["[", priority, "/", Value(state), "] ", Value(body)]


def _consent(fields: Fields) -> Parts:
    verb = " withdraws" if is_true(fields, "is_withdrawal") else " grants"
    scope = string(fields, "scope")
    return [
        Value(string(fields, "subject_did", "?")),
        verb,
        *([" ", Value(scope)] if scope else []),
    ]


def _skill(fields: Fields) -> Parts:
    domain = string(fields, "domain")
    return [Value(string(fields, "name", "?")), *([" [", Value(domain), "]"] if domain else [])]


def _advice(fields: Fields) -> Parts:
    return ["[", Value(string(fields, "severity", "info")), "] ", *recommendation(fields)]


def _trigger(fields: Fields) -> Parts:
    kind, body = string(fields, "kind"), trigger_text(fields)
    shown: list[Parts] = [["[", Value(kind), "]"] if kind else [], [Value(body)] if body else []]
    return joined([part for part in shown if part], " ") or ["trigger"]


def _tool_status(fields: Fields) -> Parts:
    result = "FAIL" if is_true(fields, "is_error") else "OK"
    return [Value(string(fields, "tool_name", "unknown")), f" [{result}]"]


def _flow(fields: Fields) -> Parts:
    counts = f" ({length(fields, 'nodes')} nodes, {length(fields, 'edges')} edges)"
    return [Value(string(fields, "trigger", "workflow")), counts]


TRIPLE = ("subject", "relation", "object")


def _triple(fields: Fields, default: str) -> Parts:
    return joined(([Value(string(fields, n, default))] for n in TRIPLE), " ")


SUMMARIES: dict[str, Callable[[Fields], Parts]] = {
    "fact": lambda f: _triple(f, "?"),
    "event": lambda f: [Value(event_text(f))],
    "state": lambda f: [Value(state_label(f))],
    "workflow": _flow,
    "tool": _tool_status,
    "observation": _observed,
    "goal": _goal,
    "reasoning": lambda f: [Value(string(f, "conclusion", "reasoning"))],
    "consensus": lambda f: [Value(string(f, "agreed_content", "consensus"))],
    "consent": _consent,
    "skill": _skill,
    "recommendation": _advice,
    "trigger": _trigger,
}


def _unknown(kind: str, digest: str, fields: Fields) -> Parts:
    if first(fields, *TRIPLE):
        strings = [name for name in TRIPLE if isinstance(fields.get(name), str)]
        return [*_triple(fields, ""), *others(fields, strings)]
    content = string(fields, "content")
    if content:
        return [Value(content), *others(fields, ["content"])]
    return listing(fields) or ["[", Value(kind), ": ", Value(digest[:8]), "]"]


def summary(kind: str, digest: str, fields: Fields) -> Parts:
    """Return the summary of any type but document, white space folded."""
    if kind == "event":
        return [Value(" ".join(clip(event_text(fields), 80).split()))]
    parts = SUMMARIES[kind](fields) if kind in SUMMARIES else _unknown(kind, digest, fields)
    return folded(parts)


def folded(parts: Parts) -> Parts:
    """Return the parts, each value on one line."""
    return [Value(" ".join(p.split())) if isinstance(p, Value) else p for p in parts]


# --- what the level full adds -----------------------------------------------------------------

OF_TYPE = {
    "workflow": "name",
    "tool": "error tool_content content",
    "observation": "subject object content observer_id",
    "goal": "subject description criteria",
    "reasoning": "inference_method",
    "consensus": "threshold",
    "consent": "grantee_did",
    "skill": "domain description",
    "trigger": "description name connector cron workflow scope",
}
AROUND = {
    "observer_id": (" (observer: ", ")"),
    "tool_content": (" (content: ", ")"),
    "inference_method": (" (", ")"),
    "grantee_did": (" to ", ""),
    "domain": (" [", "]"),
    "goal_state": (" (state: ", ")"),
}


def missing(kind: str, fields: Fields, shown: Iterable[str]) -> list[str]:
    """Return a type's own texts that a line does not show."""
    there = set(shown)
    return [n for n in OF_TYPE.get(kind, "").split() if n not in there and string(fields, n)]


def tool_field(fields: Fields) -> list[str]:
    error = ["error"] if is_true(fields, "is_error") else []
    return [n for n in (*error, "tool_content", "content") if string(fields, n)][:1]


def trigger_fields(fields: Fields) -> list[str]:
    for names in (["description"], ["name"], ["connector", "cron"], ["workflow"]):
        found = [n for n in names if string(fields, n)]
        if found:
            return found
    return []


def seen(fields: Fields) -> Fields:
    """Return an observation whose content stands for the object that it has not."""
    content, by = string(fields, "content"), string(fields, "observer_type")
    whole = {**fields, "object": content} if content and not string(fields, "object") else fields
    return {**whole, "observer_id": by} if by and not string(fields, "observer_id") else whole


def observer(fields: Fields) -> str:
    return first(fields, "observer_id", "observer_type") or string(fields, "observer_id", "?")


def twice(fields: Fields) -> list[str]:
    return ["content"] if string(fields, "content") == string(fields, "object") else []


def done(fields: Fields) -> str:
    progress = number(fields, "progress")
    return "" if progress is None else f"{progress * 100:.0f}% done"


def known(fields: Fields) -> str:
    level, times = number(fields, "proficiency"), whole(fields, "practice_count")
    if level is not None:
        return f"proficiency {level:.2f}, practised {times}×"
    return f"practised {times}×" if times else ""


def completed(kind: str, fields: Fields, shown: Iterable[str], *, lacks: bool = True) -> Parts:
    """Return what follows a line at the level full; `lacks`: a skill's line is as Markdown's."""
    there = set(shown)
    names, numbers = missing(kind, fields, there), ""
    if kind == "goal" and names:
        names += [n for n in ("goal_state", "priority") if n not in there and string(fields, n)]
        numbers = "" if "progress" in there else done(fields)
    if kind == "skill" and not there & {"proficiency", "practice_count"}:
        numbers = known(fields) if names or not lacks or "domain" in there else ""
    parts: Parts = []
    for name in names:
        before, after = AROUND.get(name, (f" ({name}: ", ")"))
        parts += [before, Value(string(fields, name)), after]
    return [*parts, f" ({numbers})"] if numbers else parts


# --- plain text -------------------------------------------------------------------------------


def _plain_skill(fields: Fields) -> Parts:
    name, domain = string(fields, "name"), string(fields, "domain")
    body = string(fields, "description")
    shown: list[Parts] = [[Value(name)]] if name else []
    shown += [["[", Value(domain), "]"]] if domain else []
    line: list[Parts] = [joined(shown, " "), [Value(body)] if body else []]
    return joined([part for part in line if part], ": ")


def _plain_flow(fields: Fields) -> Parts:
    trigger = string(fields, "trigger", "workflow")
    name = string(fields, "name") or trigger
    flow = topology(fields)
    return [Value(name), " (on: ", Value(trigger), ")", *([": ", *flow] if "".join(flow) else [])]


def _plain_event(fields: Fields) -> Parts:
    by, body = speaker(fields), Value(event_text(fields))
    return [Value(by), ": ", body] if by else [body]


def _plain_tool(fields: Fields) -> Parts:
    body = tool_text(fields)
    return [*_tool_status(fields), *([": ", Value(body)] if body else [])]


def _plain_advice(fields: Fields) -> Parts:
    target = string(fields, "target_ref")
    return [*_advice(fields), *([" -> ", Value(target)] if target else [])]


PLAIN: dict[str, Callable[[Fields], Parts]] = {
    **SUMMARIES,
    "fact": lambda f: _triple(f, "" if first(f, "subject", "relation", "object") else "?"),
    "event": _plain_event,
    "observation": lambda f: observation(f) or [Value(observer(f))],
    "tool": _plain_tool,
    "skill": _plain_skill,
    "workflow": _plain_flow,
    "consensus": lambda f: votes(f, "Consensus"),
    "recommendation": _plain_advice,
    "document": lambda f: [*document(f), Value(string(f, "content"))],
}


def _plain_shown(kind: str, fields: Fields) -> list[str]:
    if kind == "observation":
        both = [n for n in ("subject", "object") if string(fields, n)]
        return [*both, *twice(fields)] if both else ["observer_id"]
    by_type = {
        "tool": tool_field(fields),
        "trigger": trigger_fields(fields),
        "goal": ["description", "goal_state", "priority"],
        "skill": ["domain", "description"],
        "workflow": ["name"],
    }
    return by_type.get(kind, [])


def plain(kind: str, digest: str, fields: Fields, level: str = "none") -> Parts:
    """Return the line of a grain, whole, in plain text."""
    if kind not in PLAIN:
        return _unknown(kind, digest, fields)
    if level == "full" and kind == "observation":
        fields = seen(fields)
    line = PLAIN[kind](fields)
    line = line if "".join(line) or kind == "document" else SUMMARIES[kind](fields)
    if level != "full":
        return line
    return [*line, *completed(kind, fields, _plain_shown(kind, fields), lacks=False)]


# --- Markdown ---------------------------------------------------------------------------------


def _bold(value: str) -> Parts:
    return ["**", Value(value), "**"]


Shape = tuple[Parts, list[str]]
"""A line, and the fields that it shows."""

TEXTS = ("content", "body", "tool_content", "description")


def _text_of(fields: Fields, *names: str) -> list[str]:
    return [n for n in names if string(fields, n)][:1]


def _rules_4_to_8(fields: Fields, *last: str) -> Shape:
    of = _text_of(fields, *TEXTS, *last)
    content = string(fields, of[0]) if of else ""
    name, subject, relation = (string(fields, n) for n in ("name", "subject", "relation"))
    if name:
        level, times = number(fields, "proficiency"), fields.get("practice_count")
        skilled = ["proficiency"] if level is not None else []
        if skilled and isinstance(times, int) and not isinstance(times, bool):
            skilled.append("practice_count")
        line = [*_bold(name), *([" — ", Value(content)] if content else [])]
        return [*line, f" ({known(fields)})" if skilled else ""], ["name", *of, *skilled]
    if subject and content:
        state, far = string(fields, "goal_state"), done(fields)
        tail: Parts = [" (", Value(state), f", {far})" if far else ")"] if state else []
        about = [n for n, there in (("goal_state", state), ("progress", state and far)) if there]
        return [*_bold(subject), ": ", Value(content), *tail], ["subject", *of, *about]
    if content and relation:
        return [*_bold(relation), ": ", Value(content)], ["relation", *of]
    if content:
        return [Value(content)], of
    if subject:
        return _bold(subject), ["subject"]
    return listing(fields), [name for name, _ in listed(fields)]


def _called(fields: Fields, of: list[str]) -> Shape:
    verb = " failed" if is_true(fields, "is_error") else " returned"
    flag = ["is_error"] if isinstance(fields.get("is_error"), bool) else []
    content: Parts = [": ", Value(string(fields, of[0]))] if of else []
    return [*_bold(string(fields, "tool_name")), verb, *content], ["tool_name", *of, *flag]


def _by_shape(fields: Fields) -> Shape:
    subject, relation, found = (string(fields, n) for n in TRIPLE)
    content = string(fields, "content")
    if subject and relation and found:
        return [*_bold(subject), " ", Value(relation), " ", Value(found)], [*TRIPLE]
    if content and relation:
        return [*_bold(relation), ": ", Value(content)], ["relation", "content"]
    if string(fields, "tool_name"):
        return _called(fields, _text_of(fields, *TEXTS))
    return _rules_4_to_8(fields)


def _md_fact(fields: Fields, level: str) -> Shape:
    line, shown = _by_shape(fields)
    parts = [n for n in TRIPLE if string(fields, n)]
    turned = parts == ["relation", "object"] and level == "full"
    if set(parts) <= set(shown) and not turned:
        return line, shown
    parts += [] if "object" in parts else _text_of(fields, *TEXTS)
    values = [string(fields, n) for n in parts]
    first_one = _bold(values[0]) if parts[0] == "subject" else [Value(values[0])]
    return joined([first_one, *([Value(v)] for v in values[1:])], " "), parts


def _md_event(fields: Fields) -> Parts:
    by, body = speaker(fields), Value(event_text(fields))
    return [*_bold(by), ": ", body] if by else [body]


def _md_observation(fields: Fields, level: str) -> Shape:
    fields = seen(fields) if level == "full" else fields
    subject, found = string(fields, "subject"), string(fields, "object")
    if subject and found:
        return [*_bold(subject), ": ", Value(found)], ["subject", "object", *twice(fields)]
    if level == "full" and not first(fields, "subject", "object", "name", *TEXTS):
        return [Value(observer(fields))], ["observer_id"]
    line, shown = _rules_4_to_8(fields, "object")
    return line, [*shown, "object", *twice(fields)] if twice(fields) else shown


def _md_tool(fields: Fields, level: str) -> Shape:
    if string(fields, "tool_name"):
        return _called(fields, tool_field(fields))
    return _rules_4_to_8(fields)


def _md_flow(fields: Fields) -> Parts:
    name, *rest = _plain_flow(fields)
    return [*_bold(name), *rest]


def _md_reasoning(fields: Fields) -> Parts:
    body, method = string(fields, "conclusion"), string(fields, "inference_method")
    parts: Parts = [Value(body)] if body else ["Reasoning"]
    parts += [" (", Value(method), ")"] if method else []
    return parts if body else [*parts, f" ({length(fields, 'premises')} premises)"]


def _md_consent(fields: Fields) -> Parts:
    verb = " withdraws" if is_true(fields, "is_withdrawal") else " grants"
    scope = string(fields, "scope")
    by = _bold(string(fields, "subject_did", "?"))
    return [*by, verb, *([" for ", Value(scope)] if scope else [])]


def _md_trigger(fields: Fields) -> Parts:
    kind, scope, body = string(fields, "kind"), string(fields, "scope"), trigger_text(fields)
    parts = [*_bold(kind), " trigger"] if kind else ["trigger"]
    parts += [": ", Value(body)] if body else []
    return [*parts, " (", Value(scope), ")"] if scope else parts


MARKDOWN: dict[str, Callable[[Fields], Parts]] = {
    "event": _md_event,
    "state": lambda f: ["**State**: ", Value(state_label(f))],
    "workflow": _md_flow,
    "reasoning": _md_reasoning,
    "consensus": lambda f: votes(f, "Consensus"),
    "consent": _md_consent,
    "recommendation": lambda f: [*_advice(f), " → `", Value(string(f, "target_ref")), "`"],
    "trigger": _md_trigger,
    "document": lambda f: [*document(f, bold=True), Value(string(f, "content"))],
}


def note(fields: Fields, created_at: int) -> str:
    """Return the note that trails a Markdown line."""
    sure = confidence(fields)
    shown = [
        f"{sure:.2f}" if sure is not None and sure < 1.0 else "",
        day(created_at),
        "superseded" if fields.get("superseded_by") is not None else "",
    ]
    body = ", ".join(part for part in shown if part)
    return f" *({body})*" if body else ""


SHAPED: dict[str, Callable[[Fields, str], Shape]] = {
    "fact": _md_fact,
    "observation": _md_observation,
    "tool": _md_tool,
    "goal": lambda f, level: _by_shape(f),
    "skill": lambda f, level: _by_shape(f),
}


def markdown(kind: str, digest: str, fields: Fields, created_at: int, level: str) -> Parts:
    """Return the line of a grain, whole, in Markdown, after its bullet."""
    if kind in MARKDOWN:
        more = {"reasoning": ["inference_method"], "trigger": ["scope"]}.get(kind, [])
        line, shown = MARKDOWN[kind](fields), [*_plain_shown(kind, fields), *more]
    elif kind in SHAPED:
        line, shown = SHAPED[kind](fields, level)
        if not "".join(line) and (kind != "observation" or not note(fields, created_at)):
            line = SUMMARIES[kind](fields)
            line = [Value(observer(fields))] if kind == "observation" else line
    else:
        line, shown = _by_shape(fields)
        line = [*(line if "".join(line) else _unknown(kind, digest, fields))]
        line += others(fields, shown)
    rest = completed(kind, fields, shown) if level == "full" else []
    return [*line, *rest, note(fields, created_at)]


# --- SML --------------------------------------------------------------------------------------

OUR_ATTRIBUTES = {
    "confidence", "date", "hash", "namespace", "status", "tags", "id", "session", "type", "name",
}  # fmt: skip
XML_NAME = re.compile(r"(?!xml)[a-z_][a-z0-9_.-]*", re.IGNORECASE | re.ASCII)


def attributes(
    kind: str, digest: str, fields: Fields, created_at: int, level: str
) -> list[tuple[str, str]]:
    """Return the attributes that any grain may carry."""
    if level == "none":
        return []
    sure = confidence(fields)
    out = [("confidence", "" if sure is None else f"{sure:.2f}"), ("date", day(created_at))]
    if level == "full":
        context = context_of(fields) or {}
        status = string(fields, "verification_status", string(context, "vstatus"))
        tags = fields.get("structural_tags") or fields.get("tags")
        named = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
        out += [("hash", digest[:16]), ("namespace", string(fields, "namespace"))]
        out += [("verification" if kind == "tool" else "status", status), ("tags", ",".join(named))]
    return [(name, value) for name, value in out if value]


def _block(block: dict[str, Any]) -> Element:
    if block["type"] == "text":
        return "text", [], [string(block, "text")]
    if block["type"] == "tool_use":
        args: Element = ("args", [("format", "json")], [compact(block.get("input", {}))])
        return "tool_use", [(n, string(block, n)) for n in ("name", "id")], [args]
    failed = "true" if is_true(block, "is_error") else "false"
    own = [("tool_use_id", string(block, "tool_use_id")), ("is_error", failed)]
    return "tool_result", own, [as_text(block.get("content", ""))]


def _sml_event(fields: Fields) -> Element:
    by = speaker(fields)
    body: list[Any] = [_block(block) for block in blocks(fields)] or [string(fields, "content")]
    return "event", [("role", by)] if by else [], body


def _sml_flow(fields: Fields) -> Element:
    bindings = fields.get("bindings")
    found = sorted(bindings.items()) if isinstance(bindings, dict) else []
    bound = ", ".join(f"{k}={v}" for k, v in found if isinstance(v, str))
    own = [("trigger", string(fields, "trigger", "workflow"))]
    own += [(name, str(length(fields, name))) for name in ("nodes", "edges")]
    own += [("bindings", bound)] if bound else []
    return "workflow", own, [*topology(fields)]


def _sml_tool(fields: Fields) -> Element:
    own = [("tool", string(fields, "tool_name", "unknown"))]
    own += [("status", "fail" if is_true(fields, "is_error") else "ok")]
    took = fields.get("duration_ms")
    timed = isinstance(took, int) and not isinstance(took, bool) and took >= 0
    return "tool", own, [tool_text(fields), f" ({took}ms)" if timed else ""]


def _sml_goal(fields: Fields) -> Element:
    own = [("state", string(fields, "goal_state", "active"))]
    own += [("priority", string(fields, "priority", "medium"))]
    body: list[Any] = [string(fields, "description", "?")]
    if isinstance(fields.get("criteria"), str):
        body.append(("criteria", [], [fields["criteria"]]))
    return "goal", own, body


def _sml_reasoning(fields: Fields) -> Element:
    conclusion, premises = string(fields, "conclusion"), length(fields, "premises")
    body: list[Any] = [("conclusion", [], [conclusion])] if conclusion else []
    body += [("premises", [("count", str(premises))], [])] if premises else []
    return "reasoning", [], body


def _sml_consent(fields: Fields) -> Element:
    own = [("action", "withdraws" if is_true(fields, "is_withdrawal") else "grants")]
    own += [("subject", string(fields, "subject_did", "?"))]
    scope = string(fields, "scope")
    body: list[Any] = [("scope", [], [scope])] if scope else []
    if isinstance(fields.get("grantee_did"), str):
        body.append(("grantee", [], [fields["grantee_did"]]))
    return "consent", own, body


def _sml_skill(fields: Fields) -> Element:
    own = [("name", string(fields, "name", "?"))]
    own += [("domain", fields["domain"])] if isinstance(fields.get("domain"), str) else []
    return "skill", own, [string(fields, "description")]


def _sml_advice(fields: Fields) -> Element:
    own = [("target", string(fields, "target_ref"))]
    own += [("severity", string(fields, "severity", "info"))]
    return "recommendation", own, [*recommendation(fields)]


def _sml_votes(fields: Fields) -> Element:
    own = [(f"{n}", str(whole(fields, k))) for n, k in (
        ("agreed", "agreement_count"), ("dissent", "dissent_count")
    )]  # fmt: skip
    return "consensus", own, [string(fields, "agreed_content")]


def _sml_trigger(fields: Fields) -> Element:
    own = [(n, fields[n]) for n in ("kind", "scope") if isinstance(fields.get(n), str)]
    return "trigger", own, [trigger_text(fields)]


def sml_document(fields: Fields) -> Element:
    own: dict[str, str] = {}
    children: list[Any] = []
    for key, value in details(fields):
        name = f"meta-{key}" if key.lower() in OUR_ATTRIBUTES else key
        if name.lower() in map(str.lower, own) or not XML_NAME.fullmatch(name):
            children.append(("field", [("name", key)], [value]))
        else:
            own[name] = value
    return "document", list(own.items()), children


SML: dict[str, Callable[[Fields], Element]] = {
    "fact": lambda f: ("fact", [], [*_triple(f, "?")]),
    "event": _sml_event,
    "state": lambda f: ("state", [], [state_label(f)]),
    "workflow": _sml_flow,
    "tool": _sml_tool,
    "observation": lambda f: (
        "observation", [("observer", string(f, "observer_id", "?"))], [*observation(f)]
    ),
    "goal": _sml_goal,
    "reasoning": _sml_reasoning,
    "consensus": _sml_votes,
    "consent": _sml_consent,
    "skill": _sml_skill,
    "recommendation": _sml_advice,
    "trigger": _sml_trigger,
}  # fmt: skip


def sml(kind: str, digest: str, fields: Fields, created_at: int, level: str) -> Element:
    """Return the element of a grain, whole."""
    shared = attributes(kind, digest, fields, created_at, level)
    if kind == "document":
        tag, own, body = sml_document(fields)
        return tag, [*own, *shared], [*body, string(fields, "content")]
    if kind in SML:
        if level == "full" and kind == "observation":
            fields = seen(fields)
        tag, own, body = SML[kind](fields)
        if level == "full":
            more, children = _sml_more(kind, fields)
            own, body = [*own, *more], [*body, *children]
            body = body if own or any(body) else [*SUMMARIES[kind](fields)]
        return tag, [*own, *shared], body
    body = [("field", [("name", name)], [value]) for name, value in listed(fields)]
    if level == "full" and not body:
        body = [*_unknown(kind, digest, fields)]
    return "grain", [("type", kind), *shared], body


def _sml_more(kind: str, fields: Fields) -> tuple[list[tuple[str, str]], list[Any]]:
    """Return the attributes and children that the level full adds."""
    there = {
        "workflow": [],
        "observation": ["subject", "object", "content", "observer_id"],
        "goal": ["description", "criteria"],
        "consent": ["grantee_did"],
        "trigger": [*trigger_fields(fields), "scope"],
    }.get(kind, _plain_shown(kind, fields))
    names = missing(kind, fields, there)
    texts = {"error": "error", "tool_content": "content", "content": "content"}
    own = [(n, string(fields, n)) for n in names if n not in texts]
    if kind == "goal" and names and done(fields):
        own.append(("progress", done(fields)))
    level, times = number(fields, "proficiency"), whole(fields, "practice_count")
    if kind == "skill" and level is not None and times:
        own += [("proficiency", f"{level:.2f}"), ("practice_count", str(times))]
    return own, [(texts[n], [], [string(fields, n)]) for n in names if n in texts]


# --- TOON -------------------------------------------------------------------------------------


def _toon_state(fields: Fields) -> list[Any]:
    label, context = state_label(fields), context_of(fields) or {}
    names = sorted(set(context) - {"label", "description", "title", "name"})[:3]
    return [label, "; ".join(f"{n}={as_text(context[n])}" for n in names) or label]


def _toon_flow(fields: Fields) -> list[Any]:
    counts = f"{length(fields, 'nodes')} nodes, {length(fields, 'edges')} edges"
    return [string(fields, "trigger"), "".join(topology(fields)) or counts]


def _toon_goal(fields: Fields) -> list[Any]:
    body = string(fields, "description")
    state = string(fields, "goal_state", string(fields, "state", "active"))
    return [string(fields, "subject", body), body, state]


def _toon_votes(fields: Fields) -> list[Any]:
    threshold, body = string(fields, "threshold", "-"), string(fields, "agreed_content")
    return [threshold, whole(fields, "agreement_count"), body]


def _toon_consent(fields: Fields) -> list[Any]:
    verb = "withdraws" if is_true(fields, "is_withdrawal") else "grants"
    return [
        string(fields, "subject_did"), string(fields, "grantee_did"), verb, string(fields, "scope")
    ]  # fmt: skip


TOON: dict[str, tuple[str, Callable[[Fields], list[Any]]]] = {
    "fact": (
        "subject content confidence",
        lambda f: [
            string(f, "subject"),
            " ".join(v for n in ("relation", "object") if (v := string(f, n))),
            confidence(f),
        ],
    ),
    "goal": ("subject content state", _toon_goal),
    "tool": (
        "tool phase content",
        lambda f: [
            string(f, "tool_name", "unknown"),
            "fail" if is_true(f, "is_error") else "ok",
            tool_text(f),
        ],
    ),
    "observation": (
        "observer content",
        lambda f: [string(f, "observer_id", "?"), "".join(observation(f))],
    ),
    "reasoning": (
        "type content",
        lambda f: [string(f, "inference_method", "reasoning"), string(f, "conclusion")],
    ),
    "state": ("context content", _toon_state),
    "workflow": ("name content", _toon_flow),
    "consensus": ("threshold count content", _toon_votes),
    "consent": ("grantor grantee action content", _toon_consent),
    "skill": (
        "name domain proficiency",
        lambda f: [string(f, "name"), string(f, "domain"), number(f, "proficiency")],
    ),
    "recommendation": (
        "target_ref severity content",
        lambda f: [
            string(f, "target_ref"),
            string(f, "severity") or "info",
            "".join(pairs_of(args_of(f), "; ")),
        ],
    ),
    "trigger": ("kind content", lambda f: [string(f, "kind"), trigger_text(f)]),
    "document": (
        "source title content",
        lambda f: [
            *(dict(details(f)).get(n, "") for n in ("source", "title")),
            string(f, "content"),
        ],
    ),
}


def toon(kind: str, digest: str, fields: Fields, created_at: int) -> dict[str, Any]:
    """Return the row of a grain: its columns with their values."""
    if kind == "event":
        speaker_name = string(fields, "role", string(fields, "speaker", "user"))
        time = string(fields, "created_at", day(created_at))
        return {"role": speaker_name, "time": time, "content": event_text(fields)}
    if kind not in TOON:
        return {"content": "".join(plain(kind, digest, fields))}
    columns, cells = TOON[kind]
    return dict(zip(columns.split(), cells(fields), strict=True))
