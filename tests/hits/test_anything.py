"""Hits of what people have, told by its shape; frameworks' own classes where they are installed."""

import datetime as dt
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    InputError,
    Passage,
    PassageMapper,
    SearchHit,
    hits_of,
)
from areev_context.signatures import SIGNATURE, signatures
from hostile import HOSTILE

ROW = {"grain_type": "fact", "fields": {"subject": "ada", "relation": "owns", "object": "a lamp"}}
DAY = dt.datetime(2024, 3, 1, tzinfo=dt.UTC)


@dataclass
class Item:
    """An item of LangGraph's store."""

    value: Any
    key: str = "k1"
    namespace: tuple[str, ...] = ("memories",)
    created_at: dt.datetime = DAY
    updated_at: dt.datetime = DAY
    score: float | None = 0.5


@dataclass
class Edge:
    """An edge of Graphiti, or of Zep."""

    fact: str = "Ada lives in Basel"
    name: str = "LIVES_IN"
    uuid: str = "e1"
    created_at: dt.datetime = DAY
    valid_at: dt.datetime | None = dt.datetime(2023, 5, 6, tzinfo=dt.UTC)
    invalid_at: dt.datetime | None = None
    episodes: list[str] = field(default_factory=list)


@dataclass
class Doc:
    """A document of LangChain's."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class Letta:
    """A passage of letta's archival memory."""

    text: str = "The cellar is damp."
    id: str = "passage-1"
    metadata_: dict[str, Any] = field(default_factory=lambda: {"title": "Cellar"})
    created_at: dt.datetime = DAY


@dataclass
class Memory:
    content: str = "Prefers mail."


@dataclass
class Answer:
    edges: list[Any]
    nodes: list[Any]


def lines(source: Any, **options: Any) -> list[str]:
    policy = FormatPolicy.gpt4(**options)
    return ContextAssembler().format(hits_of(source), policy).text.splitlines()


CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q":"lamp"}'}}
SHAPES: dict[str, tuple[Any, list[str]]] = {
    "a row": ([ROW], ["- **ada** owns a lamp"]),
    "one row": (ROW, ["- **ada** owns a lamp"]),
    "a hit": ([SearchHit.model_validate(ROW)], ["- **ada** owns a lamp"]),
    "a passage": ([Passage("Rent is due.", {"title": "Lease"})], ["- **Lease**: Rent is due."]),
    "the engine's answer": ({"grains": [ROW]}, ["- **ada** owns a lamp"]),
    "JSON": (json.dumps([ROW]), ["- **ada** owns a lamp"]),
    "JSON Lines": (f"{json.dumps(ROW)}\n".encode(), ["- **ada** owns a lamp"]),
    "text": ("Rent is due.", ["- Rent is due."]),
    "texts": (["Rent is due.", "It is high."], ["- Rent is due.", "- It is high."]),
    "a plain passage": (
        [{"text": "Rent is due.", "metadata": {"source": "lease.md"}}],
        ["- (lease.md): Rent is due."],
    ),
    "a dumped document": (
        [{"page_content": "Rent is due.", "metadata": {}, "type": "Document"}],
        ["- Rent is due."],
    ),
    "pairs": ([(Passage("A."), 0.9), ["B.", 0.8]], ["- A.", "- B."]),
    "an item of a store": ([Item({"text": "Likes tea."})], ["- Likes tea. *(2024-03-01)*"]),
    "a row in a store": ([Item(ROW)], ["- **ada** owns a lamp"]),
    "an object in a store": ([Item({"likes": "tea"})], ['- {"likes":"tea"} *(2024-03-01)*']),
    "a number in a store": ([Item({"data": 42})], ["- 42 *(2024-03-01)*"]),
    "langmem": (
        [Item({"kind": "Memory", "content": {"content": "Prefers mail."}})],
        ["- Prefers mail. *(2024-03-01)*"],
    ),
    "langmem, extracted": ([{"id": "1", "content": Memory()}], ["- Prefers mail."]),
    "mem0": (
        {
            "results": [{"id": "m", "memory": "Likes tea", "created_at": "2024-03-01", "score": 1}],
            "relations": [{"source": "ada", "relationship": "likes", "destination": "tea"}],
        },
        ["- Likes tea *(2024-03-01)*", "- **ada** likes tea"],
    ),
    "letta": ([Letta()], ["- **Cellar**: The cellar is damp. *(2024-03-01)*"]),
    "an edge": ([Edge()], ["- Ada lives in Basel *(2023-05-06)*"]),
    "an edge that ended": (
        [Edge(invalid_at=DAY)], ["- [OUTDATED] Ada lives in Basel *(2023-05-06)*"]
    ),
    "an answer of edges and nodes": (
        Answer([Edge()], [{"name": "Basel", "summary": "A town."}]),
        ["- Ada lives in Basel *(2023-05-06)*", "- **Basel**: A town."],
    ),
    "messages": (
        [
            {"role": "user", "content": "Where is it?"},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "order 4471"},
            {"role": "tool", "content": [{"type": "text", "text": "no"}], "status": "error"},
        ],
        [
            "- **user**: Where is it?",
            '- **assistant**: find({"q":"lamp"})',
            "- **find** returned: order 4471",
            "- **tool** failed: no",
        ],
    ),
    "blocks": (
        [
            {
                "role": "user",
                "content": [
                    "See", {"type": "text", "text": "this:"}, {"type": "image_url"},
                    {"type": "file", "filename": "a.pdf"}, {"type": "input_audio"},
                    {"type": "tool_result", "content": [{"type": "text", "text": "42"}]},
                ],
            }
        ],
        ["- **user**: See", "  this:", "  [image]", "  [file a.pdf]", "  [audio]", "  42"],
    ),
    "a call among blocks": (
        [
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "t", "name": "look", "input": {"at": 1}},
                ],
            },
            {"role": "tool", "tool_call_id": "t", "content": {"found": True}},
        ],
        ["- **assistant**: I look.", '  look({"at":1})', '- **look** returned: {"found":true}'],
    ),
    "a message alone": ({"role": "user", "content": "hi"}, ["- **user**: hi"]),
    "nothing": ([], []),
}  # fmt: skip


@pytest.mark.parametrize(("source", "shown"), SHAPES.values(), ids=SHAPES)
def test_each_shape_is_known(source: Any, shown: list[str]) -> None:
    assert lines(source, grain_type_diversity=None) == shown


def test_ids_and_scores_come_along() -> None:
    found = hits_of([Item({"text": "a"}), ("b", 0.4), {"text": "c", "id": 7, "score": 0.3}])
    assert [(hit.id, hit.score) for hit in found] == [("k1", 0.5), (None, 0.4), ("7", 0.3)]


def test_the_mapper_decides_what_is_shown() -> None:
    given = [{"text": "a", "metadata": {"project": "x"}}]
    (hit,) = hits_of(given, mapper=PassageMapper(shown=("project",)))
    assert hit.fields["project"] == "x"


GONE = {"verification_status": "retracted"}
FINE = {"verification_status": "verified"}
RETRACTED: list[Any] = [
    {"text": "secret", **GONE},
    {"text": "secret", "metadata": GONE},
    {"text": "secret", **GONE, "metadata": FINE},
    {"text": "secret", **FINE, "metadata": GONE},
    {"text": "secret", "Verification Status": "RETRACTED", "metadata": FINE},
    {"role": "user", "content": "secret", **GONE},
    {"role": "user", "content": "secret", **GONE, "metadata": FINE},
    {"role": "user", "content": "secret", "additional_kwargs": GONE},
    {"memory": "secret", **FINE, "metadata": GONE},
    {"fact": "secret", **GONE, "metadata": FINE},
    {"source": "a", "relationship": "b", "destination": "secret", **GONE, "metadata": FINE},
    {"name": "a", "summary": "secret", **GONE, "metadata": FINE},
    {"id": "1", "content": {"content": "secret", **GONE}},
    {"key": "k", "value": {"text": "secret", **FINE}, **GONE},
    {"key": "k", "value": {"text": "secret", **GONE, "metadata": FINE}},
    {"key": "k", "value": {"content": {"content": "secret", **GONE}}},
    {"key": "k", "value": {**ROW, **FINE}, **GONE},
    {"key": "k", "value": {**ROW, **GONE}, **FINE},
    {"node": {"text": "secret", "metadata": FINE}, "score": 0.5, **GONE},
    ({"text": "secret", **GONE}, 0.5),
    Item({"text": "secret", "metadata": GONE}),
    Item({"text": "secret", **GONE}),
    {**ROW, **GONE},
]


@pytest.mark.parametrize("item", RETRACTED, ids=range(len(RETRACTED)))
def test_what_was_retracted_stays_withheld(item: Any) -> None:
    assert lines([item]) == []


UNKNOWN: list[Any] = [
    ["a", 7],
    3,
    None,
    object(),
    {},
    {"a": 1},
    [3],
    [None],
    [{}],
    [{"a": 1}],
    [[1, 2]],
]


@pytest.mark.parametrize("source", UNKNOWN, ids=range(len(UNKNOWN)))
def test_an_unknown_shape_is_an_error_that_lists_the_known(source: Any) -> None:
    with pytest.raises(InputError, match=r"page_content.*LangGraph's store, mem0"):
        hits_of(source)


def test_a_bad_row_is_named() -> None:
    with pytest.raises(InputError, match="row 1: ") as caught:
        hits_of(["a", {"grain_type": 3, "fields": {}}])
    assert (caught.value.row, caught.value.field) == (1, "grain_type")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_value_is_no_exception_of_its_own(name: str) -> None:
    bad = HOSTILE[name]
    for item in (bad, {"text": "a", "metadata": bad}, {"role": "user", "content": bad},
                 Item(bad), {"memory": "a", "score": bad}, (bad, 0.5), {"page_content": bad},
                 {"role": "assistant", "content": "", "tool_calls": bad}):  # fmt: skip
        try:
            found = hits_of([item])
        except InputError:
            continue
        ContextAssembler().format(found)


_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from([
                "role", "type", "content", "text", "memory", "fact", "key", "value", "node",
                "page_content", "metadata", "tool_calls", "results", "grain_type", "fields", "id",
            ]),
            inner, max_size=4,
        ),
    ),
    max_leaves=12,
)  # fmt: skip


@given(_values)
def test_any_value_is_read_or_refused(value: Any) -> None:
    try:
        found = hits_of(value)
    except InputError:
        return
    assert len(ContextAssembler().format(found).outcomes) == len(found)


# --- what was packed already ----------------------------------------------------------------------


def packed_texts() -> dict[str, Any]:
    policy = FormatPolicy.gpt4(numbered=True)
    hits = hits_of(["Rent is due on the first.", "It is paid by transfer."])
    context = ContextAssembler().format(hits, policy)
    entries = ContextAssembler().format_each(hits, policy).entries
    dump = context.model_dump(mode="json")
    [signature] = signatures([context.text], None)
    signed = {"page_content": context.text, "metadata": {SIGNATURE: signature}}
    return {
        "a context": context,
        "its dump": dump,
        "as JSON text": json.dumps([dump]),
        "its entries": list(entries),
        "a document": Doc(context.text, metadata=signed["metadata"]),
        "a document's dump": signed,
        "a node's dump": {"text": context.text, "metadata": signed["metadata"]},
        "with a score": (Doc(context.text, metadata=signed["metadata"]), 0.5),
        "in a store": {"key": "k", "value": signed},
        "a passage": Passage(context.text, signed["metadata"]),
    }


@pytest.mark.parametrize("name", packed_texts())
def test_what_was_packed_is_refused_and_not_packed_again(name: str) -> None:
    packed = packed_texts()[name]
    with pytest.raises(InputError, match="item 0 is a packed context: use its text"):
        hits_of(packed)
    if type(packed) is not str:
        items = packed if type(packed) is list else [packed]
        with pytest.raises(InputError, match="item 1 is a packed context") as caught:
            hits_of(["beside it", *items])
        assert caught.value.row == 1


def test_a_signature_refuses_only_its_own_text() -> None:
    [signature] = signatures(["packed"], "key")
    for metadata in ({SIGNATURE: signature}, {SIGNATURE: None}, {SIGNATURE: ["a:b"]}):
        [hit] = hits_of([Doc("another", metadata=metadata)])
        assert hit.fields["content"] == "another"
    counts = {"text": "Ten rooms.", "included_count": 3}
    assert hits_of([counts])[0].fields["content"] == "Ten rooms."


@pytest.mark.parametrize(
    "text", ["[1] Rent is due.", "[Note] call Bob", "{name} pays", "[", " { x"]
)
def test_a_text_that_only_begins_like_json_is_a_passage(text: str) -> None:
    [hit] = hits_of(text)
    assert hit.fields["content"] == text


@pytest.mark.parametrize("text", ['[{"text": "cut o', '{"grains": [', '["a", ', "[[1"])
def test_json_that_was_cut_off_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match="JSON"):
        hits_of(text)
