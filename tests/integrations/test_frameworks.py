"""The same passages, order, scores and counter give the same context through every framework."""

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")
pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode

from areev_context import FormatPolicy, Passage, PassageMapper
from areev_context.formats.registry import FORMATS
from areev_context.tokens import TokenCounter
from awkward import BUDGETS
from counters import o200k
from integrations.awkward_passages import PASSAGES, QUERY
from langchain_areev_context import ContextCompressor, ContextRunnable
from llama_index.postprocessor.areev_context import ContextPostprocessor

SCORE = "relevance"


def through_langchain(
    passages: list[Passage], policy: FormatPolicy, counter: TokenCounter
) -> tuple[str, list[str]]:
    documents = [
        Document(passage.text or "", id=passage.id, metadata={**passage.metadata, SCORE: score})
        for passage in passages
        for score in [passage.score]
    ]
    mapper = PassageMapper(score_key=SCORE)
    given = {"documents": documents, "query": QUERY}
    text = ContextRunnable(policy=policy, counter=counter, mapper=mapper).invoke(given)
    assert isinstance(text, str)
    if policy.format in ("json", "toon"):
        return text, []
    compressor = ContextCompressor(
        policy=policy, counter=counter, mapper=mapper, returns="documents"
    )
    return text, [d.page_content for d in compressor.compress_documents(documents, QUERY)]


def through_llamaindex(
    passages: list[Passage], policy: FormatPolicy, counter: TokenCounter
) -> tuple[str, list[str]]:
    nodes = []
    for passage in passages:
        node = TextNode(text=passage.text or "", id_=passage.id or "")
        node = node.model_copy(update={"metadata": dict(passage.metadata)})
        nodes.append(NodeWithScore(node=node).model_copy(update={"score": passage.score}))
    single = ContextPostprocessor(policy=policy, counter=counter)
    text = "".join(n.node.get_content() for n in single.postprocess_nodes(nodes, query_str=QUERY))
    if policy.format in ("json", "toon"):
        return text, []
    each = ContextPostprocessor(policy=policy, counter=counter, returns="nodes")
    return text, [n.node.get_content() for n in each.postprocess_nodes(nodes, query_str=QUERY)]


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("form", FORMATS)
def test_one_text_through_both(form: str, budget: int | None) -> None:
    policy = FormatPolicy(format=form, token_budget=budget, numbered=True)
    for name, passages in PASSAGES.items():
        if name == "huge":  # each framework's own tests have it; it takes as long as all others
            continue
        text, texts = through_langchain(passages, policy, o200k)
        shown = "" if text == "[]" else text  # nothing shown is no node
        assert through_llamaindex(passages, policy, o200k) == (shown, texts)
