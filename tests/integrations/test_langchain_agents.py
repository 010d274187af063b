"""An agent of two calls of a tool: the numbers of its answer lead back to pages and addresses."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")
pytest.importorskip("langgraph", reason="needs langgraph")
pytest.importorskip("langchain.agents", reason="needs langchain 1")

from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.runnables import Runnable
from langgraph.checkpoint.memory import InMemorySaver

from areev_context import (
    FormatPolicy,
    FormattedContext,
    Source,
    citation_instructions,
    cited_sources,
)
from areev_context.formats.registry import FORMATS
from langchain_areev_context import ContextRunnable

FOUND = {
    "when is the rent due?": [
        ("Rent is due on the first of the month.", {"page": 2, "url": "https://lease.example/2"}),
        ("It is paid by transfer.", {"page": 3, "url": "https://lease.example/3"}),
    ],
    "how long is the notice?": [
        ("The notice period is three months.", {"page": 4, "url": "https://lease.example/4"}),
        ("It counts from the end of a month.", {"page": 5, "url": "https://lease.example/5"}),
    ],
}
ANSWER = "On the first [1], after a notice of three months [3][4], or so [9]."


class Scripted(GenericFakeChatModel):
    """A model that says one message after the other, whatever it is asked."""

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Runnable[Any, Any]:
        return self


def script() -> Iterator[AIMessage]:
    """Ask for one thing after the other, then answer."""
    for query in FOUND:
        call = {"name": "search", "args": {"query": query}, "id": query}
        yield AIMessage("", tool_calls=[call])
    yield AIMessage(ANSWER)


def contexts_in(messages: Sequence[AnyMessage]) -> list[FormattedContext]:
    artifacts = [message.artifact for message in messages if isinstance(message, ToolMessage)]
    return [FormattedContext.model_validate(artifact) for artifact in artifacts]


def sources_in(messages: Sequence[AnyMessage]) -> list[Source]:
    return [source for context in contexts_in(messages) for source in context.sources]


def search_tool(policy: FormatPolicy) -> Any:
    @tool(response_format="content_and_artifact")
    def search(query: str, runtime: ToolRuntime) -> tuple[str, Any]:
        """Search the lease."""
        numbers = [source.number or 0 for source in sources_in(runtime.state["messages"])]
        going_on = policy.replace(first_number=max(numbers, default=0) + 1)
        documents = [Document(text, metadata=metadata) for text, metadata in FOUND[query]]
        pack = ContextRunnable(policy=going_on, returns="result")
        context = pack.invoke({"documents": documents, "query": query})
        assert isinstance(context, FormattedContext)
        return context.text, context.model_dump(mode="json")

    return search


def agent_of(form: str, **options: Any) -> Any:
    policy = FormatPolicy(format=form, numbered=True)
    return create_agent(
        Scripted(messages=script()),
        [search_tool(policy)],
        system_prompt=citation_instructions(policy),
        **options,
    )


def check_citations(messages: Sequence[AnyMessage]) -> None:
    assert [context.sources[0].number for context in contexts_in(messages)] == [1, 3]
    cited, unknown = cited_sources(str(messages[-1].text), sources_in(messages))
    assert [(source.page, source.url) for source in cited] == [
        (str(page), f"https://lease.example/{page}") for page in (2, 4, 5)
    ]
    assert unknown == (9,)
    last = contexts_in(messages)[-1]
    assert [source.page for source in last.cited(str(messages[-1].text)).sources] == ["4", "5"]


@pytest.mark.parametrize("form", FORMATS)
def test_two_calls_of_a_tool_and_an_answer_with_numbers(form: str) -> None:
    asked = {"messages": [("user", "When is the rent due, and how long is the notice?")]}
    check_citations(agent_of(form).invoke(asked)["messages"])


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_with_a_stop_before_every_call(form: str) -> None:
    agent = agent_of(form, checkpointer=InMemorySaver(), interrupt_before=["tools"])
    thread: Any = {"configurable": {"thread_id": "1"}}
    agent.invoke({"messages": [("user", "When is the rent due?")]}, thread)
    stops = 0
    while agent.get_state(thread).next:
        stops += 1
        agent.invoke(None, thread)
    assert stops == 2
    check_citations(agent.get_state(thread).values["messages"])
