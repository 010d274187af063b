"""The LangChain integration as a user types it. Checked by mypy and never run."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, assert_type

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnablePassthrough

from areev_context import FormatPolicy, FormattedContext, PassageMapper, RenderingHints
from areev_context.tokens import tiktoken_counter
from langchain_areev_context import ContextCompressor, ContextRunnable, policy_for


def chain(retriever: Runnable[str, list[Document]], llm: Runnable[Any, Any]) -> Runnable[Any, Any]:
    pack = ContextRunnable(
        policy=policy_for(llm, share=0.1),
        token_budget=2000,
        mapper=PassageMapper(shown=("title",)),
        counter=tiktoken_counter(),
        hints=RenderingHints(has_time_range=True),
        returns="text",
    )
    ask: Runnable[Any, Any] = RunnablePassthrough()
    return {"context": {"documents": retriever, "query": ask} | pack, "question": ask} | llm


async def compressed(documents: list[Document]) -> Sequence[Document]:
    compressor = ContextCompressor(policy=FormatPolicy.claude(), returns="documents")
    assert_type(compressor.compress_documents(documents, "query"), Sequence[Document])
    return await compressor.acompress_documents(documents, "query", callbacks=[])


Returns = Literal["text", "result"]


async def results(documents: list[Document], returns: Returns) -> None:
    assert_type(ContextRunnable().invoke(documents), str)
    assert_type(await ContextRunnable(returns="text", signing_key="key").ainvoke(documents), str)
    pack = ContextRunnable(returns="result", token_budget=50)
    assert_type(pack, ContextRunnable[FormattedContext])
    assert_type(pack.invoke({"documents": documents}), FormattedContext)
    assert_type(await pack.ainvoke(documents, token_budget=9), FormattedContext)
    assert_type(pack.batch([documents]), list[FormattedContext])
    assert_type(ContextRunnable(returns=returns).invoke(documents), str | FormattedContext)


def piped(retriever: Runnable[str, Sequence[Document] | Mapping[str, Any]]) -> None:
    assert_type((retriever | ContextRunnable()).invoke("a query"), str)
    assert_type((retriever | ContextRunnable(returns="result")).invoke("?"), FormattedContext)
