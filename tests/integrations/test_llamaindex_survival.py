"""The same for LlamaIndex: a node that a store gives back is recognized, or refused."""

import json
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.schema import NodeWithScore, TextNode

from areev_context import FormatPolicy, FormattedContext, InputError
from integrations.llamaindex_parts import QUERY, lease
from llama_index.postprocessor.areev_context import ContextPostprocessor

POLICY = FormatPolicy.gpt4(numbered=True)
either = pytest.mark.parametrize("returns", ["context", "nodes"])


def made(returns: Any, key: str | None) -> ContextPostprocessor:
    return ContextPostprocessor(policy=POLICY, returns=returns, signing_key=key)


def packed(returns: str, key: str | None) -> list[NodeWithScore]:
    return made(returns, key).postprocess_nodes(lease(), query_str=QUERY)


def stored(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode.from_dict(json.loads(json.dumps(each.node.to_dict()))), score=each.score
        )
        for each in nodes
    ]


def texts(nodes: list[NodeWithScore]) -> list[str]:
    return [each.node.get_content() for each in nodes]


@either
def test_what_was_signed_passes_after_a_store(returns: str) -> None:
    before = packed(returns, "key")
    again = made(returns, "key").postprocess_nodes(stored(before), query_str=QUERY)
    assert texts(again) == texts(before)
    third = made(returns, "key").postprocess_nodes(stored(again), query_str=QUERY)
    assert texts(third) == texts(before)


@either
@pytest.mark.parametrize("key", [None, "another key"])
def test_what_cannot_be_recognized_is_refused(returns: str, key: str | None) -> None:
    for first_key in (None, "key"):
        with pytest.raises(InputError, match=r"packed context.*(signing_key|alone)"):
            made(returns, key).postprocess_nodes(stored(packed(returns, first_key)))


def test_a_part_of_what_was_packed_is_refused() -> None:
    with pytest.raises(InputError, match="alone and unchanged"):
        made("nodes", "key").postprocess_nodes(stored(packed("nodes", "key"))[:2])


def test_a_node_that_was_retracted_since_is_withheld() -> None:
    before = stored(packed("nodes", "key"))
    before[1].node.metadata["verification_status"] = "retracted"
    left = made("nodes", "key").postprocess_nodes(before)
    assert texts(left) == [texts(before)[0], texts(before)[2]]
    assert texts(made("nodes", "key").postprocess_nodes(stored(left))) == texts(left)


def test_numbers_lead_back_after_a_store() -> None:
    [node] = stored(packed("context", "key"))
    context = FormattedContext.model_validate({"text": node.node.get_content(), **node.metadata})
    assert [source.number for source in context.cited("So [2], and [1].").sources] == [2, 1]


def test_a_key_is_in_no_dump() -> None:
    processor = made("context", "sesame")
    assert "sesame" not in repr(processor) + json.dumps(processor.to_dict())
