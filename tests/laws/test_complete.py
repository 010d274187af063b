"""Full is complete: of every subset of a type's fields, each text stands in the line."""

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from areev_context import FormatPolicy, Grain, SharedRenderer
from areev_context.extend import MetadataLevel
from areev_context.formats.registry import FORMATS
from laws.drawing import drawn

Fields = dict[str, Any]
TOUR = (Path(__file__).parents[2] / "docs" / "tour.md").read_text(encoding="utf-8")
LINES = ("sml", "markdown", "plain_text")

TEXTS: dict[str, str] = {
    "fact": "subject relation object",
    "event": "content relation role speaker",
    "goal": "description subject goal_state priority criteria",
    "tool": "tool_name tool_content error",
    "observation": "observer_id subject object content",
    "reasoning": "conclusion inference_method",
    "workflow": "name trigger",
    "consensus": "agreed_content threshold",
    "consent": "subject_did scope grantee_did",
    "skill": "name domain description",
    "recommendation": "target_ref severity",
    "trigger": "kind scope description name connector cron workflow",
}
"""The fields of each type that hold a text."""

OTHERS: dict[str, Fields] = {
    "event": {"content_blocks": "none", "tool_calls": [{"name": "look", "args": {}}]},
    "goal": {"progress": 0.37},
    "tool": {"is_error": True, "duration_ms": 5},
    "reasoning": {"premises": ["p"]},
    "workflow": {"nodes": ["n"], "edges": [{"src": "a", "dst": "b"}], "bindings": {"n": "h"}},
    "consensus": {"agreement_count": 2, "dissent_count": 1},
    "consent": {"is_withdrawal": True},
    "skill": {"proficiency": 0.5, "practice_count": 7},
    "recommendation": {"summary": {"args": {"a": "b"}}},
}
"""The fields of each type that hold something else, with what they hold."""


def valued(names: list[str]) -> Fields:
    """Return fields of these names, each with a text that stands nowhere else."""
    return {name: f"zq{place:02}z" for place, name in enumerate(names)}


def subsets(fields: Fields) -> Iterator[Fields]:
    for size in range(len(fields) + 1):
        for names in combinations(fields, size):
            yield {name: fields[name] for name in names}


def line_of(kind: str, fields: Fields, form: str, level: str) -> str:
    policy = FormatPolicy(format=form, metadata=level)
    return SharedRenderer(kind).render(Grain(kind, fields, "0123456789abcdef", 0), policy)


def shown(kind: str, fields: Fields, form: str) -> set[str]:
    """Return the texts among these fields that the level full promises to show."""
    names = set(TEXTS[kind].split()) & set(fields)
    if kind == "event":  # one of the three says who speaks
        speakers = [name for name in ("relation", "role", "speaker") if name in names]
        names -= set(speakers[1:])
    if kind == "observation" and form == "sml" and "object" in names:
        names.discard("content")  # it stands for an object that is not there
    if kind == "goal" and form == "markdown" and not _leaves_a_text_out(names):
        names -= {"goal_state", "priority"}  # the reference's line of a goal has them elsewhere
    return names


def _leaves_a_text_out(names: set[str]) -> bool:
    return "criteria" in names and bool(names & {"description", "subject"})


def test_the_table_of_the_tour_names_these_fields() -> None:
    table = TOUR.split("| type | fields |", 1)[1].split("\n\n", 1)[0]
    rows = dict(re.findall(r"^\| (\w+) \| (.*) \|$", table, re.MULTILINE))
    for kind in set(rows) - {"state", "document"}:
        named = set(re.findall(r"\w+", rows[kind])) - {"or"}
        assert named == {*TEXTS[kind].split(), *OTHERS.get(kind, ())}
    assert set(TEXTS) == set(rows) - {"state", "document"}


@pytest.mark.parametrize("form", LINES)
@pytest.mark.parametrize("kind", TEXTS)
def test_every_text_of_a_type_is_shown_at_full(kind: str, form: str) -> None:
    everything = valued(TEXTS[kind].split()) | OTHERS.get(kind, {})
    for fields in subsets(everything):
        line = line_of(kind, fields, form, "full")
        missing = {name for name in shown(kind, fields, form) if fields[name] not in line}
        assert not missing, (fields, line)


@pytest.mark.parametrize("level", MetadataLevel)
@pytest.mark.parametrize("form", FORMATS)
def test_every_part_of_a_fact_is_shown(form: str, level: str) -> None:
    beside = valued(["subject", "relation", "object", "name", "tool_name", "content", "body"])
    for fields in subsets(beside):
        line = line_of("fact", fields, form, level)
        parts = {"subject", "relation", "object"} & set(fields)
        assert all(fields[name] in line for name in parts), (fields, line)


@pytest.mark.parametrize("level", MetadataLevel)
@pytest.mark.parametrize("form", FORMATS)
def test_every_field_of_an_unknown_type_is_shown(form: str, level: str) -> None:
    names = ["subject", "relation", "object", "content", "description", "name", "tool_name"]
    everything = valued([*names, "goal_state", "severity"]) | {"is_error": "zq98z"}
    for fields in subsets(everything):
        line = line_of("note", fields, form, level)
        assert all(value in line for value in fields.values()), (fields, line)


_names = st.one_of(
    st.sampled_from([
        "subject", "relation", "object", "content", "body", "tool_content", "description", "name",
        "tool_name", "goal_state", "progress", "proficiency", "practice_count", "is_error", "tags",
        "verification_status", "criteria", "scope", "",
    ]),
    st.text("abc_. 0", max_size=3),
)  # fmt: skip


@drawn(
    names=st.lists(_names, max_size=12, unique=True),
    form=st.sampled_from(list(FORMATS)),
    data=st.data(),
)
def test_every_field_of_an_unknown_type_is_shown_whatever_it_is_called(
    names: list[str], form: str, data: st.DataObject
) -> None:
    level = data.draw(st.sampled_from(list(MetadataLevel)))
    listed = data.draw(st.sets(st.sampled_from(names)) if names else st.just(set[str]()))
    fields = {name: [value] if name in listed else value for name, value in valued(names).items()}
    line = line_of("note", fields, form, level)
    assert all(value in line for value in valued(names).values()), (fields, line)


@pytest.mark.parametrize("level", MetadataLevel)
@pytest.mark.parametrize("form", ["markdown", "plain_text"])
@pytest.mark.parametrize("kind", [*(kind for kind in TEXTS if kind != "event"), "state", "note"])
def test_a_grain_of_nothing_is_no_empty_line(kind: str, form: str, level: str) -> None:
    assert line_of(kind, {}, form, level).removeprefix("- ").strip("\\ ")
