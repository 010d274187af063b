"""The block of LlamaIndex's memory: what it retrieves, and how it keeps to what is left."""

import asyncio
import copy
from collections.abc import Callable, Sequence
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import BaseMemoryBlock, Memory, StaticMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

from areev_context import ContextAssembler, FormatPolicy
from areev_context.tokens import counter_from
from counters import characters
from integrations.llamaindex_parts import QUERY, Fixed, hits_of, lease
from llama_index.postprocessor.areev_context import ContextMemoryBlock

CLAUDE = FormatPolicy.claude()
HISTORY = [
    ChatMessage(role="user", content="hello"),
    ChatMessage(role="assistant", content="hi"),
    ChatMessage(role="user", content=QUERY),
]


def tokens(text: str) -> int:
    return len(get_tokenizer()(text))


def notes(count: int) -> list[dict[str, Any]]:
    return [
        {
            "text": f"Note {n}: the rent of flat {n} is due on day {n}. It is paid by transfer.",
            "metadata": {"title": "Lease"},
        }
        for n in range(count)
    ]


def remembered(
    *blocks: BaseMemoryBlock[Any],
    limit: int = 10_000,
    history: Sequence[ChatMessage] = HISTORY,
    asked: str | None = None,
    **options: Any,
) -> list[ChatMessage]:
    """Return what a memory with these blocks has for an agent."""

    async def messages() -> list[ChatMessage]:
        engine = create_async_engine("sqlite+aiosqlite://", poolclass=StaticPool)
        memory = Memory.from_defaults(
            token_limit=limit, memory_blocks=list(blocks), async_engine=engine, **options
        )
        try:
            await memory.aput_messages(list(history))
            return await memory.aget(input=asked)
        finally:
            await engine.dispose()

    return asyncio.run(messages())


def content(messages: list[ChatMessage], name: str = "Context") -> str:
    """Return what stands between the tags of a block; empty if the block is left out."""
    _, found, rest = (messages[0].content or "").partition(f"<{name}>\n")
    return rest.partition(f"</{name}>")[0].strip("\n") if found else ""


def total(messages: list[ChatMessage], count: Callable[[str], int] = tokens) -> int:
    return sum(count(message.content or "") for message in messages)


async def several(query: str) -> list[Any]:
    return [f"{query} On the first.", *lease()]


class Asked:
    """A source with a call that is asynchronous, or that returns what is to be awaited."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    async def __call__(self, query: str) -> list[Any]:
        self.queries.append(query)
        return lease()


SOURCES: dict[str, Callable[[], Any]] = {
    "retriever": lambda: Fixed(lease()),
    "function": lambda: lambda query: lease(),
    "asynchronous": Asked,
    "awaitable": lambda: lambda query: Asked().__call__(query),  # a function that gives a coroutine
    "nodes": lambda: lambda query: [found.node for found in lease()],
    "response": lambda: lambda query: type("Response", (), {"source_nodes": lease()})(),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_gives_the_context_of_what_it_finds(kind: str) -> None:
    nodes = lease()
    if kind == "nodes":
        nodes = [found.model_copy(update={"score": None}) for found in nodes]
    expected = ContextAssembler(counter=counter_from(get_tokenizer())).format(
        hits_of(nodes), CLAUDE, query=QUERY
    )
    block = ContextMemoryBlock(source=SOURCES[kind](), policy=CLAUDE)
    assert content(remembered(block)) == expected.text
    assert "Rent is due on the first of the month." in expected.text


def test_other_results_are_read_as_hits_of_reads_them() -> None:
    block = ContextMemoryBlock(source=several, policy=CLAUDE)
    assert f"{QUERY} On the first." in content(remembered(block))


def test_the_query_is_the_last_question_with_a_text() -> None:
    asked = Asked()
    picture = ChatMessage(role="user", blocks=[])
    later = [*HISTORY, picture, ChatMessage(role="assistant", content="which one?")]
    remembered(ContextMemoryBlock(source=asked), history=later)
    remembered(ContextMemoryBlock(source=asked), history=later, asked="and the deposit?")
    assert asked.queries == [QUERY, "and the deposit?"]


def test_without_a_question_nothing_is_retrieved() -> None:
    asked = Asked()
    block = ContextMemoryBlock(source=asked)
    assert asyncio.run(block.aget([ChatMessage(role="assistant", content="hi")])) == ""
    assert asyncio.run(block.aget()) == ""
    assert asked.queries == []


@pytest.mark.parametrize("format", ["json", "sml", "plain_text"])
def test_what_finds_nothing_leaves_no_block(format: Any) -> None:
    block = ContextMemoryBlock(source=lambda query: [], policy=FormatPolicy(format=format))
    assert remembered(block) == HISTORY


@pytest.mark.parametrize("limit", [120, 400, 3_000])
@pytest.mark.parametrize("size", [3, 10, 40])
def test_the_memory_keeps_its_limit_and_the_block_its_best(limit: int, size: int) -> None:
    block = ContextMemoryBlock(source=lambda q: notes(size), policy=CLAUDE)
    whole, shown = remembered(block), remembered(block, limit=limit)
    text = content(shown)
    if tokens(content(whole)) + total(HISTORY) <= limit:  # a memory counts no tags
        assert shown == whole
    else:
        assert total(shown) <= limit
        assert total(shown) > 0.75 * limit
        assert 0 < text.count("Note") < size


def test_a_budget_of_its_own_holds_before_any_cut() -> None:
    block = ContextMemoryBlock(source=lambda q: notes(40), policy=CLAUDE, token_budget=150)
    assert 100 < tokens(content(remembered(block))) <= 150


def test_a_memory_that_counts_otherwise_shares_its_counter() -> None:
    block = ContextMemoryBlock(source=lambda q: notes(40), policy=CLAUDE, counter=characters)
    shown = remembered(block, limit=600, tokenizer_fn=list)
    assert 400 < total(shown, len) <= 600


def test_what_cannot_be_shortened_enough_is_left_out() -> None:
    block = ContextMemoryBlock(source=lambda q: notes(3))
    assert remembered(block, limit=total(HISTORY) + 5) == HISTORY
    found = asyncio.run(block.aget(HISTORY))
    assert asyncio.run(block.atruncate(found, tokens(found) - 5)) is None
    assert asyncio.run(block.atruncate("another text", 1)) is None


def test_blocks_of_a_lower_priority_are_cut_first() -> None:
    first = ContextMemoryBlock(source=lambda q: notes(5), name="First", priority=1)
    second = ContextMemoryBlock(source=lambda q: notes(5), name="Second", priority=2)
    rules = StaticMemoryBlock(name="Rules", static_content="Be short.", priority=0)
    shown = remembered(first, second, rules, limit=230)
    assert content(shown, "Rules") == "Be short."
    assert content(shown, "Second").count("Note") == 5
    assert 0 < content(shown, "First").count("Note") < 5


def test_conversations_share_a_block_without_mixing() -> None:
    block = ContextMemoryBlock(source=lambda query: [f"{query} It is {query[-1]}." * 40])

    async def cut(name: str) -> str | None:
        found = await block.aget([ChatMessage(role="user", content=f"what is {name}")])
        await asyncio.sleep(0)
        return await block.atruncate(found, tokens(found) - 60)

    async def all_cut() -> list[str | None]:
        return await asyncio.gather(*(cut(name) for name in "abc"))

    for name, text in zip("abc", asyncio.run(all_cut()), strict=True):
        assert text is not None
        assert f"It is {name}" in text


def test_messages_are_not_stored_and_stay_as_they_are() -> None:
    block = ContextMemoryBlock(source=several)
    messages = [ChatMessage(role="user", content="old")]
    asyncio.run(block.aput(messages, from_short_term_memory=True, session_id="one"))
    assert messages == [ChatMessage(role="user", content="old")]
    asyncio.run(block.aput(messages))


def test_a_copy_shares_the_source_and_a_dump_has_none() -> None:
    source = Asked()
    block = ContextMemoryBlock(source=source, policy=CLAUDE)
    assert copy.deepcopy(block).source is source
    assert "source" not in block.model_dump()


@pytest.mark.parametrize("source", [None, "a text", 3])
def test_what_is_no_source_is_an_error(source: Any) -> None:
    with pytest.raises(ValidationError, match="give a retriever, or a function"):
        ContextMemoryBlock(source=source)


def test_an_error_of_the_source_is_raised() -> None:
    def broken(query: str) -> list[Any]:
        raise ConnectionError("no way through")

    with pytest.raises(ConnectionError, match="no way through"):
        remembered(ContextMemoryBlock(source=broken))
