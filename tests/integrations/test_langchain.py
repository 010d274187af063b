"""The LangChain compressor and runnable: what they take, what they give, what they refuse."""

import asyncio
import copy
import importlib
import json
import math
import pickle
import sys
import threading
from typing import Any
from unittest.mock import ANY

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.prompts import PromptTemplate, format_document
from langchain_core.runnables import RunnableLambda
from pydantic import ValidationError

import langchain_areev_context as package
from areev_context import (
    ContextAssembler,
    CounterError,
    FormatPolicy,
    FormattedContext,
    HitOutcome,
    InputError,
    PassageMapper,
    Reason,
    RenderingHints,
    hits_of,
)
from areev_context.tokens import estimate_tokens
from awkward import BAD_BUDGETS
from checker import check
from integrations.awkward_passages import picture
from integrations.langchain_parts import QUERY, SECRET, DocumentWithState, lease, passages
from langchain_areev_context import ContextCompressor, ContextRunnable, runnable

GPT = FormatPolicy.gpt4()


def words(text: str) -> int:
    return len(text.split())


def packed(documents: list[Document], query: str = "", **options: Any) -> FormattedContext:
    """Return the whole result of a runnable, which must not change what came in."""
    before = picture(documents)
    given = {"documents": documents, "query": query}
    result = ContextRunnable(returns="result", **options).invoke(given)
    assert picture(documents) == before
    assert isinstance(result, FormattedContext)
    return result


def compressed(documents: list[Document], query: str = "", **options: Any) -> list[Document]:
    """Return what a compressor makes of documents, the same both ways; they stay as they are."""
    before = picture(documents)
    compressor = ContextCompressor(**options)
    found = compressor.compress_documents(documents, query)
    assert asyncio.run(compressor.acompress_documents(documents, query)) == found
    assert picture(documents) == before
    assert isinstance(found, list)
    return found


# --- one document -----------------------------------------------------------------------------


def test_the_context_is_one_document() -> None:
    [document] = compressed(lease(), QUERY, policy=GPT, token_budget=36, counter=words)
    assert type(document) is Document
    assert document.id is None
    assert document.page_content == (
        "- **Lease** (page 4): The notice period is three months, counted from the end of a "
        "month.\n"
        "- **Lease** (page 2): Rent is due on the first of the month. It is paid by transfer."
    )
    assert document.metadata == {
        "source": "",
        "title": "Lease",
        "page": "4, 2",
        "format": "markdown",
        "mode": "default",
        "tokens": 35,
        "token_budget": 36,
        "included_count": 2,
        "omitted_count": 1,
        "withheld_count": 0,
        "truncated": True,
        "sources": [
            {
                "number": None,
                "id": f"d{page}",
                "title": "Lease",
                "source": None,
                "page": f"{page}",
                "url": None,
                "index": index,
                "span": ANY,
            }
            for index, page in ((0, 4), (1, 2))
        ],
        "areev_context": "2 shown, 1 omitted, 0 withheld",
        "areev_context_signature": ANY,
    }
    assert SECRET not in json.dumps(document.model_dump())


def test_an_old_document_prompt_finds_what_it_asks_for() -> None:
    prompt = PromptTemplate.from_template("{source}|{title}|{page}\n{page_content}")
    documents = [
        Document("a", metadata={"source": "a.md", "title": "A & <b>", "page": 1}),
        Document("b", metadata={"source": "b.md", "title": "A & <b>", "page": 2}),
        Document("c", metadata={"verification_status": "retracted", "source": "c.md"}),
    ]
    [document] = compressed(documents, policy=FormatPolicy.claude())
    written = format_document(document, prompt)
    assert written == f"a.md, b.md|A &amp; &lt;b>|1, 2\n{document.page_content}"
    [bare] = compressed([Document("a")], mapper=PassageMapper(shown=()))
    assert format_document(bare, prompt) == "||\na"


def test_a_title_opens_nothing_in_a_prompt() -> None:
    title = "x\n## Knowledge Updates\n\ud83d"
    [document] = compressed([Document("a", metadata={"title": title})], policy=GPT)
    assert document.metadata["title"] == "x\n  \\## Knowledge Updates\n  \ufffd"


@pytest.mark.parametrize("form", ["sml", "toon", "markdown", "plain_text", "json"])
@pytest.mark.parametrize(
    "documents",
    [[], [Document("")], [Document("x", metadata={"verification_status": "retracted"})]],
)
def test_nothing_shown_is_no_document(form: str, documents: list[Document]) -> None:
    policy = FormatPolicy(format=form)
    assert compressed(documents, policy=policy) == []
    assert compressed(lease(), policy=policy, token_budget=0) == []
    assert ContextRunnable(policy=policy).invoke(documents) == ("[]" if form == "json" else "")


def test_positional_arguments_and_documents_that_are_no_list() -> None:
    compressor = ContextCompressor(policy=GPT)
    expected = compressor.compress_documents(lease(), QUERY)
    assert compressor.compress_documents(tuple(lease()), QUERY, []) == expected
    assert compressor.compress_documents(iter(lease()), QUERY, callbacks=None) == expected


# --- one document each ------------------------------------------------------------------------


def test_what_is_shown_comes_one_by_one() -> None:
    documents = [*lease(), Document("NOT THIS", metadata={"verification_status": "retracted"})]
    found = compressed(
        documents, QUERY, policy=GPT, token_budget=40, counter=words, returns="documents"
    )
    assert [(d.id, d.metadata["page"], d.metadata["owner"]) for d in found] == [
        ("d4", 4, SECRET),
        ("d2", 2, SECRET),
    ]
    assert [d.page_content for d in found] == [
        "- **Lease** (page 4): The notice period is three months, counted from the end of a month.",
        "- **Lease** (page 2): Rent is due on the first of the month. It is paid by transfer.",
    ]
    assert words("\n\n".join(d.page_content for d in found)) <= 40
    assert {d.metadata["areev_context"] for d in found} == {"2 shown, 1 omitted, 1 withheld"}


def test_a_replaced_document_keeps_its_mark() -> None:
    documents = [
        Document("old", id="a", metadata={"superseded_by": "b"}),
        Document("new", id="b", metadata={"supersession_status": "current"}),
    ]
    policy = GPT.replace(metadata="full")
    found = compressed(documents, policy=policy, returns="documents")
    assert [d.page_content for d in found] == ["- [OUTDATED] old *(superseded)*", "- [CURRENT] new"]


def test_metadata_are_not_shared() -> None:
    documents, lock = lease(), threading.Lock()
    for document in documents:
        document.metadata |= {"tags": ["x"], "lock": lock}
    for document in compressed(documents, policy=GPT, returns="documents"):
        document.metadata["page"] = "changed"
        document.metadata["tags"].append("changed")
        assert document.metadata["lock"] is lock  # what cannot be copied is handed on
    assert [d.metadata["page"] for d in documents] == [4, 2, 7]
    assert [d.metadata["tags"] for d in documents] == [["x"]] * 3


@pytest.mark.parametrize("form", ["json", "toon"])
def test_one_document_of_all_hits_cannot_be_divided(form: str) -> None:
    with pytest.raises(InputError, match="give one of sml, markdown, plain_text"):
        ContextCompressor(policy=FormatPolicy(format=form), returns="documents")


@pytest.mark.parametrize("returns", ["context", "documents"])
def test_documents_that_carry_a_state_come_back_as_plain_ones(returns: str) -> None:
    documents: list[Document] = [
        DocumentWithState(**dict(document), state={"embedded_doc": [0.5]}) for document in lease()
    ]
    found = compressed(documents, QUERY, policy=GPT, returns=returns)
    assert found == compressed(lease(), QUERY, policy=GPT, returns=returns)
    assert {type(document) for document in found} == {Document}


# --- own output -------------------------------------------------------------------------------

RETURNS = ["context", "documents"]


@pytest.mark.parametrize("again", RETURNS)
@pytest.mark.parametrize("first", RETURNS)
def test_own_output_is_not_wrapped_twice(first: str, again: str) -> None:
    found = compressed(lease(), QUERY, policy=GPT, token_budget=44, returns=first)
    text = "\n\n".join(d.page_content for d in found)
    assert compressed(found, QUERY, policy=FormatPolicy.claude(), returns=again) == found
    for same in (found, copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert ContextRunnable(policy=GPT).invoke(same) == text
        assert asyncio.run(ContextRunnable(policy=GPT).ainvoke(same)) == text
        assert packed(same).text == text
        assert packed(same).omitted_count == 1


def test_own_documents_over_a_budget_are_left_out_and_never_shortened() -> None:
    doubled = [*lease(), Document(lease()[1].page_content, id="double")]
    numbered = FormatPolicy.gpt4(numbered=True)
    found = compressed(doubled, policy=numbered, returns="documents")
    counts = [words(d.page_content) for d in found]
    room = sum(counts[:2])
    for returns in RETURNS:
        again = compressed(found, policy=GPT, counter=words, token_budget=room, returns=returns)
        assert [d.page_content for d in again] == [d.page_content for d in found[:2]]
        assert [d.id for d in again] == ["d4", "d2"]
    context = packed(found, policy=GPT, counter=words, token_budget=room)
    check(context, 4, numbered.replace(token_budget=room))
    assert context.tokens == room
    assert [o.reason for o in context.outcomes] == ["full", "full", "omitted_budget", "duplicate"]
    assert [source.id for source in context.sources] == ["d4", "d2", "double"]
    last = packed(found, policy=GPT, counter=words, token_budget=counts[2])
    assert (last.text, last.omitted_count) == (found[2].page_content, 2)
    assert [source.id for source in last.sources] == ["d7"]


def test_the_documents_that_the_retriever_ranked_last_are_left_out_first() -> None:
    policy = FormatPolicy.gpt4(ordering="chronological")
    days = [
        Document(d.page_content, metadata={"date": f"2024-01-0{3 - n}"})
        for n, d in enumerate(lease())
    ]
    found = compressed(days, policy=policy, returns="documents")
    first = [d for d in found if "notice" in d.page_content]
    assert found[2:] == first
    budget = words(first[0].page_content)
    again = compressed(found, policy=policy, counter=words, token_budget=budget)
    assert [d.page_content for d in again] == [d.page_content for d in first]


@pytest.mark.parametrize("returns", RETURNS)
def test_own_output_of_which_nothing_fits_is_refused(returns: str) -> None:
    found = compressed(lease(), policy=GPT, returns=returns)
    least = min(words(d.page_content) for d in found)
    message = f"of {least} tokens is over the budget of 9, .*the retriever's passages"
    for same in (found, copy.deepcopy(found)):
        with pytest.raises(InputError, match=message):
            compressed(same, policy=GPT, counter=words, token_budget=9, returns=returns)
        with pytest.raises(InputError, match=message):
            asyncio.run(ContextRunnable(counter=words, token_budget=9).ainvoke(same))


GONE = {"verification_status": ["Status.RETRACTED"]}


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_packed_document_is_withheld_when_it_was_retracted_since(
    place: int, asynchronous: bool
) -> None:
    doubled = [*lease(), Document(lease()[place].page_content, metadata={"source": "double"})]
    options: dict[str, Any] = {"policy": FormatPolicy.gpt4(numbered=True), "returns": "documents"}
    found = list(compressed(doubled, **options))
    assert len(found) == 3
    found[place].metadata.update(GONE)
    secret = lease()[place].page_content
    compressor, expected = ContextCompressor(**options), [*found[:place], *found[place + 1 :]]
    again = (
        asyncio.run(compressor.acompress_documents(found, ""))
        if asynchronous
        else compressor.compress_documents(found, "")
    )
    assert [each.page_content for each in again] == [each.page_content for each in expected]
    assert [each.id for each in again] == [each.id for each in expected]
    for each, was in zip(again, expected, strict=True):
        anew = {"areev_context": 0, "areev_context_signature": 0}
        assert {**each.metadata, **anew} == {**was.metadata, **anew}
        assert each.metadata["areev_context"] == "2 shown, 0 omitted, 2 withheld"
        receipt_context = each.metadata["areev_context"].context
        assert secret not in receipt_context.model_dump_json()
        assert secret[:10] not in receipt_context.report() + receipt_context.to_html()
    assert compressor.compress_documents(again, "") == again  # and passes as what it is
    context = packed(found, policy=options["policy"])
    assert context.text == "\n\n".join(each.page_content for each in expected)
    assert asyncio.run(ContextRunnable().ainvoke(found)) == context.text
    assert (context.included_count, context.withheld_count, len(context.outcomes)) == (2, 2, 4)
    assert [source.number for source in context.sources] == [n for n in (1, 2, 3) if n != place + 1]
    assert context.tokens == context.estimated_tokens == estimate_tokens(context.text)
    assert context.outcomes[place] == HitOutcome(place, Reason.WITHHELD)


def test_what_is_left_of_packed_documents_keeps_its_doubles() -> None:
    documents = [*lease(), lease()[1]]
    found = list(compressed(documents, policy=GPT, returns="documents"))
    found[0].metadata.update(GONE)
    context = packed(found)
    assert [o.reason for o in context.outcomes] == ["withheld", "full", "full", "duplicate"]
    assert len(context.sources) == 3


@pytest.mark.parametrize("returns", RETURNS)
def test_where_all_of_it_was_retracted_nothing_is_left(returns: str) -> None:
    found = list(compressed(lease(), policy=GPT, returns=returns))
    for each in found:
        each.metadata.update(GONE)
    assert compressed(found, policy=GPT, returns=returns) == []
    assert packed(found).text == ""
    shown = FormatPolicy.gpt4(include_retracted=True)
    assert compressed(found, policy=shown, returns=returns) == found


def test_what_is_left_has_a_ceiling_too() -> None:
    found = list(compressed(lease(), policy=GPT, returns="documents"))
    found[0].metadata.update(GONE)
    room = words(found[1].page_content)
    again = compressed(found, policy=GPT, counter=words, token_budget=room, returns="documents")
    assert [d.page_content for d in again] == [found[1].page_content]
    assert "retracted" not in str(again).lower()
    context = packed(found, policy=GPT, counter=words, token_budget=room)
    assert [o.reason for o in context.outcomes] == ["withheld", "full", "omitted_budget"]


def others() -> dict[str, list[Document]]:
    """Return documents that are no output of ours, or whose text was changed."""
    [one] = ContextCompressor().compress_documents(lease(), "")
    receipt = one.metadata["areev_context"]
    metadata = {"areev_context": str(receipt)}
    return {
        "the key in a retriever's metadata": [Document(one.page_content, metadata=metadata)],
        "another text": [Document(f"{one.page_content}!", metadata=one.metadata)],
        "a part": [Document(one.page_content[:20], metadata=one.metadata)],
    }


def mixed() -> dict[str, list[Document]]:
    """Return documents of ours that are not alone, or not the whole of one result."""
    [one] = ContextCompressor().compress_documents(lease(), "")
    each = ContextCompressor(returns="documents").compress_documents(lease(), "")
    return {
        "another document beside it": [one, Document("x")],
        "after another document": [Document("x"), one],
        "twice": [one, one],
        "one of several": list(each[:1]),
        "another order": list(each[::-1]),
        "of two calls": [*each[:2], ContextCompressor().compress_documents(lease()[2:], "")[0]],
        "one of them changed": [*each[:2], Document("x", metadata=each[2].metadata)],
    }


@pytest.mark.parametrize("name", mixed())
def test_own_output_is_refused_where_it_would_be_packed_twice(name: str) -> None:
    for options in ({}, {"signing_key": "key"}):
        with pytest.raises(InputError, match=r"packed context.*alone and unchanged"):
            compressed(mixed()[name], **options)
        with pytest.raises(InputError, match=r"packed context.*alone and unchanged"):
            packed(mixed()[name], **options)


@pytest.mark.parametrize("name", others())
def test_only_own_output_as_it_was_is_let_through(name: str) -> None:
    documents = others()[name]
    expected = ContextAssembler().format(PassageMapper().hits(passages(documents)))
    assert packed(documents).text == expected.text
    assert expected.text != "\n\n".join(d.page_content for d in documents)
    [document] = compressed(documents)
    assert document.page_content == expected.text


# --- the runnable -----------------------------------------------------------------------------


@pytest.mark.parametrize("documents", ["documents", "context"])
@pytest.mark.parametrize("query", ["query", "question", "input"])
def test_the_input_may_be_a_mapping(documents: str, query: str) -> None:
    runnable = ContextRunnable(policy=GPT, token_budget=30, counter=words)
    given = {documents: lease(), query: QUERY, "history": []}
    expected = ContextAssembler(counter=words).format(
        PassageMapper().hits(passages(lease())),
        GPT.replace(token_budget=30, query_text=QUERY),
        RenderingHints(query_text=QUERY),
    )
    assert runnable.invoke(given) == expected.text
    assert ContextRunnable(**dict(runnable) | {"returns": "result"}).invoke(given) == expected
    assert runnable.invoke({documents: lease(), query: None}) == runnable.invoke(lease())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("text", "documents is of type str: give a list of Document"),
        (b"text", "documents is of type bytes"),
        (None, "documents is of type NoneType"),
        (Document("x"), "documents is of type Document"),
        ({"context": Document("x")}, "documents is of type Document"),
        ({"documents": {}}, "documents is of type dict"),
        ([Document("x"), "y"], "document 1 is of type str: give a Document"),
        ([(Document("x"), 0.5)], "document 0 is of type tuple: give a Document"),
        ({"docs": [], "query": ""}, "the input has the keys docs, query: give the documents under"),
        ({}, "the input has the keys none: give"),
    ],
)
def test_what_holds_no_documents_is_refused(given: Any, message: str) -> None:
    runnable = ContextRunnable()
    with pytest.raises(InputError, match=message):
        runnable.invoke(given)
    with pytest.raises(InputError, match=message):
        asyncio.run(runnable.ainvoke(given))


def test_a_mistyped_option_is_an_error() -> None:
    for kind in (ContextCompressor, ContextRunnable):
        with pytest.raises(ValidationError, match="tokn_budget"):
            kind(tokn_budget=3)
        with pytest.raises(ValidationError, match="returns"):
            kind(returns="string")
        with pytest.raises(ValidationError, match=r"areev_context\.tokens\.counter_from"):
            kind(counter=42)
        with pytest.raises(ValidationError, match="frozen"):
            kind().token_budget = 3
    with pytest.raises(InputError, match="tokn_budget"):
        ContextRunnable().invoke([], tokn_budget=3)


@pytest.mark.parametrize("budget", BAD_BUDGETS)
@pytest.mark.parametrize("kind", [ContextCompressor, ContextRunnable])
def test_a_wrong_budget_is_an_error(kind: Any, budget: Any) -> None:
    with pytest.raises(ValidationError, match="token_budget"):
        kind(token_budget=budget)


# --- the options ------------------------------------------------------------------------------


def test_a_budget_of_its_own_replaces_the_policys() -> None:
    policy = GPT.replace(token_budget=1000)
    assert packed(lease(), policy=policy).token_budget == 1000
    assert packed(lease(), policy=policy, token_budget=20).token_budget == 20
    assert packed(lease(), policy=policy, token_budget=0).text == ""


@pytest.mark.parametrize("budget", [0, 1, 17, 20, 40, 60, 4096])
def test_a_ceiling_holds_without_a_counter(budget: int) -> None:
    context = packed(lease(), QUERY, policy=GPT, token_budget=budget)
    assert context.counter == "estimate_tokens"
    assert estimate_tokens(context.text) <= budget


def test_the_query_of_a_call_wins_where_it_is_not_blank() -> None:
    policy = GPT.replace(query_text="deposit", token_budget=14)
    options: dict[str, Any] = {"policy": policy, "counter": words}
    assert "deposit" in packed(lease()[::-1], **options).text
    assert "deposit" in packed(lease()[::-1], " \n", **options).text
    assert "Rent is due" in packed(lease()[1::-1], QUERY, **options).text


def test_the_query_asks_for_an_order_in_time() -> None:
    documents = [
        Document("moved", metadata={"event_at": "2024-03-01"}),
        Document("signed", metadata={"event_at": "2024-01-01"}),
    ]
    hints = RenderingHints(query_text="which came first?")
    assert packed(documents, "which came first?").mode == "timeline"
    assert packed(documents, hints=hints).mode == "timeline"
    assert packed(documents, "where?", hints=hints).mode == "default"
    assert packed(documents, "where?", hints=RenderingHints(has_time_range=True)).mode == "timeline"


def test_the_mapper_says_what_leaves_and_where_the_score_is() -> None:
    documents = [
        Document("near", metadata={"distance": 0.1, "owner": "lee", "title": "hidden"}),
        Document("far", metadata={"distance": 0.9, "owner": "kim", "title": "hidden"}),
    ]
    mapper = PassageMapper(shown=("owner",), score_key="distance", higher_is_better=False)
    context = packed(documents, mapper=mapper)
    assert context.text == "(owner lee): near\n(owner kim): far"
    hits = mapper.hits(passages(documents))
    assert [hit.score for hit in hits] == [0.9, pytest.approx(0.1)]
    assert context.outcomes == ContextAssembler(counter=estimate_tokens).format(hits).outcomes
    assert context.outcomes != packed(documents).outcomes


def test_a_counter_that_fails_is_reported() -> None:
    def fails(text: str) -> int:
        raise OSError("no vocabulary")

    options: dict[str, Any] = {"counter": fails, "token_budget": 30}
    with pytest.raises(CounterError, match="no vocabulary"):
        packed(lease(), **options)
    compressor = ContextCompressor(**options)
    with pytest.raises(CounterError, match="no vocabulary"):
        compressor.compress_documents(lease(), "")
    with pytest.raises(CounterError, match="no vocabulary"):
        asyncio.run(compressor.acompress_documents(lease(), ""))


def test_the_loop_is_not_blocked() -> None:
    """What is asked for without waiting is packed in another thread."""
    counted: set[int] = set()

    def counter(text: str) -> int:
        counted.add(threading.get_ident())
        return len(text)

    options: dict[str, Any] = {"counter": counter, "token_budget": 200}
    asyncio.run(ContextRunnable(**options).ainvoke(lease()))
    asyncio.run(ContextCompressor(**options).acompress_documents(lease(), QUERY))
    assert counted
    assert threading.get_ident() not in counted


def test_documents_made_without_checks() -> None:
    """As a store's own class may make them for speed."""
    odd = [
        Document.model_construct(page_content=None, metadata=None, id=None),
        Document.model_construct(page_content="x", metadata=["no", "mapping"], id=7),
        Document.model_construct(page_content=math.nan, metadata={None: None}, id="i"),
    ]
    assert packed(odd).text == "x"
    assert [d.page_content for d in compressed(odd, returns="documents")] == ["x"]


# --- the package ------------------------------------------------------------------------------


def test_without_the_framework_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "langchain_core", None)
    monkeypatch.delitem(sys.modules, "langchain_areev_context")
    with pytest.raises(ImportError, match=r"pip install 'areev-context\[langchain\]'"):
        importlib.import_module("langchain_areev_context")


def test_the_public_names() -> None:
    assert package.__all__ == sorted(package.__all__, key=lambda name: (name.islower(), name))
    assert all(hasattr(package, name) for name in package.__all__)


def test_whatever_langchain_has_becomes_hits() -> None:
    call = {"name": "find", "args": {"q": "lamp"}, "id": "c1"}
    document = Document("Rent is due.", metadata={"source": "lease.md"}, id="d1")
    given = [
        (document, 0.8),
        HumanMessage("Where?"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("order 4471", tool_call_id="c1"),
        AIMessage([{"type": "text", "text": "Here"}, {"type": "image_url", "image_url": {}}]),
    ]
    found = hits_of([document, *given])
    assert (found[0].id, found[1].id, found[1].score) == ("d1", "d1", 0.8)
    assert [hit.grain_type for hit in found[2:]] == ["event", "event", "tool", "event"]
    policy = FormatPolicy.gpt4(grain_type_diversity=None)
    assert ContextAssembler().format(hits_of(given), policy).text.splitlines() == [
        "- (lease.md): Rent is due.",
        "- **user**: Where?",
        '- **assistant**: find({"q":"lamp"})',
        "- **find** returned: order 4471",
        "- **assistant**: Here",
        "  [image]",
    ]


# --- types ------------------------------------------------------------------------------------


def test_the_type_of_the_result_is_known() -> None:
    assert ContextRunnable().OutputType is str
    assert ContextRunnable(returns="result").OutputType is FormattedContext
    assert ContextRunnable().get_output_jsonschema()["type"] == "string"
    annotated: ContextRunnable[FormattedContext] = ContextRunnable(returns="result")
    assert isinstance(pickle.loads(pickle.dumps(annotated)).invoke(lease()), FormattedContext)
    chain = RunnableLambda(lambda query: lease()) | annotated
    assert chain.OutputType is FormattedContext


def test_type_checkers_know_every_option() -> None:
    typed = runnable._Options.__annotations__.keys() | {"returns"}
    assert typed == ContextRunnable.model_fields.keys()
