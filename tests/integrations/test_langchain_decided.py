"""A decider in LangChain: asked in both, sync and async, and in nothing that is written."""

import asyncio
import pickle
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

from langchain_core.load import dumps
from langchain_core.runnables import RunnableLambda

from areev_context import FormatPolicy, FormattedContext
from deciders import AsyncDecider, Decider
from integrations.langchain_parts import QUERY, Runs, lease
from langchain_areev_context import ContextCompressor, ContextRunnable

POLICY = FormatPolicy.gpt4()


class Keyed(Decider):
    """Holds what must not be written down."""

    api_key = "sk-never"

    def __repr__(self) -> str:
        return f"Keyed({self.api_key})"


def rent_only(kind: type[Decider]) -> Decider:
    return kind(lambda text: (3.0 if "Rent" in text else 0.0, 0.0), calibrated=True)


@pytest.mark.parametrize("kind", [Decider, AsyncDecider])
def test_a_calibrated_decider_omits_in_both(kind: type[Decider]) -> None:
    decider = rent_only(kind)
    given = {"documents": lease(), "query": QUERY}
    runnable = ContextRunnable(policy=POLICY, decider=decider, returns="result")
    compressor = ContextCompressor(policy=POLICY, decider=decider, returns="documents")
    if kind is Decider:
        context, shown = runnable.invoke(given), compressor.compress_documents(lease(), QUERY)
    else:
        context = asyncio.run(runnable.ainvoke(given))
        shown = asyncio.run(compressor.acompress_documents(lease(), QUERY))
    assert isinstance(context, FormattedContext)
    assert [outcome.reason for outcome in context.outcomes] == [
        "omitted_decider", "full", "omitted_decider",
    ]  # fmt: skip
    assert context.decision is not None
    assert context.decision.provider == "judge"
    assert [document.id for document in shown] == ["d2"]


def test_one_document_of_what_a_decider_left() -> None:
    compressor = ContextCompressor(policy=POLICY, decider=rent_only(AsyncDecider))
    (document,) = asyncio.run(compressor.acompress_documents(lease(), QUERY))
    assert "Rent is due" in document.page_content
    assert "deposit" not in document.page_content


def test_a_decider_is_in_no_dump_no_pickle_and_no_trace() -> None:
    decider = Keyed(calibrated=True)
    runnable = ContextRunnable(policy=POLICY, decider=decider)
    compressor = ContextCompressor(policy=POLICY, decider=decider)
    for packer in (runnable, compressor):
        written: list[Any] = [repr(packer), packer.model_dump(), packer.model_dump_json()]
        assert not any("decider" in str(each) or "sk-never" in str(each) for each in written)
        again = pickle.loads(pickle.dumps(packer))
        assert again.decider is None
        assert again == packer.model_copy(update={"decider": None})
    assert "sk-never" not in dumps(runnable)
    runs = Runs()
    chain = RunnableLambda(lambda asked: {"documents": lease(), "query": asked}) | runnable
    chain.invoke(QUERY, {"callbacks": [runs]})
    compressor.compress_documents(lease(), QUERY, [runs])
    assert len(decider.requests) == 4  # both asked it, for the intent and for the hits
    assert len(runs.roots) == 2
    assert not any("sk-never" in run.model_dump_json() for run in runs.roots)


@pytest.mark.parametrize("packer", [ContextRunnable, ContextCompressor])
def test_what_is_no_decider_is_refused(packer: type) -> None:
    with pytest.raises(Exception, match="decide"):
        packer(decider=object())
