"""The reference engine's answers, a test id a case; see conformance/README.md."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Grain,
    RenderingHints,
    SearchHit,
    SharedRenderer,
)

FOLDER = Path(__file__).parent / "conformance"


def cases(name: str) -> list[Any]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", cases("render"))
def test_one_grain(case: dict[str, Any]) -> None:
    grain = Grain(case["grain_type"], case["fields"], case["hash"], case["created_at_sec"])
    hit = SearchHit.model_validate(case)
    policy = FormatPolicy(format=case["format"], metadata=case["metadata"])
    renderer, expect = SharedRenderer(grain.grain_type), case["expect"]
    assert hit.grain == grain
    assert renderer.render(grain, policy) == expect["text"]
    if "summary" in expect:
        assert renderer.render_summary(grain, policy) == expect["summary"]
    assert renderer.token_estimate(grain, policy) == expect["estimate"]
    assert renderer.context_priority(grain, hit) == pytest.approx(expect["priority"], abs=1e-6)


# Four cases at the metadata level full, from before that level was complete: what the reference
# writes, and what completes it.
@pytest.mark.parametrize("case", cases("assembly"))
def test_one_assembly(case: dict[str, Any]) -> None:
    policy = FormatPolicy.model_validate(case["policy"])
    hints = RenderingHints.model_validate(case["hints"])
    context = ContextAssembler().format(case["hits"], policy, hints)
    expect = case["expect"]
    assert context.text == expect["text"]
    assert {name: getattr(context, name) for name in expect} == expect
