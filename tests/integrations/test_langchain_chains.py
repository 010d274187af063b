"""The compressor and the runnable inside LangChain's retrievers, pipelines and chains."""

import asyncio
import inspect
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")
pytest.importorskip("langchain_classic", reason="needs langchain-classic")

from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_classic.retrievers.document_compressors import DocumentCompressorPipeline
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.load import dumpd, dumps, loads
from langchain_core.messages import HumanMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.runnables import (
    ConfigurableField,
    Runnable,
    RunnableLambda,
    RunnablePassthrough,
)
from pydantic import Field

from areev_context import (
    CounterError,
    FormatPolicy,
    FormattedContext,
    InputError,
    PassageMapper,
    RenderingHints,
)
from integrations.langchain_parts import (
    QUERY,
    DocumentWithState,
    Fixed,
    Listener,
    Runs,
    lease,
    tree,
)
from langchain_areev_context import ContextCompressor, ContextRunnable, policy_for

GPT = FormatPolicy.gpt4()
CLAUDE = FormatPolicy.claude(token_budget=60)
PROMPT = ChatPromptTemplate.from_template("Answer from this:\n{context}\n\nQuestion: {question}")


def text_of(policy: FormatPolicy = CLAUDE) -> str:
    text = ContextRunnable(policy=policy).invoke({"documents": lease(), "query": QUERY})
    assert isinstance(text, str)
    return text


def invoked(runnable: Runnable[Any, Any], given: Any, **named: Any) -> Any:
    """Return what a runnable gives, the same in every way of asking."""
    found = runnable.invoke(given, **named)

    async def asynchronous() -> list[Any]:
        streamed = [chunk async for chunk in runnable.astream(given, **named)]
        batched = await runnable.abatch([given, given], **named)
        return [await runnable.ainvoke(given, **named), *batched, *streamed]

    assert asyncio.run(asynchronous()) == [found] * 4
    assert runnable.batch([given, given], **named) == [found] * 2
    assert list(runnable.stream(given, **named)) == [found]
    return found


def asked(function: Callable[..., Any], *given: Any) -> Any:
    """Call a function, awaited where it is to be."""
    found = function(*given)
    return asyncio.run(found) if inspect.iscoroutine(found) else found


# --- retrievers and pipelines -----------------------------------------------------------------


@pytest.mark.parametrize("returns", ["context", "documents"])
def test_in_a_compression_retriever(returns: str) -> None:
    compressor = ContextCompressor(policy=CLAUDE, returns=returns)
    retriever = ContextualCompressionRetriever(
        base_compressor=compressor, base_retriever=Fixed(documents=lease())
    )
    expected = compressor.compress_documents(lease(), QUERY)
    assert retriever.invoke(QUERY) == expected
    assert asyncio.run(retriever.ainvoke(QUERY)) == expected
    assert (retriever | ContextRunnable()).invoke(QUERY) == "\n\n".join(
        document.page_content for document in expected
    )


def test_a_retriever_that_finds_nothing() -> None:
    """It never asks its compressor; a runnable behind it gets an empty list."""
    retriever = ContextualCompressionRetriever(
        base_compressor=ContextCompressor(), base_retriever=Fixed(documents=[])
    )
    assert retriever.invoke(QUERY) == []
    assert asyncio.run(retriever.ainvoke(QUERY)) == []
    assert (retriever | ContextRunnable(policy=CLAUDE)).invoke(QUERY) == ""


class Stateful(BaseDocumentTransformer):
    """Hands on documents with a state and without ids, as filters of redundant ones do."""

    def transform_documents(self, documents: Any, **named: Any) -> list[Document]:
        return [
            DocumentWithState(
                page_content=document.page_content,
                metadata=document.metadata,
                state={"embedded_doc": [0.1]},
            )
            for document in documents
        ]


@pytest.mark.parametrize("returns", ["context", "documents"])
def test_in_a_pipeline(returns: str) -> None:
    compressor = ContextCompressor(policy=GPT, returns=returns)
    pipeline = DocumentCompressorPipeline(transformers=[Stateful(), compressor, compressor])
    found = pipeline.compress_documents(lease(), QUERY)
    assert asyncio.run(pipeline.acompress_documents(lease(), QUERY)) == found
    without_ids = [Document(d.page_content, metadata=d.metadata) for d in lease()]
    assert found == compressor.compress_documents(without_ids, QUERY)
    retriever = ContextualCompressionRetriever(
        base_compressor=pipeline, base_retriever=Fixed(documents=lease())
    )
    assert retriever.invoke(QUERY) == found


@pytest.mark.parametrize("returns", ["context", "documents"])
def test_an_old_stuff_chain_takes_what_a_compressor_returns(returns: str) -> None:
    """Its document prompt asks for metadata, its separator is a blank line."""
    model = Listener()
    chain = create_stuff_documents_chain(
        model,
        ChatPromptTemplate.from_template("{context}|{question}"),
        document_prompt=PromptTemplate.from_template("{page_content}"),
    )
    found = ContextCompressor(policy=CLAUDE, returns=returns).compress_documents(lease(), QUERY)
    assert chain.invoke({"context": list(found), "question": QUERY}) == "answer"
    joined = "\n\n".join(document.page_content for document in found)
    assert model.prompts == [f"{joined}|{QUERY}"]
    assert len(joined.encode()) // 4 <= 60


# --- chains -----------------------------------------------------------------------------------


def chains(model: Listener) -> dict[str, Runnable[str, str]]:
    """Return chains that all must ask a model the same."""
    retriever = Fixed(documents=lease())
    pack = ContextRunnable(policy=CLAUDE.replace(query_text=QUERY))
    asked = ContextRunnable(policy=CLAUDE)
    end = PROMPT | model | StrOutputParser()
    question = RunnablePassthrough()
    return {
        "a dict": {"context": retriever | pack, "question": question} | end,
        "assign": {"context": retriever, "question": question}
        | RunnablePassthrough.assign(context=asked)
        | end,
        "documents and query": {
            "context": {"documents": retriever, "query": question} | asked,
            "question": question,
        }
        | end,
        "bare": retriever
        | pack
        | RunnableLambda(lambda text: {"context": text, "question": QUERY})
        | end,
    }


@pytest.mark.parametrize("name", chains(Listener()))
def test_the_model_gets_the_context_to_the_character(name: str) -> None:
    model = Listener()
    chain = chains(model)[name]
    assert chain.invoke(QUERY) == "answer"
    assert asyncio.run(chain.ainvoke(QUERY)) == "answer"
    assert "".join(chain.stream(QUERY)) == "answer"
    assert chain.batch([QUERY]) == ["answer"]
    expected = f"Answer from this:\n{text_of()}\n\nQuestion: {QUERY}"
    assert model.prompts == [expected] * 4


def test_every_way_of_asking_gives_the_same() -> None:
    given = {"documents": lease(), "query": QUERY}
    assert invoked(ContextRunnable(policy=CLAUDE), given) == text_of()
    result = invoked(ContextRunnable(policy=CLAUDE, returns="result"), given)
    assert isinstance(result, FormattedContext)
    assert result.text == text_of()
    named = ContextRunnable(policy=CLAUDE).with_config(run_name="pack", tags=["t"])
    assert invoked(named, given) == text_of()


def test_a_budget_for_each_call() -> None:
    runnable = ContextRunnable(policy=CLAUDE).configurable_fields(
        token_budget=ConfigurableField(id="context_tokens")
    )
    given = {"documents": lease(), "query": QUERY}
    assert invoked(runnable, given) == text_of()
    small: dict[str, Any] = {"configurable": {"context_tokens": 30}}
    assert invoked(runnable, given, config=small) == text_of(CLAUDE.replace(token_budget=30))
    chain = RunnablePassthrough() | runnable
    assert chain.with_config(configurable={"context_tokens": 0}).invoke(given) == ""
    wrong: dict[str, Any] = {"configurable": {"context_tokens": -1}}
    with pytest.raises(ValueError, match="token_budget"):
        runnable.invoke(given, config=wrong)


def test_a_budget_in_the_call_itself() -> None:
    runnable, small = ContextRunnable(policy=CLAUDE), text_of(CLAUDE.replace(token_budget=30))
    given: dict[str, Any] = {"documents": lease(), "query": QUERY}
    assert runnable.invoke(given, token_budget=30) == small
    assert asyncio.run(runnable.ainvoke(given, token_budget=30)) == small
    assert runnable.bind(token_budget=30).batch([given, given]) == [small, small]
    for wrong in ({"token_budget": -1}, {"token_budget": 1.5}):
        with pytest.raises(ValueError, match="token_budget"):
            runnable.invoke(given, **wrong)
    with pytest.raises(InputError, match="a call takes no tokn_budget: give token_budget"):
        runnable.invoke(given, tokn_budget=3)


@pytest.mark.parametrize(
    "asked",
    [
        {"query": HumanMessage(QUERY)},
        {"query": HumanMessage([{"type": "text", "text": QUERY}])},
        {"query": " ", "question": QUERY},
        {"query": None, "input": QUERY},
        {"query": {"chat": 1}, "input": QUERY},
    ],
)
def test_what_asks_is_found(asked: dict[str, Any]) -> None:
    found = ContextRunnable(policy=CLAUDE, token_budget=30).invoke({"documents": lease(), **asked})
    assert found == text_of(CLAUDE.replace(token_budget=30))


def test_a_query_that_cannot_be_read_is_reported() -> None:
    given = {"documents": lease(), "query": [HumanMessage(QUERY)]}
    with pytest.raises(InputError, match="query is of type list: give a string or a message"):
        ContextRunnable().invoke(given)
    assert ContextRunnable().invoke({"documents": lease(), "query": " "})


def test_a_counter_of_what_people_have() -> None:
    given = {"documents": lease(), "query": QUERY}
    packed = [
        ContextRunnable(policy=CLAUDE, counter=counter, token_budget=12).invoke(given)
        for counter in (str.split, lambda text: len(text.split()))
    ]
    assert packed[0] == packed[1]


def test_policies_to_choose_from_for_each_call() -> None:
    runnable = ContextRunnable(policy=CLAUDE).configurable_alternatives(
        ConfigurableField(id="shape"), gpt=ContextRunnable(policy=GPT)
    )
    chosen = runnable.with_config(configurable={"shape": "gpt"})
    assert chosen.invoke({"documents": lease(), "query": QUERY}) == text_of(GPT)


class Failing:
    """A counter that fails the first times it is asked."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, text: str) -> int:
        if self.left:
            self.left -= 1
            raise OSError("busy")
        return len(text.split())


def test_with_retry_and_with_fallbacks() -> None:
    given = {"documents": lease(), "query": QUERY}
    flaky = ContextRunnable(policy=CLAUDE, counter=Failing(1))
    with pytest.raises(CounterError):
        ContextRunnable(policy=CLAUDE, counter=Failing(1)).invoke(given)
    retried = flaky.with_retry(stop_after_attempt=2, wait_exponential_jitter=False)
    assert str(retried.invoke(given)).startswith("<documents>")
    broken = ContextRunnable(policy=CLAUDE, counter=Failing(9**9))
    assert invoked(broken.with_fallbacks([ContextRunnable(policy=CLAUDE)]), given) == text_of()


def test_schemas_can_be_asked_for() -> None:
    runnable = ContextRunnable(policy=CLAUDE)
    json.dumps(runnable.get_input_jsonschema())
    json.dumps(runnable.get_output_jsonschema())
    assert runnable.get_name() == "ContextRunnable"
    chain: Runnable[Any, Any] = Fixed(documents=lease()) | runnable | PROMPT
    assert [node.name for node in chain.get_graph().nodes.values()][2] == "ContextRunnable"


# --- tracing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("returns", ["context", "documents"])
def test_a_compressor_is_a_run_under_its_retrievers(returns: str, asynchronous: bool) -> None:
    runs = Runs()
    compressor = ContextCompressor(policy=CLAUDE, returns=returns)
    retriever = ContextualCompressionRetriever(
        base_compressor=DocumentCompressorPipeline(transformers=[compressor]),
        base_retriever=Fixed(documents=lease()),
    )
    asking = retriever.ainvoke if asynchronous else retriever.invoke
    found = asked(asking, QUERY, {"callbacks": [runs]})
    [root] = runs.roots
    assert tree(root) == (
        "ContextualCompressionRetriever",
        [("Fixed", []), ("ContextCompressor", [])],
    )
    run = root.child_runs[1]
    assert run.inputs == {"documents": lease(), "query": QUERY}
    assert run.outputs == {"output": found}
    assert run.error is None


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_runnable_is_a_run_of_its_chain(asynchronous: bool) -> None:
    runs = Runs()
    chain: Runnable[str, Any] = Fixed(documents=lease()) | ContextRunnable(policy=CLAUDE)
    text = asked(chain.ainvoke if asynchronous else chain.invoke, QUERY, {"callbacks": [runs]})
    [root] = runs.roots
    assert tree(root) == ("RunnableSequence", [("Fixed", []), ("ContextRunnable", [])])
    assert root.child_runs[1].outputs == {"output": text}


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_failure_is_reported_to_the_run(asynchronous: bool) -> None:
    runs = Runs()
    compressor = ContextCompressor(policy=CLAUDE, counter=Failing(9**9))
    given = (lease(), QUERY, [runs])
    asking = compressor.acompress_documents if asynchronous else compressor.compress_documents
    with pytest.raises(CounterError):
        asked(asking, *given)
    with pytest.raises(InputError):
        ContextRunnable().invoke({}, {"callbacks": [runs]})
    assert ["busy" in str(root.error) for root in runs.roots] == [True, False]
    assert [root.error is None for root in runs.roots] == [False, False]


# --- written down -----------------------------------------------------------------------------


def loaded(text: str, **named: Any) -> Any:
    """Load as LangChain asks to: the class by name, and the package it is in."""
    if "allowed_objects" in inspect.signature(loads).parameters:
        named["allowed_objects"] = [ContextRunnable]
    return loads(text, valid_namespaces=["langchain_areev_context"], **named)


@pytest.mark.filterwarnings("ignore:The function `loads` is in beta")
def test_a_runnable_is_written_down_and_read_back() -> None:
    runnable = ContextRunnable(
        policy=FormatPolicy.claude(query_text="x\ud83d", type_order=("fact",)),
        token_budget=0,
        mapper=PassageMapper(shown=("a.b",), score_key="s", higher_is_better=False),
        hints=RenderingHints(entities=("a",), entity_count=1),
        returns="result",
        name="pack",
    )
    for one in (runnable, ContextRunnable()):
        written = dumps(one)
        assert loaded(written) == one
        assert dumpd(one)["id"] == ["langchain_areev_context", "runnable", "ContextRunnable"]
        assert json.loads(written) == dumpd(one)


@pytest.mark.filterwarnings("ignore:The function `loads` is in beta")
def test_a_counter_is_no_data() -> None:
    """Reading back a runnable that had one fails, unless one says that it may be lost."""
    written = dumps(ContextRunnable(policy=GPT, counter=len))
    with pytest.raises(NotImplementedError):
        loaded(written)
    if "ignore_unserializable_fields" in inspect.signature(loads).parameters:
        assert loaded(written, ignore_unserializable_fields=True) == ContextRunnable(policy=GPT)


# --- the policy of a model --------------------------------------------------------------------


class Model(FakeListChatModel):
    """A model of some provider."""

    responses: list[str] = Field(default_factory=lambda: ["answer"])
    provider: Any
    model: Any = None
    window: Any = None

    def _get_ls_params(self, stop: list[str] | None = None, **named: Any) -> Any:
        return {"ls_provider": self.provider, "ls_model_name": self.model}

    def __getattribute__(self, name: str) -> Any:
        if name == "profile":  # a field of new versions, absent in old ones
            return {"max_input_tokens": self.window}
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    ("provider", "model", "preset"),
    [
        ("anthropic", "claude-sonnet-4-5", "claude"),
        ("amazon_bedrock", "eu.anthropic.claude-haiku-4-5", "claude"),
        ("google_vertexai", "claude-opus-4-5@20251101", "claude"),
        ("openai", "gpt-5", "gpt4"),
        ("azure", "my-deployment", "gpt4"),
        ("google_genai", "gemini-3-pro", "gemini"),
        ("google_vertexai", "gemini-3-flash", "gemini"),
        ("openrouter", "google/gemini-3-pro", "gemini"),
        ("ollama", "llama3.2:3b", "local_small"),
        ("ollama", "gpt-oss:20b", "local_small"),
        ("llamacpp", None, "local_small"),
    ],
)
def test_the_preset_follows_the_provider(provider: str, model: str, preset: str) -> None:
    for llm in (
        Model(provider=provider, model=model),
        Model(provider=provider, model=model).bind(stop=["x"]),
        Model(provider=provider, model=model).with_retry(),
        Model(provider=provider, model=model).with_fallbacks([Listener()]).bind(stop=["x"]),
        Model(provider=provider, model=model).configurable_fields(
            model=ConfigurableField(id="model")
        ),
    ):
        assert policy_for(llm) == FormatPolicy.preset(preset)


@pytest.mark.parametrize(
    ("window", "share", "budget"),
    [
        (200_000, 0.25, 50_000),
        (8_192, 0.1, 819),
        (3, 1, 3),
        (7, 0.25, 1),
        (1, 0.5, 0),
        (None, 0.25, None),
        (0, 0.25, None),
        (-1, 0.25, None),
        (True, 0.25, None),
        (1e5, 0.25, None),
        ("8k", 0.25, None),
    ],
)
def test_the_budget_is_a_share_of_the_window(
    window: Any, share: float, budget: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="langchain_areev_context"):
        policy = policy_for(Model(provider="anthropic", model="claude", window=window), share)
    assert policy == FormatPolicy.claude(token_budget=budget)
    expected = (
        "no budget: its window is unknown" if budget is None else f"budget {budget} of {window}"
    )
    assert caplog.messages == [f"anthropic claude: preset claude, {expected}"]


class Unwilling:
    """An object that answers nothing."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


STRANGERS = {
    "None": None, "a name": "claude", "a number": 3, "a function": len, "unwilling": Unwilling(),
    "a listener": Listener(),
}  # fmt: skip


@pytest.mark.parametrize("llm", STRANGERS.values(), ids=STRANGERS)
def test_an_unknown_model_gets_markdown_and_no_budget(
    llm: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="langchain_areev_context"):
        assert policy_for(llm) == FormatPolicy.gpt4()
    [message] = caplog.messages
    assert message.endswith("no preset of its own, so Markdown, no budget: its window is unknown")


def test_names_that_are_no_text_are_no_names() -> None:
    assert policy_for(Model(provider=["claude"], model=3)) == FormatPolicy.gpt4()


@pytest.mark.parametrize("share", [0, -0.1, 1.1, True, "0.5", None, float("nan")])
def test_a_share_that_is_none_is_refused(share: Any) -> None:
    with pytest.raises(InputError, match="share="):
        policy_for(Listener(), share)
