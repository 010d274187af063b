"""An agent in LlamaIndex: a memory, a retrieval tool, and numbers that lead back to their sources.

`ContextMemoryBlock` puts what a shop knows about its customer in front of the messages.
`context_tool` finds in the help centre, within 120 tokens a call; its numbers go on from call to
call, so that each citation of the answer finds its article. The model is a script: it searches
twice, then it answers. Install: `pip install 'areev-context[llamaindex]'`.
"""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.memory import Memory
from llama_index.core.workflow import Context

from areev_context import FormatPolicy, cited_sources
from llama_index.postprocessor.areev_context import (
    ContextMemoryBlock,
    context_tool,
    conversation_sources,
)

ARTICLES = json.loads((Path(__file__).parent / "data" / "help.json").read_text(encoding="utf-8"))
CUSTOMER = ["The customer's parcel left the warehouse.", "The customer pays by invoice."]
SEARCHES = ["change the delivery address", "how long does a refund take"]
QUESTION = "Can I change the address, or send it back?"
ANSWER = "Only the carrier can redirect it now [2]. A refund takes three to five working days [3]."
POLICY = FormatPolicy.claude(numbered=True, token_budget=120)


def reply(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
    """Return what a model would: two searches, then an answer."""
    found = [message.content for message in messages if message.role == "tool"]
    if len(found) < len(SEARCHES):
        call = ToolCallBlock(tool_name="help", tool_kwargs={"query": SEARCHES[len(found)]})
        return ChatMessage(role="assistant", blocks=[call])
    print(messages[0].content, *found, sep="\n\n")
    return ChatMessage(role="assistant", content=ANSWER)


async def main() -> None:
    tool = context_tool(lambda query: ARTICLES, "help", "Finds in the help centre.", policy=POLICY)
    model = MockFunctionCallingLLM(response_generator=reply)  # your model in its place
    agent = FunctionAgent(tools=[tool], llm=model, streaming=False)
    block = ContextMemoryBlock(name="Customer", source=lambda query: CUSTOMER)
    memory, ctx = Memory.from_defaults(memory_blocks=[block]), Context(agent)
    answer = str(await agent.run(user_msg=QUESTION, memory=memory, ctx=ctx))
    print(f"\n{answer}")
    for source in cited_sources(answer, await conversation_sources(ctx)).sources:
        print(f"[{source.number}] {source.title}")


if __name__ == "__main__":
    asyncio.run(main())
