"""`awkward.py` through the LlamaIndex postprocessor, in both modes, and on to a model.

No exception, nothing that came in is changed, no law is broken by the text that a model receives.
"""

import asyncio
import itertools
import threading
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.prompts import PromptTemplate
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle, TextNode
from llama_index.core.utils import get_tokenizer

from areev_context import ContextAssembler, FormatPolicy, PassageMapper, RenderingHints
from areev_context.formats.registry import FORMATS
from areev_context.tokens import counter_from
from awkward import BUDGETS, DATES, METADATA, SCORES, TEXTS, TOON_STRINGS
from hostile import HOSTILE
from integrations.llamaindex_parts import KINDS, Listener, hits_of, packed, scored
from laws.expected import assembled, page_of, same
from laws.readers import READERS, shape
from laws.strategies import KNOWN, Case
from llama_index.postprocessor.areev_context import ContextPostprocessor

SEPARABLE = [name for name, row in FORMATS.items() if row.shortens]
EVERY_WAY = [("context", name) for name in FORMATS] + [("nodes", name) for name in SEPARABLE]
SHORT = [text for name, text in TEXTS.items() if name != "huge"] + TOON_STRINGS
ASKED = QueryBundle("which came first, the red one?")
MAPPER = PassageMapper(
    shown=(
        "title",
        "source",
        "naive",
        "u",
        "d",
        "p",
        "e",
        "s",
        "bad",
        "a b",
        "vector",
        "id",
        "lock",
    )
)


def loose(text: str, metadata: dict[Any, Any], place: int) -> BaseNode:
    """Return a node of any kind in turn that holds what its class would refuse to be made of."""
    kinds = list(KINDS.values())
    node = kinds[place % len(kinds)]("x", {})
    node.id_ = f"id{place}"
    node.__dict__["metadata"] = metadata
    if isinstance(node, TextNode):
        node.__dict__["text"] = text
    else:
        node.text_resource.__dict__["text"] = text
    return node


def groups() -> Iterator[list[NodeWithScore]]:
    yield [scored(loose(text, {}, place), 0.5) for place, text in enumerate(SHORT)]
    for values in SCORES.values():
        yield [scored(loose(f"t{n}", {}, n), value) for n, value in enumerate(values)]
    for group in METADATA.values():
        odd = {**group, "lock": threading.Lock()}
        yield [scored(loose("c", odd, n), value) for n, value in enumerate(group.values())]
        yield [
            scored(loose(f"c{n}", {**odd, "grain_type": kind}, n), None)
            for n, kind in enumerate((*KNOWN, "x", 3))
        ]
    yield [
        scored(loose(f"c{n}", {"created_at": date, "title": date}, n), 0.5)
        for n, date in enumerate(DATES)
    ]


GROUPS = list(groups())


def options(form: str) -> Iterator[dict[str, Any]]:
    levels = itertools.cycle(("none", "minimal", "full"))
    for budget in BUDGETS:
        yield {"format": form, "token_budget": budget, "metadata": next(levels), "numbered": True}


def count() -> Any:
    return counter_from(get_tokenizer())


def holds_to_the_core(
    processor: ContextPostprocessor, nodes: list[NodeWithScore], result: list[NodeWithScore]
) -> None:
    """Fail unless the texts are those of the core, and within the budget."""
    policy, hints = processor.policy, RenderingHints(query_text=ASKED.query_str)
    policy = policy.replace(query_text=ASKED.query_str)
    assembler, hits = ContextAssembler(counter=count()), hits_of(nodes, MAPPER)
    texts = [found.node.get_content() for found in result]
    if processor.returns == "context":
        context = assembler.format(hits, policy, hints)
        assert texts == [context.text] * bool(context.included_count)
        for text in texts:
            assert READERS[policy.format](text)
    else:
        shown = assembler.format_each(hits, policy, hints)
        assert texts == [entry.text for entry in shown.entries]
        for text in texts:
            assert len(READERS[policy.format](text)) == 1
    joined = "\n\n".join(texts)
    joined.encode()
    assert policy.token_budget is None or count()(joined) <= policy.token_budget


@pytest.mark.parametrize(("returns", "form"), EVERY_WAY)
def test_every_awkward_value(returns: str, form: str) -> None:
    async def run() -> None:
        for nodes, option in itertools.product(GROUPS, options(form)):
            processor = ContextPostprocessor(
                policy=FormatPolicy(**option), returns=returns, mapper=MAPPER
            )
            alone = await packed(processor, nodes, ASKED, asynchronous=False)
            holds_to_the_core(processor, nodes, alone)
            beside = await packed(processor, nodes, ASKED, asynchronous=True)
            assert [found.node.get_content() for found in beside] == [
                found.node.get_content() for found in alone
            ]
            await packed(processor, nodes, None, asynchronous=True)

    asyncio.run(run())


@pytest.mark.parametrize("returns", ["context", "nodes"])
def test_a_huge_text(returns: str) -> None:
    nodes = [scored(TextNode(text=TEXTS["huge"], metadata={"title": "t"}), 0.9)]
    for budget in (None, 60):
        processor = ContextPostprocessor(token_budget=budget, returns=returns)
        (found,) = asyncio.run(packed(processor, nodes, ASKED, asynchronous=True))
        assert budget is None or count()(found.node.get_content()) <= budget


# --- what a model receives --------------------------------------------------------------------

SIGN = "<<<>>>"


def received(nodes: list[NodeWithScore], response: str) -> str:
    """Return what stands in the prompt of a model where the context belongs."""
    llm = Listener()
    template = PromptTemplate(f"{SIGN}{{context_str}}{SIGN}{{query_str}}")
    get_response_synthesizer(
        llm, response_mode=response, text_qa_template=template, summary_template=template
    ).synthesize("q", nodes)
    (prompt,) = llm.prompts
    before, context, after = prompt.split(SIGN)
    assert (before, after) == ("", "q")
    return context


@pytest.mark.parametrize("response", ["compact", "refine", "tree_summarize"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_model_receives_a_page_that_keeps_the_laws(form: str, response: str) -> None:
    for nodes in GROUPS:
        policy, hints = FormatPolicy(format=form, numbered=True), RenderingHints()
        result = ContextPostprocessor(policy=policy, mapper=MAPPER).postprocess_nodes(nodes)
        context, outline = assembled(Case(tuple(hits_of(nodes, MAPPER)), policy, hints))
        assert [found.node.get_content() for found in result] == [context.text]
        same(READERS[form](context.text), page_of(outline, form, policy.metadata), form)
        text = received(result, response)
        assert text == context.text.strip()
        assert shape(READERS[form](text)) == shape(READERS[form](context.text))


@pytest.mark.parametrize("form", SEPARABLE)
def test_a_model_receives_a_node_each(form: str) -> None:
    for nodes in GROUPS:
        policy = FormatPolicy(format=form, token_budget=400)
        processor = ContextPostprocessor(policy=policy, mapper=MAPPER, returns="nodes")
        result = processor.postprocess_nodes(nodes)
        text = received(result, "compact")
        joined = "\n\n".join(found.node.get_content().strip() for found in result)
        assert text == joined
        assert count()(text) <= 400


@pytest.mark.parametrize("returns", ["context", "nodes"])
@pytest.mark.parametrize("name", HOSTILE)
def test_no_object_in_the_metadata_costs_more_than_itself(name: str, returns: str) -> None:
    bad = HOSTILE[name]
    pack = ContextPostprocessor(policy=FormatPolicy.gpt4(), returns=returns)
    metadata = {"title": bad, "source": "s"}
    found = [NodeWithScore(node=loose("neighbour", metadata, 0), score=0.5)]
    [shown] = pack.postprocess_nodes(found, query_str="q")
    assert "(s): neighbour" in shown.node.get_content()
    found = [NodeWithScore(node=loose("neighbour", bad, 0), score=0.5)]
    assert len(pack.postprocess_nodes(found, query_str="q")) == 1
