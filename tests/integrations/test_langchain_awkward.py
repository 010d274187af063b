"""`awkward.py` through compressor and runnable: no exception, nothing changed, the laws hold.

What a model gets is the core's own text, which is read back by its format's reader and compared
piece by piece with what the hits say.
"""

import asyncio
import itertools
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")

from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    InputError,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
)
from areev_context.extend import MetadataLevel
from areev_context.formats.registry import FORMATS
from areev_context.tokens import estimate_tokens
from awkward import BUDGETS
from counters import COUNTERS, characters
from hostile import HOSTILE
from integrations.awkward_passages import PASSAGES, QUERY, picture
from integrations.langchain_parts import Listener
from langchain_areev_context import ContextCompressor, ContextRunnable
from laws.expected import assembled, page_of, same
from laws.readers import READERS
from laws.strategies import Case

SCORE = "relevance"
MAPPER = PassageMapper(shown=("title", "source", "page", "u", "d", "p", "bad"), score_key=SCORE)
SEPARATE = [form for form in FORMATS if form not in ("json", "toon")]
HINTS = RenderingHints(query_text=QUERY)


def documents_of(passages: list[Passage]) -> list[Document]:
    return [
        Document(passage.text or "", id=passage.id, metadata={**passage.metadata, SCORE: score})
        for passage in passages
        for score in [passage.score]
    ]


def hits_of(documents: list[Document]) -> list[SearchHit]:
    """Return the hits that the core makes of documents, told apart from the integration."""
    return MAPPER.hits([Passage(d.page_content, d.metadata, None, d.id) for d in documents])


def asked(documents: list[Document], **options: Any) -> str:
    """Return the context in the prompt that a model gets, the same in every way of asking."""
    before = picture(documents)
    model = Listener()
    prompt = ChatPromptTemplate.from_messages([("human", "{context}")])
    given = {"documents": documents, "query": QUERY}
    chain = {"context": ContextRunnable(mapper=MAPPER, **options)} | prompt | model
    chain.invoke(given)
    asyncio.run(chain.ainvoke(given))
    compressor = ContextCompressor(mapper=MAPPER, **options)
    found = compressor.compress_documents(documents, QUERY)
    assert asyncio.run(compressor.acompress_documents(documents, QUERY)) == found
    assert picture(documents) == before
    text, again = model.prompts
    assert text == again
    assert [document.page_content for document in found] in ([text], [])
    return text


@pytest.mark.parametrize("form", FORMATS)
def test_the_laws_hold_on_what_a_model_gets(form: str) -> None:
    turn = itertools.cycle(MetadataLevel)
    for passages, level in [(p, next(turn)) for p in PASSAGES.values() for _ in range(2)]:
        documents = documents_of(passages)
        policy = FormatPolicy(format=form, metadata=level, numbered=level == "full")
        text = asked(documents, policy=policy)
        case = Case(tuple(hits_of(documents)), policy.replace(query_text=QUERY), HINTS)
        context, outline = assembled(case)
        assert text == context.text
        text.encode()
        assert "NOT TO BE SEEN" not in text
        same(READERS[form](text), page_of(outline, form, level), form)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("form", FORMATS)
def test_a_ceiling_holds_on_what_a_model_gets(form: str, budget: int | None) -> None:
    turn = itertools.cycle([None, characters, COUNTERS["cl100k_base"], None])
    policy, model = FormatPolicy(format=form), Listener()
    for passages, counter in zip(PASSAGES.values(), turn, strict=False):
        documents, count = documents_of(passages), counter or estimate_tokens
        runnable = ContextRunnable(
            policy=policy, mapper=MAPPER, counter=counter, token_budget=budget
        )
        (runnable | model).invoke({"documents": documents, "query": QUERY})
        text = model.prompts[-1]
        assert budget is None or not text or count(text) <= budget
        expected = ContextAssembler(counter=count).format(
            hits_of(documents), policy.replace(token_budget=budget, query_text=QUERY), HINTS
        )
        assert text == expected.text
        if text:
            READERS[form](text)


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("form", SEPARATE)
def test_documents_one_by_one(form: str, budget: int | None) -> None:
    policy = FormatPolicy(format=form)
    compressor = ContextCompressor(
        policy=policy, mapper=MAPPER, token_budget=budget, returns="documents"
    )
    for passages in PASSAGES.values():
        documents = documents_of(passages)
        before = picture(documents)
        found = compressor.compress_documents(documents, QUERY)
        again = asyncio.run(compressor.acompress_documents(documents, QUERY))
        assert [(d.page_content, d.id) for d in again] == [(d.page_content, d.id) for d in found]
        assert picture(documents) == before
        shown = ContextAssembler(counter=estimate_tokens).format_each(
            hits_of(documents), policy.replace(token_budget=budget, query_text=QUERY), HINTS
        )
        assert [d.page_content for d in found] == [entry.text for entry in shown.entries]
        assert [d.id for d in found] == [documents[entry.index].id for entry in shown.entries]
        joined = "\n\n".join(d.page_content for d in found)
        assert budget is None or estimate_tokens(joined) <= budget
        for document in found:
            READERS[form](document.page_content)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_object_in_the_metadata_costs_more_than_itself(name: str) -> None:
    bad = HOSTILE[name]
    found = [
        Document.model_construct(page_content="neighbour", metadata=metadata, id=None)
        for metadata in ({"title": bad, "source": "s"}, bad, {"areev_context": bad})
    ]
    assert ContextRunnable(policy=FormatPolicy.gpt4()).invoke(found).count("neighbour") == 1
    for returns in ("context", "documents"):
        packed = ContextCompressor(policy=FormatPolicy.gpt4(), returns=returns)
        [first] = packed.compress_documents(found[:1], "q")
        assert "(s): neighbour" in first.page_content
        assert len(packed.compress_documents(found[1:2], "q")) == 1


def test_a_dead_reference_is_no_document() -> None:
    with pytest.raises(InputError, match="document 0 is of type ProxyType"):
        ContextRunnable(policy=FormatPolicy.gpt4()).invoke([HOSTILE["a dead reference"]])
