"""Hits as nobody would wish them, with the policies and hints that lead each mode to them.

Types, formats and modes come from the registries: a new row is drawn the moment it exists. A mode
that needs something of the hits or the hints to be chosen has a row in `LEADS`.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from hypothesis import strategies as st

from areev_context import FormatPolicy, GrainTypeDiversity, RenderingHints, SearchHit
from areev_context.extend import GRAIN_TYPES, MetadataLevel, Ordering
from areev_context.formats.registry import FORMATS
from areev_context.layout.all_modes import MODES
from awkward import BUDGETS, METADATA, SCORES, TEXTS, TOON_STRINGS
from leads import Lead

SCORE_GROUPS = cast("dict[str, list[Any]]", SCORES)
METADATA_GROUPS = cast("dict[str, dict[Any, Any]]", METADATA)
SHORT = [text for name, text in TEXTS.items() if name != "huge"]

# What the writers look for or write themselves, whole and in halves, and what hides it.
SIGNS = [
    "[CURRENT]", "[OUTDATED] ", "[session: x]", "[session", "CURRENT", "CURRENT] ", "OUTDATED",
    "[3] ", "3] x", "[3", "[1, 2]", "3]", "[", "]", "# ", "## Facts", "## Entity: bob", "=== ",
    "=== GOALS ===", "== GOALS ===", "=", "==", "---", "-", "- ", "* ", "+ ", "1. ", "2024-01-01: ",
    "1", "1)", "(", ")", "```", "``", "`", "~~~", "~~", "~", "***", "**", "*", "_ _ _", "→", " → ",
    '"', "\\", "\\\\", "|", ":-|", "> ", ">", "<", "<div>", "<!-- ", "<fact>", "</fact>",
    "</facts><goals>", '" id="9', "&amp;", "&#10;", "]]>", "'", "↓ ", "↓ *9 days*", " (from ",
    "(from root)", "**2 entities**: ", "2 entities: ", ": ", ":", ",", ", ", "; ", "/", "…",
    "[ 2 ]", "[2–3]", "[^2]", "[Source 2]", "【2†source】", "list[2]", "[2", "current]",
    "［CURRENT］", "[Session :", "--|--", "|-",
    "facts[1]{subject}:", "  x,y", '{"grain_type":', "}", "{", "null", "true", "7", "07", "1e5",
]  # fmt: skip
BREAKS = ["\n", "\n\n", "\n \n", "\u2028", "\u2029", "\r\n", "\r", " ", "  ", "    ", "\t"]
ODD_ONES = [
    "\x00", "\x0b", "\x1b[31m", "\x7f", "\x85", "\x9f", "\ud83d", "\ude00", "\ud83d\ude00",
    "\u034f", "\u061c", "\u180e", "\u2800", "\u3164", "\ufe0f", "\ufffc", "\U000e0001",
    "\U000e0100",
    "\ufffe", "\uffff", "\ufffd", "\ufeff", "\u200b", "\u200d", "\u2060", "\u00ad", "\u202e",
    "\u00a0", "\u3000", "e\u0301", "é", "日本語", "שלום", "😀", "ß", "İ", "٣", "½",
]  # fmt: skip


any_text = st.text(st.characters(exclude_categories=()), max_size=4)
pieces = st.one_of(
    st.sampled_from(SIGNS),
    st.sampled_from(BREAKS),
    st.sampled_from(["a", "alice", "word word"]),
    st.sampled_from(ODD_ONES),
    any_text,
)
texts = st.one_of(
    st.lists(pieces, max_size=5).map("".join),
    st.lists(pieces, max_size=5).map("".join),
    st.sampled_from(SHORT + TOON_STRINGS),
)
names = st.one_of(st.sampled_from(["alice", "bob", "", "Other"]), texts)

numbers = st.one_of(
    st.sampled_from([0, 1, -1, 0.5, 0.95, 1.0, 1e-7, 1e300, -0.0, 10**299, 10**301, 2**70]),
    st.integers(-5, 2000),
    st.floats(),
)
plain_values = st.one_of(st.none(), st.booleans(), numbers, texts)
json_values = st.one_of(
    plain_values,
    st.lists(plain_values, max_size=3),
    st.dictionaries(texts, plain_values, max_size=3),
)


class Unreadable:
    """An array of some library that cannot be moved to where it could be read."""

    def tolist(self) -> list[float]:
        raise RuntimeError("on another device")


class Gone(dict[str, Any]):
    """A lazy mapping whose source is closed."""

    def items(self) -> Any:
        raise OSError("closed")


class Loud(str):
    """A text that says something else when asked for it."""

    def __str__(self) -> str:
        raise RuntimeError("no text form")


UNREADABLE = [Unreadable(), Gone(a=1), Loud("loud"), object(), range(3), 1j, b"\xff", type]
odd_objects = st.sampled_from([
    *(value for group in METADATA_GROUPS.values() for value in [*group.values(), group]),
    *UNREADABLE,
])  # fmt: skip
values = st.one_of(texts, texts, texts, texts, json_values)

_edges = st.fixed_dictionaries(
    {"src": texts, "dst": texts},
    optional={"cond": texts, "max_cycles": numbers},
)
_blocks = st.one_of(
    st.fixed_dictionaries({"type": st.just("text")}, optional={"text": values}),
    st.fixed_dictionaries(
        {"type": st.just("tool_use")},
        optional={"name": texts, "id": texts, "input": json_values},
    ),
    st.fixed_dictionaries(
        {"type": st.just("tool_result")},
        optional={"tool_use_id": texts, "content": values, "is_error": st.booleans()},
    ),
    json_values,
)
_label = st.sampled_from(["label", "description", "title", "name", "k1", "k2", "vstatus"])

FIELD: dict[str, st.SearchStrategy[Any]] = {
    "content_blocks": st.lists(_blocks, max_size=3),
    "edges": st.one_of(
        st.lists(_edges, max_size=3), st.lists(st.just({"src": "a", "dst": "b"}), max_size=14)
    ),
    "nodes": st.lists(values, max_size=3),
    "premises": st.lists(texts, max_size=2),
    "bindings": st.dictionaries(texts, values, max_size=2),
    "context": st.dictionaries(st.one_of(_label, _label, texts), values, max_size=4),
    "summary": st.fixed_dictionaries({"args": st.dictionaries(texts, values, max_size=2)}),
    "structural_tags": st.lists(values, max_size=3),
    "tags": st.lists(texts, max_size=3),
    "is_error": st.booleans(),
    "is_withdrawal": st.booleans(),
    "verification_status": st.sampled_from(["verified", "contested", "unverified"]),
    **dict.fromkeys(
        ("confidence", "proficiency", "progress", "practice_count", "agreement_count",
         "dissent_count", "duration_ms", "created_at"),
        numbers,
    ),
}  # fmt: skip
"""What a field holds as a rule; a field that is not named here holds text."""

NAMES: dict[str, str] = {
    "fact": "subject relation object",
    "event": "relation role speaker content content_blocks created_at subject",
    "state": "context",
    "workflow": "name trigger nodes edges bindings",
    "tool": "tool_name tool_content content is_error error duration_ms",
    "observation": "observer_id subject object content name",
    "goal": "subject description goal_state priority criteria progress state",
    "reasoning": "conclusion premises inference_method",
    "consensus": "agreed_content agreement_count dissent_count threshold",
    "consent": "subject_did is_withdrawal scope grantee_did",
    "skill": "name domain description proficiency practice_count",
    "recommendation": "target_ref severity summary",
    "trigger": "kind scope description name connector cron workflow",
    "document": "title content source page section author url",
}
OTHER = "subject relation object content body description name tool_name goal_state progress"
SHARED = "confidence namespace verification_status structural_tags tags superseded_by"


def _fields_of(grain_type: str) -> st.SearchStrategy[dict[str, Any]]:
    own = NAMES.get(grain_type, OTHER).split()
    shared = SHARED.split()
    some = st.fixed_dictionaries(
        {}, optional={name: FIELD.get(name, values) for name in own}
    )  # each field as it should be, or of a kind it should not be
    odd = st.dictionaries(st.sampled_from([*own, *shared]), json_values, max_size=2)
    about = st.dictionaries(st.sampled_from(shared), values, max_size=2)
    strange = st.dictionaries(texts, values, max_size=2)
    nothing: st.SearchStrategy[dict[str, Any]] = st.just({})
    extras = st.one_of(nothing, odd, about, strange, strange)
    return st.tuples(some, extras).map(lambda pair: {**pair[0], **pair[1]})


KNOWN = list(GRAIN_TYPES)
BY_TYPE = {name: _fields_of(name) for name in KNOWN}
UNKNOWN = _fields_of("")

hostile_types = st.one_of(
    st.sampled_from(
        [
            "ticket",
            "facts",
            "entitie",
            "other_fact",
            "section",
            "grain",
            "Fact",
            "fact ",
            "session",
            "CURRENT]",
            "3] x",
            "x\nKnowledge Update",
            "x\n=== GOALS ===",
            "fact\x00",
            "knowledge_update",
            "update",
        ]
    ),
    texts,
).filter(lambda name: any(not c.isspace() and (c.isprintable() or c > "\x9f") for c in name))

MOMENTS = [0, 1, 86_399, 86_400, 1_700_000_000, 1_700_000_001, 1_790_000_000, 253_402_300_799]
moments = st.one_of(st.sampled_from(MOMENTS), st.integers(0, 2_000_000_000))
scores = st.one_of(
    st.sampled_from([score for group in SCORE_GROUPS.values() for score in group]),
    st.floats(),
    st.none(),
)
hashes = st.one_of(st.sampled_from([f"{n:064x}" for n in range(4)]), texts.filter(bool))

_recalled = st.fixed_dictionaries(
    {},
    optional={
        "score": scores,
        "id": st.one_of(texts, st.integers()),
        "source_namespace": names,
        "recall_source": st.sampled_from(["primary", "expansion", "expansion", "odd"]),
        "conflict_status": st.sampled_from(["current", "outdated"]),
        "supersession_status": st.sampled_from(["current", "superseded"]),
        "relative_time": texts,
        "explanation": texts,
        "created_at_sec": moments,
    },
)


kinds = st.one_of(st.sampled_from(KNOWN), hostile_types)


@st.composite
def rows(draw: st.DrawFn, of: st.SearchStrategy[str] = kinds) -> dict[str, Any]:
    """One flat row of any type."""
    kind = draw(of)
    more = draw(_recalled)
    return {"grain_type": kind, "fields": draw(BY_TYPE.get(kind, UNKNOWN)), **more}


@dataclass(frozen=True)
class Links:
    """Which rows replace which, by place, and which hashes are odd ones; drawn before the rows."""

    chain: list[int]
    ends: list[dict[str, Any]]
    loose: list[tuple[int, int | str]]
    odd: dict[int, str]


@st.composite
def _links(draw: st.DrawFn, least: int) -> Links:
    how = draw(st.sampled_from(["apart", "chain", "chain", "loose"]))
    places = st.integers(0, max(0, least - 1))
    if how == "chain" and least > 1:
        chain = draw(st.lists(places, min_size=2, max_size=4, unique=True))
        end = st.fixed_dictionaries({"subject": names, "object": texts})
        return Links(chain, [draw(end), draw(end)], [], {})
    if how == "loose" and least:
        loose = draw(st.lists(st.tuples(places, st.one_of(places, hashes)), max_size=4))
        return Links([], [], loose, draw(st.dictionaries(places, hashes, max_size=1)))
    return Links([], [], [], {})


def _linked(found: list[dict[str, Any]], links: Links) -> None:
    for place, row in enumerate(found):
        row["hash"] = f"{place:064x}"
    for old, new in [*pairwise(links.chain), *links.loose]:
        found[old]["supersession_status"] = "superseded"
        found[old]["superseded_by_hash"] = new if isinstance(new, str) else f"{new:064x}"
        if isinstance(new, int):
            found[new].setdefault("supersession_status", "current")
    if links.chain:
        found[links.chain[-1]]["supersession_status"] = "current"
        for place, end in zip((links.chain[0], links.chain[-1]), links.ends, strict=True):
            found[place]["fields"] |= end
    for place, digest in links.odd.items():
        found[place]["hash"] = digest


@st.composite
def recalls(draw: st.DrawFn, at_most: int = 6) -> list[dict[str, Any]]:
    """Rows with their hashes; some replace others, in chains, forks, cycles and into nowhere."""
    sizes = [*[(3, at_most)] * 4, *[(2, 3)] * 5, (1, 1), (1, 1), (0, 0)]
    least, most = draw(st.sampled_from(sizes))
    links = draw(_links(least))
    few = draw(st.one_of(st.just([]), st.lists(kinds, min_size=1, max_size=2)))
    found = draw(
        st.lists(rows(st.sampled_from(few) if few else kinds), min_size=least, max_size=most)
    )
    _linked(found, links)
    return found


STATUSES = ["retracted", "rejected", "RETRACTED", "Rejected", "reTracted", " retracted\n"]
SECRET = "Zq7secretZq7"


def _hidden(value: Any) -> Any:
    """Put the secret into every string and key of a value."""
    if isinstance(value, str):
        return f"{value[:3]}{SECRET}{value[3:]}"
    if isinstance(value, dict):
        return {_hidden(k): _hidden(v) for k, v in value.items()}
    return [_hidden(item) for item in value] if isinstance(value, list) else value


@st.composite
def retracted(draw: st.DrawFn) -> dict[str, Any]:
    """A row that is never to be seen: each of its texts holds the secret."""
    row = draw(rows())
    fields = {name: _hidden(value) for name, value in row["fields"].items()}
    status = draw(st.sampled_from(STATUSES))
    if draw(st.booleans()):
        fields["verification_status"] = status
    else:
        fields.pop("verification_status", None)
        context = fields.get("context")
        fields["context"] = {**(context if isinstance(context, dict) else {}), "vstatus": status}
    kind = row["grain_type"] if row["grain_type"] in GRAIN_TYPES else _hidden(row["grain_type"])
    more = {k: _hidden(row[k]) for k in ("id", "source_namespace") if isinstance(row.get(k), str)}
    return {**row, **more, "grain_type": kind, "fields": fields}


@dataclass(frozen=True)
class Case:
    """One call of the assembler."""

    hits: tuple[SearchHit, ...]
    policy: FormatPolicy
    hints: RenderingHints


_asks_for_time = st.sampled_from([
    {"has_temporal_expr": True}, {"has_time_range": True}, {"query_text": "WHEN DID it?"}
])  # fmt: skip
_sources = st.sampled_from(["census", "CENSUS", "expansion", "primary"])

LEADS: dict[str, st.SearchStrategy[Lead]] = {
    "aggregation": st.builds(
        Lead,
        hints=st.fixed_dictionaries(
            {
                "entity_count": st.integers(0, 9),
                "entities": st.one_of(st.none(), st.lists(names, max_size=3)),
            }
        ),
    ),
    "timeline": st.builds(
        Lead,
        hints=_asks_for_time,
        rows=st.lists(
            st.fixed_dictionaries({"created_at_sec": st.sampled_from(MOMENTS[1:])}),
            min_size=2,
            max_size=5,
        ),
    ),
    "census": st.builds(
        Lead,
        rows=st.lists(st.fixed_dictionaries({"recall_source": _sources}), max_size=3).map(
            lambda found: [{"recall_source": "census"}, *found]
        ),
    ),
    "highlight": st.builds(
        Lead,
        policy=st.fixed_dictionaries(
            {
                "highlight_over": st.integers(0, 2),
                "ordering": st.sampled_from(["as_given", "by_relevance"]),
            }
        ),
    ),
    "default": st.just(Lead()),
}
"""What leads to a mode, by its name; a new mode that nothing led to would be found missing."""

budgets = st.one_of(st.none(), st.none(), st.sampled_from(BUDGETS), st.integers(5, 150))
_queries = st.sampled_from([None, "", "what is the latest?", "alice word", "when did bob go"])
_overrides = st.dictionaries(
    st.one_of(st.sampled_from(KNOWN), st.just("ticket")),
    st.fixed_dictionaries({}, optional={"include": st.booleans(), "max_count": st.integers(0, 3)}),
    max_size=2,
)
_policies = st.fixed_dictionaries(
    {
        "metadata": st.sampled_from(list(MetadataLevel)),
        "ordering": st.sampled_from(list(Ordering)),
        "group_by_type": st.booleans(),
        "numbered": st.booleans(),
        "first_number": st.sampled_from([1, 1, 0, 2, 10, 999_999]),
        "token_budget": budgets,
        "grain_type_diversity": st.sampled_from([
            None, GrainTypeDiversity(), GrainTypeDiversity(min_per_type=2, max_reservation_pct=0.05)
        ]),
    },
    optional={
        "type_order": st.lists(st.one_of(st.sampled_from(KNOWN), hostile_types), max_size=3),
        "grain_overrides": _overrides,
        "query_text": _queries,
        "include_retracted": st.booleans(),
    },
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What is drawn before any hit: policy, hints, and what leads the first rows to a mode."""

    policy: FormatPolicy
    hints: RenderingHints
    lead: Lead

    def of(self, found: list[dict[str, Any]]) -> Case:
        """Return the case in which these rows are formatted as was asked."""
        led = [*self.lead.rows, *({} for _ in found)]
        hits = [
            SearchHit.model_validate({**row, **more}) for row, more in zip(found, led, strict=False)
        ]
        return Case(tuple(hits), self.policy, self.hints)


@st.composite
def asked(draw: st.DrawFn, /, **policy: Any) -> Asked:
    """The combination of format, mode and metadata level, and the rest of a policy.

    Args:
        draw: hypothesis gives it.
        policy: Options that are not drawn.
    """
    form, mode = draw(st.sampled_from(list(FORMATS))), draw(st.sampled_from(list(MODES)))
    options = {"format": form, "highlight_over": None, **draw(_policies)}
    lead = draw(LEADS.get(mode, st.just(Lead())))
    options |= {**lead.policy, **policy}
    return Asked(FormatPolicy(**options), RenderingHints(**lead.hints), lead)


@st.composite
def cases(draw: st.DrawFn, /, *, withheld: bool = False, **policy: Any) -> Case:
    """Hits as they are asked for: what decides most is drawn first, and so most evenly.

    Args:
        draw: hypothesis gives it.
        withheld: Whether retracted hits that hold the secret stand among the others.
        policy: Options that are not drawn.
    """
    how = draw(asked(**policy))
    secrets = draw(st.lists(st.integers(0, 6), min_size=1, max_size=3)) if withheld else []
    found = draw(recalls())
    for row, more in zip(found, how.lead.rows, strict=False):
        row.update(more)
    for place in secrets:
        found.insert(place, {**draw(retracted()), "hash": f"{SECRET}{place}"})
    return Case(tuple(map(SearchHit.model_validate, found)), how.policy, how.hints)
