"""What the tests of LlamaIndex's agents share: a model that calls tools, and what it reads."""

from collections.abc import Sequence
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseGen,
    LLMMetadata,
)
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.tools import BaseTool
from pydantic import PrivateAttr

Call = tuple[str, dict[str, Any]]


class Caller(FunctionCallingLLM):
    """A model that calls the tools of a script, round by round, and then answers.

    The script begins again with every message of the user.
    """

    rounds: list[list[Call]]
    answer: str = "done"
    _read: list[list[ChatMessage]] = PrivateAttr(default_factory=list)

    @property
    def read(self) -> list[list[ChatMessage]]:
        """The messages of each request."""
        return self._read

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_function_calling_model=True, is_chat_model=True)

    def results(self) -> list[str]:
        """Return the texts of the tools that the last request has, in the order of the calls."""
        found = [m for m in self._read[-1] if m.role == "tool"]
        found.sort(key=lambda m: [int(n) for n in m.additional_kwargs["tool_call_id"].split("-")])
        return [message.content or "" for message in found]

    def _reply(self, messages: Sequence[ChatMessage]) -> ChatResponse:
        self._read.append(list(messages))
        last = max(n for n, message in enumerate(messages) if message.role == "user")
        turn = sum(message.role == "assistant" for message in messages[last:])
        calls = self.rounds[turn] if turn < len(self.rounds) else []
        selected = [
            ToolSelection(
                tool_id=f"{len(self._read)}-{n}", tool_name=name, tool_kwargs=dict(arguments)
            )
            for n, (name, arguments) in enumerate(calls)
        ]
        content = None if calls else self.answer
        more = {"tool_calls": selected} if selected else {}
        message = ChatMessage(role="assistant", content=content, additional_kwargs=more)
        return ChatResponse(message=message)

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **kwargs: Any
    ) -> list[ToolSelection]:
        found: list[ToolSelection] = response.message.additional_kwargs.get("tool_calls", [])
        return found

    def _prepare_chat_with_tools(
        self, tools: Sequence[BaseTool], chat_history: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        return {"messages": chat_history}

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._reply(messages)

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self._reply(messages)

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        raise NotImplementedError

    async def astream_chat(
        self, messages: Sequence[ChatMessage], **kwargs: Any
    ) -> ChatResponseAsyncGen:
        async def stream() -> ChatResponseAsyncGen:
            yield self._reply(messages)

        return stream()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        raise NotImplementedError

    async def acomplete(self, *args: Any, **kwargs: Any) -> CompletionResponse:
        raise NotImplementedError

    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseGen:
        raise NotImplementedError

    async def astream_complete(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


def agent_of(kind: str, tools: list[BaseTool], model: Caller, *, streaming: bool = True) -> Any:
    """Return a function agent, alone or in a workflow of agents."""
    agent = FunctionAgent(
        name="reader", description="reads", tools=tools, llm=model, streaming=streaming
    )
    if kind == "alone":
        return agent
    return AgentWorkflow(agents=[agent], root_agent="reader")


AGENTS = ("alone", "workflow")


def in_workflows(test: Any) -> Any:
    """Leave out warnings of the frameworks.

    Workflows look at every member of their class, those too that pydantic has given up, and say
    that a memory is not stored with a context.
    """
    for message in ("ignore::DeprecationWarning", "ignore:Skipping serialization of known"):
        test = pytest.mark.filterwarnings(message)(test)
    return test
