"""Options that are misspelt, or take a value they do not have: each line here is refused.

Checked by mypy and pyright, which both complain of an ignore that is not needed; never run.
"""

from areev_context import (
    ContextAssembler,
    DecidePolicy,
    FormatPolicy,
    GrainOverride,
    GrainTypeDiversity,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
)
from langchain_areev_context import ContextCompressor, ContextRunnable
from llama_index.postprocessor.areev_context import ContextPostprocessor


def options(policy: FormatPolicy) -> None:
    FormatPolicy(fromat="sml")  # type: ignore[call-arg]
    FormatPolicy(format="html")  # type: ignore[arg-type]
    FormatPolicy(metadata="ful")  # type: ignore[arg-type]
    FormatPolicy.claude(token_budgt=800)  # type: ignore[call-arg]
    FormatPolicy.gpt4(token_budget="800")  # type: ignore[arg-type]
    FormatPolicy.preset("claude", budget=800)  # type: ignore[call-arg]
    policy.replace(metdata="full")  # type: ignore[call-arg]
    policy.replace(formt="sml")  # type: ignore[call-arg]
    policy.replace(ordering="newest")  # type: ignore[arg-type]
    RenderingHints(entity_cuont=2)  # type: ignore[call-arg]
    DecidePolicy(drop_bellow=0.1)  # type: ignore[call-arg]
    GrainOverride(max=2)  # type: ignore[call-arg]
    GrainTypeDiversity(min_type=2)  # type: ignore[call-arg]


def hits() -> None:
    SearchHit(grain_type="fact")  # type: ignore[call-arg]
    SearchHit(grain_type="fact", field={})  # type: ignore[call-arg]
    SearchHit(grain_type="fact", fields={}, conflict_status="old")  # type: ignore[arg-type]
    Passage("text", metdata={})  # type: ignore[call-arg]
    PassageMapper(show=("title",))  # type: ignore[call-arg]


def calls(found: list[SearchHit], policy: FormatPolicy) -> None:
    ContextAssembler(decidr=None)  # type: ignore[call-arg]
    ContextAssembler().format(found, policy, querry="where?")  # type: ignore[call-arg]
    ContextAssembler().format_each(found, polcy=policy)  # type: ignore[call-arg]


def integrations(policy: FormatPolicy) -> None:
    ContextRunnable(retruns="text")  # type: ignore[call-overload]
    ContextRunnable(returns="documents")  # type: ignore[call-overload]
    ContextCompressor(polcy=policy)  # type: ignore[call-arg]
    ContextCompressor(returns="text")  # type: ignore[arg-type]
    ContextPostprocessor(token_budgt=800)  # type: ignore[call-arg]
    ContextPostprocessor(returns="single")  # type: ignore[arg-type]
