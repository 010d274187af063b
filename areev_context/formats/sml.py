"""SML: one tag per grain, readable by any XML parser once it stands inside one root element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from areev_context.formats.base import Format
from areev_context.formats.lines import left_out, progress, shown_by, summary_line
from areev_context.hits import fields as reading
from areev_context.hits.fields import Fields, text
from areev_context.hits.grain_types import GRAIN_TYPES
from areev_context.hits.hit import Grain
from areev_context.layout.outline import Entry, Gap, Node, Outline, Piece, Section, Update, joined
from areev_context.policy import MetadataLevel, OutputFormat
from areev_context.text.clean import folding
from areev_context.text.json_text import as_text, compact
from areev_context.text.splitting import opening_or_best

__all__ = ["FORMAT"]

_NAME = re.compile(r"(?!xml)[A-Za-z_][A-Za-z0-9_.-]*", re.IGNORECASE | re.ASCII)
_OPENING = re.compile(r"^<[A-Za-z_][A-Za-z0-9_.-]*")
_HASH_DIGITS = 16
_OURS = frozenset({
    "confidence", "date", "hash", "namespace", "status", "tags", "id", "session", "type", "name",
})  # fmt: skip


def escape(value: str) -> str:
    """Return a value as element text; XML wants no ``>`` escaped but that of ``]]>``."""
    if "&" in value or "<" in value:
        value = value.replace("&", "&amp;").replace("<", "&lt;")
    return value.replace("]]>", "]]&gt;") if "]]>" in value else value


_REFERENCES = str.maketrans({'"': "&quot;", "'": "&apos;", "\n": "&#10;", "\t": "&#9;"})


def _quoted(value: str) -> str:
    """Return a value as attribute text."""
    value = escape(value).replace(">", "&gt;")
    return value if value.isalnum() else value.translate(_REFERENCES)


def _passage(value: str) -> str:
    """Return a passage as element text: one of several lines stands between the lines of its tags.

    A reader takes one newline away at each end of a text that has newlines.
    """
    escaped = escape(value)
    return f"\n{escaped}\n" if "\n" in escaped else escaped


def _own(name: str, value: str) -> str:
    return f' {name}="{_quoted(value)}"'


def _attributes(grain: Grain, level: MetadataLevel, status: str) -> str:
    """Return what every grain may carry: confidence and date, at full also where it comes from."""
    if level is MetadataLevel.NONE:
        return ""
    fields = grain.fields
    confidence = reading.confidence(fields)
    out = "" if confidence is None else f' confidence="{confidence:.2f}"'
    if grain.created_at:
        out += f' date="{grain.day}"'
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
    return _own("role", role) if role else "", body or _passage(text(fields, "content"))


def _block(kind: str, block: Fields) -> str:
    if kind == "text":
        return f"<text>{escape(text(block, 'text'))}</text>"
    if kind == "tool_use":
        own = _own("name", text(block, "name")) + _own("id", text(block, "id"))
        args = escape(compact(block.get("input", {})))
        return f'<tool_use{own}><args format="json">{args}</args></tool_use>'
    failed = "true" if reading.flag(block, "is_error") else "false"
    own = _own("tool_use_id", text(block, "tool_use_id")) + _own("is_error", failed)
    return f"<tool_result{own}>{escape(as_text(block.get('content', '')))}</tool_result>"


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
    return "".join(own.values()), _children(children) + _passage(content)


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


_SHOWN = {
    "goal": ("criteria",), "consent": ("grantee_did",), "trigger": ("scope",),
    "observation": ("observer_id", "content"),
}  # fmt: skip
"""What the element of a type shows beside what its plain line does."""
_ADDED_TO_TEXT = {"error": "error", "tool_content": "content", "content": "content"}


def _rest(kind: str, fields: Fields) -> Parts:
    """Return what completes an element: attributes, and texts that may be long as children."""
    shown = () if kind == "workflow" else (*shown_by(kind, fields), *_SHOWN.get(kind, ()))
    names = left_out(kind, fields, shown)
    own = "".join(_own(n, text(fields, n)) for n in names if n not in _ADDED_TO_TEXT)
    if kind == "goal" and names and progress(fields):
        own += _own("progress", progress(fields))
    level, times = reading.number(fields, "proficiency"), reading.count(fields, "practice_count")
    if kind == "skill" and level is not None and times:
        own += f' proficiency="{level:.2f}" practice_count="{times}"'
    tags = [(_ADDED_TO_TEXT[n], escape(text(fields, n))) for n in names if n in _ADDED_TO_TEXT]
    return own, "".join(f"<{tag}>{value}</{tag}>" for tag, value in tags)


def _parts(grain: Grain) -> Parts:
    """Return the parts of a grain with every text of its type's own; its summary for nothing."""
    kind, fields = grain.grain_type, grain.fields
    if kind == "observation":
        fields = reading.observed(fields)
    own, body = _PARTS[kind](fields)
    more, children = _rest(kind, fields)
    own, body = own + more, body + children
    return own, body if own or body else summary_line(kind, grain.hash, fields, escape)


def render(grain: Grain, level: MetadataLevel, *, complete: bool = True) -> str:
    """Return one grain, whole, as one element; the level full adds every text field of its type."""
    kind, full = grain.grain_type, complete and level is MetadataLevel.FULL
    if kind in _PARTS:
        return _element(grain, level, _parts(grain) if full else _PARTS[kind](grain.fields))
    body = _children(reading.other_fields(grain.fields))
    if full and not body:
        body = summary_line(kind, grain.hash, grain.fields, escape)
    if kind in GRAIN_TYPES:
        return _element(grain, level, ("", body))
    own = _own("type", kind) + _attributes(grain, level, "status")
    return f"<grain{own}>{body}</grain>"


def summary(grain: Grain, level: MetadataLevel, query: str) -> str:
    """Return one grain in one line; the tag of a document has its attributes, others have none."""
    kind, fields = grain.grain_type, grain.fields
    if kind == "document":
        short = opening_or_best(text(fields, "content"), query)
        return _element(grain, level, _document_with(fields, short))
    line = summary_line(kind, grain.hash, fields, folding(escape))
    if kind in GRAIN_TYPES:
        return f"<{kind}>{line}</{kind}>"
    return f"<grain{_own('type', kind)}>{line}</grain>"


_TAGS = {"expansion": "expansion_results", "census": "census_results"}
"""The tags of sections that are not called as their keys."""


def _tag(section: Section) -> tuple[str, str]:
    """Return a section's tag and its attributes; an unknown type is no name for a tag."""
    own = "" if section.name is None else _own("name", section.name)
    own += ' order="chronological"' if section.ordered else ""
    if section.of_type and section.name is not None:
        return "section", own
    return _TAGS.get(section.key, section.key), own


def _update(update: Update, number: int | None) -> str:
    old_date = update.old_date if update.old is not None else ""
    own = "" if number is None else f' id="{number}"'
    own += _own("subject", update.subject)
    own += "" if update.old is None else _own("old", update.old)
    own += _own("old_date", old_date) if old_date else ""
    own += _own("new", update.new)
    own += _own("new_date", update.new_date) if update.new_date else ""
    return f"<update{own} />"


def _entry(entry: Entry, outline: Outline) -> str:
    line = entry.text or ""
    if entry.time:
        date = f' date="{entry.item.grain.day}"'
        line = line.replace(date, f'{date[:-1]} {entry.time}"', 1)
    number = outline.numbers.get(entry.index)
    own = "" if number is None else f' id="{number}"'
    if entry.session is not None:
        own += _own("session", entry.session)
    if own and not _OPENING.match(line):  # a host's text may have no tag of its own
        line = f"<grain>{line}</grain>"
    if own:
        line = _OPENING.sub(lambda tag: tag[0] + own, line, count=1)
    mark = entry.item.mark
    return f"[{mark}] {line}" if mark else line


def _lines(nodes: Iterable[Node], outline: Outline) -> Iterator[Piece]:
    for node in nodes:
        match node:
            case Entry():
                yield node, _entry(node, outline)
            case Section():
                tag, own = _tag(node)
                yield None, f"<{tag}{own}>"
                yield from _lines(node.nodes, outline)
                yield None, f"</{tag}>"
            case Update():
                yield node, _update(node, outline.numbers.get(node.index))
            case Gap():
                yield None, f'<delta days="{node.days}" label="{node.label}"/>'
            case _:
                names = ", ".join(map(escape, node.names))
                yield None, f'<entities count="{node.count}">{names}</entities>'


class Sml(Format):
    """One tag a grain, sections as tags around them."""

    name = OutputFormat.SML
    escape = staticmethod(escape)

    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole, as one element."""
        text = render(self.dated(grain), level, complete=self.complete)
        return self._with_date(text, grain, level)

    def summary(self, grain: Grain, level: MetadataLevel, query: str) -> str:
        """Return one grain in one line."""
        return self._with_date(summary(self.dated(grain), level, query), grain, level)

    def _with_date(self, text: str, grain: Grain, level: MetadataLevel) -> str:
        """Return an element with the date that its tag has not: no attribute holds a ``>``."""
        tag, end, rest = text.partition(">")
        if not self.dates or not grain.created_at or f' date="{grain.day}"' in tag:
            return text
        return f'{tag} date="{grain.day}"{end}{rest}'

    def talk(self, grain: Grain, turns: Iterable[str], level: MetadataLevel) -> str:
        """Return the turns in one element, whose attributes are what all have in common."""
        own = _attributes(self.dated(grain), min(level, MetadataLevel.MINIMAL), "status")
        if self.dates and grain.created_at and " date=" not in own:
            own += _own("date", grain.day)
        inside = "\n".join(turns)
        return f"<session{own}>\n{inside}\n</session>" if own else ""

    def pieces(self, outline: Outline) -> Iterator[Piece]:
        """Yield the page; one newline stands between the tags of two entries or sections."""
        return joined(_lines(outline.nodes, outline), "\n")


FORMAT = Sml()
