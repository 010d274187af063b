"""Nodes that tell several things, and nodes with images: graphs, memories, pictures."""

import asyncio
import base64
import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.embeddings import MockEmbedding
from llama_index.core.graph_stores import SimplePropertyGraphStore
from llama_index.core.graph_stores.types import EntityNode, Relation
from llama_index.core.indices.property_graph import BasePGRetriever
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import VectorMemoryBlock
from llama_index.core.schema import (
    BaseNode,
    ImageNode,
    MediaResource,
    Node,
    NodeWithScore,
    QueryBundle,
    TextNode,
)
from llama_index.core.vector_stores import SimpleVectorStore, VectorStoreQueryResult

from areev_context import FormatPolicy, FormattedContext, cited_sources
from integrations.llamaindex_parts import KINDS, lease
from llama_index.postprocessor.areev_context import ContextMemoryBlock, ContextPostprocessor

QUERY = "where does Ann work?"
ASKED = QueryBundle(QUERY)
TEXT = "Ann works at Acme in Bern. She likes tea."
NUMBERED = FormatPolicy.gpt4(numbered=True)


def packed(nodes: Sequence[NodeWithScore], **options: Any) -> list[NodeWithScore]:
    return ContextPostprocessor(**options).postprocess_nodes(list(nodes), ASKED)


def plain(text: str, **metadata: Any) -> list[NodeWithScore]:
    return [NodeWithScore(node=TextNode(text=text, metadata=metadata), score=0.5)]


# --- graphs --------------------------------------------------------------------------------------


class Graph(BasePGRetriever):
    """Finds every triplet of a graph of two."""

    def __init__(self, **options: Any) -> None:
        graph, source = SimplePropertyGraphStore(), {"triplet_source_id": "c1"}
        ann = EntityNode(name="Ann", properties={**source, "age": 42})
        acme, bern = EntityNode(name="Acme", properties=source), EntityNode(name="Bern")
        graph.upsert_nodes([ann, acme, bern])
        graph.upsert_relations([
            Relation(label="WORKS_AT", source_id="Ann", target_id="Acme"),
            Relation(label="Located in", source_id="Acme", target_id="Bern"),
        ])  # fmt: skip
        graph.upsert_llama_nodes([TextNode(id_="c1", text=TEXT, metadata={"title": "Staff"})])
        super().__init__(graph, **options)

    def retrieve_from_graph(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        triplets = self._graph_store.get_triplets(["Ann", "Acme"])
        return self._get_nodes_with_score(sorted(triplets, key=lambda triplet: triplet[1].label))

    async def aretrieve_from_graph(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self.retrieve_from_graph(query_bundle)


FACTS = "- [1] **Acme** Located in Bern\n- [2] **Ann** WORKS_AT Acme"
KNOWN = "- [1] **Acme** Located in Bern\n- [2] **Ann (age: 42)** WORKS_AT Acme"


@pytest.mark.parametrize("asynchronous", [False, True])
def test_the_triplets_of_a_graph_are_facts(asynchronous: bool) -> None:
    processor = ContextPostprocessor(policy=NUMBERED)
    for options, expected in (
        ({"include_text": False}, FACTS),
        ({"include_text": False, "include_properties": True}, KNOWN),
        ({}, f"{FACTS}\n- [3] **Staff**: {TEXT}"),
        ({"include_properties": True}, f"{KNOWN}\n- [3] **Staff**: {TEXT}"),
    ):
        nodes = Graph(**options).retrieve(QUERY)
        if asynchronous:
            (found,) = asyncio.run(processor.apostprocess_nodes(nodes, ASKED))
        else:
            (found,) = processor.postprocess_nodes(nodes, ASKED)
        assert found.text == expected


def test_a_fact_of_a_text_leads_to_the_node_of_the_text() -> None:
    (found,) = packed(Graph().retrieve(QUERY), policy=NUMBERED)
    context = FormattedContext(text=found.text, **found.node.metadata)
    assert {source.id for source in context.cited("[1][2][3]").sources} == {"c1"}
    shown = [outcome for outcome in context.outcomes if outcome.number]
    assert [outcome.grain_type for outcome in shown] == ["fact", "fact", "document"]


def test_a_graph_is_a_source_of_a_memory() -> None:
    block = ContextMemoryBlock(source=Graph(), policy=NUMBERED)
    text = asyncio.run(block.aget([ChatMessage(role="user", content=QUERY)]))
    assert text == f"{FACTS}\n- [3] **Staff**: {TEXT}"


def test_a_node_each_keeps_one_text_for_each_node() -> None:
    each = packed(
        Graph(include_text=False).retrieve(QUERY), policy=FormatPolicy.gpt4(), returns="nodes"
    )
    assert [found.text for found in each] == [
        "- **Acme** Located in Bern",
        "- **Ann** WORKS_AT Acme",
    ]
    nodes = Graph().retrieve(QUERY)
    (found,) = packed(nodes, policy=FormatPolicy.gpt4(), returns="nodes")
    assert "Acme -> Located in -> Bern" in found.text


PREAMBLE = "Here are some facts extracted from the provided text:\n\n"


@pytest.mark.parametrize(
    "nodes",
    [
        plain("Home -> Docs -> API", title="Site"),
        plain("Home -> Docs"),
        plain("A -> B -> C -> D"),
        plain("a ->  -> c"),
        plain("Ann -> LIKES -> tea\nShe is 42."),
        plain(f"{PREAMBLE}Ann likes -> tea.\n\n{TEXT}"),
        plain(f"See: {PREAMBLE}Ann -> LIKES -> tea\n\n{TEXT}"),
        plain("<message role='user'>hi</message> and more"),
        plain("<message role='user'>hi"),
        plain("<message role='a-b'>hi</message>\n<message role='user'>so</message>"),
        plain("so <message role='user'>hi</message>"),
        plain("Ann -> LIKES -> tea", grain_type="skill"),
    ],
)
def test_a_text_that_is_like_it_is_a_text(nodes: list[NodeWithScore]) -> None:
    (found,) = packed(nodes)
    (outcome,) = FormattedContext(text=found.text, **found.node.metadata).outcomes
    assert outcome.grain_type in ("document", "skill")


# --- memories ------------------------------------------------------------------------------------


class Stored(SimpleVectorStore):
    """A store that has the nodes, too, and finds all."""

    stores_text: bool = True

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        self.__dict__.setdefault("nodes", []).extend(nodes)
        return [node.node_id for node in nodes]

    async def aquery(self, query: Any, **kwargs: Any) -> VectorStoreQueryResult:
        nodes = self.__dict__["nodes"]
        return VectorStoreQueryResult(nodes, [0.5] * len(nodes), [node.node_id for node in nodes])


def test_the_messages_of_a_memory_are_events_with_speaker_and_date() -> None:
    messages = [
        ChatMessage(
            role="user",
            content="My rent is 900.\nIs it due today?",
            additional_kwargs={"timestamp": "2024-03-01T10:00:00Z"},
        ),
        ChatMessage(role="assistant", content="It's due on the first."),
        ChatMessage(role="user", content="odd", additional_kwargs={"raw": object()}),
    ]
    pack = ContextPostprocessor(policy=FormatPolicy.claude())
    block = VectorMemoryBlock(
        vector_store=Stored(), embed_model=MockEmbedding(2), node_postprocessors=[pack]
    )

    async def talk() -> str:
        await block.aput(messages, session_id="one")
        text: str = await block.aget([ChatMessage(role="user", content="rent?")])
        return text

    lines = asyncio.run(talk()).split("\n")
    assert lines[1:6] == [
        '<event role="user" date="2024-03-01">',
        "My rent is 900.",
        "Is it due today?",
        "</event>",
        '<event role="assistant">It\'s due on the first.</event>',
    ]
    assert "Additional Info: ({'raw': &lt;object" in lines[8]


# --- images --------------------------------------------------------------------------------------

RED = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 40).decode()


def pictures(folder: Path) -> list[NodeWithScore]:
    path = folder / "red.png"
    path.write_bytes(base64.b64decode(RED))
    text = "The flat {n} is red."
    nodes: list[BaseNode] = [
        ImageNode(text=text.format(n=1), image=RED),
        ImageNode(text=text.format(n=2), image_path=str(path)),
        ImageNode(text=text.format(n=3), image_url="https://example.com/red.png"),
        Node(
            text_resource=MediaResource(text=text.format(n=4)),
            image_resource=MediaResource(data=RED.encode(), mimetype="image/png"),
        ),
        Node(text_resource=MediaResource(text=text.format(n=5))),
        ImageNode(text=text.format(n=6), image_path=str(folder / "gone.png")),
        TextNode(text=text.format(n=7)),
    ]
    return [NodeWithScore(node=node, score=0.5) for node in nodes]


def test_images_stand_beside_the_text(tmp_path: Path) -> None:
    (found,) = packed(pictures(tmp_path), policy=FormatPolicy.gpt4())
    text, *images = found.node.get_content_blocks()
    assert text.text == found.text
    assert found.text.count("is red.") == 7
    assert [image.block_type for image in images] == ["image"] * 4
    assert [image.resolve_image().read() for image in (images[0], images[1], images[3])] == [
        base64.b64decode(RED)
    ] * 3
    assert str(images[2].url) == "https://example.com/red.png"
    for copy in (found.model_copy(deep=True), pickle.loads(pickle.dumps(found))):
        assert copy.node.get_content_blocks() == found.node.get_content_blocks()


def test_only_what_is_shown_has_its_image(tmp_path: Path) -> None:
    nodes = pictures(tmp_path)
    nodes[0].node.metadata["verification_status"] = "retracted"
    (found,) = packed(nodes, policy=FormatPolicy.gpt4(token_budget=30))
    _, *images = found.node.get_content_blocks()
    shown = found.text.count("is red.")
    assert 0 < len(images) < 4
    assert images[0].path is not None
    assert len(images) <= shown


def test_without_images_the_blocks_are_the_text() -> None:
    (found,) = packed(lease())
    (text,) = found.node.get_content_blocks()
    assert text.text == found.text


# --- sources -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_each_node_has_its_sources(kind: str) -> None:
    nodes = lease(kind)
    nodes.append(NodeWithScore(node=nodes[0].node.model_copy(update={"id_": "twin"}), score=0.1))
    found = packed(nodes, policy=NUMBERED, returns="nodes")
    assert len(found) == 3
    sources = [json.loads(each.node.metadata["areev_context_sources"]) for each in found]
    assert [len(group) for group in sources] == [2, 1, 1]
    every = [source for group in sources for source in group]
    assert [source.id for source in cited_sources("[1] [3]", every).sources] == [
        nodes[0].node_id,
        "twin",
        nodes[2].node_id,
    ]
    assert all(each.node.get_content() in each.get_content() for each in found)
    assert "areev_context_sources" not in "".join(each.get_content() for each in found)
