"""What a model gets to read, to the character: engines, a chat engine and a tool of LlamaIndex."""

import asyncio
from typing import Any
from unittest.mock import ANY

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.base.response.schema import Response
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.prompts import PromptTemplate
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.tools import RetrieverTool
from llama_index.core.utils import get_tokenizer

from areev_context import ContextAssembler, FormatPolicy, FormattedContext
from areev_context.tokens import counter_from
from integrations.llamaindex_parts import KINDS, QUERY, Fixed, Listener, hits_of, lease, scored
from llama_index.postprocessor.areev_context import ContextPostprocessor

BUDGET = 70
POLICIES = {
    "sml": FormatPolicy.claude(token_budget=BUDGET),
    "markdown": FormatPolicy.gpt4(token_budget=BUDGET, numbered=True),
    "plain_text": FormatPolicy.local_small(token_budget=BUDGET),
    "toon": FormatPolicy(format="toon", token_budget=BUDGET),
    "json": FormatPolicy(format="json", token_budget=500),
}
SEPARABLE = ("sml", "markdown", "plain_text")
QA = PromptTemplate("Q: {query_str}\nC: <<<{context_str}>>>")
REFINE = PromptTemplate("R: {query_str}\nA: {existing_answer}\nC: <<<{context_msg}>>>")
RESPONSES = ("compact", "refine", "tree_summarize", "simple_summarize")


def counted(text: str) -> int:
    return len(get_tokenizer()(text))


def expected(nodes: list[NodeWithScore], policy: FormatPolicy) -> FormattedContext:
    assembler = ContextAssembler(counter=counter_from(get_tokenizer()))
    return assembler.format(hits_of(nodes), policy.replace(query_text=QUERY))


def separately(nodes: list[NodeWithScore], policy: FormatPolicy) -> list[str]:
    assembler = ContextAssembler(counter=counter_from(get_tokenizer()))
    shown = assembler.format_each(hits_of(nodes), policy.replace(query_text=QUERY))
    return [entry.text for entry in shown.entries]


def asked(
    processor: ContextPostprocessor,
    nodes: list[NodeWithScore],
    response: str,
    *,
    asynchronous: bool = False,
    window: int = 1_000_000,
) -> tuple[list[str], Response]:
    """Ask a query engine; return the prompts its model got, and the response."""
    llm = Listener(window=window)
    synthesizer = get_response_synthesizer(
        llm,
        response_mode=response,
        text_qa_template=QA,
        refine_template=REFINE,
        summary_template=QA,
    )
    engine = RetrieverQueryEngine(Fixed(nodes), synthesizer, node_postprocessors=[processor])
    answer: Any = asyncio.run(engine.aquery(QUERY)) if asynchronous else engine.query(QUERY)
    return llm.prompts, answer


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize("form", POLICIES)
def test_a_query_engine_shows_the_context(form: str, response: str, asynchronous: bool) -> None:
    nodes, policy = lease(), POLICIES[form]
    context = expected(nodes, policy)
    prompts, answer = asked(
        ContextPostprocessor(policy=policy), nodes, response, asynchronous=asynchronous
    )
    # Where the answers are summarized at once, a list is put into the prompt as Python writes it.
    wanted = str([context.text]) if response == "simple_summarize" else context.text
    assert prompts == [f"Q: {QUERY}\nC: <<<{wanted}>>>"]
    assert "Rent is due" in wanted
    assert counted(context.text) <= (policy.token_budget or 0)
    assert str(answer) == "answer1"
    (source,) = answer.source_nodes
    assert FormattedContext(text=source.node.get_content(), **source.metadata) == context


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize("form", SEPARABLE)
def test_a_query_engine_shows_a_node_each(form: str, response: str, asynchronous: bool) -> None:
    nodes, policy = lease(), POLICIES[form]
    texts = separately(nodes, policy)
    prompts, answer = asked(
        ContextPostprocessor(policy=policy, returns="nodes"),
        nodes,
        response,
        asynchronous=asynchronous,
    )
    if response == "refine":
        first, *others = texts
        assert prompts == [
            f"Q: {QUERY}\nC: <<<{first}>>>",
            *(
                f"R: {QUERY}\nA: answer{place}\nC: <<<{text}>>>"
                for place, text in enumerate(others, 1)
            ),
        ]
    else:
        joined = "\n\n".join(texts)
        wanted = str(["\n".join(texts)]) if response == "simple_summarize" else joined
        assert prompts == [f"Q: {QUERY}\nC: <<<{wanted}>>>"]
        assert counted(joined) <= BUDGET
    of_id = {found.node_id: found for found in nodes}
    for source in answer.source_nodes:
        more = {"areev_context_signature": ANY, "areev_context_sources": ANY}
        assert source.metadata == {**of_id[source.node_id].metadata, **more}
        assert source.score == of_id[source.node_id].score


@pytest.mark.parametrize("returns", ["context", "nodes"])
@pytest.mark.parametrize("response", RESPONSES)
def test_nothing_shown_asks_no_model(response: str, returns: str) -> None:
    processor = ContextPostprocessor(returns=returns, token_budget=0)
    prompts, answer = asked(processor, lease(), response)
    assert prompts == []
    assert str(answer) == "Empty Response"


def test_a_context_over_the_models_window_is_split_by_the_synthesizer() -> None:
    """A budget is a ceiling for the context; that it fits beside the prompt is the caller's."""
    nodes = [scored(TextNode(text=f"Clause {n} binds both parties. " * 20), 0.5) for n in range(9)]
    whole, _ = asked(ContextPostprocessor(), nodes, "compact", window=1000)
    assert len(whole) > 1
    fitting = ContextPostprocessor(token_budget=400)
    assert len(asked(fitting, nodes, "compact", window=1000)[0]) == 1


# --- chat engine and tool ---------------------------------------------------------------------


def chatted(processor: ContextPostprocessor, asynchronous: bool) -> tuple[list[str], Any]:
    llm = Listener()
    engine = ContextChatEngine.from_defaults(
        retriever=Fixed(lease()),
        llm=llm,
        memory=ChatMemoryBuffer.from_defaults(),  # the default keeps a database open
        node_postprocessors=[processor],
        context_template="C: <<<{context_str}>>>",
    )
    answer = asyncio.run(engine.achat(QUERY)) if asynchronous else engine.chat(QUERY)
    return llm.prompts, answer


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("form", SEPARABLE)
def test_a_chat_engine_shows_the_context(form: str, asynchronous: bool) -> None:
    policy = POLICIES[form]
    for processor, wanted in (
        (ContextPostprocessor(policy=policy), expected(lease(), policy).text),
        (
            ContextPostprocessor(policy=policy, returns="nodes"),
            "\n\n".join(separately(lease(), policy)),
        ),
    ):
        prompts, answer = chatted(processor, asynchronous)
        assert prompts == [f"system: C: <<<{wanted}>>>\nuser: {QUERY}\nassistant: "]
        assert answer.source_nodes


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "index"])  # those are followed
def test_a_tool_returns_the_context(kind: str, asynchronous: bool) -> None:
    policy = POLICIES["sml"]
    for processor, texts in (
        (ContextPostprocessor(policy=policy), [expected(lease(), policy).text]),
        (ContextPostprocessor(policy=policy, returns="nodes"), separately(lease(), policy)),
    ):
        tool = RetrieverTool.from_defaults(Fixed(lease(kind)), node_postprocessors=[processor])
        output = asyncio.run(tool.acall(QUERY)) if asynchronous else tool.call(QUERY)
        assert output.content == "".join(f"{text}\n\n" for text in texts)
