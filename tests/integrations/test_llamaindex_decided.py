"""A decider in LlamaIndex: asked in both modes, sync and async, and in nothing that is written."""

import asyncio
import pickle

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from llama_index.core.schema import QueryBundle

from areev_context import FormatPolicy
from deciders import AsyncDecider, Decider
from integrations.llamaindex_parts import QUERY, lease, packed
from llama_index.postprocessor.areev_context import ContextPostprocessor


class Keyed(Decider):
    """Holds what must not be written down."""

    api_key = "sk-never"

    def __repr__(self) -> str:
        return f"Keyed({self.api_key})"


@pytest.mark.parametrize("returns", ["context", "nodes"])
@pytest.mark.parametrize("kind", [Decider, AsyncDecider])
def test_a_calibrated_decider_omits_in_both_ways(kind: type[Decider], returns: str) -> None:
    decider = kind(lambda text: (3.0 if "Rent" in text else 0.0, 0.0), calibrated=True)
    processor = ContextPostprocessor(policy=FormatPolicy.gpt4(), returns=returns, decider=decider)
    query = QueryBundle(QUERY)
    found = asyncio.run(packed(processor, lease(), query, asynchronous=kind is AsyncDecider))
    assert len(found) == 1
    assert "Rent is due" in found[0].node.get_content()
    assert "deposit" not in found[0].node.get_content()
    if returns == "context":
        assert found[0].node.metadata["decision"]["provider"] == "judge"


def test_a_decider_is_in_no_dump_and_no_pickle() -> None:
    decider = Keyed()
    processor = ContextPostprocessor(policy=FormatPolicy.gpt4(), decider=decider)
    assert "sk-never" not in f"{processor!r}{processor.to_dict()}{processor.to_json()}"
    again = pickle.loads(pickle.dumps(processor))
    assert again.decider is None
    assert again.to_dict() == processor.to_dict()
    revived = ContextPostprocessor.from_dict(processor.to_dict(), decider=decider)
    assert revived.decider is decider


def test_what_is_no_decider_is_refused() -> None:
    with pytest.raises(Exception, match="decide"):
        ContextPostprocessor(decider=object())
