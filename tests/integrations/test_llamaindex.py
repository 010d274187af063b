"""The LlamaIndex postprocessor: what it takes, what it gives, what it tells."""

import asyncio
import copy
import importlib
import json
import pickle
import sys
import threading
from typing import Any
from unittest.mock import ANY

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

import llama_index.core
from llama_index.core.callbacks import CallbackManager, CBEventType, EventPayload
from llama_index.core.callbacks.base_handler import BaseCallbackHandler
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent
from llama_index.core.instrumentation.span_handlers import SimpleSpanHandler
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import (
    Document,
    ImageNode,
    MetadataMode,
    NodeWithScore,
    QueryBundle,
    TextNode,
)
from llama_index.core.utils import get_tokenizer
from pydantic import Field, ValidationError

import llama_index.postprocessor.areev_context as package
from areev_context import (
    ContextAssembler,
    CounterError,
    FormatPolicy,
    FormattedContext,
    InputError,
    PassageMapper,
    RenderingHints,
)
from areev_context import hits_of as hits_of_anything
from areev_context.tokens import counter_from
from counters import characters, words
from integrations.awkward_passages import picture
from integrations.llamaindex_parts import (
    KINDS,
    QUERY,
    SECRET,
    hits_of,
    lease,
    packed,
    scored,
)
from llama_index.postprocessor.areev_context import ContextPostprocessor

ASKED = QueryBundle(QUERY)
RETURNS = ("context", "nodes")
HIDDEN = ("excluded_llm_metadata_keys", "excluded_embed_metadata_keys")


def own(counter: Any = None) -> ContextAssembler:
    return ContextAssembler(counter=counter or counter_from(get_tokenizer()))


def texts(nodes: list[NodeWithScore], mode: MetadataMode = MetadataMode.LLM) -> list[str]:
    return [found.node.get_content(metadata_mode=mode) for found in nodes]


# --- one node ---------------------------------------------------------------------------------


def test_one_node_is_the_context_and_its_receipt() -> None:
    policy = FormatPolicy.claude(token_budget=80, numbered=True)
    nodes = lease()
    (found,) = ContextPostprocessor(policy=policy).postprocess_nodes(nodes, ASKED)
    expected = own().format(hits_of(nodes), policy.replace(query_text=QUERY))
    assert found.node.get_content() == expected.text
    assert "Rent is due on the first of the month." in expected.text
    assert expected.tokens <= 80
    assert FormattedContext(text=found.node.get_content(), **found.node.metadata) == expected
    assert json.loads(json.dumps(found.node.metadata)) == found.node.metadata
    assert [source["id"] for source in found.node.metadata["sources"]] == [
        nodes[outcome.index].node_id for outcome in expected.outcomes if outcome.number
    ]


def test_the_receipt_reaches_no_model_and_no_embedding() -> None:
    (found,) = ContextPostprocessor().postprocess_nodes(lease())
    node = found.node
    assert node.metadata["included_count"] == 3
    for mode in (MetadataMode.NONE, MetadataMode.LLM, MetadataMode.EMBED):
        assert node.get_content(metadata_mode=mode) == node.get_content()
    if hasattr(node, "get_content_blocks"):  # newer versions: for models that also see
        (block,) = node.get_content_blocks(metadata_mode=MetadataMode.LLM)
        assert block.text == node.get_content()


def test_same_in_same_out() -> None:
    first, second = (ContextPostprocessor().postprocess_nodes(lease())[0] for _ in range(2))
    assert first.node.node_id == second.node.node_id
    assert first.node.get_content() == second.node.get_content()


def test_the_score_is_that_of_the_first_node_shown() -> None:
    nodes = [scored(TextNode(text=" "), 0.9), scored(TextNode(text="a"), 0.5), *lease()]
    (found,) = ContextPostprocessor().postprocess_nodes(nodes)
    assert found.score == 0.5
    (found,) = ContextPostprocessor().postprocess_nodes([scored(TextNode(text="a"), None)])
    assert found.score is None


@pytest.mark.parametrize("returns", RETURNS)
def test_nothing_shown_is_no_node(returns: str) -> None:
    processor = ContextPostprocessor(returns=returns)
    assert processor.postprocess_nodes([]) == []
    assert processor.postprocess_nodes([scored(TextNode(text=" \n"), 1.0)], ASKED) == []
    assert processor.postprocess_nodes([scored(ImageNode(image_url="u"), 1.0)], ASKED) == []
    processor.token_budget = 0
    assert processor.postprocess_nodes(lease(), ASKED) == []


def test_a_text_that_shows_nothing_is_no_node() -> None:
    one_value = ContextPostprocessor(policy=FormatPolicy.json_api())
    assert one_value.postprocess_nodes([]) == []
    heading = ContextPostprocessor(hints=RenderingHints(entity_count=1, entities=("a",)))
    assert heading.postprocess_nodes([]) == []


# --- a node each ------------------------------------------------------------------------------


def test_a_node_each_says_its_text_and_nothing_else() -> None:
    policy, nodes = FormatPolicy.gpt4(token_budget=50), lease()
    result = ContextPostprocessor(policy=policy, returns="nodes").postprocess_nodes(nodes, ASKED)
    shown = own().format_each(hits_of(nodes), policy.replace(query_text=QUERY))
    assert texts(result) == [entry.text for entry in shown.entries]
    assert texts(result) == texts(result, MetadataMode.EMBED)
    assert 0 < len(get_tokenizer()("\n\n".join(texts(result)))) <= 50
    for found, entry in zip(result, shown.entries, strict=True):
        before = nodes[entry.index]
        assert found.node_id == before.node_id
        assert found.score == before.score
        sources = found.metadata["areev_context_sources"]
        signed = {
            **before.metadata,
            "areev_context_signature": ANY,
            "areev_context_sources": sources,
        }
        assert [source["id"] for source in json.loads(sources)] == [before.node_id]
        assert found.metadata == signed
        assert found.node.embedding == before.node.embedding


def test_a_node_each_comes_in_reading_order() -> None:
    nodes = lease()
    for found, day in zip(nodes, ("2024-03-01", "2024-01-01", "2024-02-01"), strict=True):
        found.node.metadata["created_at"] = day
    policy = FormatPolicy(ordering="chronological")
    result = ContextPostprocessor(policy=policy, returns="nodes").postprocess_nodes(nodes)
    assert [found.node_id for found in result] == [nodes[place].node_id for place in (1, 2, 0)]


def test_a_copy_shares_nothing_with_what_came_in() -> None:
    nodes = lease()
    nodes[0].node.metadata["deep"] = {"list": [1]}
    before = picture(nodes)
    for found in ContextPostprocessor(returns="nodes").postprocess_nodes(nodes):
        found.node.metadata.setdefault("deep", {"list": []})["list"].append(2)
        found.node.metadata["page"] = "another"
        found.node.set_content("another")
        found.node.relationships["another"] = None
        assert found.node.embedding is not None
        found.node.embedding.append(0.0)
    assert picture(nodes) == before


def test_what_cannot_be_copied_is_shared() -> None:
    lock, value = threading.Lock(), ["a"]
    node = TextNode(text="a", metadata={"lock": lock, "kept": value})
    (found,) = ContextPostprocessor(returns="nodes").postprocess_nodes([scored(node, 1.0)])
    assert found.metadata["lock"] is lock
    assert found.metadata["kept"] == value
    assert found.metadata["kept"] is not value


# --- what comes in ----------------------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("returns", RETURNS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_node(kind: str, returns: str, asynchronous: bool) -> None:
    nodes = lease(kind)
    policy = FormatPolicy.claude(group_by_type=False)
    processor = ContextPostprocessor(policy=policy, returns=returns)
    result = asyncio.run(packed(processor, nodes, ASKED, asynchronous=asynchronous))
    joined = "\n\n".join(texts(result))
    assert joined == "\n".join(  # pages of one line an entry; apart there is a blank line between
        f'<document title="Lease" page="{page}">{text}</document>'
        for text, page in (
            ("The notice period is three months, counted from the end of a month.", 4),
            ("Rent is due on the first of the month. It is paid by transfer.", 2),
            ("The deposit is three rents, paid into a blocked account.", 7),
        )
    ).replace("\n", "\n" if returns == "context" else "\n\n")
    if returns == "nodes":
        for before, after in zip(nodes, result, strict=True):
            assert type(after.node) is type(before.node)
            assert getattr(after.node, "obj", None) is getattr(before.node, "obj", None)
            assert getattr(after.node, "image", None) == getattr(before.node, "image", None)


def test_only_what_the_mapper_lists_leaves() -> None:
    (found,) = ContextPostprocessor().postprocess_nodes(lease())
    assert SECRET not in found.to_json()
    listing = ContextPostprocessor(mapper=PassageMapper(shown=("owner",)))
    assert SECRET in texts(listing.postprocess_nodes(lease()))[0]


def test_what_a_node_keeps_from_models_stays_with_it() -> None:
    nodes = [
        scored(TextNode(text="a", metadata={"title": "T", "page": 1}), 1.0),
        scored(Document(text="b", metadata={"title": "T", "page": 1}), 1.0),
    ]
    for found in nodes:
        found.node.excluded_llm_metadata_keys = ["title"]
    for returns in RETURNS:
        written = "\n".join(texts(ContextPostprocessor(returns=returns).postprocess_nodes(nodes)))
        assert written == "(page 1): a\n(page 1): b"


def test_what_is_retracted_is_nowhere() -> None:
    trusted, retracted = lease()[0], lease()[1]
    retracted.node.metadata["verification_status"] = "retracted"
    for returns in RETURNS:
        alone, both = (
            ContextPostprocessor(returns=returns).postprocess_nodes(nodes)
            for nodes in ([trusted], [trusted, retracted])
        )
        assert texts(alone) == texts(both)
        assert "Rent" not in "".join(found.to_json() for found in both)


# --- the query --------------------------------------------------------------------------------


def the_query_of(processor: ContextPostprocessor, query: QueryBundle | None) -> tuple[Any, Any]:
    asked = []

    def format_(_: Any, hits: Any, policy: FormatPolicy, hints: RenderingHints) -> Any:
        asked.append((policy.query_text, hints.query_text))
        return ContextAssembler().format_each([]).context

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ContextAssembler, "format", format_)
        processor.postprocess_nodes(lease(), query)
    return asked[0]


def test_the_query_of_a_call_wins_over_the_policys() -> None:
    plain = ContextPostprocessor()
    assert the_query_of(plain, ASKED) == (QUERY, QUERY)
    assert the_query_of(plain, None) == (None, None)
    asking = ContextPostprocessor(
        policy=FormatPolicy(query_text="p"), hints=RenderingHints(query_text="h", entity_count=2)
    )
    assert the_query_of(asking, ASKED) == (QUERY, QUERY)
    for nothing in (None, QueryBundle(""), QueryBundle(" \n"), QueryBundle(None), QueryBundle(3)):
        assert the_query_of(asking, nothing) == ("p", "h")
    assert the_query_of(plain, QueryBundle("a\ud83d")) == ("a\ufffd", "a\ufffd")
    assert asking.policy.query_text == "p"


def test_a_query_as_text() -> None:
    nodes, processor = [*lease()[::2], lease()[1]], ContextPostprocessor(token_budget=50)
    assert processor.postprocess_nodes(nodes, query_str=QUERY) == processor.postprocess_nodes(
        nodes, ASKED
    )
    assert processor.postprocess_nodes(nodes) != processor.postprocess_nodes(nodes, ASKED)


def test_a_query_for_an_order_in_time_gets_a_timeline() -> None:
    nodes = lease()
    for day, found in enumerate(nodes, 1):
        found.node.metadata["event_at"] = f"2024-01-0{day}"
    processor = ContextPostprocessor(policy=FormatPolicy.gpt4())
    (found,) = processor.postprocess_nodes(nodes, QueryBundle("which came first?"))
    assert found.metadata["mode"] == "timeline"


# --- the options ------------------------------------------------------------------------------


def test_a_budget_of_its_own_replaces_the_policys() -> None:
    processor = ContextPostprocessor(policy=FormatPolicy(token_budget=500), token_budget=25)
    (found,) = processor.postprocess_nodes(lease(), ASKED)
    assert found.metadata["token_budget"] == 25
    processor.token_budget = None
    (found,) = processor.postprocess_nodes(lease(), ASKED)
    assert found.metadata["token_budget"] == 500


def test_llamaindexs_own_tokenizer_counts_unless_another_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (found,) = ContextPostprocessor().postprocess_nodes(lease())
    assert found.metadata["counter"] == "cl100k_base"
    assert found.metadata["tokens"] == len(get_tokenizer()(found.node.get_content()))
    monkeypatch.setattr(llama_index.core, "global_tokenizer", str.split)
    (found,) = ContextPostprocessor(token_budget=25).postprocess_nodes(lease(), ASKED)
    assert found.metadata["tokens"] == words(found.node.get_content()) <= 25
    (found,) = ContextPostprocessor(counter=characters).postprocess_nodes(lease())
    assert found.metadata["tokens"] == len(found.node.get_content())


def test_what_a_programmer_got_wrong_is_reported_at_the_door() -> None:
    for wrong in (-1, True, 10.5, "100"):
        with pytest.raises(ValidationError, match="token_budget"):
            ContextPostprocessor(token_budget=wrong)
    with pytest.raises(ValidationError, match="returns"):
        ContextPostprocessor(returns="node")
    with pytest.raises(ValidationError, match="tokenbudget"):
        ContextPostprocessor(tokenbudget=3)
    with pytest.raises(ValidationError, match="nothing to count tokens with in a int"):
        ContextPostprocessor(counter=3)
    for policy in (FormatPolicy.json_api(), FormatPolicy(format="toon")):
        with pytest.raises(InputError, match="one document of all hits"):
            ContextPostprocessor(policy=policy, returns="nodes")


def test_options_may_change_and_are_checked_again() -> None:
    processor = ContextPostprocessor()
    processor.callback_manager = CallbackManager()
    with pytest.raises(ValidationError, match="token_budget"):
        processor.token_budget = -1
    assert processor.token_budget is None
    processor.policy = FormatPolicy.json_api()
    with pytest.raises(InputError, match="one document of all hits"):
        processor.returns = "nodes"


def test_it_is_written_down_and_read_back() -> None:
    processor = ContextPostprocessor(
        policy=FormatPolicy.claude(token_budget=40),
        token_budget=30,
        returns="nodes",
        mapper=PassageMapper(shown=("page",)),
        counter=words,
        hints=RenderingHints(entity_count=2),
    )
    assert ContextPostprocessor.class_name() == "ContextPostprocessor"
    written = processor.to_dict()
    assert written["class_name"] == "ContextPostprocessor"
    assert "counter" not in written
    assert "callback_manager" not in written
    for again in (
        ContextPostprocessor.from_dict(written),
        ContextPostprocessor.from_json(processor.to_json()),
        pickle.loads(pickle.dumps(processor)),
    ):
        assert again.to_dict() == written
    counting, nodes = ContextPostprocessor.from_dict(written, counter=words), lease()
    assert counting.postprocess_nodes(nodes) == processor.postprocess_nodes(nodes) != []


def test_pickling_leaves_the_original_as_it_is() -> None:
    """The base class takes out of an object what cannot be pickled."""
    processor = ContextPostprocessor(counter=lambda text: 2 * len(text), token_budget=180)
    nodes = lease()
    before = processor.postprocess_nodes(nodes)
    assert before
    with pytest.raises((pickle.PicklingError, AttributeError)):  # it would count otherwise
        pickle.dumps(processor)
    assert processor.postprocess_nodes(nodes) == before
    again = pickle.loads(pickle.dumps(ContextPostprocessor(counter=words, token_budget=30)))
    assert again.counter("one two") == 2


# --- own output -------------------------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True])
def test_own_output_is_not_packed_twice(asynchronous: bool) -> None:
    processor = ContextPostprocessor(policy=FormatPolicy.gpt4(numbered=True), counter=words)
    once = processor.postprocess_nodes(lease(), query_str=QUERY)
    for same in (once, copy.deepcopy(once), pickle.loads(pickle.dumps(once))):
        query = QueryBundle(QUERY)
        twice = asyncio.run(packed(processor, same, query, asynchronous=asynchronous))
        assert twice == same
    small = ContextPostprocessor(policy=FormatPolicy.gpt4(), counter=words, token_budget=12)
    for same in (once, copy.deepcopy(once)):
        with pytest.raises(InputError, match=r"is over the budget of 12.*the retriever's passages"):
            asyncio.run(packed(small, same, None, asynchronous=asynchronous))


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("place", [0, 1])
def test_packed_nodes_pass_unchanged_but_for_those_retracted_since(
    place: int, asynchronous: bool
) -> None:
    processor = ContextPostprocessor(
        policy=FormatPolicy.gpt4(numbered=True), returns="nodes", counter=words, token_budget=200
    )
    once = processor.postprocess_nodes(lease())
    for same in (once, copy.deepcopy(once)):
        again = asyncio.run(packed(processor, same, None, asynchronous=asynchronous))
        assert again == once
        same[place].node.metadata["verification_status"] = {"value": b"Retracted"}
        left = asyncio.run(packed(processor, same, None, asynchronous=asynchronous))
        assert [id(each) for each in left] == [
            id(each) for n, each in enumerate(same) if n != place
        ]
        shown = processor.model_copy(update={"policy": FormatPolicy(include_retracted=True)})
        assert shown.postprocess_nodes(same) == same
        for each in same:
            each.node.metadata["verification_status"] = "retracted"
        assert processor.postprocess_nodes(same) == []
        for each in same:
            each.node.metadata.pop("verification_status")


def test_one_node_retracted_since_is_withheld() -> None:
    [one] = ContextPostprocessor().postprocess_nodes(lease())
    one.node.metadata["verification_status"] = "retracted"
    assert ContextPostprocessor().postprocess_nodes([one]) == []


@pytest.mark.parametrize("returns", ["context", "nodes"])
def test_packed_nodes_over_a_budget_are_left_out_and_never_shortened(returns: Any) -> None:
    policy = FormatPolicy.gpt4(numbered=True)
    options: dict[str, Any] = {"policy": policy, "counter": words, "signing_key": "key"}
    once = ContextPostprocessor(returns="nodes", **options).postprocess_nodes(lease())
    texts = [each.node.get_content() for each in once]
    small = ContextPostprocessor(
        returns=returns, **options, token_budget=sum(map(words, texts[:2]))
    )
    left = small.postprocess_nodes(once)
    assert [each.node.get_content() for each in left] == texts[:2]
    assert small.postprocess_nodes(left) == left
    stored = [
        each.model_copy(update={"node": TextNode.from_dict(each.node.to_dict())}) for each in left
    ]
    assert [each.node.get_content() for each in small.postprocess_nodes(stored)] == texts[:2]
    one = small.model_copy(update={"token_budget": max(map(words, texts))})
    better = [each.model_copy(update={"score": n / 10}) for n, each in enumerate(once)]
    assert [each.node.get_content() for each in one.postprocess_nodes(better)] == texts[2:]
    unknown = [
        each.model_copy(update={"score": s})
        for each, s in zip(better, (0.1, None, 0.9), strict=True)
    ]
    assert [each.node.get_content() for each in one.postprocess_nodes(unknown)] == texts[:1]
    none = small.model_copy(update={"token_budget": 3})
    with pytest.raises(InputError, match="is over the budget of 3"):
        none.postprocess_nodes(once)


def test_changed_nodes_are_texts_like_any_other() -> None:
    processor = ContextPostprocessor(policy=FormatPolicy.gpt4(), returns="nodes", counter=words)
    for text in ("- \ud800", "- no longer so"):
        changed = processor.postprocess_nodes(lease()[:1])
        changed[0].node.set_content(text)
        [again] = processor.postprocess_nodes(changed)
        assert again.node.get_content().startswith("- \\- ")


def test_packed_nodes_are_refused_where_they_would_be_packed_twice() -> None:
    processor = ContextPostprocessor(policy=FormatPolicy.gpt4(), returns="nodes", counter=words)
    once = processor.postprocess_nodes(lease())
    other = processor.postprocess_nodes(lease()[:1])
    [one] = ContextPostprocessor().postprocess_nodes(lease())
    changed = copy.deepcopy(once)
    changed[0].node.set_content("another")
    forged = copy.deepcopy(once)
    forged[0].node.__dict__["_packed"] = ("a", "b")
    mixed = (changed, forged, [*once, *other], [*once, lease()[0]], [one, one], [one, lease()[0]])
    for nodes in mixed:
        for returns in ("context", "nodes"):
            for key in (None, "key"):
                again = ContextPostprocessor(returns=returns, signing_key=key)
                with pytest.raises(InputError, match=r"packed context.*alone and unchanged"):
                    again.postprocess_nodes(nodes)


def test_what_only_looks_like_own_output_is_packed() -> None:
    [one] = ContextPostprocessor().postprocess_nodes(lease())
    forged = NodeWithScore(node=TextNode(text=one.node.get_content(), id_=one.node.node_id))
    changed = copy.deepcopy(one)
    changed.node.set_content(f"{one.node.get_content()}!")
    for nodes in ([forged], [changed]):
        [again] = ContextPostprocessor().postprocess_nodes(nodes)
        assert again.node.get_content() != one.node.get_content()


# --- what is told -----------------------------------------------------------------------------


class Events(BaseEventHandler):
    """Keeps the events of reranking."""

    events: list[BaseEvent] = Field(default_factory=list)

    @classmethod
    def class_name(cls) -> str:
        return "Heard"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        if isinstance(event, ReRankStartEvent | ReRankEndEvent):
            self.events.append(event)


class Called(BaseCallbackHandler):
    """Keeps the callbacks of reranking."""

    def __init__(self) -> None:
        super().__init__([], [])
        self.payloads: list[dict[str, Any]] = []

    def start_trace(self, trace_id: str | None = None) -> None:
        pass

    def end_trace(self, trace_id: str | None = None, trace_map: Any = None) -> None:
        pass

    def on_event_start(
        self, event_type: CBEventType, payload: dict[str, Any] | None = None, *_: Any, **__: Any
    ) -> str:
        assert event_type is CBEventType.RERANKING
        self.payloads.append(payload or {})
        return ""

    def on_event_end(
        self, event_type: CBEventType, payload: dict[str, Any] | None = None, **_: Any
    ) -> None:
        assert event_type is CBEventType.RERANKING
        self.payloads.append(payload or {})


@pytest.fixture
def handler(monkeypatch: pytest.MonkeyPatch) -> Events:
    handler = Events()
    root = get_dispatcher()
    monkeypatch.setattr(root, "event_handlers", [*root.event_handlers, handler])
    return handler


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> SimpleSpanHandler:
    handler = SimpleSpanHandler()
    root = get_dispatcher()
    monkeypatch.setattr(root, "span_handlers", [*root.span_handlers, handler])
    return handler


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("returns", RETURNS)
def test_a_span_and_the_events_of_a_reranker(
    returns: str, asynchronous: bool, handler: Events, spans: SimpleSpanHandler
) -> None:
    called, nodes = Called(), lease()
    processor = ContextPostprocessor(returns=returns, callback_manager=CallbackManager([called]))
    result = asyncio.run(packed(processor, nodes, ASKED, asynchronous=asynchronous))

    start, end = handler.events
    assert isinstance(start, ReRankStartEvent)
    assert isinstance(end, ReRankEndEvent)
    assert (start.query, start.nodes, end.nodes) == (ASKED, nodes, result)
    assert (start.model_name, start.top_n) == ("areev-context", 1 if returns == "context" else 3)
    (span,) = spans.completed_spans
    method = "_apostprocess_nodes" if asynchronous else "_postprocess_nodes"
    assert span.id_.startswith(f"ContextPostprocessor.{method}-")
    assert start.span_id == end.span_id == span.id_

    began, ended = called.payloads
    assert began == {
        EventPayload.NODES: nodes,
        EventPayload.MODEL_NAME: "areev-context",
        EventPayload.QUERY_STR: QUERY,
        EventPayload.TOP_K: start.top_n,
    }
    assert ended == {EventPayload.NODES: result}


def test_events_without_a_query(handler: Events) -> None:
    called = Called()
    processor = ContextPostprocessor(callback_manager=CallbackManager([called]))
    assert processor.postprocess_nodes([]) == []
    assert called.payloads[0][EventPayload.QUERY_STR] is None
    assert [type(event) for event in handler.events] == [ReRankStartEvent, ReRankEndEvent]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_host_that_fails_is_reported(asynchronous: bool, handler: Events) -> None:
    def broken(_: str) -> int:
        raise OSError("no vocabulary")

    processor = ContextPostprocessor(counter=broken)
    with pytest.raises(CounterError, match="broken raised OSError: no vocabulary"):
        asyncio.run(packed(processor, lease(), ASKED, asynchronous=asynchronous))
    assert [type(event) for event in handler.events] == [ReRankStartEvent]


@pytest.mark.parametrize("returns", RETURNS)
def test_the_loop_is_not_blocked(returns: str) -> None:
    threads = []

    def counter(text: str) -> int:
        threads.append(threading.current_thread())
        return words(text)

    processor = ContextPostprocessor(returns=returns, counter=counter, token_budget=40)
    nodes = lease()
    alone = processor.postprocess_nodes(nodes, ASKED)
    assert set(threads) == {threading.main_thread()}
    threads.clear()
    assert asyncio.run(processor.apostprocess_nodes(nodes, ASKED)) == alone
    assert threading.main_thread() not in threads


# --- the package ------------------------------------------------------------------------------


def test_without_the_framework_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "llama_index.core", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'areev-context\[llamaindex\]'"):
        importlib.reload(package)


def test_whatever_llamaindex_has_becomes_hits() -> None:
    node = TextNode(text="Rent is due.", id_="n1", metadata={"title": "Lease", "secret": "x"})
    node.excluded_llm_metadata_keys = ["title"]
    given = [
        NodeWithScore(node=node, score=0.7),
        Document(text="A house.", metadata={"title": "Rules"}),
        ChatMessage(role="user", content="hi"),
    ]
    found = hits_of_anything(given)
    assert (found[0].id, found[0].score) == ("n1", 0.7)
    text = ContextAssembler().format(found, FormatPolicy.gpt4(grain_type_diversity=None)).text
    assert text == "- Rent is due.\n- **Rules**: A house.\n- **user**: hi"
