"""One reader a format: a page back into its pieces, told from the design alone.

A reader knows nothing of the hits. It gives the pieces in reading order; what it cannot read is a
`Misread`. Values come back as they were before `escape`; only the body of an entry stays as it is
written, because a line of several values is no form that could be taken apart.
"""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import toon_format
from markdown_it import MarkdownIt

from areev_context.extend import GRAIN_TYPES
from areev_context.formats.marks import LOOKS


class Misread(AssertionError):
    """A page that is none of ours."""


@dataclass(frozen=True)
class Head:
    """The start of a section: what it holds, and the type or the entity it is about."""

    kind: str
    name: str = ""


@dataclass(frozen=True)
class Entry:
    """One hit shown in the body."""

    body: Any
    number: int | None = None
    mark: str | None = None
    session: str | None = None
    place: int | None = None
    date: str | None = None


@dataclass(frozen=True)
class Fenced:
    """The body of an entry of Markdown with fences: what stands before them, and what in them."""

    head: str
    texts: list[str]


@dataclass(frozen=True)
class Update:
    """An old value and the new one; the old one is None where only the new one is shown."""

    subject: str
    old: str | None
    old_date: str
    new: str
    new_date: str
    number: int | None = None


@dataclass(frozen=True)
class Gap:
    """Time between two neighbours."""

    label: str


@dataclass(frozen=True)
class EntityLine:
    """The entities a query is about; like a body, a line of several values stays as written."""

    names: Any
    count: int | None = None


Piece = Head | Entry | Update | Gap | EntityLine
Page = list[Piece]


def expect(fine: object, what: str) -> None:
    if not fine:
        raise Misread(what)


# --- what Markdown and plain text share -------------------------------------------------------

STATUS = r"\\*\[\s*(?:{}|{}|{})".format(
    *(r"\s*".join(rf"\{char}" if char in "[]" else char for char in word)
      for word in ("current]", "outdated]", "session:"))
)  # fmt: skip
_GUARD = re.compile(rf"(?P<start>^[ \t]*)\\(?P<run>{STATUS})?|\\(?P<mid>{STATUS})", re.MULTILINE)
_PLAIN_MARK = r"\[[ \t]*\d[\d, \t\-]*\]|=[ \t]*=[ \t]*=|↓"
_ORDINAL = r"\d(?:[ \t]*\d){0,8}[ \t]*\.(?:[ \t]|$)"
_PLAIN_GUARD = re.compile(
    rf"(?P<start>^[ \t]*)\\(?=\\*(?:{_PLAIN_MARK}|{_ORDINAL}))|\\(?P<mid>{STATUS})", re.MULTILINE
)
W = r"[ \t]*"
_END = rf"{W}$"
_LIKE_OURS = re.compile(
    rf"^{W}(?:\[{W}\d[\d, \t\-]*\]|[-*+](?:[ \t]|$)|(?:\#{W}){{1,6}}(?<=[ \t])|(?:\#{W}){{1,6}}$"
    rf"|={W}={W}=|(?:={W})+$|-{W}-{W}-|(?:-{W})+$|`{W}`{W}`|~{W}~{W}~|>|\||↓"
    rf"|([-*_])(?:{W}\1){{2,}}{_END}|:?{W}(?:-{W})+:?{W}(?:\||$)"
    rf"|(?:\d{W}){{1,9}}[.)](?:[ \t]|$))"
    r"|(?<!\\)" + STATUS.removeprefix(r"\\*"),
    re.MULTILINE,
)
_LIKE_PLAIN = re.compile(
    rf"^{W}(?:{_PLAIN_MARK})|(?<!\\)" + STATUS.removeprefix(r"\\*"), re.MULTILINE
)
_DATE = r"\d{4}-\d\d-\d\d"


def looks(text: str) -> str:
    """Return the text as a lenient eye sees it, place by place."""
    return text.translate(LOOKS)


def without(text: str, places: Iterable[int]) -> str:
    """Return the text without the characters at these places."""
    gone = set(places)
    return "".join(char for place, char in enumerate(text) if place not in gone)


def undo(value: str, guard: re.Pattern[str] = _GUARD) -> str:
    """Take away the backslashes that were put before what reads as a mark of ours."""
    guards = guard.finditer(looks(value))
    return without(value, (match.end("start") if match["start"] is not None else match.start()
                           for match in guards))  # fmt: skip


def undo_plain(value: str) -> str:
    """Take away the backslashes that plain text has put, which guards its own marks alone."""
    return undo(value, _PLAIN_GUARD)


def dedent(value: str) -> str:
    """Take away the two spaces before each further line, but a blank one that a newline ends."""
    head, *rest = value.splitlines(keepends=True) or [""]
    return "".join([head, *(line if _blank(line) else line[2:] for line in rest)])


def _blank(line: str) -> bool:
    return not line.strip() and (line.endswith(("\n", "\r")) or len(f"{line}x".splitlines()) == 1)


def opened(unit: str) -> str:
    """Take away the backslash before a first line that is blank or starts with two blanks."""
    hidden = re.match(r"\\+\s\s", unit) or not _first(unit).lstrip("\\").strip()
    return unit.removeprefix("\\") if hidden else unit


def _first(unit: str) -> str:
    return (unit.splitlines() or [""])[0]


def unescape(value: str) -> str:
    """Undo `escape` of Markdown and plain text."""
    return undo(dedent(value))


_INSIDE = re.compile(r"\[([^][]*)\]")
_TOKEN = re.compile(r"\s+|\d+|[a-z]+|.", re.DOTALL)
_LABELS = re.compile(
    "(and|or|to|through|und|oder|bis|sources?|src|references?|refs?|documents?|docs?|passages?"
    "|footnotes?|notes?|fn|citations?|cite|numbers?|no|nr|items?|entry|entries|results?|id)"
)


def _cites(inside: str) -> bool:
    """Return whether what stands in brackets is a list of numbers, as a lenient reader reads it."""
    shown = re.sub(r"(?:(?<=\d)\s*(?::\d+)+)?\s*[†‡].*", "", inside, flags=re.DOTALL)
    before, numbers = "", 0
    for token in _TOKEN.findall(shown):
        if token.isspace():
            continue
        if token in (".", ":", "="):
            if not _LABELS.fullmatch(before):
                return False
        elif not (token.isdecimal() or token in ",;&/+^#~–—‒−‐‑、-" or _LABELS.fullmatch(token)):
            return False
        numbers += token.isdecimal()
        before = token
    return numbers > 0 and (shown == inside or before.isdecimal())


def citations(text: str) -> list[tuple[int, str]]:
    """Return the place of every bracket with numbers, and what stands in it."""
    found = _INSIDE.finditer(looks(text))
    return [(match.start(), match[1]) for match in found if _cites(match[1])]


def unnumbered(text: str) -> str:
    """Take away the backslash before what could be a number of ours, where entries have numbers.

    Where such a number starts a line, `escape` has put the backslash.
    """
    starts = {match.end() for match in re.finditer(rf"(?m)^{W}\\+", looks(text))}
    places = []
    for place, inside in citations(text):
        expect(text[:place].endswith("\\"), f"[{inside}] reads as ours in {text!r}")
        if not (place in starts and re.fullmatch(rf"{W}\d[\d, \t\-]*", inside)):
            places.append(place - 1)
    return without(text, places)


def nothing_like_ours(body: str, ours: re.Pattern[str] = _LIKE_OURS) -> None:
    """Fail where a line of an entry starts like something of ours, or a status stands in it."""
    found = ours.search(looks(body))
    expect(not found, f"{found and found.group()!r} reads as ours in {body!r}")


@dataclass(frozen=True)
class Words:
    """What Markdown and plain text do not share."""

    heading: re.Pattern[str]
    bullet: str
    entity_line: re.Pattern[str]
    gap: re.Pattern[str]
    from_: str
    closing: str
    update: Callable[[str], Update]
    indent: Callable[[str], str]
    like_ours: re.Pattern[str]
    fences: bool
    undo: Callable[[str], str]


FIXED = {
    "Most Relevant": "most_relevant",
    "Additional Context": "additional_context",
    "Additional Context (expansion)": "expansion",
    "Additional Sessions (census)": "census",
    "Timeline (earliest to latest)": "timeline",
    "Knowledge Updates": "knowledge_updates",
}


def _head(content: str, words: Words) -> Head:
    if content in FIXED:
        return Head(FIXED[content])
    for kind, row in GRAIN_TYPES.items():
        if content in (row.section.capitalize(), row.section.upper()):
            return Head("type", kind)
    if content.startswith("Entity: "):
        return Head("entity", words.undo(content.removeprefix("Entity: ")))
    expect(
        content.startswith("Other: ") and content.endswith("s"), f"no heading of ours: {content!r}"
    )
    return Head("type", words.undo(content.removeprefix("Other: ")[:-1]))


_FENCE = re.compile(r" {2,}~{3,}\n?")


def _units(text: str, fences: bool) -> Iterator[str]:
    """Yield each line that starts something, with the lines that belong to it.

    A line ends wherever anybody could think so: only the last one of a unit ends in our newline.
    """
    unit: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        if fences and unit and _FENCE.fullmatch(line):
            fence = "" if line.strip() == fence else fence or line.strip()
        elif fence:
            unit.append(line)
            continue
        goes_on = not line.strip() or (line.startswith("  ") and not re.match(" {3,}↓ ", line))
        if unit and not goes_on:
            expect(unit[-1].endswith("\n"), f"a line of its own: {line!r}")
            yield "".join(unit)[:-1]
            unit = []
        expect(unit or not goes_on, f"nothing before {line!r}")
        unit.append(line)
    expect(not fence, f"a fence without an end: {text!r}")
    if unit:
        yield "".join(unit)


def fences_of(body: str) -> tuple[str, list[str]]:
    """Return what stands before the fences of an entry, and the text in each, as it was."""
    head, *lines = body.split("\n")
    texts: list[str] = []
    while lines:
        line = lines.pop(0)
        if not re.fullmatch("  ~{3,}", line):
            expect(not texts, f"{line!r} after a fence in {body!r}")
            head += f"\n{line}"
            continue
        end = lines.index(line)
        inside = "\n".join(lines[:end]).splitlines(keepends=True)
        expect(all(each[:2] == "  " or each == "\n" for each in inside), f"no indent in {body!r}")
        texts.append("".join(each if each == "\n" else each[2:] for each in inside))
        lines = lines[end + 1 :]
    return head, texts


def without_fences(page: str) -> str:
    """Return a page of Markdown without what its fences hold."""
    return re.sub(r"(?ms)^( {2,}~{3,})\n.*?^\1$\n?", "", page)


def _lines(text: str, words: Words) -> Page:
    """Read a page: one newline between two pieces, two before and after certain ones."""
    units = list(_units(text, words.fences)) if text else []
    section, sections, kinds = "", [], []
    numbered = re.search(rf"^{words.bullet}\[\d+\] ", text, re.MULTILINE) is not None
    for unit in units:
        bare = unit.rstrip("\n")
        if match := words.heading.fullmatch(dedent(bare)):
            section, kind = _head(match[1], words).kind, "head"
        elif section == "knowledge_updates" and bare.endswith(" [CURRENT]"):
            kind = "update"
        else:
            section, kind = "" if section == "knowledge_updates" else section, "other"
        sections.append(section)
        kinds.append(kind)
    page: Page = []
    for unit, inside, kind, after in zip(units, sections, kinds, [*kinds[1:], ""], strict=False):
        opens = kind == "head" and inside == "expansion"
        ends = kind != "head" and (after == "head" or (kind, after) == ("update", "other"))
        blank = "\n" if after and (opens or ends) else ""
        expect(unit.endswith(blank), f"no blank line after {unit!r}")
        page.append(_piece(unit[: len(unit) - len(blank)], kind, inside, words, numbered))
    return page


def _piece(unit: str, kind: str, section: str, words: Words, numbered: bool) -> Piece:
    if kind == "head":
        match = words.heading.fullmatch(dedent(unnumbered(unit) if numbered else unit))
        expect(match, f"no heading: {unit!r}")
        assert match is not None
        nothing_like_ours(match[1], words.like_ours)
        return _head(match[1], words)
    if kind == "update":
        return _changed(unit, words)
    if section == "timeline":
        return _moment(unit, words)
    match = words.entity_line.match(unit)
    if match is not None and not section:  # above the sections of the entities
        names = (unnumbered(unit) if numbered else unit)[match.end() :]
        nothing_like_ours(names, words.like_ours)
        return EntityLine(names, int(match[1]))
    expect(unit.startswith(words.bullet), f"no entry of ours: {unit!r}")
    return _read_entry(_marked(unit.removeprefix(words.bullet)), section, words, numbered)


def _read_entry(entry: Entry, section: str, words: Words, numbered: bool) -> Entry:
    texts: list[str] = []
    if words.fences:
        head, texts = fences_of(entry.body)
        entry = replace(entry, body=head)
    if numbered:
        entry = replace(entry, body=unnumbered(entry.body))
    if section == "census":
        entry = _in_census(entry, words)
    nothing_like_ours(entry.body, words.like_ours)
    return replace(entry, body=Fenced(entry.body, texts)) if texts else entry


def _in_census(entry: Entry, words: Words) -> Entry:
    body, found, session = entry.body.rpartition(words.from_)
    expect(found and session.endswith(words.closing), f"no session in {entry.body!r}")
    content = dedent(f"x{session}")[1 : -len(words.closing)]
    nothing_like_ours(f"x{session}", words.like_ours)
    halved = re.sub(r"(\\+)\(from ", lambda m: "\\" * (len(m[1]) // 2) + "(from ", content)
    if words.closing == "]":  # with it a number is one
        return replace(entry, body=body, session=words.undo(f"{content}]")[:-1])
    return replace(entry, body=body, session=words.undo(halved))


def _marked(line: str) -> Entry:
    match = re.match(r"(?:\[(\d+)\] )?(?:\[(CURRENT|OUTDATED)\] )?", line)
    assert match is not None
    number = int(match[1]) if match[1] else None
    return Entry(line[match.end() :], number=number, mark=match[2])


def _moment(unit: str, words: Words) -> Piece:
    if match := words.gap.fullmatch(unit):
        return Gap(match[1])
    match = re.match(rf"(\d+)\. ({_DATE}|undated): {re.escape(words.bullet)}", unit)
    expect(match, f"no entry of a timeline: {unit!r}")
    assert match is not None
    indent = words.indent(match[1])
    entry = _marked(unit[match.end() :].replace(f"\n{indent}", "\n  "))
    expect(entry.number is None, f"two numbers in {unit!r}")
    if words.fences:
        entry = _read_entry(entry, "timeline", words, numbered=False)
        return replace(entry, place=int(match[1]), date=match[2])
    nothing_like_ours(entry.body, words.like_ours)
    further = looks("".join(entry.body.splitlines(keepends=True)[1:]))
    found = re.search(rf"^{W}{_ORDINAL}", further, re.MULTILINE)
    expect(not found, f"{found} reads as an entry of a timeline in {unit!r}")
    return replace(entry, place=int(match[1]), date=match[2])


def _changed(unit: str, words: Words) -> Update:
    expect(unit.endswith(" [CURRENT]"), f"no update: {unit!r}")
    match = re.match(r"(?:\[(\d+)\] )?", unit)
    assert match is not None
    line = unit[match.end() : -len(" [CURRENT]")]
    nothing_like_ours(line, words.like_ours)
    update = words.update(dedent(opened(unnumbered(line) if match[1] else line)))
    return replace(update, number=int(match[1]) if match[1] else None)


def _no_sign(value: str, signs: str, undo: Callable[[str], str], after: str = "") -> str:
    """Undo what an update adds to `escape`, and `escape`; `after` may end a mark that it begins."""
    halved = re.sub(
        rf"(\\+)({signs}|\Z)", lambda m: "\\" * (len(m[1]) // 2) + m[2], value
    )  # an odd run before a sign, an even one at the end
    return undo(halved + after).removesuffix(after)


def _split(line: str, literal: str) -> tuple[str, re.Match[str]] | None:
    """Return what stands before the first literal of ours, and the literal: no odd backslashes."""
    pattern = re.compile(literal)
    match = pattern.search(line)
    while match is not None:
        before = line[: match.start()]
        if (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            return before, match
        match = pattern.search(line, match.start() + 1)  # two may overlap
    return None


def _update(
    line: str,
    opening: str,
    quotes: tuple[str, str, str],
    signs: str,
    undo: Callable[[str], str],
) -> Update:
    """Read an update; `quotes` open the old value, close it, and enclose the new one."""
    old_opens, old_closes, new = quotes
    expect(line.startswith(opening) or not opening, f"no update: {line!r}")
    found = _split(line[len(opening) :], rf"{re.escape(opening)}: ({old_opens}|{new})")
    expect(found, f"no subject in {line!r}")
    assert found is not None
    subject, colon = found
    subject = _no_sign(subject, signs, undo, "" if opening else ":")
    rest = line[len(opening) + colon.end() :]
    old = _split(rest, rf"{old_closes}(?: \(({_DATE})\))? → {new}")
    end = re.search(rf"{new}(?: \(({_DATE})\))?\Z", rest)
    expect(end, f"no end in {line!r}")
    assert end is not None
    if old is None:
        expect(re.fullmatch(new, colon[1]), f"no new value in {line!r}")
        content = rest[: end.start()]
        return Update(subject, None, "", _no_sign(content, signs, undo), end[1] or "")
    before, arrow = old
    after = rest[arrow.end() : end.start()]
    old_value, new_value = _no_sign(before, signs, undo), _no_sign(after, signs, undo)
    return Update(subject, old_value, arrow[1] or "", new_value, end[1] or "")


def _markdown_update(line: str) -> Update:
    return _update(line, "**", ("~~", "~~", r"\*\*"), r"~~|\*\*|→", undo)


def _plain_update(line: str) -> Update:
    return _update(line, "", ('"', '"', '"'), '"|→', undo_plain)


MARKDOWN = Words(
    heading=re.compile(r"## (.*)", re.DOTALL),
    bullet="- ",
    entity_line=re.compile(r"\*\*(\d+) entities\*\*: "),
    gap=re.compile(r" {3,}↓ \*([^*\n]+)\*"),
    from_=" (from ",
    closing=")",
    update=_markdown_update,
    indent=lambda ordinal: " " * len(f"{ordinal}. "),
    like_ours=_LIKE_OURS,
    fences=True,
    undo=undo,
)
PLAIN = Words(
    heading=re.compile(r"=== (.*) ===", re.DOTALL),
    bullet="",
    entity_line=re.compile(r"(\d+) entities: "),
    gap=re.compile(r"   ↓ ([^\n]+)"),
    from_=" [session: ",
    closing="]",
    update=_plain_update,
    indent=lambda ordinal: "  ",
    like_ours=_LIKE_PLAIN,
    fences=False,
    undo=undo_plain,
)


def read_plain_text(text: str) -> Page:
    # The roster is the one piece that a text of one line could be: it stands above entities only.
    if "\n\n=== Entity: " not in text:
        return _lines(text, replace(PLAIN, entity_line=re.compile(r"(?!)")))
    return _lines(text, PLAIN)


def read_markdown(text: str) -> Page:
    page = _lines(text, MARKDOWN)
    _check_commonmark(text, page)
    return page


NOT_OURS = {"hr", "blockquote_open", "table_open"}


def _check_commonmark(text: str, page: Page) -> None:
    """Fail unless CommonMark sees our headings and list items, where they are, and no others."""
    heads, items, inside = [], [], []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "fence":
            expect(token.markup[0] == "~" and not token.info, f"a fence of {token.markup!r}")
            inside.append(re.sub("(?<=[\u2028\u2029])  ", "", token.content.removesuffix("\n")))
        if token.type == "heading_open":
            assert token.map is not None
            expect(token.markup == "##", f"a heading of {token.markup!r} in {text!r}")
            heads.append(token.map[0])
        if token.type == "list_item_open":
            assert token.map is not None
            items.append(token.map[0])
        expect(token.type not in NOT_OURS, f"{token.type} in {text!r}")
    bodies = [piece.body for piece in page if isinstance(piece, Entry)]
    texts = [text for body in bodies if isinstance(body, Fenced) for text in body.texts]
    expect(inside == texts, f"fences of {inside}, ours of {texts}")
    lines = text.split("\n")
    ours = [n for n, line in enumerate(lines) if line.startswith("## ")]
    expect(heads == ours, f"headings at {heads}, ours at {ours} in {text!r}")
    expect(len(heads) == sum(isinstance(p, Head) for p in page), "a heading too many")
    start = re.compile(r"- |\d+\. ")
    ours = [n for n, line in enumerate(lines) if start.match(line)]
    expect(len(ours) == sum(isinstance(p, Entry) for p in page), "a list item too many")
    expect(items == ours, f"list items at {items}, ours at {ours} in {text!r}")


# --- SML --------------------------------------------------------------------------------------

_SECTIONS = {
    "most_relevant": "most_relevant",
    "additional_context": "additional_context",
    "expansion_results": "expansion",
    "census_results": "census",
    "timeline": "timeline",
    "knowledge_updates": "knowledge_updates",
}
_PLURALS = {row.section: kind for kind, row in GRAIN_TYPES.items()}
_LEAD = re.compile(r"(\n?)(?:\[(CURRENT|OUTDATED)\] )?")
Element = tuple[str, list[tuple[str, str]], list[Any]]


def merged(content: list[Any]) -> list[Any]:
    """Join neighbouring texts and leave out empty ones."""
    out: list[Any] = []
    for part in content:
        if isinstance(part, str) and out and isinstance(out[-1], str):
            out[-1] += part
        elif part != "":
            out.append(part if isinstance(part, str) else (part[0], part[1], merged(part[2])))
    return out


def _element(node: ET.Element) -> Element:
    content: list[Any] = [node.text or ""]
    for child in node:
        content += [_element(child), child.tail or ""]
    return node.tag, list(node.attrib.items()), merged(content)


def _between_tags(content: list[Any]) -> list[Any]:
    """Take away the newlines that stand around a passage of several lines."""
    *children, last = content or [""]
    if not isinstance(last, str) or "\n" not in last:
        return content
    expect(last[0] == last[-1] == "\n" and len(last) > 2, f"a tag beside its text: {last!r}")
    return [*children, last[1:-1]]


def read_sml(text: str) -> Page:
    return list(_nodes(ET.fromstring(f"<all>{text}</all>"), ""))


def _section(node: ET.Element) -> Head | None:
    if node.tag in _SECTIONS:
        order = {"order": "chronological"} if node.tag == "timeline" else {}
        expect(node.attrib == order, f"attributes of {node.tag}: {node.attrib}")
        return Head(_SECTIONS[node.tag])
    if node.tag in ("section", "entity"):
        expect(list(node.attrib) == ["name"], f"attributes of {node.tag}: {node.attrib}")
        name = node.attrib["name"]
        expect(node.tag == "entity" or name.endswith("s"), f"no plural: {name!r}")
        return Head("entity", name) if node.tag == "entity" else Head("type", name[:-1])
    kind = _PLURALS.get(node.tag)
    if kind is None or (kind == node.tag and node.find(kind) is None):
        return None  # reasoning and consensus name a grain and its section alike
    expect(not node.attrib, f"attributes of {node.tag}: {node.attrib}")
    return Head("type", kind)


def _nodes(parent: ET.Element, inside: str) -> Iterator[Piece]:
    lead, between = parent.text or "", inside != ""
    for node in parent:
        match = _LEAD.fullmatch(lead)
        expect(match and bool(match[1]) == between, f"between two tags: {lead!r}")
        assert match is not None
        head = _section(node)
        expect(not match[2] or head is None, "a section with a status")
        if head is not None:
            yield head
            yield from _nodes(node, head.kind)
        else:
            yield _node(node, match[2], inside)
        lead, between = node.tail or "", True
    expect(lead == ("\n" if inside else ""), f"before the end of {parent.tag}: {lead!r}")


def _node(node: ET.Element, mark: str | None, inside: str) -> Piece:
    tag, attributes, content = _element(node)
    if tag in ("document", "event"):
        content = _between_tags(content)
    if tag == "delta":
        expect([name for name, _ in attributes] == ["days", "label"], f"a gap: {attributes}")
        return Gap(dict(attributes)["label"])
    if tag == "entities":
        return EntityLine("".join(content), int(dict(attributes)["count"]))
    number = None
    if attributes and attributes[0][0] == "id":
        number = int(attributes.pop(0)[1])
    if tag == "update":
        given = dict(attributes)
        order = [n for n in ("subject", "old", "old_date", "new", "new_date") if n in given]
        expect(list(given) == order and inside == "knowledge_updates", f"an update: {attributes}")
        dates = given.get("old_date", ""), given.get("new_date", "")
        values = given["subject"], given.get("old"), dates[0], given["new"], dates[1]
        return Update(*values, number=number)
    expect(tag in GRAIN_TYPES or tag == "grain", f"no tag of ours: {tag}")
    session = None
    if inside == "census":
        expect(attributes and attributes[0][0] == "session", f"no session: {attributes}")
        session = attributes.pop(0)[1]
    return Entry((tag, attributes, content), number=number, mark=mark, session=session)


# --- TOON -------------------------------------------------------------------------------------


DOCUMENT = {"source", "title", "content"}


def _rows(sections: dict[str, Any], *, census: bool = False) -> Iterator[Piece]:
    for name, found in sections.items():
        yield Head("type", name)
        for row in found:
            body = dict(row)
            if body.keys() >= DOCUMENT:  # the others of its table may have further columns
                body = {n: v for n, v in body.items() if n in DOCUMENT or n == "id" or v != ""}
            session = body.pop("session") if census else None
            yield Entry(body, number=body.pop("id", None), session=session)


def _timeline(found: list[dict[str, Any]]) -> Iterator[Piece]:
    for place, row in enumerate(found, 1):
        expect(
            [name for name in row if name != "id"] == ["date", "type", "content", "gap"],
            f"a row of a timeline: {row}",
        )
        if row["gap"] is not None:
            yield Gap(row["gap"])
        body = {"type": row["type"], "content": row["content"]}
        date = row["date"] or "undated"
        yield Entry(body, number=row.get("id"), place=place, date=date)


def _change(row: dict[str, Any], old: str, new: str) -> Update:
    return Update(
        row["subject"],
        row.get(old),
        row.get("old_date") or "",
        row[new],
        row["new_date"] or "",
        number=row.get("id"),
    )


def read_toon(text: str) -> Page:
    found = toon_format.loads(text)
    expect(isinstance(found, dict), f"no object: {found!r}")
    page: Page = []
    loose: dict[str, Any] = {}
    for name, value in found.items():
        if name == "knowledge_updates":
            page += [Head(name), *(_change(row, "old", "new") for row in value)]
        elif name == "entities":
            page.append(EntityLine(", ".join(value)))
        elif name == "timeline":
            page += [Head(name), *_timeline(value)]
        elif name == "by_entity":
            for entity, sections in value.items():
                page += [Head("entity", entity), *_rows(sections)]
        elif name in ("most_relevant", "additional_context", "expansion", "census"):
            page += [Head(name), *_rows(value, census=name == "census")]
        else:
            loose[name] = value
            page += _rows({name: value})
    return page


# --- JSON -------------------------------------------------------------------------------------


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    expect(len(found) == len(pairs), f"a key twice: {[name for name, _ in pairs]}")
    return found


def read_json(text: str) -> Page:
    found = json.loads(text, object_pairs_hook=_once)
    page: Page = []
    if isinstance(found, dict) and list(found) == ["knowledge_updates", "context"]:
        updates = found["knowledge_updates"]
        page += [Head("knowledge_updates")]
        page += [_change(row, "old_value", "new_value") for row in updates]
        found = found["context"]
    sections = found.items() if isinstance(found, dict) else [("", found)]
    for name, rows in sections:
        if name or isinstance(found, dict):
            page.append(Head("type", name))
        for row in rows:
            given = dict(row)
            number, session = given.pop("id", None), given.pop("source_session", None)
            page.append(Entry(given, number=number, session=session))
    return page


READERS: dict[str, Callable[[str], Page]] = {
    "sml": read_sml,
    "toon": read_toon,
    "markdown": read_markdown,
    "plain_text": read_plain_text,
    "json": read_json,
}


def shape(page: Page) -> list[tuple[Any, ...]]:
    """Return what a page is made of without what its hits say: pieces, numbers, marks, gaps."""
    out: list[tuple[Any, ...]] = []
    for piece in page:
        match piece:
            case Entry():
                tag = piece.body[0] if isinstance(piece.body, tuple) else ""
                out.append(("entry", piece.number, piece.mark, piece.place, piece.date, tag))
            case Update():
                hidden = piece.old is None
                out.append(("update", piece.number, hidden, piece.old_date, piece.new_date))
            case Gap():
                out.append(("gap", piece.label))
            case Head():
                out.append(("head", piece.kind))
            case EntityLine():
                out.append(("roster", piece.count))
    return out
