"""The public face as a user types it. Checked by mypy and never run."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, assert_type

from areev_context import (
    Comparison,
    ContextAssembler,
    DecidePolicy,
    FormatPolicy,
    FormattedContext,
    Grain,
    GrainTypeDiversity,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
    SharedRenderer,
    Sweep,
    cited_numbers,
    compare,
    escape,
    load_hits,
    sweep,
)
from areev_context.decide import ChainDecider, CommandDecider, ScoreDecider
from areev_context.extend import DecisionBackend, DecisionProvenance


class Tickets(SharedRenderer):
    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        return escape(str(grain.fields["title"]), policy.format)


def read(path: Path) -> list[SearchHit]:
    assert_type(load_hits(path.read_text()), list[SearchHit])
    mapped = PassageMapper(shown=("title",)).hits([Passage(text="text", metadata={"title": "t"})])
    mapped.append(SearchHit(grain_type="fact", fields={"object": "tea"}))
    mapped.append(SearchHit(grain_type="fact", fields={}, hash="ab", recall_source="census"))
    return mapped + [SearchHit.model_validate(row) for row in json.loads(path.read_text())]


def policies() -> list[FormatPolicy]:
    default = FormatPolicy(
        format="plain_text",
        metadata="minimal",
        ordering="as_given",
        group_by_type=False,
        type_order=(),
        token_budget=None,
        query_text=None,
        grain_type_diversity=GrainTypeDiversity(min_per_type=1, max_reservation_pct=0.30),
        include_retracted=False,
        numbered=False,
        highlight_over=10,
        allocation="auto",
    )
    return [
        default,
        FormatPolicy.claude(token_budget=800, query_text="where does john work now?"),
        FormatPolicy.gpt4(),
        FormatPolicy.gemini(),
        FormatPolicy.local_small(),
        FormatPolicy.json_api(),
        default.replace(metadata="full"),
    ]


def use(hits: list[SearchHit], policy: FormatPolicy) -> str:
    hints = RenderingHints(query_text="when did it start?", has_time_range=True)
    context = ContextAssembler(renderers=[Tickets("ticket")]).format(hits, policy, hints)
    assert_type(context, FormattedContext)
    assert_type(ContextAssembler().format(hits, policy, query="which?"), FormattedContext)
    assert_type(context.text, str)
    assert_type(context.estimated_tokens, int)
    assert_type(context.included_count, int)
    assert_type(context.omitted_count, int)
    assert_type(context.truncated, bool)
    assert_type(context.report(), str)
    assert_type(context.to_html(), str)
    table = compare([context, context], names=["one", "two"])
    assert_type(table, Comparison)
    assert_type(table.to_html(), str)
    swept = sweep(hits, policy, budgets=range(200, 400, 50), query="which?", against=policy)
    assert_type(swept, Sweep)
    assert_type(swept.html(), str)
    assert_type(swept.to_dict(), dict[str, Any])
    assert_type(sweep(hits, budgets=(200, 4_000)).budgets, tuple[int, ...])
    for outcome in context.outcomes:
        assert_type(outcome.index, int)
    assert_type(cited_numbers("as said in [1]"), list[int])
    return context.model_dump_json()


class Decider:
    calibrated = True

    def decide(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"model": "m", "answers": {name: {"noul": 0.5} for name in request["questions"]}}

    def describe(self) -> str:
        return "mine"


async def formatted_by_deciders(hits: list[SearchHit]) -> str:
    deciders: list[DecisionBackend] = [
        Decider(),
        CommandDecider(["judge", "--fast"], calibrated=True, redact=str.casefold),
        ScoreDecider(lambda query, texts: [0.5 for _ in texts]),
    ]
    assembler = ContextAssembler(decider=ChainDecider(deciders), counter=len)
    rules = DecidePolicy(intent=True, disclosure=True, drop_below=0.10, full_above=0.50)
    context = await assembler.aformat(hits, FormatPolicy(query_text="which?", decide=rules))
    assert_type(context, FormattedContext)
    assert_type(context.decision, DecisionProvenance | None)
    return context.text
