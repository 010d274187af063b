"""Chains of replaced values: no stale value passes for one that counts, however long or broken."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    Reason,
    RenderingHints,
    load_hits,
)
from laws.drawing import drawn

Row = dict[str, Any]
FORMS = ["markdown", "plain_text", "sml"]
LEVELS = ["none", "minimal", "full"]
MODES: dict[str, Row] = {"default": {}, "timeline": {"has_temporal_expr": True}, "census": {}}


def link(n: int, newer: int | None, **known: Any) -> Row:
    """A fact of value ``v<n>x``, replaced by that of another number."""
    return {
        "grain_type": "fact",
        "hash": f"h{n}",
        "created_at": 1_700_000_000 + 86_400 * n,
        "superseded_by_hash": None if newer is None else f"h{newer}",
        "fields": {"subject": "plan", "relation": "is", "object": f"v{n}x"},
        **known,
    }


def chain(length: int) -> list[Row]:
    return [link(n, n + 1 if n + 1 < length else None) for n in range(length)]


@dataclass(frozen=True)
class Case:
    """One call: rows, and how they are formatted."""

    rows: list[Row]
    mode: str
    policy: FormatPolicy

    def context(self) -> FormattedContext:
        hits = load_hits(self.rows)
        hints = RenderingHints(**MODES.get(self.mode, {}))
        if self.mode == "each":
            return ContextAssembler().format_each(hits, self.policy, hints).context
        return ContextAssembler().format(hits, self.policy, hints)


def unmarked(text: str) -> set[int]:
    """Return the values that a page shows as if they counted."""
    found = set()
    for line in text.splitlines():
        rest = re.sub(' old="[^"]*"', "", line.rpartition("→")[2])  # not the old half of an update
        if "[OUTDATED]" not in rest:
            found |= {int(n) for n in re.findall(r"v(\d+)x", rest)}
    return found


def stale(rows: list[Row]) -> set[int]:
    """Return the numbers of the rows that name a successor other than themselves."""
    return {n for n, row in enumerate(rows) if row["superseded_by_hash"] not in (None, row["hash"])}


@pytest.mark.parametrize("mode", [*MODES, "each"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("broken", ["whole", "absent", "retracted", "excluded", "cut", "cycle"])
def test_no_value_of_a_chain_but_the_newest_counts(
    broken: str, form: str, level: str, mode: str
) -> None:
    rows, limits = chain(12), {}
    if mode == "census":
        rows[0]["recall_source"] = "census"
    if broken == "absent":
        rows[5]["hash"] = "another"
    elif broken == "retracted":
        rows[5]["fields"]["verification_status"] = "retracted"
    elif broken == "excluded":
        rows[5]["grain_type"] = "goal"
        limits = {"goal": {"include": False}}
    elif broken == "cut":
        limits = {"fact": {"max_count": 11}}
    elif broken == "cycle":
        rows[11]["superseded_by_hash"] = "h4"
    policy = FormatPolicy(format=form, metadata=level, grain_overrides=limits)
    shown = Case(rows, mode, policy).context().text
    newest_is_there = broken != "cycle" and not (broken == "cut" and mode != "default")
    assert unmarked(shown) == ({11} if newest_is_there else set())
    assert newest_is_there or "[OUTDATED]" in shown


def test_what_the_recall_itself_does_not_decide_has_no_mark_without_metadata() -> None:
    rows = [link(0, 1, supersession_status="superseded"), link(1, None)]
    policy = FormatPolicy(metadata="none")
    assert ContextAssembler().format(rows, policy).text == "plan is v0x\nplan is v1x"


@pytest.mark.parametrize("level", LEVELS)
def test_a_table_has_no_marks_and_so_no_replaced_value(level: str) -> None:
    policy = FormatPolicy(format="toon", metadata=level)
    context = Case(chain(3), "timeline", policy).context()
    assert [str(o.reason) for o in context.outcomes] == ["superseded", "superseded", "full"]


@pytest.mark.parametrize("backwards", [False, True])
def test_a_very_long_chain_is_one_update(backwards: bool) -> None:
    rows = chain(5_000)
    context = Case(rows[::-1] if backwards else rows, "default", FormatPolicy()).context()
    assert context.text.count("\n") == 1
    assert '"v0x" (2023-11-14) → "v4999x" (' in context.text
    assert [o.reason for o in context.outcomes].count(Reason.SUPERSEDED) == 4_998


def test_a_very_long_cycle_is_none() -> None:
    rows = chain(5_000)
    rows[-1]["superseded_by_hash"] = "h0"
    context = Case(rows, "default", FormatPolicy(highlight_over=None)).context()
    assert context.included_count == 5_000
    assert context.text.count("[OUTDATED]") == 5_000


@st.composite
def graphs(draw: st.DrawFn) -> list[Row]:
    """Rows that replace one another at random: trees, cycles, ways out, withheld ones."""
    size = draw(st.integers(1, 14))
    rows = []
    for n in range(size):
        newer = draw(st.one_of(st.none(), st.just(n + 1), st.integers(0, size + 2)))
        rows.append(link(n, newer))
        if draw(st.integers(0, 9)) == 0:
            rows[-1]["fields"]["verification_status"] = "retracted"
    return rows


@st.composite
def cases(draw: st.DrawFn) -> Case:
    rows = draw(graphs())
    mode = draw(st.sampled_from([*MODES, "each"]))
    if mode == "census":
        rows[draw(st.integers(0, len(rows) - 1))]["recall_source"] = "census"
    most = draw(st.one_of(st.none(), st.integers(0, 6)))
    limits = {} if most is None else {"fact": {"max_count": most}}
    policy = FormatPolicy(
        format=draw(st.sampled_from(FORMS)),
        metadata=draw(st.sampled_from(LEVELS)),
        numbered=draw(st.booleans()),
        grain_overrides=limits,
    )
    return Case(draw(st.permutations(rows)) if draw(st.booleans()) else rows, mode, policy)


@drawn(case=cases())
def test_no_graph_shows_a_stale_value_as_one_that_counts(case: Case) -> None:
    context = case.context()
    numbers = [int(row["hash"][1:]) for row in case.rows]
    old = {numbers[place] for place in stale(case.rows)}
    assert not unmarked(context.text) & old
    seen = [row for row in case.rows if "verification_status" not in row["fields"]]
    assert context.text == Case(seen, case.mode, case.policy).context().text


@drawn(rows=graphs())
def test_a_graph_has_one_update_for_each_way_from_an_oldest_to_a_current_value(
    rows: list[Row],
) -> None:
    context = Case(rows, "default", FormatPolicy(highlight_over=None)).context()
    newer = {
        n: int(str(rows[n]["superseded_by_hash"])[1:])
        for n in stale(rows)
        if "verification_status" not in rows[n]["fields"]
    }
    there = {n for n, row in enumerate(rows) if "verification_status" not in row["fields"]}
    for n in there:
        end, steps = n, 0
        while end in newer and steps <= len(rows):
            end, steps = newer[end], steps + 1
        ends_well = n in newer and steps <= len(rows) and end in there
        oldest = n not in newer.values()
        line = f'"v{n}x" ('
        replaced = f'→ "v{end}x"'
        assert ends_well == (context.outcomes[n].reason in ("update", "superseded")) or (
            n not in newer
        )
        assert (ends_well and oldest) == any(
            f": {line}" in each and replaced in each for each in context.text.splitlines()
        )
