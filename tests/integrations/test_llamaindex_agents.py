"""An agent of two calls of a tool: the numbers of its answer lead back to pages and addresses."""

import asyncio
import inspect
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core import llms
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms import types
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.tools import FunctionTool

from areev_context import FormatPolicy, FormattedContext, citation_instructions, cited_sources
from areev_context.formats.registry import FORMATS
from llama_index.postprocessor.areev_context import ContextPostprocessor

Model: Any = getattr(llms, "MockFunctionCallingLLM", None)
if Model is None or "response_generator" not in inspect.signature(Model.__init__).parameters:
    pytest.skip("needs a model that follows a script", allow_module_level=True)

# LlamaIndex's workflows look at every attribute of theirs, also at those that pydantic gives up.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

FOUND = {
    "when is the rent due?": [
        ("Rent is due on the first of the month.", {"page_label": "2", "url": "https://lease/2"}),
        ("It is paid by transfer.", {"page_label": "3", "url": "https://lease/3"}),
    ],
    "how long is the notice?": [
        ("The notice period is three months.", {"page_label": "4", "url": "https://lease/4"}),
        ("It counts from the end of a month.", {"page_label": "5", "url": "https://lease/5"}),
    ],
}
ANSWER = "On the first [1], after a notice of three months [3][4], or so [9]."


def scripted(messages: Sequence[ChatMessage], **options: Any) -> ChatMessage:
    """Ask for one thing after the other, then answer."""
    results = sum(message.role == "tool" for message in messages)
    if results == len(FOUND):
        return ChatMessage(role="assistant", content=ANSWER)
    query = list(FOUND)[results]
    call = types.ToolCallBlock(tool_call_id=query, tool_name="search", tool_kwargs={"query": query})
    return ChatMessage(role="assistant", blocks=[call])


@pytest.mark.parametrize("form", FORMATS)
def test_two_calls_of_a_tool_and_an_answer_with_numbers(form: str) -> None:
    contexts: list[FormattedContext] = []

    async def search(query: str) -> str:
        """Search the lease."""
        numbers = [source.number or 0 for context in contexts for source in context.sources]
        first = max(numbers, default=0) + 1
        policy = FormatPolicy(format=form, numbered=True, first_number=first)
        nodes = [
            NodeWithScore(node=TextNode(text=text, metadata=metadata))
            for text, metadata in FOUND[query]
        ]
        pack = ContextPostprocessor(policy=policy)
        [found] = await pack.apostprocess_nodes(nodes, query_str=query)
        text = found.node.get_content()
        contexts.append(FormattedContext(text=text, **found.node.metadata))
        return text

    agent = FunctionAgent(
        tools=[FunctionTool.from_defaults(async_fn=search)],
        llm=Model(response_generator=scripted),
        system_prompt=citation_instructions(FormatPolicy(format=form, numbered=True)),
    )

    async def run() -> Any:
        return await agent.run("When is the rent due, and how long is the notice?")

    answer = asyncio.run(run())
    assert [call.tool_output.content for call in answer.tool_calls] == [c.text for c in contexts]
    assert [context.sources[0].number for context in contexts] == [1, 3]
    sources = [source for context in contexts for source in context.sources]
    cited, unknown = cited_sources(str(answer), sources)
    assert [(source.page, source.url) for source in cited] == [
        (page, f"https://lease/{page}") for page in ("2", "4", "5")
    ]
    assert unknown == (9,)
    assert [source.page for source in contexts[1].cited(str(answer)).sources] == ["4", "5"]
