"""A memory of the real engine, what is stored in it, and where its lines are not ours.

A difference makes of our line of a grain the one that the engine prints. The lists are closed: any
other byte that differs fails a test, and so does a difference that the engine no longer has.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from areev_context import SearchHit

NAMESPACE = "team"
SUBJECT = "orchard"  # what the grains that `recall` must find are about
OLDEST, OLD, NEW = 1_500_000_000_000, 1_600_000_000_000, 1_700_000_000_000

# The engine's names of the formats whose lines are compared.
FORMATS = {"sml": "sml", "markdown": "markdown", "plain_text": "text", "toon": "toon"}


class Sample(NamedTuple):
    """One grain to store, and the sample that it supersedes."""

    grain_type: str
    fields: dict[str, Any]
    supersedes: str | None = None


def _of(grain_type: str, **fields: Any) -> Sample:
    return Sample(grain_type, {"created_at": NEW, **fields})


_PLAN = {"nodes": ["build", "ship"], "edges": [{"src": "build", "dst": "ship"}]}
_LOOP = {"src": "build", "dst": "ship", "cond": "green & <fast>", "max_cycles": 3}
_BLOCKS = [
    {"type": "text", "text": 'looking <b>"up"</b>'},
    {"type": "tool_use", "name": "gr&ep", "id": "c1", "input": {"b": 1.0, "a": "x<é", "c": [None]}},
    {"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": "no such file"},
]
THE_WORKFLOW = "the hash of the sample 'workflow'"

SAMPLES: dict[str, Sample] = {
    "fact": _of("fact", subject="ada", relation="lives_in", object="Turin", confidence=0.8),
    "fact-sure": _of("fact", subject="ada", relation="likes", object="tea", confidence=1),
    "fact-rounded": _of("fact", subject="ada", relation="likes", object="ale", confidence=0.999),
    "fact-undated": _of("fact", subject="ada", relation="likes", object="rye", created_at=0),
    "fact-escaped": _of("fact", subject="<ada>", relation="says", object="it's \"R&D\" `x` C:\\d"),
    "fact-lines": _of("fact", subject="ada", relation="wrote", object="one\ntwo\tthree\n\nfour"),
    "fact-item": _of("fact", subject="- a", relation="wrote", object="x\n- y\n# z\n[3] w\n1. v"),
    "fact-mark": _of("fact", subject="[CURRENT] ada", relation="is", object="here [OUTDATED] x"),
    "fact-backslash": _of("fact", subject="\\ada", relation="is", object="there"),
    "fact-separator": _of("fact", subject="ada", relation="is", object="a\u2028b"),
    "fact-control": _of("fact", subject="ada", relation="hears", object="bell \x07 rings"),
    "fact-spaces": _of("fact", subject=" ada", relation="has", object="  room  "),
    "fact-numeral": _of("fact", subject="42", relation="is", object="7", confidence=0.125),
    "fact-toon": _of("fact", subject="a,b", relation="is", object="c:d {e} [2]: true"),
    "fact-wide": _of("fact", subject="café", relation="☃", object="保存期間は三年間です。"),
    "fact-checked": _of(
        "fact", subject="ada", relation="is", object="in", verification_status="verified",
        tags=["seen", 'by "us"'],
    ),
    "fact-retracted": _of(
        "fact", subject="ada", relation="is", object="out", verification_status="retracted"
    ),
    "event": _of("event", content="We ship on Friday.", role="user"),
    "event-spoken": _of("event", content="Noted.", speaker="bob"),
    "event-nobody": _of("event", content="The line went dead.\nTwice."),
    "event-related": _of("event", content="It holds.", relation="asserts", role="user"),
    "event-subject": _of("event", content="It holds.", subject="ada"),
    "event-long": _of("event", content="it's so & so " * 60 + "end", role="assistant"),
    "event-at-500": _of("event", content="y" * 498 + "é", role="user"),
    "event-over-500": _of("event", content="y" * 496 + "éééé", role="assistant"),
    "event-blocks": _of("event", content="see", role="assistant", content_blocks=_BLOCKS),
    "state": _of("state", context={"label": "Paying", "step": 2, "a": True, "k": [1], "z": 0}),
    "state-title": _of("state", context={"title": "It's a <cart>"}),
    "state-keys": _of("state", context={"step": 2, "total": 9.5}),
    "state-text": _of("state", context="a string"),
    "state-none": _of("state"),
    "state-content": _of("state", context={"label": "Paid"}, content="paid in full"),
    "workflow": _of("workflow", name="release", trigger="tag", **_PLAN),
    "workflow-loop": _of("workflow", trigger='"tag"', nodes=["build", "ship"], edges=[_LOOP]),
    "workflow-bare": _of("workflow", nodes=["build", "ship"]),
    "workflow-bound": _of(
        "workflow", trigger="tag", bindings={"ship": "b" * 64, "build": "a" * 64}, **_PLAN
    ),
    "workflow-long": _of(
        "workflow", trigger="tag", nodes=[f"n{n}" for n in range(15)],
        edges=[{"src": f"n{n}", "dst": f"n{n + 1}"} for n in range(14)],
    ),
    "tool": _of("tool", tool_name="grep", tool_content="3 'hits'", is_error=False, duration_ms=12),
    "tool-silent": _of("tool", tool_name="grep", duration_ms=0),
    "tool-content": _of("tool", tool_name="grep", content="a & b\nc"),
    "tool-long": _of("tool", tool_name="grep", tool_content="<é> " * 90),
    "tool-failed": _of("tool", tool_name="cat", tool_content="none", is_error=True, error="boom"),
    "tool-failed-only": _of("tool", tool_name="grep", is_error=True, error="no <file>"),
    "tool-checked": _of("tool", tool_name="cat", tool_content="ok", verification_status="verified"),
    "tool-triple": _of(
        "tool", tool_name="grep", tool_content="q", subject="ada", relation="ran", object="grep"
    ),
    "observation": _of("observation", observer_id="cam-1", content="the door's ajar"),
    "observation-subject": _of("observation", observer_id="cam", subject="door", content="ajar"),
    "observation-anonymous": _of("observation", content="ajar\nand dark"),
    "observation-related": _of(
        "observation", observer_id="cam-1", subject="door", relation="seen", content="ajar"
    ),
    "observation-relation": _of("observation", observer_id="cam", relation="seen", content="ajar"),
    "goal": _of("goal", description="Ship <1.0>", goal_state="active", confidence=0.5),
    "goal-subject": _of("goal", description="Ship it", subject="team", goal_state="active"),
    "goal-object": _of("goal", object="Ship it all"),
    "reasoning": _of("reasoning", conclusion='"so" it goes', inference_method="deductive"),
    "reasoning-open": _of("reasoning", inference_method="abductive"),
    "reasoning-bare": _of("reasoning"),
    "reasoning-content": _of("reasoning", conclusion="so", content="it was said"),
    "consensus": _of("consensus", agreed_content="Use TOON", agreement_count=2, dissent_count=1),
    "consensus-no-votes": _of("consensus", agreed_content="Use & keep SML", threshold=0.66),
    "consensus-votes-only": _of("consensus", agreement_count=2),
    "consensus-bare": _of("consensus"),
    "consent": _of(
        "consent", user_id="ada", subject_did="did:x:ada", grantee_did="did:x:bot", scope="e-mail"
    ),
    "consent-withdrawn": _of(
        "consent", user_id="ada", subject_did="did:x:ada", scope="<all>", is_withdrawal=True
    ),
    "consent-no-scope": _of("consent", user_id="ada", subject_did="did:x:ada"),
    "skill": _of(
        "skill", name="grafting", domain="garden", description="it's joining", proficiency=0.8,
        practice_count=3,
    ),
    "skill-lines": _of("skill", name='two\n\t"lines"', description="joins"),
    "skill-numeral": _of("skill", name="42", domain="7", description="joins", proficiency=1),
    "trigger": _of(
        "trigger", kind="polling", interval_secs=60, connector="imap", workflow=THE_WORKFLOW,
        description="new mail", scope="inbox",
    ),
    "trigger-cron": _of("trigger", kind="schedule", cron="0 8 * * *", workflow=THE_WORKFLOW),
    "trigger-bare": _of("trigger", kind="manual", workflow=THE_WORKFLOW),
}  # fmt: skip

_ABOUT: dict[str, dict[str, Any]] = {
    "fact": {"relation": "grows", "object": "pears"},
    "event": {"content": "pears were picked", "role": "user"},
    "state": {"context": {"label": "picking pears"}},
    "workflow": {"name": "picking", "trigger": "ripe", "nodes": ["climb", "pick"]},
    "tool": {"tool_name": "scales", "tool_content": "9 kg of pears"},
    "observation": {"observer_id": "cam-1", "content": "pears on the ground"},
    "goal": {"description": "Sell the pears"},
    "reasoning": {"conclusion": "the pears are ripe", "inference_method": "inductive"},
    "consensus": {"agreed_content": "Pick pears first", "agreement_count": 3},
    "consent": {"user_id": "ada", "subject_did": "did:x:ada", "scope": "pears"},
    "skill": {"name": "pruning", "description": "cuts pear trees", "proficiency": 0.5},
    "trigger": {"kind": "manual", "workflow": THE_WORKFLOW, "description": "when pears are ripe"},
}
TYPES = tuple(_ABOUT)


def _version(grain_type: str, number: int, created_at: int, **fields: Any) -> Sample:
    known = {**_ABOUT[grain_type], "subject": SUBJECT, "tags": [f"v{number}"]}
    supersedes = f"{grain_type}-v{number - 1}" if number > 1 else None
    return Sample(grain_type, {**known, "created_at": created_at, **fields}, supersedes)


SAMPLES["fact-v0"] = _version("fact", 0, OLDEST, object="plums")
for _type in TYPES:
    SAMPLES[f"{_type}-v1"] = _version(_type, 1, OLD)
    SAMPLES[f"{_type}-v2"] = _version(_type, 2, NEW)
SAMPLES["fact-v1"] = _version("fact", 1, OLD, object="apples")._replace(supersedes="fact-v0")

PLURALS = {name: f"{name}s" for name in TYPES} | {"consensus": "consensuses"}
"""The engine's names of its types in a statement, and in the heading of a TOON table."""


class Store:
    """A memory that holds the samples.

    Attributes:
        memory: The engine's handle; a file may have one.
        path: Its file.
        hashes: What the engine calls each sample.
    """

    def __init__(self, engine: Any, path: Path) -> None:
        self.memory = engine.Areev(str(path), ns=NAMESPACE)
        self.path = path
        self.hashes: dict[str, str] = {}
        for name, sample in SAMPLES.items():
            self.hashes[name] = self._write(sample)

    def _write(self, sample: Sample) -> str:
        fields = dict(sample.fields)
        if fields.get("workflow") == THE_WORKFLOW:
            fields["workflow"] = self.hashes["workflow"]
        written = json.dumps(fields)
        if sample.supersedes is None:
            return str(self.memory.add(sample.grain_type, written))
        old = self.hashes[sample.supersedes]
        return str(self.memory.supersede(old, sample.grain_type, written))

    def one(self, name: str) -> str:
        """Return the statement that recalls one sample, also where it was superseded."""
        recall = f'RECALL {PLURALS[SAMPLES[name].grain_type]} WHERE hash = "{self.hashes[name]}"'
        return f"{recall} LIMIT 2 WITH superseded"

    def printed(self, statement: str, format: str) -> str:
        """Return what the engine prints for a statement, without what it puts around lines."""
        answer = json.loads(self.memory.cal(f"{statement} FORMAT {FORMATS[format]}"))
        return unwrapped(answer["text"], format)


def unwrapped(text: str, format: str) -> str:
    """Take away what stands around the engine's lines: `<grains>`, or the last newline."""
    if format == "sml":
        head, tail = "<grains>\n  ", "\n</grains>"
        assert text.startswith(head)
        assert text.endswith(tail)
        return text[len(head) : -len(tail)]
    if format == "toon":
        return text
    assert text.endswith("\n")
    return text[:-1]


class Difference(NamedTuple):
    """One way in which the engine's line is not ours.

    Attributes:
        name: What it is called in the tests.
        formats: The formats in which it shows.
        reason: Why we do not write what the engine writes.
        engine: Makes the engine's line of ours; a line that it has no part in stays as it is.
    """

    name: str
    formats: tuple[str, ...]
    reason: str
    engine: Callable[[str, SearchHit], str]


def _raw_controls(line: str, hit: SearchHit) -> str:
    for value in hit.fields.values():
        if isinstance(value, str) and "\x07" in value:
            line = line.replace(value.replace("\x07", ""), value)
    return line


_MOST = {"event": ("content", 500), "tool": ("tool_content", 300)}


def _cut(line: str, hit: SearchHit) -> str:
    """Cut what is longer three bytes short of the limit, as if for a mark, which is not set."""
    name, most = _MOST.get(hit.grain_type, ("", 0))
    value = hit.fields.get(name, "")
    if len(value.encode()) <= most:
        return line
    short = value.encode()[: most - 3].decode(errors="ignore")
    return line.replace(_as_text(value), _as_text(short))


def _as_text(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;")


def _escaped_text(line: str, hit: SearchHit) -> str:
    parts = re.split(r"(<[^>]*>)", line)  # texts, and between them the tags
    for place in range(0, len(parts), 2):
        parts[place] = re.sub("[\"'>]", lambda sign: _REFERENCES[sign[0]], parts[place])
    return "".join(parts)


_REFERENCES = {'"': "&quot;", "'": "&apos;", ">": "&gt;"}


def _raw_white_space(line: str, hit: SearchHit) -> str:
    return line.replace("&#10;", "\n").replace("&#9;", "\t")


def _own_lines(line: str, hit: SearchHit) -> str:
    """Put a text that stands on lines of its own beside its tags."""
    return re.sub(r"\A(<[^\n]*>)\n(.*)\n(</\w+>)\Z", r"\1\2\3", line, flags=re.DOTALL)


def _no_fence(line: str, hit: SearchHit) -> str:
    """Put the text of a fence where its value stands in the line."""
    found = re.fullmatch(r"(.*?)( \*\(.*\)\*)?\n  (~{3,})\n(.*)\n  \3", line, re.DOTALL)
    if found is None:
        return line
    return f"{found[1]} {found[4].removeprefix('  ')}{found[2] or ''}"


def _not_indented(line: str, hit: SearchHit) -> str:
    line = line.replace("\n  ", "\n")
    return line.replace("\u2028  ", "\u2028")  # a line separator starts a line, too


def _not_guarded(line: str, hit: SearchHit) -> str:
    return re.sub(r"\\(?=\\|[-#\[]|\d+\. )", "", line)


def _texts(hit: SearchHit, *names: str) -> list[str]:
    return [hit.fields.get(name, "") for name in names]


def _no_object(line: str, hit: SearchHit) -> str:
    subject, relation, found = _texts(hit, "subject", "relation", "object")
    if hit.grain_type != "observation" or relation:
        return line
    if subject:
        return line.replace(f"- **{subject}**: {found}", f"- **{subject}**", 1)
    return line.replace(f"- {found}", f"- object: {found}", 1)


def _relation(line: str, hit: SearchHit) -> str:
    subject, relation, found = _texts(hit, "subject", "relation", "object")
    if hit.grain_type != "observation" or not relation:
        return line
    if subject:
        return line.replace(f"- **{subject}**: {found}", f"- **{subject}** {relation} {found}", 1)
    return line.replace(f"- **{relation}**: {found}", f"- object: {found}, relation: {relation}", 1)


def _subject_speaks(line: str, hit: SearchHit) -> str:
    subject, content, *speakers = _texts(hit, "subject", "content", "relation", "role", "speaker")
    if hit.grain_type != "event" or not subject or any(speakers):
        return line
    return line.replace(f"- {content}", f"- **{subject}**: {content}", 1)


def _no_error(line: str, hit: SearchHit) -> str:
    error, content = _texts(hit, "error", "tool_content")
    if not error:
        return line
    if line.startswith("- "):
        return line.replace(f": {error}", f": {content}" if content else "")
    return line.replace(f",{error}", f",{content}" if content else ',""')


def _triple_of_a_tool(line: str, hit: SearchHit) -> str:
    triple, (name, content) = _triple_of(hit), _texts(hit, "tool_name", "tool_content")
    if hit.grain_type != "tool" or not all(triple):
        return line
    subject, relation, found = triple
    return line.replace(f"**{name}** returned: {content}", f"**{subject}** {relation} {found}", 1)


def _triple_of(hit: SearchHit) -> list[str]:
    return _texts(hit, "subject", "relation", "object")


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _text_of(hit: SearchHit) -> str:
    return next(filter(None, _texts(hit, "description", "cron", "workflow")))


def _every_field_a_tag(line: str, hit: SearchHit) -> str:
    if hit.grain_type != "trigger":
        return line
    own = re.sub(r' (?:kind|scope)="[^"]*"', "", line)
    tags = (f"<{name}>{_plain(hit.fields[name])}</{name}>" for name in sorted(hit.fields))
    own = own.replace(f">{_text_of(hit)}</trigger>", f">{''.join(tags)}</grain>")
    return own.replace("<trigger", '<grain type="trigger"', 1)


def _trigger_by_shape(line: str, hit: SearchHit) -> str:
    if hit.grain_type != "trigger":
        return line
    kind, scope, subject, description = _texts(hit, "kind", "scope", "subject", "description")
    own = f"- **{kind}** trigger: {_text_of(hit)}" + (f" ({scope})" if scope else "")
    if description:
        body = f"**{subject}**: {description}" if subject else description
    else:
        shown = sorted(set(hit.fields) - {"type", "namespace", "created_at", "confidence"})
        body = ", ".join(f"{name}: {_plain(hit.fields[name])}" for name in shown)
    return line.replace(own, f"- {body}", 1)


def _trigger_by_hash(line: str, hit: SearchHit) -> str:
    if hit.grain_type != "trigger":
        return line
    return line.replace(f"[{hit.fields['kind']}] {_text_of(hit)}", f"[trigger: {hit.hash[:8]}]")


def _every_field_a_cell(line: str, hit: SearchHit) -> str:
    if hit.grain_type != "trigger":
        return line
    cells = ",".join(_cell(hit.fields[name]) for name in sorted(hit.fields))
    return line.replace(f"{hit.fields['kind']},{_text_of(hit)}", cells)


def _cell(value: Any) -> str:
    if value is True:
        return '"true"'
    return json.dumps(json.dumps(value)) if isinstance(value, list) else _plain(value)


def _no_result(line: str, hit: SearchHit) -> str:
    shown_text = next(filter(None, _texts(hit, "error", "tool_content")), None)
    return line.removesuffix(f": {shown_text}") if hit.grain_type == "tool" else line


def _no_description(line: str, hit: SearchHit) -> str:
    if hit.grain_type != "skill":
        return line
    return line.removesuffix(f": {hit.fields['description']}")


def _counts(hit: SearchHit) -> str:
    nodes, edges = (len(hit.fields.get(name, [])) for name in ("nodes", "edges"))
    return f"{nodes} nodes, {edges} edges"


def _topology(hit: SearchHit) -> str:
    edges = hit.fields.get("edges", [])
    parts = [
        f"{edge['src']} -> {edge['dst']}"
        + (f" [when {edge['cond']}] [max {edge['max_cycles']}x]" if "cond" in edge else "")
        for edge in edges[:12]
    ] + ([f"… +{len(edges) - 12} more"] if len(edges) > 12 else [])
    return "; ".join(parts) or ", ".join(hit.fields["nodes"])


def _no_topology(line: str, hit: SearchHit) -> str:
    if hit.grain_type != "workflow":
        return line
    trigger = hit.fields.get("trigger", "workflow")
    name = hit.fields.get("name", trigger)
    own = f"{name} (on: {trigger}): {_topology(hit)}"
    return line.replace(own, f"{trigger} ({_counts(hit)})")


def _counts_alone(line: str, hit: SearchHit) -> str:
    if hit.grain_type != "workflow":
        return line
    shown = _topology(hit)
    for own in (f',"{shown}"', f",{shown}"):  # TOON quotes what holds a comma or a bracket
        line = f'{line.removesuffix(own)},"{_counts(hit)}"' if line.endswith(own) else line
    return line


def _no_votes(line: str, hit: SearchHit) -> str:
    agreed, dissent = (hit.fields.get(f"{name}_count", 0) for name in ("agreement", "dissent"))
    if hit.grain_type != "consensus":
        return line
    return line.removesuffix(f" ({agreed} agreed, {dissent} dissent)")


def _lower_case(line: str, hit: SearchHit) -> str:
    return "consensus" if line == "Consensus" else line


def _content_before_all(line: str, hit: SearchHit) -> str:
    own = {"state": "Paid", "reasoning": "so"}.get(hit.grain_type)
    return hit.fields.get("content", line) if line == own else line


def _triple(line: str, hit: SearchHit) -> str:
    triple = _triple_of(hit)
    return " ".join(triple) if any(triple) and hit.grain_type != "fact" else line


def _bare_numerals(line: str, hit: SearchHit) -> str:
    return re.sub(r'(?<![^,])"(\d+)"(?![^,])', r"\1", line)


def _empty_number(line: str, hit: SearchHit) -> str:
    return re.sub(r",null$", ',""', line)


_SML, _MARKDOWN, _PLAIN, _TOON = (("sml",), ("markdown",), ("plain_text",), ("toon",))
_LINES = ("markdown", "plain_text")

DIFFERENCES = (
    Difference("cut", _SML, "what is shown whole is complete", _cut),
    Difference("raw white space", _SML, "XML folds it in an attribute", _raw_white_space),
    Difference("every field a tag", _SML, "a trigger has a line of its own", _every_field_a_tag),
    Difference("escaped text", _SML, "> and a quote in text need no escape", _escaped_text),
    Difference("own lines", _SML, "a text of several lines has lines of its own", _own_lines),
    Difference("no fence", _MARKDOWN, "a text keeps its lines without backslashes", _no_fence),
    Difference("not indented", _LINES, "a text stays inside its entry", _not_indented),
    Difference("not guarded", _LINES, "a text cannot pass for a mark of ours", _not_guarded),
    Difference("no object", _MARKDOWN, "an observation is complete", _no_object),
    Difference("relation", _MARKDOWN, "an observation has no relation to show", _relation),
    Difference("subject speaks", _MARKDOWN, "a subject is not who speaks", _subject_speaks),
    Difference("no error", (*_MARKDOWN, *_TOON), "a failed call says how", _no_error),
    Difference("triple of a tool", _MARKDOWN, "a tool reads as a call", _triple_of_a_tool),
    Difference("trigger by shape", _MARKDOWN, "a trigger has a line of its own", _trigger_by_shape),
    Difference("no result", _PLAIN, "a call is complete", _no_result),
    Difference("no description", _PLAIN, "a skill is complete", _no_description),
    Difference("no topology", _PLAIN, "a workflow is complete", _no_topology),
    Difference("no votes", _PLAIN, "a consensus is complete", _no_votes),
    Difference("lower case", _PLAIN, "a line begins as in Markdown", _lower_case),
    Difference("trigger by hash", _PLAIN, "a trigger has a line of its own", _trigger_by_hash),
    Difference("content before all", _PLAIN, "a type's own text comes first", _content_before_all),
    Difference("triple", _PLAIN, "only a fact is a triple", _triple),
    Difference("bare numerals", _TOON, "text that looks like a number stays text", _bare_numerals),
    Difference("empty number", _TOON, "an absent number is null", _empty_number),
    Difference("counts alone", _TOON, "a workflow is complete", _counts_alone),
    Difference("every field a cell", _TOON, "a row has the cells of its head", _every_field_a_cell),
    Difference("raw controls", tuple(FORMATS), "no output holds control characters", _raw_controls),
)  # fmt: skip
"""Applied in this order; what makes a whole line anew comes late."""


def engines(line: str, hit: SearchHit, format: str, *, without: Difference | None = None) -> str:
    """Return the line that the engine prints where ours is `line`."""
    for difference in DIFFERENCES:
        if format in difference.formats and difference is not without:
            line = difference.engine(line, hit)
    return line
