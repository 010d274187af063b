"""The Haystack component as a user types it. Checked by mypy and never run."""

from haystack import Document, Pipeline

from areev_context import FormatPolicy, FormattedContext, PassageMapper, RenderingHints
from areev_context.tokens import tiktoken_counter
from haystack_areev_context import ContextPacker


def pipeline() -> Pipeline:
    packer = ContextPacker(
        FormatPolicy.claude(token_budget=2000),
        token_budget=1000,
        mapper=PassageMapper(shown=("title",)),
        counter=tiktoken_counter(),
        hints=RenderingHints(has_time_range=True),
    )
    found = Pipeline()
    found.add_component("packer", packer)
    found.add_component("same", ContextPacker.from_dict(packer.to_dict()))
    return found


async def receipt(documents: list[Document]) -> FormattedContext:
    result = ContextPacker().run(documents=documents, query="query", token_budget=100)
    again = await ContextPacker().run_async(documents=documents)
    return FormattedContext(**(result or again)["receipt"])
