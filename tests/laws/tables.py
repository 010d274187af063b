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


class Said(str):
    """A value of the hit, as it is."""

    __slots__ = ()


Parts = list[str]
Element = tuple[str, list[tuple[str, str]], list[Any]]
"""A tag, its attributes in order, and its texts and elements."""


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def spoken(value: object) -> str:
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
    return spoken(block.get("content", ""))


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
    shown = [[Said(v)] for name in ("subject", "object") if (v := string(fields, name))]
    return joined(shown, ": ")


def topology(fields: Fields) -> Parts:
    edges = fields.get("edges")
    if not isinstance(edges, list) or not edges:
        nodes = fields.get("nodes")
        names = nodes if isinstance(nodes, list) else []
        return joined(([Said(n)] for n in names if isinstance(n, str)), ", ")
    pieces = []
    for edge in edges[:12]:
        if not isinstance(edge, dict):
            continue
        src, dst, when = edge.get("src"), edge.get("dst"), edge.get("cond")
        if not (isinstance(src, str) and isinstance(dst, str)):
            continue
        piece = [Said(src), " -> ", Said(dst)]
        if isinstance(when, str):
            piece += [" [when ", Said(when), "]"]
        most = edge.get("max_cycles")
        if isinstance(most, int) and not isinstance(most, bool):
            piece.append(f" [max {most}x]")
        pieces.append(piece)
    if len(edges) > 12:
        pieces.append([f"… +{len(edges) - 12} more"])
    return joined(pieces, "; ")


def pairs_of(args: object, between: str) -> Parts:
    found = args if isinstance(args, dict) else {}
    return joined(([Said(k), "=", Said(spoken(found[k]))] for k in sorted(found)), between)


def args_of(fields: Fields) -> object:
    summary = fields.get("summary")
    return summary.get("args") if isinstance(summary, dict) else None


def recommendation(fields: Fields) -> Parts:
    said = Said(string(fields, "target_ref", "recommendation"))
    return pairs_of(args_of(fields), ", ") or [said]


def trigger_text(fields: Fields) -> str:
    schedule = [v for n in ("connector", "cron") if (v := string(fields, n))]
    return first(fields, "description", "name") or " ".join(schedule) or string(fields, "workflow")


def listed(fields: Fields) -> list[tuple[str, str]]:
    never = {
        "type", "namespace", "created_at", "confidence", "derived_from", "superseded_by",
        "observer_id", "observer_type",
    }  # fmt: skip
    return [(name, spoken(fields[name])) for name in sorted(fields) if name not in never]


def listing(fields: Fields) -> Parts:
    return joined(([Said(k), ": ", Said(v)] for k, v in listed(fields)), ", ")


def details(fields: Fields) -> list[tuple[str, str]]:
    """Return what a document shows beside its text, in the order of its fields."""
    never = {
        "type", "content", "namespace", "created_at", "confidence", "verification_status",
        "derived_from", "superseded_by", "structural_tags",
    }  # fmt: skip
    kept = [(k, v) for k, v in fields.items() if k not in never and v is not None and v != ""]
    return [(k, spoken(v)) for k, v in kept]


def document(fields: Fields, *, bold: bool = False) -> Parts:
    """Return what stands before a document's text, the colon included."""
    around = ["**"] if bold else []
    title: Parts = []
    source: list[Parts] = []
    rest: list[Parts] = []
    for name, value in details(fields):
        if name == "title":
            title = [*around, Said(value), *around]
        elif name == "source":
            source = [[Said(value)]]
        else:
            rest.append([Said(name), " ", Said(value)])
    inside = joined([*source, *rest], ", ")
    bracket = ["(", *inside, ")"] if inside else []
    head = joined([part for part in (title, bracket) if part], " ")
    return [*head, ": "] if head else []


def votes(fields: Fields, otherwise: str) -> Parts:
    agreed, dissent = whole(fields, "agreement_count"), whole(fields, "dissent_count")
    said = string(fields, "agreed_content")
    line: Parts = [Said(said)] if said else [otherwise]
    return [*line, f" ({agreed} agreed, {dissent} dissent)"] if agreed or dissent else line


# --- the line that survives a squeezed budget -------------------------------------------------


def clip(text: str, size: int) -> str:
    raw = text.encode()
    if len(raw) <= size:
        return text
    return raw[: size - 3].decode(errors="ignore") + "…"


def _observed(fields: Fields) -> Parts:
    subject = string(fields, "subject")
    about = [": ", Said(subject)] if subject else []
    return [Said(string(fields, "observer_id", "?")), *about]


def _goal(fields: Fields) -> Parts:
    priority = Said(string(fields, "priority", "medium"))
    state, said = string(fields, "goal_state", "active"), string(fields, "description", "?")
    return ["[", priority, "/", Said(state), "] ", Said(said)]


def _consent(fields: Fields) -> Parts:
    verb = " withdraws" if is_true(fields, "is_withdrawal") else " grants"
    scope = string(fields, "scope")
    return [Said(string(fields, "subject_did", "?")), verb, *([" ", Said(scope)] if scope else [])]


def _skill(fields: Fields) -> Parts:
    domain = string(fields, "domain")
    return [Said(string(fields, "name", "?")), *([" [", Said(domain), "]"] if domain else [])]


def _advice(fields: Fields) -> Parts:
    return ["[", Said(string(fields, "severity", "info")), "] ", *recommendation(fields)]


def _trigger(fields: Fields) -> Parts:
    kind, said = string(fields, "kind"), trigger_text(fields)
    shown: list[Parts] = [["[", Said(kind), "]"] if kind else [], [Said(said)] if said else []]
    return joined([part for part in shown if part], " ")


def _verdict(fields: Fields) -> Parts:
    verdict = "FAIL" if is_true(fields, "is_error") else "OK"
    return [Said(string(fields, "tool_name", "unknown")), f" [{verdict}]"]


def _flow(fields: Fields) -> Parts:
    counts = f" ({length(fields, 'nodes')} nodes, {length(fields, 'edges')} edges)"
    return [Said(string(fields, "trigger", "workflow")), counts]


def _triple(fields: Fields, default: str) -> Parts:
    names = ("subject", "relation", "object")
    return joined(([Said(string(fields, n, default))] for n in names), " ")


SUMMARIES: dict[str, Callable[[Fields], Parts]] = {
    "fact": lambda f: _triple(f, "?"),
    "event": lambda f: [Said(event_text(f))],
    "state": lambda f: [Said(state_label(f))],
    "workflow": _flow,
    "tool": _verdict,
    "observation": _observed,
    "goal": _goal,
    "reasoning": lambda f: [Said(string(f, "conclusion", "reasoning"))],
    "consensus": lambda f: [Said(string(f, "agreed_content", "consensus"))],
    "consent": _consent,
    "skill": _skill,
    "recommendation": _advice,
    "trigger": _trigger,
}


def _unknown(kind: str, digest: str, fields: Fields) -> Parts:
    if first(fields, "subject", "relation", "object"):
        return _triple(fields, "")
    content = string(fields, "content")
    if content:
        return [Said(content)]
    return listing(fields) or ["[", Said(kind), ": ", Said(digest[:8]), "]"]


def summary(kind: str, digest: str, fields: Fields) -> Parts:
    """Return the summary of any type but document, white space folded."""
    if kind == "event":
        return [Said(" ".join(clip(event_text(fields), 80).split()))]
    parts = SUMMARIES[kind](fields) if kind in SUMMARIES else _unknown(kind, digest, fields)
    return folded(parts)


def folded(parts: Parts) -> Parts:
    """Return the parts, each value on one line."""
    return [Said(" ".join(p.split())) if isinstance(p, Said) else p for p in parts]


# --- plain text -------------------------------------------------------------------------------


def _plain_skill(fields: Fields) -> Parts:
    name, domain = string(fields, "name"), string(fields, "domain")
    said = string(fields, "description")
    shown: list[Parts] = [[Said(name)]] if name else []
    shown += [["[", Said(domain), "]"]] if domain else []
    line: list[Parts] = [joined(shown, " "), [Said(said)] if said else []]
    return joined([part for part in line if part], ": ")


def _plain_flow(fields: Fields) -> Parts:
    trigger = string(fields, "trigger", "workflow")
    name = string(fields, "name") or trigger
    flow = topology(fields)
    return [Said(name), " (on: ", Said(trigger), ")", *([": ", *flow] if "".join(flow) else [])]


def _plain_event(fields: Fields) -> Parts:
    by, said = speaker(fields), Said(event_text(fields))
    return [Said(by), ": ", said] if by else [said]


def _plain_tool(fields: Fields) -> Parts:
    said = tool_text(fields)
    return [*_verdict(fields), *([": ", Said(said)] if said else [])]


def _plain_advice(fields: Fields) -> Parts:
    target = string(fields, "target_ref")
    return [*_advice(fields), *([" -> ", Said(target)] if target else [])]


PLAIN: dict[str, Callable[[Fields], Parts]] = {
    **SUMMARIES,
    "fact": lambda f: _triple(f, "" if first(f, "subject", "relation", "object") else "?"),
    "event": _plain_event,
    "observation": lambda f: observation(f) or [Said(string(f, "observer_id", "?"))],
    "tool": _plain_tool,
    "skill": _plain_skill,
    "workflow": _plain_flow,
    "consensus": lambda f: votes(f, "Consensus"),
    "recommendation": _plain_advice,
    "document": lambda f: [*document(f), Said(string(f, "content"))],
}


def plain(kind: str, digest: str, fields: Fields) -> Parts:
    """Return the line of a grain, whole, in plain text."""
    return PLAIN[kind](fields) if kind in PLAIN else _unknown(kind, digest, fields)


# --- Markdown ---------------------------------------------------------------------------------


def _bold(value: str) -> Parts:
    return ["**", Said(value), "**"]


def _proficiency(fields: Fields) -> str:
    level = number(fields, "proficiency")
    times = whole(fields, "practice_count")
    return "" if level is None else f" (proficiency {level:.2f}, practised {times}×)"


def _state_of(fields: Fields) -> Parts:
    state, progress = string(fields, "goal_state"), number(fields, "progress")
    done = "" if progress is None else f", {progress * 100:.0f}% done"
    return [" (", Said(state), f"{done})"] if state else []


def _rules_4_to_8(fields: Fields, last: str = "") -> Parts:
    said = first(fields, "content", "body", "tool_content", "description") or last
    name, subject = string(fields, "name"), string(fields, "subject")
    relation = string(fields, "relation")
    if name:
        return [*_bold(name), *([" — ", Said(said)] if said else []), _proficiency(fields)]
    if subject and said:
        return [*_bold(subject), ": ", Said(said), *_state_of(fields)]
    if said:
        return [*(_bold(relation) if relation else []), ": " if relation else "", Said(said)]
    return _bold(subject) if subject else listing(fields)


def _called(fields: Fields, said: str) -> Parts:
    verb = " failed" if is_true(fields, "is_error") else " returned"
    return [*_bold(string(fields, "tool_name")), verb, *([": ", Said(said)] if said else [])]


def _by_shape(fields: Fields) -> Parts:
    subject, relation, found = (string(fields, n) for n in ("subject", "relation", "object"))
    content = string(fields, "content")
    if subject and relation and found:
        return [*_bold(subject), " ", Said(relation), " ", Said(found)]
    if content and relation:
        return [*_bold(relation), ": ", Said(content)]
    if string(fields, "tool_name"):
        return _called(fields, first(fields, "content", "body", "tool_content", "description"))
    return _rules_4_to_8(fields)


def _md_event(fields: Fields) -> Parts:
    by, said = speaker(fields), Said(event_text(fields))
    return [*_bold(by), ": ", said] if by else [said]


def _md_observation(fields: Fields) -> Parts:
    subject, found = string(fields, "subject"), string(fields, "object")
    if subject and found:
        return [*_bold(subject), ": ", Said(found)]
    return _rules_4_to_8(fields, found)


def _md_tool(fields: Fields) -> Parts:
    if string(fields, "tool_name"):
        return _called(fields, tool_text(fields))
    return _rules_4_to_8(fields)


def _md_flow(fields: Fields) -> Parts:
    name, *rest = _plain_flow(fields)
    return [*_bold(name), *rest]


def _md_reasoning(fields: Fields) -> Parts:
    said, method = string(fields, "conclusion"), string(fields, "inference_method")
    parts: Parts = [Said(said)] if said else ["Reasoning"]
    parts += [" (", Said(method), ")"] if method else []
    return parts if said else [*parts, f" ({length(fields, 'premises')} premises)"]


def _md_consent(fields: Fields) -> Parts:
    verb = " withdraws" if is_true(fields, "is_withdrawal") else " grants"
    scope = string(fields, "scope")
    by = _bold(string(fields, "subject_did", "?"))
    return [*by, verb, *([" for ", Said(scope)] if scope else [])]


def _md_trigger(fields: Fields) -> Parts:
    kind, scope, said = string(fields, "kind"), string(fields, "scope"), trigger_text(fields)
    parts = [*_bold(kind), " trigger"] if kind else ["trigger"]
    parts += [": ", Said(said)] if said else []
    return [*parts, " (", Said(scope), ")"] if scope else parts


MARKDOWN: dict[str, Callable[[Fields], Parts]] = {
    "event": _md_event,
    "observation": _md_observation,
    "tool": _md_tool,
    "state": lambda f: ["**State**: ", Said(state_label(f))],
    "workflow": _md_flow,
    "reasoning": _md_reasoning,
    "consensus": lambda f: votes(f, "Consensus"),
    "consent": _md_consent,
    "recommendation": lambda f: [*_advice(f), " → `", Said(string(f, "target_ref")), "`"],
    "trigger": _md_trigger,
    "document": lambda f: [*document(f, bold=True), Said(string(f, "content"))],
}


def note(fields: Fields, created_at: int) -> str:
    """Return the note that trails a Markdown line."""
    sure = number(fields, "confidence")
    shown = [
        f"{sure:.2f}" if sure is not None and sure < 1.0 else "",
        day(created_at),
        "superseded" if fields.get("superseded_by") is not None else "",
    ]
    said = ", ".join(part for part in shown if part)
    return f" *({said})*" if said else ""


def markdown(kind: str, fields: Fields, created_at: int) -> Parts:
    """Return the line of a grain, whole, in Markdown, after its bullet."""
    return [*MARKDOWN.get(kind, _by_shape)(fields), note(fields, created_at)]


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
    sure = number(fields, "confidence")
    out = [("confidence", "" if sure is None else f"{sure:.2f}"), ("date", day(created_at))]
    if level == "full":
        context = context_of(fields) or {}
        status = string(fields, "verification_status", string(context, "vstatus"))
        tags = fields.get("structural_tags", fields.get("tags"))
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
    return "tool_result", own, [spoken(block.get("content", ""))]


def _sml_event(fields: Fields) -> Element:
    by = speaker(fields)
    said: list[Any] = [_block(block) for block in blocks(fields)] or [string(fields, "content")]
    return "event", [("role", by)] if by else [], said


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
    said: list[Any] = [string(fields, "description", "?")]
    if isinstance(fields.get("criteria"), str):
        said.append(("criteria", [], [fields["criteria"]]))
    return "goal", own, said


def _sml_reasoning(fields: Fields) -> Element:
    conclusion, premises = string(fields, "conclusion"), length(fields, "premises")
    said: list[Any] = [("conclusion", [], [conclusion])] if conclusion else []
    said += [("premises", [("count", str(premises))], [])] if premises else []
    return "reasoning", [], said


def _sml_consent(fields: Fields) -> Element:
    own = [("action", "withdraws" if is_true(fields, "is_withdrawal") else "grants")]
    own += [("subject", string(fields, "subject_did", "?"))]
    scope = string(fields, "scope")
    said: list[Any] = [("scope", [], [scope])] if scope else []
    if isinstance(fields.get("grantee_did"), str):
        said.append(("grantee", [], [fields["grantee_did"]]))
    return "consent", own, said


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
        tag, own, said = sml_document(fields)
        return tag, [*own, *shared], [*said, string(fields, "content")]
    if kind in SML:
        tag, own, said = SML[kind](fields)
        return tag, [*own, *shared], said
    said = [("field", [("name", name)], [value]) for name, value in listed(fields)]
    return "grain", [("type", kind), *shared], said


# --- TOON -------------------------------------------------------------------------------------


def _toon_state(fields: Fields) -> list[Any]:
    label, context = state_label(fields), context_of(fields) or {}
    names = sorted(set(context) - {"label", "description", "title", "name"})[:3]
    return [label, "; ".join(f"{n}={spoken(context[n])}" for n in names) or label]


def _toon_flow(fields: Fields) -> list[Any]:
    counts = f"{length(fields, 'nodes')} nodes, {length(fields, 'edges')} edges"
    return [string(fields, "trigger"), "".join(topology(fields)) or counts]


def _toon_goal(fields: Fields) -> list[Any]:
    said = string(fields, "description")
    state = string(fields, "goal_state", string(fields, "state", "active"))
    return [string(fields, "subject", said), said, state]


def _toon_votes(fields: Fields) -> list[Any]:
    threshold, said = string(fields, "threshold", "-"), string(fields, "agreed_content")
    return [threshold, whole(fields, "agreement_count"), said]


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
            number(f, "confidence"),
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
        said_by = string(fields, "role", string(fields, "speaker", "user"))
        time = string(fields, "created_at", day(created_at))
        return {"role": said_by, "time": time, "content": event_text(fields)}
    if kind not in TOON:
        return {"content": "".join(plain(kind, digest, fields))}
    columns, cells = TOON[kind]
    return dict(zip(columns.split(), cells(fields), strict=True))
