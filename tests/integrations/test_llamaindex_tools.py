"""Tools whose output is packed: what fits stays, what does not is packed by the arguments."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core import SummaryIndex
from llama_index.core.base.llms.types import ImageBlock, TextBlock
from llama_index.core.llms import MockLLM
from llama_index.core.schema import Document, NodeWithScore, TextNode
from llama_index.core.tools import (
    BaseTool,
    FunctionTool,
    QueryEngineTool,
    RetrieverTool,
    ToolMetadata,
    ToolOutput,
)
from llama_index.core.utils import get_tokenizer
from llama_index.core.workflow import Context

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    InputError,
    PassageMapper,
)
from areev_context.tokens import counter_from
from counters import characters
from integrations.llamaindex_agents import AGENTS, Caller, agent_of, in_workflows
from integrations.llamaindex_parts import Fixed, hits_of
from llama_index.postprocessor.areev_context import pack_tool

BUDGET = 100
WANTED = "The rent of flat 27 is due on day 27."


def tokens(text: str) -> int:
    return len(get_tokenizer()(text))


def notes() -> list[str]:
    return [f"The rent of flat {n} is due on day {n}. It is paid by transfer." for n in range(40)]


def nodes() -> list[NodeWithScore]:
    return [
        NodeWithScore(node=TextNode(text=text, metadata={"title": "Lease"}), score=1 - n / 100)
        for n, text in enumerate(notes())
    ]


def prose(query: str) -> str:
    return "\n\n".join(notes())


def objects(query: str) -> list[dict[str, Any]]:
    return [{"flat": n, "about": text} for n, text in enumerate(notes())]


def written(query: str) -> str:
    return json.dumps(objects(query))


def documents(query: str) -> list[dict[str, Any]]:
    return [{"title": "Lease", "content": text} for text in notes()]


def found(query: str) -> list[Document]:
    return [Document(text=text, metadata={"title": "Lease"}) for text in notes()]


async def later(query: str) -> str:
    return prose(query)


def blocks(query: str) -> list[Any]:
    return [TextBlock(text=text) for text in notes()]


class Sync(BaseTool):
    """A tool of the oldest kind, which only can be called."""

    @property
    def metadata(self) -> ToolMetadata:
        return ToolMetadata("finds", "sync")

    def __call__(self, input: str) -> ToolOutput:
        return ToolOutput("sync", prose(input), raw_input={"input": input}, raw_output=None)


def engine() -> QueryEngineTool:
    index = SummaryIndex([TextNode(text=text) for text in notes()])
    return QueryEngineTool.from_defaults(index.as_query_engine(MockLLM()), name="engine")


FUNCTIONS: list[Callable[..., Any]] = [
    prose, objects, written, documents, found, later, blocks,
]  # fmt: skip
TOOLS: dict[str, Callable[[], BaseTool]] = {
    **{f.__name__: (lambda f=f: FunctionTool.from_defaults(f)) for f in FUNCTIONS},
    "retriever": lambda: RetrieverTool.from_defaults(Fixed(nodes()), name="retriever"),
    "engine": engine,
    "sync": Sync,
}
ARGUMENT = {"retriever": "input", "engine": "input", "sync": "input"}


def called(tool: BaseTool, *, asynchronous: bool, **arguments: Any) -> ToolOutput:
    if asynchronous:
        return asyncio.run(tool.acall(**arguments))  # type: ignore[attr-defined]
    return tool(**arguments)  # type: ignore[call-arg]


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("kind", TOOLS)
def test_what_is_too_long_is_packed_by_the_arguments(kind: str, asynchronous: bool) -> None:
    tool = pack_tool(TOOLS[kind](), token_budget=BUDGET)
    arguments = {ARGUMENT.get(kind, "query"): "the rent of flat 27"}
    output = called(tool, asynchronous=asynchronous, **arguments)
    assert BUDGET / 2 < tokens(output.content) <= BUDGET
    assert WANTED in output.content
    assert output.tool_name == kind
    receipt = FormattedContext(**output.raw_output["receipt"])
    assert receipt.text == output.content
    assert receipt.token_budget == BUDGET


@pytest.mark.parametrize("kind", TOOLS)
def test_what_fits_is_the_output_of_the_tool(kind: str) -> None:
    arguments = {ARGUMENT.get(kind, "query"): "the rent of flat 27"}
    own = called(TOOLS[kind](), asynchronous=False, **arguments)
    for asynchronous in (False, True):
        output = called(
            pack_tool(TOOLS[kind](), token_budget=100_000),
            asynchronous=asynchronous,
            **arguments,
        )
        assert output.blocks == own.blocks
        assert type(output.raw_output) is type(own.raw_output)


def test_the_nodes_of_a_retriever_are_packed_one_by_one() -> None:
    policy = FormatPolicy.claude(token_budget=BUDGET)
    tool = pack_tool(RetrieverTool.from_defaults(Fixed(nodes())), policy=policy)
    output = tool(input="the rent of flat 27")
    expected = ContextAssembler(counter=counter_from(get_tokenizer())).format(
        hits_of(nodes()), policy, query="the rent of flat 27"
    )
    assert output.content == expected.text
    assert [each.node.get_content() for each in output.raw_output["raw"]] == notes()


def test_a_text_that_a_callback_wrote_is_packed_as_it_is() -> None:
    tool = FunctionTool.from_defaults(
        found, callback=lambda raw: "\n\n".join(f"- {node.text}!" for node in raw)
    )
    output = pack_tool(tool, token_budget=BUDGET)(query="the rent of flat 27")
    assert "The rent of flat 27 is due on day 27. It is paid by transfer.!" in output.content


def test_options_are_those_of_packing() -> None:
    tool = pack_tool(
        FunctionTool.from_defaults(documents),
        policy=FormatPolicy.gpt4(token_budget=5),
        token_budget=400,
        mapper=PassageMapper(shown=()),
        counter=characters,
    )
    output = tool(query="flat 27")
    assert 200 < len(output.content) <= 400
    assert "Lease" not in output.content


def test_images_pass_through_where_they_stand() -> None:
    image = ImageBlock(url="https://example.com/flat.png")

    def pictured(query: str) -> list[Any]:
        return [image, *blocks(query), image]

    output = pack_tool(FunctionTool.from_defaults(pictured), token_budget=BUDGET)(query="flat 27")
    assert [block.block_type for block in output.blocks] == ["image", "text", "image"]
    assert tokens(output.content) <= BUDGET


def test_errors_stay_as_they_are() -> None:
    failure = ToolOutput("sync", prose(""), raw_input={}, raw_output=None, is_error=True)

    class Failing(Sync):
        def __call__(self, input: str) -> ToolOutput:
            return failure

    def broken(query: str) -> str:
        raise LookupError(prose(query))

    tool = pack_tool(Failing(), token_budget=BUDGET)
    assert tool(input="flat 27") is failure
    assert asyncio.run(tool.acall(input="flat 27")) is failure
    with pytest.raises(LookupError):
        pack_tool(FunctionTool.from_defaults(broken), token_budget=BUDGET)(query="flat 27")


def test_where_nothing_fits_a_sentence_says_so_if_it_fits() -> None:
    tool = FunctionTool.from_defaults(lambda query: "x" * 5_000, name="x", description="x")
    policy = FormatPolicy(format="json")
    assert pack_tool(tool, policy=policy, token_budget=12)("q").content == (
        "The result is too long to show."
    )
    assert pack_tool(tool, policy=policy, token_budget=1)("q").content == ""


def test_words_and_numbers_of_nested_arguments_are_the_query() -> None:
    def search(filters: dict[str, Any], exact: bool) -> str:
        return prose("")

    tool = pack_tool(FunctionTool.from_defaults(search), token_budget=BUDGET)
    assert WANTED in tool(filters={"flat": [27], "what": "rent"}, exact=True).content


def test_a_tool_without_arguments_is_packed_by_the_query_of_the_policy() -> None:
    tool = FunctionTool.from_defaults(lambda: prose(""), name="all", description="all")
    policy = FormatPolicy(token_budget=BUDGET, query_text="the rent of flat 27")
    assert WANTED in pack_tool(tool, policy=policy)().content


def test_what_is_no_tool_and_no_budget_is_an_error() -> None:
    with pytest.raises(InputError, match="function: give a BaseTool"):
        pack_tool(prose, token_budget=BUDGET)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="give token_budget"):
        pack_tool(FunctionTool.from_defaults(prose))


# --- in agents -----------------------------------------------------------------------------------


async def with_context(ctx: Context, query: str) -> str:
    """Find notes."""
    await ctx.store.set("asked", query)
    return prose(query)


@in_workflows
@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("kind", AGENTS)
def test_an_agent_reads_packed_outputs(kind: str, streaming: bool) -> None:
    own = [
        FunctionTool.from_defaults(with_context),
        RetrieverTool.from_defaults(Fixed(nodes()), name="retriever"),
        FunctionTool.from_defaults(lambda: 1 / 0, name="broken", description="fails"),
        FunctionTool.from_defaults(lambda: "short", name="short", description="is short"),
    ]
    model = Caller(
        rounds=[
            [("with_context", {"query": "the rent of flat 27"}), ("broken", {})],
            [("retriever", {"input": "the rent of flat 27"}), ("short", {})],
        ]
    )
    agent = agent_of(
        kind, [pack_tool(t, token_budget=BUDGET) for t in own], model, streaming=streaming
    )

    async def run() -> tuple[str, str]:
        ctx = Context(agent)
        response = await agent.run("when is the rent due?", ctx=ctx)
        return str(response), await ctx.store.get("asked")

    assert asyncio.run(run()) == ("done", "the rent of flat 27")
    first, broken, second, short = model.results()
    for text in (first, second):
        assert WANTED in text
        assert tokens(text) <= BUDGET
    assert "division by zero" in broken
    assert short == "short"
