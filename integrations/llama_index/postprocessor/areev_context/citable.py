"""Blocks that a model cites natively, one for each entry that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.base.llms.types import CitableBlock, TextBlock

from areev_context import FormattedEntries, SearchHit, Source
from areev_context.extend import OutputFormat
from llama_index.postprocessor.areev_context.packing import NodePacking

__all__ = ["citable_blocks", "citable_entries"]

_STEPS = 64  # the text's part of a budget is found to this share of it


def citable_blocks(entries: FormattedEntries) -> list[CitableBlock]:
    """Return one block for each entry, with its text, its title and where it is from.

    Models with citations of their own read them: Anthropic's get ``search_result`` blocks. The
    source of a block is the URL of the entry, else its source, else its id.

    Args:
        entries: What `ContextAssembler.format_each` returned.
    """
    sources: dict[int | None, Source] = {}
    for source in entries.context.sources:
        sources.setdefault(source.index, source)
    return [
        _block(entry.text, sources[entry.index]) for entry in entries.entries if entry.text.strip()
    ]


def _block(text: str, source: Source) -> CitableBlock:
    origin = source.url or source.source or source.id
    return CitableBlock(title=source.title, source=origin, content=[TextBlock(text=text)])


def citable_entries(
    packing: NodePacking, hits: Sequence[SearchHit], query: str
) -> tuple[FormattedEntries, list[CitableBlock]]:
    """Return the entries of hits and their blocks, within the budget with titles and sources.

    The entries are plain text without numbers: a model quotes them as they are.
    """
    policy, hints = packing._asked(query)
    policy = policy.replace(format=OutputFormat.PLAIN_TEXT, numbered=False)
    assembler = packing._assembler()

    def within(budget: int | None) -> tuple[FormattedEntries, list[CitableBlock]]:
        entries = assembler.format_each(hits, policy.replace(token_budget=budget), hints)
        return entries, citable_blocks(entries)

    found = within(policy.token_budget)
    if policy.token_budget is None or _tokens(packing, found[1]) <= policy.token_budget:
        return found
    fits, too_large, found = 0, policy.token_budget, within(0)
    while too_large - fits > max(1, policy.token_budget // _STEPS):
        budget = (fits + too_large) // 2
        tried = within(budget)
        if _tokens(packing, tried[1]) <= policy.token_budget:
            fits, found = budget, tried
        else:
            too_large = budget
    return found


def _tokens(packing: NodePacking, blocks: Sequence[CitableBlock]) -> int:
    parts = [part.text for block in blocks for part in block.content if isinstance(part, TextBlock)]
    return sum(map(packing._tokens, (*parts, *(t for b in blocks for t in (b.title, b.source)))))
