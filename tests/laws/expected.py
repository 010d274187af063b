"""What a page should say: the outline it is written from, told with the tables of the design."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from areev_context import ContextAssembler, FormattedContext
from areev_context.formats import markdown, plain_text
from areev_context.formats.registry import FORMATS
from areev_context.hits.grain_types import section_of
from areev_context.hits.hit import Grain
from areev_context.layout import outline as neutral
from areev_context.policy import MetadataLevel
from laws import tables
from laws.readers import (
    EntityLine,
    Entry,
    Fenced,
    Gap,
    Head,
    Page,
    Update,
    looks,
    merged,
    unnumbered,
)
from laws.strategies import Case
from laws.tables import Parts, Value


@dataclass(frozen=True)
class Summary:
    """A document's summary: what stands before its sentences, which are not told here."""

    before: Any


@dataclass(frozen=True)
class InPart:
    """The body of an entry that shows parts of its text; which, the laws of a budget say."""


@dataclass(frozen=True)
class Within:
    """A line with a place for each text that a fence has, and those texts."""

    parts: Parts
    texts: list[str]


@dataclass(frozen=True)
class Numbered:
    """A body in a timeline whose entries have numbers: its places say so, and no number of its own.

    Attributes:
        body: The body without the guards that numbers ask for.
    """

    body: Any


def assembled(case: Case) -> tuple[FormattedContext, neutral.Outline]:
    """Format a case; return the context and the outline its text was written from."""
    name = case.policy.format
    kind: Any = type(FORMATS[name])  # a page may be written by a copy with options of its own
    write_pieces, is_own = kind.pieces, "pieces" in vars(kind)
    written: dict[str, neutral.Outline] = {}

    def pieces(self: Any, outline: neutral.Outline) -> list[neutral.Piece]:
        made = list(write_pieces(self, outline))
        written["".join(text for _, text in made)] = outline
        return made

    kind.pieces = pieces
    try:
        context = ContextAssembler().format(list(case.hits), case.policy, case.hints)
    finally:
        if is_own:
            kind.pieces = write_pieces
        else:
            del kind.pieces
    return context, written[context.text]


# --- the pieces -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Writing:
    """What is the same for every piece of a page."""

    outline: neutral.Outline
    form: str
    level: str


def page_of(outline: neutral.Outline, form: str, level: str) -> Page:
    """Return the pieces of a page, in reading order; bodies as `fits` compares them."""
    if form == "json":
        return list(_in_json(outline, level))
    return list(_nodes(outline.nodes, Writing(outline, form, level), None))


def _nodes(
    nodes: tuple[neutral.Node, ...], page: Writing, inside: neutral.Section | None
) -> Iterator[Any]:
    place = 0
    for node in _by_type(nodes, inside) if page.form == "toon" else nodes:
        match node:
            case neutral.Section():
                if page.form != "toon" or not node.of_type:
                    yield _head(node)
                yield from _nodes(node.nodes, page, node)
            case Head():
                yield node
            case neutral.Entry():
                place += 1
                yield _entry(node, page, inside, place)
            case neutral.Update():
                yield _update(node, page.outline, page.form)
            case neutral.Gap():
                yield Gap(node.label)
            case neutral.EntityLine():
                yield _entity_line(node, page.form)


def _by_type(
    nodes: tuple[neutral.Node, ...], inside: neutral.Section | None
) -> Iterator[neutral.Node | Head]:
    """TOON has its rows by type wherever entries stand: yield them so, each type under its key."""
    if inside is not None and inside.key in ("timeline", "knowledge_updates"):
        yield from nodes
        return
    groups: dict[str, list[neutral.Entry]] = {}
    for node in _by_name(nodes):
        if isinstance(node, neutral.Section) and not node.of_type:
            yield from _flushed(groups)
            yield node
        elif isinstance(node, neutral.Section | neutral.Entry):
            for entry in neutral.entries_of((node,)):
                assert isinstance(entry, neutral.Entry)
                kind = entry.item.grain.grain_type
                groups.setdefault(section_of(kind), []).append(entry)
        else:
            yield node
    yield from _flushed(groups)


def _by_name(nodes: tuple[neutral.Node, ...]) -> Iterator[neutral.Node]:
    """Yield the nodes, sections of one entity name as one: in TOON they share a key."""
    named: dict[str, neutral.Section] = {}
    for node in nodes:
        if isinstance(node, neutral.Section) and node.key == "entity" and node.name is not None:
            before = named[node.name].nodes if node.name in named else ()
            named[node.name] = replace(node, nodes=(*before, *node.nodes))
        else:
            yield node
    yield from named.values()


def _flushed(groups: dict[str, list[neutral.Entry]]) -> Iterator[neutral.Node | Head]:
    for name, entries in groups.items():
        yield Head("type", name)
        yield from entries
    groups.clear()


def _entity_line(entity_line: neutral.EntityLine, form: str) -> EntityLine:
    if form in ("markdown", "plain_text"):
        return EntityLine(
            tables.joined(([Value(name)] for name in entity_line.names), ", "), entity_line.count
        )
    return EntityLine(", ".join(entity_line.names), None if form == "toon" else entity_line.count)


def _head(section: neutral.Section) -> Head:
    if section.of_type:
        return Head("type", next(_entries_of(section)).item.grain.grain_type)
    return Head(section.key, section.name or "")


def _entries_of(section: neutral.Section) -> Iterator[neutral.Entry]:
    return (node for node in section.nodes if isinstance(node, neutral.Entry))


def _update(update: neutral.Update, outline: neutral.Outline, form: str) -> Update:
    old_date, new_date = update.old_date, update.new_date
    if update.old is None:  # the query asks for what counts now; plain text says no more than that
        old_date, new_date = "", "" if form == "plain_text" else new_date
    number = outline.numbers.get(update.index)
    return Update(update.subject, update.old, old_date, update.new, new_date, number)


def _entry(
    entry: neutral.Entry, page: Writing, inside: neutral.Section | None, place: int
) -> Entry:
    kind = "" if inside is None else inside.key
    session = entry.item.hit.source_namespace or "unknown"
    in_part = _is_summary(entry) and _is_in_part(entry, page)
    shown = Entry(
        InPart() if in_part else BODIES[page.form](entry, page.level),
        number=page.outline.numbers.get(entry.index),
        mark=entry.item.mark if page.form != "toon" else None,
        session=session if kind == "census" else None,
    )
    return _in_time(shown, entry, page.form, place) if kind == "timeline" else shown


def _in_time(shown: Entry, entry: neutral.Entry, form: str, place: int) -> Entry:
    """Return an entry as a timeline has it: its place is its number in lines, a row in TOON."""
    if form == "sml":
        return shown
    grain = entry.item.grain
    happened = grain.created_at if entry.item.happened else 0
    shown = replace(shown, place=place, date=tables.day(happened) or "undated")
    if form != "toon":
        if shown.number is None:
            return shown
        return replace(shown, number=None, place=shown.number, body=Numbered(shown.body))
    line = "".join(tables.plain(grain.grain_type, grain.hash, grain.fields))
    return replace(shown, body={"type": grain.grain_type, "content": line})


def _is_summary(entry: neutral.Entry) -> bool:
    return entry.form == "summary"


def _is_in_part(entry: neutral.Entry, page: Writing) -> bool:
    """Return whether an entry shows parts of its text, not its format's summary line."""
    grain, form, level = entry.item.grain, FORMATS[page.form], MetadataLevel(page.level)
    text = entry.text or ""
    if grain.grain_type != "document":
        return text != form.summary(grain, level, "")
    fields = {**grain.fields, "content": ""}
    bare = form.summary(grain._replace(fields=fields), level, "")
    own = bare.removesuffix("</document>").rstrip(" :>").split(" *(")[0]
    return "\n" in text or not text.startswith(own)


def _is_dated(grain: Grain, level: str) -> bool:
    """Return whether a format that shows no dates shows this one: of a document."""
    return grain.grain_type == "document" and bool(grain.created_at) and level != "none"


def _plain_body(entry: neutral.Entry, level: str) -> Parts | Summary:
    grain = entry.item.grain
    if _is_dated(grain, level):
        grain = grain._replace(fields={**grain.fields, "date": tables.day(grain.created_at)})
    if not _is_summary(entry):
        return tables.plain(grain.grain_type, grain.hash, grain.fields, level)
    if grain.grain_type == "document":
        return Summary((tables.folded(tables.document(grain.fields)), ""))
    return tables.summary(grain.grain_type, grain.hash, grain.fields)


FENCED = (
    "content", "body", "tool_content", "description", "error", "object", "conclusion",
    "agreed_content", "criteria",
)  # fmt: skip


def _fenced(fields: Any) -> tuple[Any, list[str]]:
    """Return the fields with a place for each text that belongs in a fence, and those texts."""
    found: list[str] = []

    def place(value: Any) -> Any:
        lines = value.splitlines() if isinstance(value, str) else []
        firsts = [line.strip()[:1] for line in lines]
        unseen = any(not first.isascii() and looks(first) == " " for first in firsts)
        if len(lines) < 2 or unseen or markdown.escape(value).count("\\") == value.count("\\"):
            return value
        found.append(value)
        return f"\0{found.index(value)}\0"

    placed = {n: place(v) if n in FENCED else v for n, v in fields.items()}
    context = fields.get("context")
    if isinstance(context, dict):
        named = ("label", "description")
        placed["context"] = {n: place(v) if n in named else v for n, v in context.items()}
    return placed, found


def _markdown_body(entry: neutral.Entry, level: str) -> Parts | Summary | Within:
    grain = entry.item.grain
    if not _is_summary(entry):
        fields, fenced = _fenced(grain.fields)
        line = tables.markdown(grain.grain_type, grain.hash, fields, grain.created_at, level)
        return Within(line, fenced) if fenced else line
    if grain.grain_type == "document":
        trail = tables.note(grain.fields, grain.created_at)
        return Summary((tables.folded(tables.document(grain.fields, bold=True)), trail))
    return tables.summary(grain.grain_type, grain.hash, grain.fields)


def _sml_body(entry: neutral.Entry, level: str) -> Any:
    grain = entry.item.grain
    kind, fields = grain.grain_type, grain.fields
    if not _is_summary(entry):
        return tables.sml(kind, grain.hash, fields, grain.created_at, level)
    if kind == "document":
        tag, own, content = tables.sml_document(fields)
        shared = tables.attributes(kind, grain.hash, fields, grain.created_at, level)
        return Summary((tag, [*own, *shared], content))
    content = [*tables.summary(kind, grain.hash, fields)]
    if kind in tables.SML:
        return kind, [], content
    return "grain", [("type", kind)], content


def _toon_body(entry: neutral.Entry, level: str) -> Any:
    grain = entry.item.grain
    cells = tables.toon(grain.grain_type, grain.hash, grain.fields, grain.created_at)
    if grain.grain_type != "document" or level == "none":
        return cells
    more = {"date": tables.day(grain.created_at)} if _is_dated(grain, level) else {}
    for name, text in tables.details(grain.fields):
        if name not in cells:
            value = reading_number(grain.fields[name])
            more[f"meta-{name}" if name in OWN_COLUMNS else name] = text if value is None else value
    content = cells.pop("content")
    return {**cells, **{n: v for n, v in more.items() if v != ""}, "content": content}


def reading_number(value: Any) -> int | float | None:
    """Return a number that fits a float, else None."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and -1e300 < value < 1e300 else None


OWN_COLUMNS = ("id", "date", "content", "session")


BODIES: dict[str, Callable[[neutral.Entry, str], Any]] = {
    "plain_text": _plain_body,
    "markdown": _markdown_body,
    "sml": _sml_body,
    "toon": _toon_body,
}


def _in_json(outline: neutral.Outline, level: str) -> Iterator[Any]:
    for node in outline.nodes:
        if isinstance(node, neutral.Entry):
            yield _object(node, outline, level)
        elif isinstance(node, neutral.Section):
            yield Head("type", node.key) if node.of_type else Head(node.key)
            for inner in node.nodes:
                if isinstance(inner, neutral.Update):
                    yield _update(inner, outline, "json")
                elif isinstance(inner, neutral.Entry):
                    yield _object(inner, outline, level)


def _grain(grain: Grain, level: str) -> dict[str, Any]:
    fields, sure = dict(grain.fields), tables.confidence(grain.fields)
    if sure is not None and sure != fields["confidence"]:
        fields["confidence"] = sure  # on one scale
    date = {"date": tables.day(grain.created_at)} if _is_dated(grain, level) else {}
    return {"fields": fields, "grain_type": grain.grain_type, "hash": grain.hash, **date}


def _object(entry: neutral.Entry, outline: neutral.Outline, level: str) -> Entry:
    hit = entry.item.hit
    content = _grain(hit.grain, level)
    for name in ("conflict_status", "supersession_status"):
        if getattr(hit, name) is not None:
            content[name] = str(getattr(hit, name))
    if hit.recall_source in ("expansion", "census"):
        content["recall_source"] = str(hit.recall_source)
    session = (hit.source_namespace or "unknown") if hit.recall_source == "census" else None
    return Entry(content, number=outline.numbers.get(entry.index), session=session)


# --- comparing --------------------------------------------------------------------------------


def same(read: Page, expected: Page, form: str) -> None:
    """Fail unless a page that was read back says what it should, piece by piece."""
    assert len(read) == len(expected), (read, expected)
    for found, wanted in zip(read, expected, strict=True):
        if isinstance(wanted, EntityLine) and isinstance(wanted.names, list):
            assert isinstance(found, EntityLine)
            assert found.count == wanted.count
            fits(found.names, wanted.names, form)
            continue
        if not (isinstance(found, Entry) and isinstance(wanted, Entry)):
            assert found == wanted
            continue
        assert replace(found, body=None) == replace(wanted, body=None)
        if isinstance(wanted.body, Numbered):
            if not isinstance(wanted.body.body, InPart):
                fits(_unnumbered(found.body), wanted.body.body, form)
        elif isinstance(wanted.body, InPart):
            continue
        elif form in ("markdown", "plain_text"):
            fits(found.body, wanted.body, form)
        elif form == "sml":
            _fits_element(found.body, wanted.body)
        else:
            assert found.body == wanted.body, (found.body, wanted.body)
            assert list(found.body) == list(wanted.body) or form == "json"
            typed = [json.dumps(body, sort_keys=True) for body in (found.body, wanted.body)]
            assert typed[0] == typed[1] or form == "toon"


def _fits_element(found: Any, wanted: Any) -> None:
    if not isinstance(wanted, Summary):
        tag, own, content = wanted
        assert found == (tag, own, merged(content))
        return
    tag, own, content = wanted.before
    assert found[:2] == (tag, own)
    assert found[2][: len(merged(content))] == merged(content)
    assert all(isinstance(part, str) and "\n" not in part for part in found[2][len(content) :])


def _unnumbered(body: str | Fenced) -> str | Fenced:
    if isinstance(body, Fenced):
        return replace(body, head=unnumbered(body.head))
    return unnumbered(body)


def fits(body: str | Fenced, wanted: Parts | Summary | Within, form: str) -> None:
    """Fail unless a body is made of ours and of values as the one function writes them.

    Where values and ours together would pass for a mark, or start a line without its indent, a
    backslash or the indent may have been put.
    """
    if isinstance(wanted, Within):
        written = _written(wanted.parts, form)
        places = dict.fromkeys(map(int, re.findall("\0(\\d+)\0", written)))
        if places:
            assert isinstance(body, Fenced)
            assert body.texts == [wanted.texts[place] for place in places]
            body = body.head
        head = re.sub("\\A\0\\d+\0 ?| ?\0\\d+\0", "", written)
        _fits_lines(body, head, whole=True)
        return
    assert isinstance(body, str)
    if isinstance(wanted, Summary):
        parts, trail = wanted.before
        assert "\n" not in body or any("\n" in part for part in parts)
        assert body.endswith(trail)
        _fits_lines(body, _written(parts, form), whole=False)
    else:
        _fits_lines(body, _written(wanted, form), whole=True)


_ESCAPES = {"markdown": markdown.escape, "plain_text": plain_text.escape}


def _written(parts: Parts, form: str) -> str:
    escape = _ESCAPES[form]
    return "".join(escape(part) if isinstance(part, Value) else part for part in parts)


def _fits_lines(body: str, written: str, *, whole: bool) -> None:
    found, wanted = _parted(body), _parted(written)
    assert len(found) == len(wanted) or (not whole and len(found) > len(wanted)), (body, written)
    for place, line in enumerate(wanted):
        last = place == len(wanted) - 1
        if found[place] == line:
            continue
        seen = looks(line)
        blank = len(seen) - len(seen.lstrip(" \t"))
        rest = "".join(
            rf"\\?{re.escape(char)}" if look == "[" else re.escape(char)
            for char, look in zip(line[blank:], seen[blank:], strict=True)
        )
        indent = r"(?:  )?" if place else ""
        pattern = rf"{indent}\\?{re.escape(line[:blank])}\\?{rest}"
        end = "" if last and not whole else r"\Z"
        assert re.match(pattern + end, found[place]), (body, written)


def _parted(text: str) -> list[str]:
    """Return the lines of a text, and what is behind its last line break."""
    return re.split("[\n\u2028\u2029]", text)
