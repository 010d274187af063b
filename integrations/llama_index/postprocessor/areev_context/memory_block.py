"""A block of LlamaIndex's memory that retrieves for the last question, and packs what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from areev_context import FormattedContext, SearchHit
from areev_context.adapters import in_thread
from llama_index.postprocessor.areev_context.packing import (
    NodePacking,
    SourceOption,
    afound,
    hits_from,
)

__all__ = ["ContextMemoryBlock"]

_AROUND = "\n<memory>\n<{name}>\n\n</{name}>\n</memory>\n"  # what a memory's template adds


class _PackedContent(str):
    """The text of a context, with the hits that it was made of, to make a smaller one.

    The memory hands the same object back; so nothing is stored in the block, which many
    conversations may share.
    """

    hits: Sequence[SearchHit]
    query: str
    context: FormattedContext

    @classmethod
    def of(cls, context: FormattedContext, hits: Sequence[SearchHit], query: str) -> Self:
        """Return the content of a context; empty if it shows nothing."""
        content = cls(context.text if context.included_count else "")
        content.hits, content.query, content.context = hits, query, context
        return content


class ContextMemoryBlock(NodePacking, BaseMemoryBlock[str]):
    """A memory block whose content is the context for the last question of the user.

    It retrieves each time that the memory is read. Where the memory has to be cut, the block is
    packed anew into the tokens that are left, and is left out only where nothing fits. It counts
    with LlamaIndex's own tokenizer, as a memory does; a memory with another ``tokenizer_fn`` needs
    the same one here, as `counter`. The block stores no messages: what the source finds is
    the application's own.

    Attributes:
        source: A retriever, or a function, synchronous or not, from the question to what
            `areev_context.hits_of` takes. It is in no dump.
        name: The name of the block, the tag around its text.
        priority: The place in the order of cutting: blocks of a lower priority are cut first, and
            a block of priority 0 never is.
        accept_short_term_memory: Has no effect, because the block stores no messages.
    """

    source: SourceOption = Field(
        exclude=True, repr=False, description="What finds the hits for a question"
    )
    name: str = Field(default="Context", description="The name of the block")
    priority: int = Field(default=1, ge=0, description="Lower ones are cut first, 0 is never cut")
    accept_short_term_memory: bool = Field(default=False, description="Has no effect")

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return a copy that shares the source, which may hold what cannot be copied."""
        return super().__deepcopy__({**(memo or {}), id(self.source): self.source})

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        query = _last_question(messages or ())
        if not query:
            return ""
        result = await afound(self.source, query)
        hits = await in_thread(lambda: hits_from(result, self.mapper))
        return _PackedContent.of(await self._aformat(hits, query), hits, query)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Store nothing: the source has what it finds."""

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Return the content packed anew into fewer tokens; None if nothing fits.

        Args:
            content: What the block returned.
            tokens_to_truncate: The number of tokens by which the content is too long. The tokens
                of the tags around it, which a memory does not count, are saved too.
        """
        if not isinstance(content, _PackedContent):
            return None  # not made here, so nothing is known of its hits
        around = self._tokens(_AROUND.format(name=self.name))
        left = self._tokens(content) - tokens_to_truncate - around
        if left <= 0:
            return None
        context = await self._aformat(content.hits, content.query, token_budget=left)
        return _PackedContent.of(context, content.hits, content.query) or None


def _last_question(messages: Sequence[ChatMessage]) -> str:
    """Return the text of the last message of the user that has one; empty if none has."""
    texts = (m.content for m in reversed(messages) if m.role == MessageRole.USER)
    return next((text for text in texts if text and text.strip()), "")
