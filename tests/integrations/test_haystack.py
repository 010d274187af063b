"""The Haystack component: what it takes, what it gives, and how it is stored."""

import asyncio
import importlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("haystack", reason="needs the extra haystack")

from haystack import Document, Pipeline
from haystack.components.builders import PromptBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore
from pydantic import ValidationError

import haystack_areev_context as package
from areev_context import (
    ContextAssembler,
    CounterError,
    FormatPolicy,
    FormattedContext,
    InputError,
    Passage,
    PassageMapper,
    RenderingHints,
)
from areev_context.decide import ScoreDecider
from counters import characters, words
from haystack_areev_context import ContextPacker

QUERY = "when is the rent of flat 7 due?"
NUMBERED = FormatPolicy.claude(numbered=True)


def documents(count: int = 12) -> list[Document]:
    return [
        Document(
            content=f"The rent of flat {n} is due on day {n}. It is paid by transfer.",
            meta={"title": "Lease", "page_number": n, "owner": "never-to-leave"},
            score=1 - n / 100,
        )
        for n in range(count)
    ]


def expected(
    found: list[Document],
    policy: FormatPolicy,
    counter: Callable[[str], int] | None = None,
    query: str | None = QUERY,
) -> FormattedContext:
    passages = [Passage(d.content, d.meta, d.score, d.id) for d in found]
    return ContextAssembler(counter=counter).format(
        PassageMapper().hits(passages), policy, query=query
    )


def packed(
    packer: ContextPacker, found: list[Document], *, asynchronous: bool = False, **options: Any
) -> dict[str, Any]:
    before = [document.to_dict() for document in found]
    if asynchronous:
        result = asyncio.run(packer.run_async(documents=found, **options))
    else:
        result = packer.run(documents=found, **options)
    assert [document.to_dict() for document in found] == before
    return result


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("budget", [None, 40, 60, 1_000])
def test_the_output_is_the_context_and_its_receipt(budget: int | None, asynchronous: bool) -> None:
    found = documents()
    packer = ContextPacker(NUMBERED, token_budget=budget, counter=words)
    result = packed(packer, found, asynchronous=asynchronous, query=QUERY)
    wanted = expected(found, NUMBERED.replace(token_budget=budget), words)
    assert result["prompt_context"] == wanted.text
    assert budget is None or words(wanted.text) <= budget
    assert "flat 7 is due on day 7" in wanted.text
    assert "never-to-leave" not in wanted.text
    receipt = FormattedContext(**result["receipt"])
    assert receipt == wanted
    shown = {source.id for source in receipt.cited("[1]").sources}
    assert shown <= {document.id for document in found}
    assert shown


def test_the_budget_of_a_call_replaces_that_of_the_component() -> None:
    found = documents()
    packer = ContextPacker(NUMBERED, token_budget=500, counter=words)
    result = packed(packer, found, query=QUERY, token_budget=40)
    assert (
        result["prompt_context"] == expected(found, NUMBERED.replace(token_budget=40), words).text
    )
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        packed(packer, found, token_budget=-1)


@pytest.mark.parametrize("query", [None, "  "])
def test_without_a_query_that_of_the_policy_holds(query: str | None) -> None:
    found = documents()
    policy = FormatPolicy(token_budget=40, query_text=QUERY)
    result = packed(ContextPacker(policy), found, query=query)
    assert result["prompt_context"] == expected(found, policy, query=None).text
    assert "day 7" in result["prompt_context"]


@pytest.mark.parametrize("format", ["json", "toon", "sml", "markdown", "plain_text"])
def test_nothing_to_show_is_an_empty_text(format: Any) -> None:
    picture = Document(blob=ByteStream(data=b"png", mime_type="image/png"))
    packer = ContextPacker(FormatPolicy(format=format))
    for found in ([], [picture]):
        result = packed(packer, found, query=QUERY)
        assert result["prompt_context"] == ""
        assert len(result["receipt"]["outcomes"]) == len(found)


def test_a_withheld_document_is_in_no_output() -> None:
    found = [
        *documents(2),
        Document(content="old-secret", meta={"verification_status": "retracted"}),
    ]
    result = packed(ContextPacker(), found)
    assert "old-secret" not in str(result)
    assert result["receipt"]["withheld_count"] == 1


def test_options_are_those_of_packing() -> None:
    def score(query: str, texts: list[str]) -> list[float]:
        return [0.9 if "flat 3" in text else 0.0 for text in texts]

    packer = ContextPacker(
        FormatPolicy.gpt4(),
        mapper=PassageMapper(shown=()),
        counter=characters,
        hints=RenderingHints(entity_count=1),
        decider=ScoreDecider(score, calibrated=True),
    )
    result = packed(packer, documents(), query=QUERY)
    assert "flat 3" in result["prompt_context"]
    assert "flat 7" not in result["prompt_context"]
    assert "Lease" not in result["prompt_context"]
    assert result["receipt"]["mode"] == "aggregation"


def failing(text: str) -> int:
    raise OSError("no vocabulary")


def test_errors_are_those_of_the_package() -> None:
    with pytest.raises(InputError, match="document 1 is of type str: give a Document"):
        ContextPacker().run(documents=[*documents(1), "text"])  # type: ignore[list-item]
    with pytest.raises(ValidationError):
        ContextPacker({"shape": "round"})
    with pytest.raises(CounterError):
        packed(ContextPacker(token_budget=5, counter=failing), documents())


# --- in pipelines --------------------------------------------------------------------------------


def pipeline(packer: ContextPacker) -> Pipeline:
    store = InMemoryDocumentStore()
    store.write_documents(documents())
    found = Pipeline()
    found.add_component("retriever", InMemoryBM25Retriever(store, top_k=12))
    found.add_component("packer", packer)
    found.add_component("prompt", PromptBuilder("{{context}}\n\n{{query}}", required_variables="*"))
    found.connect("retriever.documents", "packer.documents")
    found.connect("packer.prompt_context", "prompt.context")
    return found


def asked(found: Pipeline, *, asynchronous: bool = False) -> tuple[str, dict[str, Any]]:
    data = {name: {"query": QUERY} for name in ("retriever", "packer", "prompt")}
    options: dict[str, Any] = {"include_outputs_from": {"packer"}}
    if asynchronous:
        result = asyncio.run(found.run_async(data, **options))
    else:
        result = found.run(data, **options)
    return result["prompt"]["prompt"], result["packer"]["receipt"]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_prompt_has_the_context_within_the_budget(asynchronous: bool) -> None:
    found = pipeline(ContextPacker(NUMBERED, token_budget=60, counter=words))
    if asynchronous and not hasattr(found, "run_async"):
        pytest.skip("pipelines of this version have a class of their own for it")
    prompt, receipt = asked(found, asynchronous=asynchronous)
    context = FormattedContext(**receipt)
    assert prompt == f"{context.text}\n\n{QUERY}"
    assert words(context.text) <= 60
    assert "7" in {source.page for source in context.cited("[1-9]").sources}


def test_a_pipeline_in_yaml_packs_as_before() -> None:
    packer = ContextPacker(
        NUMBERED,
        token_budget=60,
        mapper=PassageMapper(shown=("title",)),
        counter=words,
        hints=RenderingHints(zone="Europe/Zurich"),
    )
    found = pipeline(packer)
    again = Pipeline.loads(found.dumps(), **_allowed("counters"))
    assert again.get_component("packer").to_dict() == packer.to_dict()
    retriever, old = again.get_component("retriever"), found.get_component("retriever")
    retriever.document_store.write_documents(old.document_store.filter_documents(), "skip")
    assert asked(again)[0] == asked(found)[0]


def _allowed(*modules: str) -> dict[str, Any]:
    """Return what newer versions ask for where a stored pipeline names functions of a user."""
    try:
        import haystack.core.serialization_security  # noqa: F401, PLC0415  # is it there?
    except ModuleNotFoundError:
        return {}
    return {"allowed_modules": list(modules)}


def test_a_component_in_yaml_needs_only_what_differs() -> None:
    stored = """
components:
  packer:
    type: haystack_areev_context.packer.ContextPacker
    init_parameters:
      policy: {format: sml, numbered: true}
      token_budget: 60
connections: []
"""
    packer = Pipeline.loads(stored).get_component("packer")
    found = documents()
    wanted = expected(found, FormatPolicy(format="sml", numbered=True, token_budget=60))
    assert packer.run(documents=found, query=QUERY)["prompt_context"] == wanted.text


def test_the_plain_component_is_data() -> None:
    packer = ContextPacker()
    data = packer.to_dict()
    assert data["type"] == "haystack_areev_context.packer.ContextPacker"
    assert ContextPacker.from_dict(data).to_dict() == data
    assert data["init_parameters"]["counter"] is None


def test_a_counter_that_is_no_name_and_no_function_is_not_stored() -> None:
    with pytest.raises(InputError, match="counter of type function cannot be stored"):
        ContextPacker(counter=lambda text: len(text.split())).to_dict()


# --- the package ---------------------------------------------------------------------------------


def test_without_the_framework_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "haystack", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'areev-context\[haystack\]'"):
        importlib.reload(package)


def test_older_versions_ask_for_no_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("haystack.core.serialization")
    monkeypatch.delattr(module, "allow_deserialization_module", raising=False)
    assert importlib.reload(package).ContextPacker is ContextPacker
