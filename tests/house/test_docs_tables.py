"""The tables of docs/ say what the registries say, and figures what the benchmarks measured."""

import re
from pathlib import Path

import pytest

from areev_context import FormatPolicy, Reason
from areev_context.extend import GRAIN_TYPES, PRESETS
from areev_context.layout.all_modes import MODES
from write_tables import DOCS, PAGES, TABLES, tables_in, written

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
TOUR = (DOCS / "tour.md").read_text()
MEASURED = (ROOT / "benchmarks" / "README.md").read_text()


def first_column(head: str) -> list[str]:
    table = TOUR.split(f"| {head} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)[1:]


def test_the_modes() -> None:
    assert first_column("mode") == list(MODES)


def test_the_types() -> None:
    assert sorted(first_column("type")) == sorted([*GRAIN_TYPES, "any other"])


def test_the_presets() -> None:
    rows = re.findall(r"^\| (`FormatPolicy.*?) \| (.*?) \| (.*?) \| (.*?) \|$", TOUR, re.M)
    stated = {
        name: (shape.lower().replace(" ", "_"), level, grouped == "by type")
        for names, shape, level, grouped in rows
        for name in re.findall(r"FormatPolicy\.(\w+)", names)
    }
    made = {name: FormatPolicy.preset(name) for name in PRESETS}
    assert stated == {name: (p.format, p.metadata, p.group_by_type) for name, p in made.items()}


def test_the_reasons() -> None:
    section = TOUR.split("## What became of each hit", 1)[1].split("## ", 1)[0]
    assert set(Reason) <= set(re.findall(r"`(\w+)`", section))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_the_tables_of_a_page_are_what_the_registries_write(page: Path) -> None:
    text = page.read_text()
    assert written(text) == text, "python tests/write_tables.py writes them anew"


def test_every_table_stands_in_a_page() -> None:
    assert {name for page in PAGES for name in tables_in(page.read_text())} == set(TABLES)


PACKERS = {
    "this, `gpt4`": "gpt4",
    "this, `claude`": "claude",
    "whole passages in rank order": "greedy_skip",
    "cut at the end": "naive_truncate",
    "the same, cut at the end": "naive_truncate",
    "LangChain's stuff chain": "langchain_approx",
    "LangChain's stuff chain, counted approximately": "langchain_approx",
    "promptbudget": "promptbudget",
    "contextcram": "contextcram",
    "llm-ctxpack": "llm_ctxpack",
}
"""The packers as the pages name them, and as benchmarks/README.md does."""


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def measured(packer: str) -> tuple[str, str, str, str]:
    """Return the mean, the units intact, the texts over the budget, and the milliseconds."""
    rows = [cells(line) for line in MEASURED.splitlines() if line.startswith(f"| {packer} |")]
    mean, counts = rows[0], rows[1]  # the first two tables are of all questions
    units = MEASURED.split("## Keep the unit")[1].splitlines()
    intact = [cells(line)[1] for line in units if line.startswith(f"| {packer} |")]
    return mean[1], "".join(intact) or "–", f"{int(counts[8]):,}", counts[9]


def test_the_figures_of_the_readme_are_those_measured() -> None:
    lines = README.split("| measured |")[1].split("\n\n")[0].splitlines()
    names = cells(lines[0])
    columns = [cells(line)[1:] for line in lines[2:]]
    assert len(columns) == 3
    for name, *stated in zip(names, *columns, strict=True):
        expected = [cell.replace("–", "not measured") for cell in measured(PACKERS[name])[:3]]
        assert stated == expected


def test_the_figures_of_why_not_just_are_those_measured() -> None:
    lines = (DOCS / "why.md").read_text().split("| packer |")[1].split("\n\n")[0].splitlines()
    rows = [cells(line) for line in lines[2:]]
    assert len(rows) == 8
    for name, *stated in rows:
        assert tuple(stated) == measured(PACKERS[name])


def test_other_figures_stand_in_the_benchmarks() -> None:
    page = (DOCS / "why.md").read_text() + (DOCS / "migrate/long-context-reorder.md").read_text()
    source = MEASURED + (DOCS / "allocation.md").read_text()
    figures = set(re.findall(r"\d+\.\d(?!\d)", page))
    assert len(figures) > 20
    assert {each for each in figures if not re.search(rf"(?<![\d.]){each}(?!\d)", source)} == set()
