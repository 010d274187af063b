"""The retrieval tool: numbers that go on over a conversation, and citations of the model's own."""

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.base.llms.types import CitableBlock
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.tools import FunctionTool, ToolOutput
from llama_index.core.utils import get_tokenizer
from llama_index.core.workflow import Context
from pydantic import ValidationError

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    InputError,
    PassageMapper,
    cited_sources,
)
from areev_context.tokens import counter_from
from counters import characters
from integrations.llamaindex_agents import AGENTS, Caller, agent_of, in_workflows
from integrations.llamaindex_parts import LEASE, QUERY, Fixed, hits_of, lease
from llama_index.postprocessor.areev_context import (
    citable_blocks,
    context_tool,
    conversation_sources,
)

SEARCH = ("search", {"query": QUERY})
LOOK_UP = ("look_up", {"query": "how high is the deposit?"})


def tokens(text: str) -> int:
    return len(get_tokenizer()(text))


def named(count: int) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode(
                id_=f"n{n}",
                text=f"The rent of flat {n} is due on day {n}. It is paid by transfer.",
                metadata={"title": f"Lease {n}", "url": f"https://example.com/{n}", "owner": "me"},
            )
        )
        for n in range(count)
    ]


def search(**options: Any) -> FunctionTool:
    return context_tool(Fixed(lease()), "search", "Finds in the lease.", **options)


def run(tool: FunctionTool, *, asynchronous: bool, query: str = QUERY) -> ToolOutput:
    return asyncio.run(tool.acall(query=query)) if asynchronous else tool(query=query)


# --- one call ------------------------------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True])
def test_the_output_is_the_numbered_context(asynchronous: bool) -> None:
    policy = FormatPolicy.claude(token_budget=60)
    nodes = lease()
    output = run(context_tool(Fixed(nodes), "s", "s", policy=policy), asynchronous=asynchronous)
    expected = ContextAssembler(counter=counter_from(get_tokenizer())).format(
        hits_of(nodes), policy.replace(numbered=True), query=QUERY
    )
    assert output.content == expected.text
    assert 'id="1"' in expected.text
    assert tokens(output.content) <= 60
    assert FormattedContext(**output.raw_output["receipt"]) == expected
    assert [each.node.get_content() for each in output.raw_output["raw"]] == [t for t, *_ in LEASE]
    assert output.raw_input == {"query": QUERY}


def test_a_model_reads_name_description_and_one_parameter() -> None:
    metadata = search().metadata
    assert (metadata.name, metadata.description) == ("search", "Finds in the lease.")
    assert list(metadata.get_parameters_dict()["properties"]) == ["query"]
    assert search().fn(QUERY) == search()(QUERY).content
    assert asyncio.run(search().async_fn(QUERY)) == search()(QUERY).content


async def later(query: str) -> list[str]:
    return [f"{query} On the first."]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_any_source_will_do(asynchronous: bool) -> None:
    for source in (later, lambda query: [f"{query} On the first."]):
        output = run(context_tool(source, "f", "finds"), asynchronous=asynchronous)
        assert output.content == f"[1] {QUERY} On the first."
    with pytest.raises(ValidationError, match="give a retriever, or a function"):
        context_tool("index", "f", "finds")  # type: ignore[arg-type]


def test_options_are_those_of_packing() -> None:
    tool = context_tool(
        Fixed(named(30)),
        "search",
        "finds",
        policy=FormatPolicy(token_budget=5, first_number=7),
        token_budget=300,
        mapper=PassageMapper(shown=("url",)),
        counter=characters,
    )
    text = tool(query="flat 3").content
    assert 150 < len(text) <= 300
    assert "[7]" in text
    assert "https://example.com" in text
    assert "Lease" not in text


@pytest.mark.parametrize("citations", ["numbers", "native"])
def test_what_finds_nothing_says_so_if_that_fits(citations: Any) -> None:
    for budget, text in ((None, "Nothing was found."), (40, "Nothing was found."), (1, "")):
        tool = context_tool(Fixed([]), "search", "finds", token_budget=budget, citations=citations)
        assert tool(query=QUERY).content == text


# --- a conversation ------------------------------------------------------------------------------


@in_workflows
@pytest.mark.parametrize("kind", AGENTS)
def test_numbers_go_on_over_calls_tools_and_turns(kind: str) -> None:
    tools = [search(), context_tool(Fixed(lease()), "look_up", "Looks up.")]
    model = Caller(rounds=[[SEARCH, LOOK_UP], [SEARCH]], answer="It is [2], and [14] and [99].")
    agent = agent_of(kind, tools, model)

    async def talk() -> list[dict[str, Any]]:
        ctx = Context(agent)
        for question in ("when is the rent due?", "and the deposit?"):
            await agent.run(question, ctx=ctx)
        return await conversation_sources(ctx)

    sources = asyncio.run(talk())
    assert [source["number"] for source in sources] == list(range(1, 19))
    read = [message for request in model.read for message in request]
    shown = "\n".join(message.content or "" for message in read if message.role == "tool")
    assert all(f"[{number}] " in shown for number in range(1, 19))
    cited = cited_sources("It is [2], and [14] and [99].", sources)
    assert [source.number for source in cited.sources] == [2, 14]
    assert all(source.title == "Lease" for source in cited.sources)
    assert cited.unknown == (99,)
    for source in sources:  # each number leads to the text that stands behind it
        text = LEASE[source["index"]][0]
        assert any(f"[{source['number']}] " in line and text in line for line in shown.split("\n"))


@in_workflows
def test_numbers_go_on_in_a_conversation_that_was_stored() -> None:
    agent = agent_of("alone", [search()], Caller(rounds=[[SEARCH]]))

    async def talk() -> list[int]:
        ctx = Context(agent)
        await agent.run("when is the rent due?", ctx=ctx)
        stored = json.loads(json.dumps(ctx.to_dict()))
        again = Context.from_dict(agent, stored)
        await agent.run("once more?", ctx=again)
        return [source["number"] for source in await conversation_sources(again)]

    assert asyncio.run(talk()) == [1, 2, 3, 4, 5, 6]


@in_workflows
def test_many_calls_at_once_take_no_number_twice() -> None:
    agent = agent_of("alone", [search()], Caller(rounds=[]))

    async def at_once() -> list[int]:
        ctx = Context(agent)
        await asyncio.gather(*(search().acall(query=QUERY, ctx=ctx) for _ in range(8)))
        return [source["number"] for source in await conversation_sources(ctx)]

    assert sorted(asyncio.run(at_once())) == list(range(1, 25))


@in_workflows
def test_a_call_without_a_loop_goes_on_too() -> None:
    agent = agent_of("alone", [search()], Caller(rounds=[]))
    ctx = Context(agent)
    texts = [search()(query=QUERY, ctx=ctx).content for _ in range(2)]
    assert "[1] " in texts[0]
    assert "[4] " in texts[1]


# --- citations of the model itself -------------------------------------------------------------


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("budget", [None, 60, 200, 1_000])
def test_blocks_have_text_title_and_source(budget: int | None, asynchronous: bool) -> None:
    tool = context_tool(
        Fixed(named(30)),
        "search",
        "finds",
        policy=FormatPolicy.claude(),
        token_budget=budget,
        citations="native",
    )
    output = run(tool, asynchronous=asynchronous, query="when is the rent of flat 17 due?")
    texts = {n.node.metadata["url"]: (n.node.get_content(), n.node) for n in named(30)}
    total = 0
    for block in output.blocks:
        assert isinstance(block, CitableBlock)
        (part,) = block.content
        text, node = texts[block.source]
        assert block.title == node.metadata["title"]
        assert part.text.removesuffix(" …") in text
        total += sum(map(tokens, (block.title, block.source, part.text)))
    assert budget is None or budget * 0.6 < total <= budget
    assert any("flat 17 is due on day 17" in block.content[0].text for block in output.blocks)
    receipt = FormattedContext(**output.raw_output["receipt"])
    assert receipt.included_count == len(output.blocks)


def test_blocks_of_any_entries() -> None:
    hits = hits_of(lease(), PassageMapper(shown=()))
    blocks = citable_blocks(ContextAssembler().format_each(hits, FormatPolicy()))
    assert [block.title for block in blocks] == ["Lease"] * 3
    assert [block.source for block in blocks] == [hit.id for hit in hits]
    assert [block.content[0].text for block in blocks] == [text for text, *_ in LEASE]
    with pytest.raises(InputError):
        ContextAssembler().format_each(hits, FormatPolicy(format="json"))


@in_workflows
def test_an_agent_passes_the_blocks_on() -> None:
    model = Caller(rounds=[[SEARCH]])
    agent = agent_of("alone", [search(citations="native")], model)

    async def talk() -> None:
        await agent.run("when is the rent due?")

    asyncio.run(talk())
    (result,) = [message for message in model.read[-1] if message.role == "tool"]
    assert [block.block_type for block in result.blocks] == ["citable"] * 3


def test_what_anthropic_gets_are_search_results() -> None:
    utils = pytest.importorskip(
        "llama_index.llms.anthropic.utils", reason="needs LlamaIndex's Anthropic model"
    )
    tool = context_tool(Fixed(named(1)), "search", "finds", citations="native")
    sent = utils.blocks_to_anthropic_blocks(tool(query=QUERY).blocks, {})
    assert json.loads(json.dumps(sent, default=dict)) == [
        {
            "type": "search_result",
            "content": [
                {
                    "type": "text",
                    "text": "The rent of flat 0 is due on day 0. It is paid by transfer.",
                }
            ],
            "source": "https://example.com/0",
            "title": "Lease 0",
            "citations": {"enabled": True},
        }
    ]
