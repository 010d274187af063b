"""Passages that splitters and node parsers cut, each by its real class, are joined again."""

from collections.abc import Sequence

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")
pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter
from llama_index.core import Document as LlamaDocument
from llama_index.core.node_parser import (
    HierarchicalNodeParser,
    NodeParser,
    SentenceSplitter,
    SentenceWindowNodeParser,
    get_leaf_nodes,
)
from llama_index.core.postprocessor import MetadataReplacementPostProcessor
from llama_index.core.schema import BaseNode, NodeWithScore

from areev_context import FormatPolicy
from langchain_areev_context import ContextCompressor
from llama_index.postprocessor.areev_context import ContextPostprocessor

POLICY = FormatPolicy.gpt4()
SENTENCES = [f"Sentence number {n} tells of part {n} of a machine in use." for n in range(30)]
TEXT = " ".join(SENTENCES)
MANUAL = "\n\n".join(
    f"# Head {n}\n\nParagraph {n} tells about valve {n}.\nA second line." for n in range(9)
)


def in_order_once(text: str, numbers: list[int]) -> None:
    """Fail unless these sentences, and no others, are in a text, in order, once each."""
    places = [text.find(sentence) for sentence in SENTENCES]
    assert [n for n, place in enumerate(places) if place >= 0] == numbers
    assert [place for place in places if place >= 0] == sorted(p for p in places if p >= 0)
    assert all(text.count(SENTENCES[n]) == 1 for n in numbers)
    assert text.count("\n- ") == 0  # one entry


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (2, 1, 0)])
@pytest.mark.parametrize("add_start_index", [True, False])
def test_langchains_splitter(order: tuple[int, ...], add_start_index: bool) -> None:
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=300, chunk_overlap=130, add_start_index=add_start_index
    )
    whole = Document(TEXT, metadata={"source": "a.txt"})
    found = splitter.split_documents([whole])
    packed = ContextCompressor(policy=POLICY).compress_documents([found[n] for n in order], "use")
    shown = [n for n, sentence in enumerate(SENTENCES) if sentence in TEXT[: len(TEXT)]]
    last = max(n for n in shown if any(SENTENCES[n] in found[k].page_content for k in order))
    in_order_once(packed[0].page_content, list(range(last + 1)))


def test_langchains_splitter_with_overlaps_too_short_to_see() -> None:
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=150, chunk_overlap=40, add_start_index=True
    )
    found = splitter.split_documents([Document(MANUAL, metadata={"source": "a.md"})])
    packed = ContextCompressor(policy=FormatPolicy.claude()).compress_documents(
        found[::-1], "valve"
    )
    assert MANUAL in packed[0].page_content


def nodes_of(parser: NodeParser) -> list[BaseNode]:
    document = LlamaDocument(text=TEXT, metadata={"file_name": "a.txt"})
    return parser.get_nodes_from_documents([document])


def packed_nodes(nodes: Sequence[BaseNode]) -> str:
    scored = [NodeWithScore(node=node, score=1 - n / 100) for n, node in enumerate(nodes)]
    return str(ContextPostprocessor(policy=POLICY).postprocess_nodes(scored)[0].node.get_content())


def test_llamaindexs_sentence_splitter() -> None:
    try:
        nodes = nodes_of(SentenceSplitter(chunk_size=100, chunk_overlap=30))
    except LookupError:
        pytest.skip("the oldest LlamaIndex loads its list of stop words from the network")
    text = packed_nodes([nodes[2], nodes[0], nodes[1]])
    in_order_once(text, [n for n, s in enumerate(SENTENCES) if s in text])
    assert text.index(SENTENCES[0]) < text.index(SENTENCES[9])
    assert "…" not in text


def test_llamaindexs_windows_are_shown_once() -> None:
    nodes = nodes_of(SentenceWindowNodeParser.from_defaults(window_size=2))
    swap = MetadataReplacementPostProcessor(target_metadata_key="window")
    scored = [NodeWithScore(node=node, score=1.0) for node in nodes]
    windows = [found.node for found in swap.postprocess_nodes(scored)]
    text = packed_nodes([windows[n] for n in (6, 4, 20)])
    in_order_once(text, [2, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22])
    assert text.count("…") == 1


def test_a_merged_parent_takes_its_children_in() -> None:
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=[256, 64])
    nodes = nodes_of(parser)
    leaves = get_leaf_nodes(nodes)
    parent = next(node for node in nodes if node not in leaves)
    children = [n for n in leaves if n.parent_node.node_id == parent.node_id]
    text = packed_nodes([children[1], parent, children[0]])
    in_order_once(text, [n for n, s in enumerate(SENTENCES) if s in parent.get_content()])


def test_a_parent_document_beside_its_child_is_one_entry() -> None:
    metadata = {"source": "a.txt", "doc_id": "7"}
    child = Document(" ".join(SENTENCES[3:5]), metadata=metadata)
    parent = Document(" ".join(SENTENCES[:8]), metadata=metadata)
    packed = ContextCompressor(policy=POLICY).compress_documents([child, parent], "use")
    in_order_once(packed[0].page_content, list(range(8)))
