"""Show one hit of each grain type in every format and mode, and through both adapters.

Prints the formats, modes and types that were shown as JSON; fails where a hit is lost, or where the
text and the receipt do not agree.
"""

import json
from collections.abc import Sequence
from typing import Any

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
)
from areev_context.extend import FORMATS, GRAIN_TYPES, MODES
from checker import check
from leads import LEADS, Lead
from runtime import INTEGRATIONS, installed

if "board" in MODES:
    LEADS["board"] = Lead(hints={"query_text": "what is on the board?"})
TYPES = [*GRAIN_TYPES, "unheard-of"]
RETRACTED = "zzretractedzz"
SHOWN_WHOLE = ("ticket",)
"""Types that are only their row: their summary shows their text too."""


def word(place: int) -> str:
    return f"zz{place:03}zz"


def passages(lead: Lead) -> list[Passage]:
    """Return one passage of each type, each with a word of its own, and one that is retracted."""
    rows = [*lead.rows, *({} for _ in TYPES)]
    found = [
        Passage(word(n), {"grain_type": name, **_own(name, word(n)), **_known(rows[n])})
        for n, name in enumerate(TYPES)
    ]
    about = {"grain_type": TYPES[0], "verification_status": "retracted"}
    return [*found, Passage(RETRACTED, about)]


def _own(grain_type: str, text: str) -> dict[str, str]:
    """Return the names that a type has, which the reference shows where it leaves out a text."""
    fields = GRAIN_TYPES[grain_type].fields if grain_type in GRAIN_TYPES else ()
    return {name: text for name in ("name", "trigger") if name in fields}


def _known(row: dict[str, Any]) -> dict[str, Any]:
    return {name.removesuffix("_sec"): value for name, value in row.items()}


def agree(context: FormattedContext) -> None:
    """Fail unless the text shows the word of every hit that its receipt shows, and no other."""
    assert RETRACTED not in context.text + context.model_dump_json()
    for outcome in context.outcomes[: len(TYPES)]:
        is_there = word(outcome.index) in context.text
        if outcome.allocation == "full" or outcome.grain_type in SHOWN_WHOLE:
            assert is_there == (outcome.allocation != "omit"), (context.text, outcome)
        else:
            assert not is_there or outcome.allocation == "summary", (context.text, outcome)


def formatted(
    hits: Sequence[SearchHit], policy: FormatPolicy, hints: RenderingHints, mode: str
) -> None:
    for counter in (None, len):
        context = ContextAssembler(counter=counter).format(hits, policy, hints)
        check(context, len(hits), policy)
        agree(context)
        if policy.token_budget is None:
            assert context.included_count == len(TYPES), context.text
            assert context.mode == (mode if FORMATS[policy.format].takes_modes else "default")
            for outcome in context.outcomes[: len(TYPES)]:
                assert outcome.allocation == "full"
        elif counter is not None:
            assert counter(context.text) <= policy.token_budget


# The frameworks are imported where they are installed.
def through_langchain(found: list[Passage], policy: FormatPolicy, hints: RenderingHints) -> None:
    from langchain_core.documents import Document  # noqa: PLC0415

    from langchain_areev_context import ContextCompressor, ContextRunnable  # noqa: PLC0415

    documents = [Document(p.text or "", metadata=dict(p.metadata)) for p in found]
    pack = ContextRunnable(policy=policy, hints=hints, returns="result")
    context = pack.invoke(documents)
    assert isinstance(context, FormattedContext)
    agree(context)
    assert context.included_count == len(TYPES)
    if FORMATS[policy.format].shortens:
        each = ContextCompressor(policy=policy, hints=hints, returns="documents")
        shown = each.compress_documents(documents, "")
        assert len(shown) == len(TYPES)
        assert all(any(word(n) in one.page_content for one in shown) for n in range(len(TYPES)))


def through_llamaindex(found: list[Passage], policy: FormatPolicy, hints: RenderingHints) -> None:
    from llama_index.core.schema import NodeWithScore, TextNode  # noqa: PLC0415

    from llama_index.postprocessor.areev_context import ContextPostprocessor  # noqa: PLC0415

    nodes = [
        NodeWithScore(node=TextNode(text=p.text or "", metadata=dict(p.metadata))) for p in found
    ]
    (whole,) = ContextPostprocessor(policy=policy, hints=hints).postprocess_nodes(nodes)
    agree(FormattedContext(text=whole.node.get_content(), **whole.node.metadata))
    if FORMATS[policy.format].shortens:
        each = ContextPostprocessor(policy=policy, hints=hints, returns="nodes")
        shown = each.postprocess_nodes(nodes)
        assert len(shown) == len(TYPES)
        assert all(any(word(n) in one.text for one in shown) for n in range(len(TYPES)))


def main() -> None:
    have_frameworks = all(installed(module) for module in INTEGRATIONS.values())
    assert set(LEADS) == set(MODES)
    for format in FORMATS:
        for mode in MODES:
            lead = LEADS[mode]
            found, hints = passages(lead), RenderingHints(**lead.hints)
            hits = PassageMapper().hits(found)
            assert [hit.grain_type for hit in hits][: len(GRAIN_TYPES)] == list(GRAIN_TYPES)
            options: dict[str, Any] = {"format": format, "highlight_over": None, **lead.policy}
            for level in ("none", "full"):
                for grouped in (False, True):
                    for budget in (None, 60, 200):
                        policy = FormatPolicy(
                            **options, metadata=level, group_by_type=grouped, token_budget=budget,
                            numbered=grouped,
                        )  # fmt: skip
                        formatted(hits, policy, hints, mode)
            if have_frameworks:
                through_langchain(found, FormatPolicy(**options), hints)
                through_llamaindex(found, FormatPolicy(**options), hints)
    shown = {"formats": list(FORMATS), "modes": list(MODES), "types": list(GRAIN_TYPES)}
    print(json.dumps(shown))


if __name__ == "__main__":
    main()
