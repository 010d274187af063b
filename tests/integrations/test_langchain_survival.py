"""What was packed survives what frameworks do to state, and is never packed again in silence."""

import asyncio
import inspect
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")

from langchain_core.documents import Document
from langchain_core.load import dumps, loads

from areev_context import FormatPolicy, FormattedContext, InputError
from areev_context.tokens import estimate_tokens
from integrations.langchain_parts import QUERY, lease
from langchain_areev_context import ContextCompressor, ContextRunnable

pytestmark = pytest.mark.filterwarnings("ignore:.*loads.* is in beta")

POLICY = FormatPolicy.gpt4(numbered=True)
LOADED: Any = (  # the oldest versions take no such option
    {"allowed_objects": "core"} if "allowed_objects" in inspect.signature(loads).parameters else {}
)
SAVED: dict[str, Callable[[Document], Document]] = {
    "JSON": lambda d: Document.model_validate_json(d.model_dump_json()),
    "a dict": lambda d: Document(**json.loads(json.dumps(d.model_dump(mode="json")))),
    "dumps and loads": lambda d: loads(dumps(d), **LOADED),
}
RETURNS = ("context", "documents")
each_way = pytest.mark.parametrize("save", SAVED.values(), ids=SAVED)
either = pytest.mark.parametrize("returns", RETURNS)


def packed(returns: str, key: str | None) -> list[Document]:
    compressor = ContextCompressor(policy=POLICY, returns=returns, signing_key=key)
    return list(compressor.compress_documents(lease(), QUERY))


@each_way
@either
def test_what_was_signed_passes_after_a_store(
    returns: str, save: Callable[[Document], Document]
) -> None:
    before = packed(returns, "key")
    stored = [save(document) for document in before]
    compressor = ContextCompressor(policy=POLICY, returns=returns, signing_key="key")
    for again in (
        compressor.compress_documents(stored, QUERY),
        asyncio.run(compressor.acompress_documents(stored, QUERY)),
    ):
        assert [d.page_content for d in again] == [d.page_content for d in before]
        assert [d.id for d in again] == [d.id for d in before]
    runnable = ContextRunnable(policy=POLICY, returns="result", signing_key="key")
    context = runnable.invoke(stored)
    assert isinstance(context, FormattedContext)
    assert context.text == "\n\n".join(d.page_content for d in before)


@each_way
def test_numbers_lead_back_after_a_store(save: Callable[[Document], Document]) -> None:
    [stored] = map(save, packed("context", "key"))
    runnable = ContextRunnable(policy=POLICY, returns="result", signing_key="key")
    context = runnable.invoke([stored])
    assert isinstance(context, FormattedContext)
    assert [source.id for source in context.cited("So [2], and [1].").sources] == ["d2", "d4"]
    assert context.included_count == 3


@each_way
def test_the_sources_of_several_documents_survive(save: Callable[[Document], Document]) -> None:
    found = [*lease(), lease()[0]]  # one of them twice
    compressor = ContextCompressor(policy=POLICY, returns="documents", signing_key="key")
    live = list(compressor.compress_documents(found, QUERY))
    runnable = ContextRunnable(policy=POLICY, returns="result", signing_key="key")
    was, context = runnable.invoke(live), runnable.invoke([save(each) for each in live])
    assert isinstance(was, FormattedContext)
    assert isinstance(context, FormattedContext)
    assert len(context.sources) == 4
    assert context.sources == was.sources
    assert context.cited("[2] [9]") == was.cited("[2] [9]")


@pytest.mark.parametrize("value", [None, "{}", "[1]", 7, [], [{"number": 1}], {"a": 1}, "as text"])
def test_what_a_store_changed_in_the_metadata_is_unknown(value: Any) -> None:
    before = packed("context", "key")
    [stored] = map(SAVED["JSON"], before)
    same = {"areev_context_signature", "sources"}
    changed = {
        name: was if name in same else value for name, was in stored.metadata.items()
    }  # as stores do that have no lists, or no numbers
    changed["sources"] = json.dumps(stored.metadata["sources"]) if value == "as text" else value
    document = Document(stored.page_content, metadata=changed)
    context = ContextRunnable(policy=POLICY, returns="result", signing_key="key").invoke([document])
    assert isinstance(context, FormattedContext)
    assert context.text == before[0].page_content
    assert len(context.sources) == (3 if value == "as text" else 0)


@each_way
@either
@pytest.mark.parametrize("key", [None, "another key"])
def test_what_cannot_be_recognized_is_refused_and_never_packed_twice(
    returns: str, save: Callable[[Document], Document], key: str | None
) -> None:
    for first_key in (None, "key"):
        stored = [save(document) for document in packed(returns, first_key)]
        for pack in (
            lambda docs: ContextCompressor(policy=POLICY, signing_key=key).compress_documents(
                docs, QUERY
            ),
            ContextRunnable(policy=POLICY, signing_key=key).invoke,
        ):
            with pytest.raises(InputError, match=r"packed context.*(signing_key|alone)"):
                pack(stored)


@either
def test_a_part_of_what_was_packed_and_more_beside_it_are_refused(returns: str) -> None:
    stored = [SAVED["JSON"](document) for document in packed(returns, "key")]
    runnable = ContextRunnable(policy=POLICY, signing_key="key")
    mixed = [[*stored, lease()[0]], [lease()[0], *stored]]
    parts = [stored[:1], stored[1:], stored[::-1]] if returns == "documents" else []
    for documents in mixed + parts:
        with pytest.raises(InputError, match="alone and unchanged"):
            runnable.invoke(documents)


@each_way
def test_a_smaller_budget_leaves_out_the_same_as_without_a_store(
    save: Callable[[Document], Document],
) -> None:
    found = [*lease()[::-1], lease()[0]]  # one of them twice
    policy = POLICY.replace(ordering="reverse_chronological")
    compressor = ContextCompressor(policy=policy, returns="documents", signing_key="key")
    live = list(compressor.compress_documents(found, QUERY))
    room = estimate_tokens("\n\n".join(d.page_content for d in live)) - 1
    small = ContextCompressor(policy=POLICY, token_budget=room, signing_key="key")
    left = list(small.compress_documents(live, QUERY))
    stored = list(small.compress_documents([save(each) for each in live], QUERY))
    assert 0 < len(left) < len(live)
    assert [d.page_content for d in stored] == [d.page_content for d in left]
    again = small.compress_documents([save(each) for each in stored], QUERY)
    assert [d.page_content for d in again] == [d.page_content for d in left]
    runnable = ContextRunnable(
        policy=POLICY, token_budget=room, returns="result", signing_key="key"
    )
    was, context = runnable.invoke(live), runnable.invoke([save(each) for each in live])
    assert (context.text, context.sources) == (was.text, was.sources)
    for counts in (was, context):
        shown = counts.included_count, counts.omitted_count, counts.truncated, counts.token_budget
        assert shown == (2, 1, True, room)
    [whole] = map(save, packed("context", "key"))
    with pytest.raises(InputError, match=f"over the budget of {room}"):
        small.compress_documents([whole], QUERY)


def test_a_changed_text_is_a_text_like_any_other() -> None:
    [stored] = map(SAVED["JSON"], packed("context", "key"))
    changed = Document(f"{stored.page_content}!", metadata=stored.metadata)
    text = ContextRunnable(policy=POLICY, signing_key="key").invoke([changed])
    assert isinstance(text, str)
    assert text.startswith("- [1] ")


@pytest.mark.parametrize(
    "signature", [None, 5, "", ":", "a:b", "a:b:c:d", ["a:b"], "\ud800:\ud800", b"a:b"]
)
@pytest.mark.parametrize("key", [None, "key"])
def test_no_metadata_of_a_retriever_lets_a_text_through(signature: object, key: str | None) -> None:
    forged = Document("- [1] all is well", metadata={"areev_context_signature": signature})
    text = ContextRunnable(policy=POLICY, signing_key=key).invoke([forged])
    assert isinstance(text, str)
    assert "\\[1]" in text or "~~~" in text


def test_a_stored_document_that_was_retracted_since_is_withheld() -> None:
    stored = [SAVED["JSON"](document) for document in packed("documents", "key")]
    stored[1].metadata["verification_status"] = "retracted"
    compressor = ContextCompressor(policy=POLICY, returns="documents", signing_key="key")
    left = list(compressor.compress_documents(stored, QUERY))
    assert [d.page_content for d in left] == [stored[0].page_content, stored[2].page_content]
    again = [SAVED["JSON"](document) for document in left]
    assert list(compressor.compress_documents(again, QUERY)) == left
    for document in stored:
        document.metadata["verification_status"] = "retracted"
    assert list(compressor.compress_documents(stored, QUERY)) == []


def test_a_key_is_in_no_dump() -> None:
    compressor = ContextCompressor(policy=POLICY, signing_key="sesame")
    assert "sesame" not in repr(compressor) + compressor.model_dump_json() + dumps(compressor)
    assert pickle.loads(pickle.dumps(compressor)).signing_key.get_secret_value() == "sesame"


def test_a_context_survives_as_a_plain_dict() -> None:
    context = ContextRunnable(policy=POLICY, returns="result").invoke(lease())
    assert isinstance(context, FormattedContext)
    stored: Any = json.loads(json.dumps(context.model_dump(mode="json")))
    assert FormattedContext.model_validate(stored) == context
    assert str(FormattedContext.model_validate(stored)) == context.text


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_a_context_has_a_schema_with_all_its_fields(mode: Any) -> None:
    schema = FormattedContext.model_json_schema(mode=mode)
    assert set(schema["properties"]) == set(FormattedContext.model_fields)
    runnable = ContextRunnable(policy=POLICY, returns="result")
    described = json.dumps(runnable.get_output_jsonschema())
    assert all(f'"{name}"' in described for name in FormattedContext.model_fields)
