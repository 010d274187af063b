"""What is packed survives a strict checkpoint of LangGraph's, and leads back after it."""

from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")
pytest.importorskip("langgraph", reason="needs langgraph")

from langchain_core.documents import Document
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from areev_context import (
    FormatPolicy,
    FormattedContext,
    HitOutcome,
    InputError,
    Source,
    cited_sources,
)
from areev_context.formats.registry import FORMATS
from integrations.langchain_parts import QUERY, lease
from langchain_areev_context import ContextCompressor, ContextRunnable

POLICY = FormatPolicy.gpt4(numbered=True)
STRICT = JsonPlusSerializer()  # tests/conftest.py turns strict mode on


def context_of(policy: FormatPolicy = POLICY) -> FormattedContext:
    context = ContextRunnable(policy=policy, returns="result").invoke(lease())
    assert isinstance(context, FormattedContext)
    return context


def restored(value: Any) -> Any:
    return STRICT.loads_typed(STRICT.dumps_typed(value))


def after_a_stop(kind: Any, value: Any) -> Any:
    """Return what a graph has in its state when it goes on after an interrupt."""
    seen = []

    def stop(state: Any) -> dict[str, Any]:
        interrupt("go on?")
        seen.append(state["kept"])
        return {"done": True}

    graph = StateGraph(TypedDict("State", {"kept": kind, "done": bool}))  # type: ignore[misc]
    graph.add_node("keep", lambda state: {"kept": value})
    graph.add_node("stop", stop)
    graph.add_edge(START, "keep")
    graph.add_edge("keep", "stop")
    graph.add_edge("stop", END)
    runs = graph.compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    runs.invoke({"done": False}, thread)
    assert not seen
    assert runs.invoke(Command(resume=True), thread)["done"]
    return seen[0]


@dataclass
class Foreign:
    number: int


def test_the_mode_is_strict(caplog: pytest.LogCaptureFixture) -> None:
    assert restored(Foreign(1)) == {"number": 1}
    assert "Blocked" in caplog.text


@pytest.mark.parametrize("form", FORMATS)
def test_a_context_that_the_state_names_is_restored(form: str) -> None:
    context = context_of(FormatPolicy(format=form, numbered=True, token_budget=60))
    again = after_a_stop(FormattedContext, context)
    assert isinstance(again, FormattedContext)
    assert again == context
    assert FormattedContext.model_validate(again) == context
    assert (str(again), again.report()) == (context.text, context.report())
    assert again.cited("[2] [9]") == context.cited("[2] [9]")


@pytest.mark.parametrize("form", FORMATS)
def test_a_dump_is_restored_under_any_name(form: str) -> None:
    context = context_of(FormatPolicy(format=form, numbered=True, token_budget=60))
    for kind in (dict, dict[str, Any], Any):
        again = after_a_stop(kind, context.model_dump(mode="json"))
        assert again == context.model_dump(mode="json")
        assert FormattedContext.model_validate(again) == context


@pytest.mark.parametrize("kind", [Any, dict, object])
def test_a_context_that_the_state_does_not_name_is_a_dict_to_validate(kind: Any) -> None:
    context = context_of()
    again = after_a_stop(kind, context)
    assert isinstance(again, dict)
    assert FormattedContext.model_validate(again) == context


def test_sources_and_outcomes_are_restored_as_they_were() -> None:
    context = context_of()
    for kind, given in ((Source, context.sources), (HitOutcome, context.outcomes)):
        again = after_a_stop(list[kind], list(given))  # type: ignore[valid-type]
        assert again == list(given)
        assert set(again) == set(given)  # lists in place of tuples could not be hashed


def test_dumps_of_sources_lead_back() -> None:
    context = context_of()
    again = after_a_stop(Any, list(context.sources))
    assert cited_sources("[2]", again) == context.cited("[2]")


@pytest.mark.parametrize("dumped", [True, False])
def test_the_artifact_of_a_tool_leads_back(dumped: bool) -> None:
    context = context_of()
    artifact = context.model_dump(mode="json") if dumped else context
    message = ToolMessage(context.text, tool_call_id="1", artifact=artifact)
    again = after_a_stop(list[ToolMessage], [message])[0]
    assert FormattedContext.model_validate(again.artifact) == context
    assert not dumped or again == message


@pytest.mark.parametrize("returns", ["context", "documents"])
def test_packed_documents_pass_with_a_key_and_are_refused_without(returns: Any) -> None:
    signed = {"policy": POLICY, "signing_key": "key"}
    packed = ContextCompressor(returns=returns, **signed).compress_documents(lease(), QUERY)
    again = after_a_stop(list[Document], list(packed))
    assert again == list(packed)
    context = ContextRunnable(returns="result", **signed).invoke(again)
    assert isinstance(context, FormattedContext)
    assert context.text == "\n\n".join(document.page_content for document in packed)
    assert [source.id for source in context.cited("[2]").sources] == ["d2"]
    with pytest.raises(InputError, match="signing_key"):
        ContextRunnable(policy=POLICY).invoke(again)
