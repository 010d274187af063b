"""What the tests of the LlamaIndex integration share: nodes, a retriever, a model that listens."""

from collections.abc import Callable, Sequence
from typing import Any

from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    BaseNode,
    Document,
    ImageNode,
    IndexNode,
    MediaResource,
    Node,
    NodeWithScore,
    QueryBundle,
    TextNode,
)
from pydantic import PrivateAttr

from areev_context import Passage, PassageMapper, SearchHit
from integrations.awkward_passages import picture
from llama_index.postprocessor.areev_context import ContextPostprocessor

QUERY = "when is the rent due?"
SECRET = "never-to-leave"

LEASE = [
    ("The notice period is three months, counted from the end of a month.", {"page": 4}, 0.9),
    ("Rent is due on the first of the month. It is paid by transfer.", {"page": 2}, 0.7),
    ("The deposit is three rents, paid into a blocked account.", {"page": 7}, 0.4),
]

IMAGE = "aGk="
KINDS: dict[str, Callable[[str, dict[str, Any]], BaseNode]] = {
    "text": lambda text, metadata: TextNode(text=text, metadata=metadata, embedding=[0.5]),
    "image": lambda text, metadata: ImageNode(text=text, metadata=metadata, image=IMAGE),
    "index": lambda text, metadata: IndexNode(
        text=text, metadata=metadata, index_id="i", obj=["anything"]
    ),
    "plain": lambda text, metadata: Node(text_resource=MediaResource(text=text), metadata=metadata),
    "document": lambda text, metadata: Document(text=text, metadata=metadata),
}
"""A maker for each kind of node that a retriever returns."""


def scored(node: BaseNode, score: Any) -> NodeWithScore:
    """Return the pair with any score; a class of its own could not be talked into some."""
    return NodeWithScore(node=node).model_copy(update={"score": score})


def lease(kind: str = "text") -> list[NodeWithScore]:
    """Return three nodes of a kind, best first, with metadata that must not leave."""
    return [
        scored(KINDS[kind](text, {"title": "Lease", "owner": SECRET, **metadata}), score)
        for text, metadata, score in LEASE
    ]


def hits_of(nodes: Sequence[NodeWithScore], mapper: PassageMapper | None = None) -> list[SearchHit]:
    """Return the hits that the core makes of nodes, told apart from the integration."""
    return (mapper or PassageMapper()).hits(
        Passage(
            found.node.get_content(),
            found.node.metadata,
            found.score,
            found.node.node_id,
            found.node.excluded_llm_metadata_keys,
        )
        for found in nodes
    )


class Fixed(BaseRetriever):
    """Finds what it was given."""

    def __init__(self, nodes: list[NodeWithScore]) -> None:
        self.nodes = nodes
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return list(self.nodes)


class Listener(CustomLLM):
    """A model that keeps the prompts it gets and answers each with one word."""

    window: int = 1_000_000
    _prompts: list[str] = PrivateAttr(default_factory=list)

    @property
    def prompts(self) -> list[str]:
        return self._prompts

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=self.window, num_output=16)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        self._prompts.append(prompt)
        return CompletionResponse(text=f"answer{len(self._prompts)}")

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseGen:
        raise NotImplementedError


async def packed(
    processor: ContextPostprocessor,
    nodes: list[NodeWithScore],
    query: QueryBundle | None,
    *,
    asynchronous: bool,
) -> list[NodeWithScore]:
    """Run a postprocessor one way or the other; fail where it changed what came in."""
    before = picture(nodes)
    if asynchronous:
        result = await processor.apostprocess_nodes(nodes, query)
    else:
        result = processor.postprocess_nodes(nodes, query)
    assert picture(nodes) == before
    return result
