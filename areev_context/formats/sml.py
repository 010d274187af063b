"""SML: one tag per grain, readable by any XML parser once it stands inside one root element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from areev_context.core import reading
from areev_context.core.dates import day
from areev_context.core.format import Format
from areev_context.core.grains import GRAIN_TYPES, Grain
from areev_context.core.jsontext import compact, spoken
from areev_context.core.lines import summary_line
from areev_context.core.outline import (
    Entry,
    Gap,
    Node,
    Outline,
    Piece,
    Section,
    SectionKind,
    Update,
    joined,
)
from areev_context.core.policy import MetadataLevel, OutputFormat
from areev_context.core.reading import Fields, text
from areev_context.core.sentences import opening_or_best
from areev_context.core.text import folding

__all__ = ["FORMAT"]

_NAME = re.compile(r"(?!xml)[A-Za-z_][A-Za-z0-9_.-]*", re.IGNORECASE | re.ASCII)
_OPENING = re.compile(r"^<[A-Za-z_][A-Za-z0-9_.-]*")
_HASH_DIGITS = 16
_OURS = frozenset({
    "confidence", "date", "hash", "namespace", "status", "tags", "id", "session", "type", "name",
})  # fmt: skip


def escape(value: str) -> str:
    """Return a value as element text."""
    if "&" in value or "<" in value or ">" in value:
        return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return value


_REFERENCES = str.maketrans({'"': "&quot;", "'": "&apos;", "\n": "&#10;", "\t": "&#9;"})


def _quoted(value: str) -> str:
    """Return a value as attribute text."""
    value = escape(value)
    return value if value.isalnum() else value.translate(_REFERENCES)


def _own(name: str, value: str) -> str:
    return f' {name}="{_quoted(value)}"'


def _attributes(grain: Grain, level: MetadataLevel, status: str) -> str:
    """Return what every grain may carry: confidence and date, at full also where it comes from."""
    if level is MetadataLevel.NONE:
        return ""
    fields = grain.fields
    confidence = reading.number(fields, "confidence")
    out = "" if confidence is None else f' confidence="{confidence:.2f}"'
    if grain.created_at:
        out += f' date="{day(grain.created_at)}"'
    if level is MetadataLevel.FULL:
        out += _origin(grain, status)
    return out


def _origin(grain: Grain, status: str) -> str:
    tags = grain.fields.get("structural_tags") or grain.fields.get("tags")
    named = {
        "hash": grain.hash[:_HASH_DIGITS],
        "namespace": text(grain.fields, "namespace"),
        status: reading.trust(grain.fields),
        "tags": ",".join(t for t in tags if isinstance(t, str)) if isinstance(tags, list) else "",
    }
    return "".join(_own(name, value) for name, value in named.items() if value)


Parts = tuple[str, str]
"""What stands in a grain's tag before the attributes all grains carry, and what in its element."""


def _fact(fields: Fields) -> Parts:
    return "", " ".join(escape(text(fields, n, "?")) for n in ("subject", "relation", "object"))


def _event(fields: Fields) -> Parts:
    role = reading.speaker(fields)
    body = "".join(_block(kind, block) for kind, block in reading.blocks(fields))
    return _own("role", role) if role else "", body or escape(text(fields, "content"))


def _block(kind: str, block: Fields) -> str:
    if kind == "text":
        return f"<text>{escape(text(block, 'text'))}</text>"
    if kind == "tool_use":
        own = _own("name", text(block, "name")) + _own("id", text(block, "id"))
        args = escape(compact(block.get("input", {})))
        return f'<tool_use{own}><args format="json">{args}</args></tool_use>'
    failed = "true" if reading.flag(block, "is_error") else "false"
    own = _own("tool_use_id", text(block, "tool_use_id")) + _own("is_error", failed)
    return f"<tool_result{own}>{escape(spoken(block.get('content', '')))}</tool_result>"


def _state(fields: Fields) -> Parts:
    return "", escape(reading.state_label(fields))


def _workflow(fields: Fields) -> Parts:
    own = _own("trigger", text(fields, "trigger", "workflow"))
    own += f' nodes="{reading.size(fields, "nodes")}" edges="{reading.size(fields, "edges")}"'
    bindings = reading.workflow_bindings(fields)
    if bindings:
        own += _own("bindings", bindings)
    return own, escape(reading.topology(fields, str))


def _tool(fields: Fields) -> Parts:
    status = "fail" if reading.flag(fields, "is_error") else "ok"
    body, took = escape(reading.tool_text(fields)), fields.get("duration_ms")
    if took.__class__ is int and took >= 0:
        body += f" ({took}ms)"
    return _own("tool", text(fields, "tool_name", "unknown")) + _own("status", status), body


def _observation(fields: Fields) -> Parts:
    body = reading.observation_text(fields, escape)
    return _own("observer", text(fields, "observer_id", "?")), body


def _goal(fields: Fields) -> Parts:
    own = _own("state", text(fields, "goal_state", "active"))
    own += _own("priority", text(fields, "priority", "medium"))
    body = escape(text(fields, "description", "?"))
    if isinstance(fields.get("criteria"), str):
        body += f"<criteria>{escape(text(fields, 'criteria'))}</criteria>"
    return own, body


def _reasoning(fields: Fields) -> Parts:
    conclusion, premises = text(fields, "conclusion"), reading.size(fields, "premises")
    body = f"<conclusion>{escape(conclusion)}</conclusion>" if conclusion else ""
    return "", body + (f'<premises count="{premises}"/>' if premises else "")


def _consensus(fields: Fields) -> Parts:
    agreed, dissent = (reading.count(fields, n) for n in ("agreement_count", "dissent_count"))
    return f' agreed="{agreed}" dissent="{dissent}"', escape(text(fields, "agreed_content"))


def _consent(fields: Fields) -> Parts:
    action = "withdraws" if reading.flag(fields, "is_withdrawal") else "grants"
    scope = text(fields, "scope")
    body = f"<scope>{escape(scope)}</scope>" if scope else ""
    if isinstance(fields.get("grantee_did"), str):
        body += f"<grantee>{escape(text(fields, 'grantee_did'))}</grantee>"
    return _own("action", action) + _own("subject", text(fields, "subject_did", "?")), body


def _skill(fields: Fields) -> Parts:
    own = _own("name", text(fields, "name", "?"))
    if isinstance(fields.get("domain"), str):
        own += _own("domain", text(fields, "domain"))
    return own, escape(text(fields, "description"))


def _recommendation(fields: Fields) -> Parts:
    own = _own("target", text(fields, "target_ref"))
    own += _own("severity", text(fields, "severity", "info"))
    return own, reading.recommendation_text(fields, escape)


def _trigger(fields: Fields) -> Parts:
    given = [name for name in ("kind", "scope") if isinstance(fields.get(name), str)]
    own = "".join(_own(name, text(fields, name)) for name in given)
    return own, escape(reading.trigger_text(fields))


def _children(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<field{_own('name', k)}>{escape(v)}</field>" for k, v in pairs)


def _document_with(fields: Fields, content: str) -> Parts:
    """Set a passage's details before its text: attributes where they can be, else children."""
    own: dict[str, str] = {}  # by the name in small letters: case tells no two apart
    children: list[tuple[str, str]] = []
    for key, value in reading.document_details(fields):
        name = f"meta-{key}" if key.lower() in _OURS else key
        if name.lower() in own or not _NAME.fullmatch(name):
            children.append((key, value))
        else:
            own[name.lower()] = _own(name, value)
    return "".join(own.values()), _children(children) + escape(content)


_PARTS: dict[str, Callable[[Fields], Parts]] = {
    "fact": _fact, "event": _event, "state": _state, "workflow": _workflow, "tool": _tool,
    "observation": _observation, "goal": _goal, "reasoning": _reasoning, "consensus": _consensus,
    "consent": _consent, "skill": _skill, "recommendation": _recommendation, "trigger": _trigger,
    "document": lambda fields: _document_with(fields, text(fields, "content")),
}  # fmt: skip


def _element(grain: Grain, level: MetadataLevel, parts: Parts) -> str:
    tag, (own, body) = grain.grain_type, parts
    status = "verification" if tag == "tool" else "status"
    return f"<{tag}{own}{_attributes(grain, level, status)}>{body}</{tag}>"


def render(grain: Grain, level: MetadataLevel) -> str:
    """Return one grain, whole, as one element."""
    parts = _PARTS.get(grain.grain_type)
    if parts is not None:
        return _element(grain, level, parts(grain.fields))
    own = _own("type", grain.grain_type) + _attributes(grain, level, "status")
    return f"<grain{own}>{_children(reading.other_fields(grain.fields))}</grain>"


def summary(grain: Grain, level: MetadataLevel, query: str) -> str:
    """Return one grain in one line; its tag keeps no attribute, a document's all of them."""
    kind, fields = grain.grain_type, grain.fields
    if kind == "document":
        short = opening_or_best(text(fields, "content"), query)
        return _element(grain, level, _document_with(fields, short))
    line = summary_line(kind, grain.hash, fields, folding(escape))
    if kind in GRAIN_TYPES:
        return f"<{kind}>{line}</{kind}>"
    return f"<grain{_own('type', kind)}>{line}</grain>"


_TAGS = {SectionKind.EXPANSION: "expansion_results", SectionKind.CENSUS: "census_results"}


def _tag(section: Section) -> tuple[str, str]:
    """Return a section's tag and its attributes."""
    if section.kind is SectionKind.TYPE:
        row = GRAIN_TYPES.get(section.name)
        return (row.section, "") if row else ("section", _own("name", f"{section.name}s"))
    if section.kind is SectionKind.ENTITY:
        return "entity", _own("name", section.name)
    own = ' order="chronological"' if section.kind is SectionKind.TIMELINE else ""
    return _TAGS.get(section.kind, section.kind), own


def _update(update: Update, number: int | None) -> str:
    old_date = update.old_date if update.old is not None else ""
    own = "" if number is None else f' id="{number}"'
    own += _own("subject", update.subject)
    own += "" if update.old is None else _own("old", update.old)
    own += _own("old_date", old_date) if old_date else ""
    own += _own("new", update.new)
    own += _own("new_date", update.new_date) if update.new_date else ""
    return f"<update{own} />"


def _entry(entry: Entry, outline: Outline, in_census: bool) -> str:
    line = entry.text or ""
    number = outline.numbers.get(entry.place)
    own = "" if number is None else f' id="{number}"'
    if in_census:
        own += _own("session", entry.candidate.kept.hit.source_namespace or "unknown")
    if own and not _OPENING.match(line):  # a host's text may have no tag of its own
        line = f"<grain>{line}</grain>"
    if own:
        line = _OPENING.sub(lambda tag: tag[0] + own, line, count=1)
    mark = entry.candidate.mark
    return f"[{mark}] {line}" if mark and outline.marks else line


def _lines(nodes: Iterable[Node], outline: Outline, in_census: bool = False) -> Iterator[Piece]:
    for node in nodes:
        match node:
            case Entry():
                yield node, _entry(node, outline, in_census)
            case Section():
                tag, own = _tag(node)
                yield None, f"<{tag}{own}>"
                yield from _lines(node.nodes, outline, node.kind is SectionKind.CENSUS)
                yield None, f"</{tag}>"
            case Update():
                yield node, _update(node, outline.numbers.get(node.place))
            case Gap():
                yield None, f'<delta days="{node.days}" label="{node.label}"/>'
            case _:
                names = ", ".join(map(escape, node.names))
                yield None, f'<entities count="{node.count}">{names}</entities>'


def pieces(outline: Outline) -> Iterator[Piece]:
    """Yield the page; between any two tags of ours stands one newline."""
    return joined(_lines(outline.nodes, outline), "\n")


FORMAT = Format(OutputFormat.SML, escape, render, summary, pieces)
