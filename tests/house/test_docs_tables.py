"""The tables of the README and of docs/ say what the registries say."""

import re
from pathlib import Path

import pytest

from areev_context import FormatPolicy, Reason
from areev_context.extend import GRAIN_TYPES, PRESETS
from areev_context.layout.all_modes import MODES
from write_tables import DOCS, PAGES, TABLES, tables_in, written

README = (Path(__file__).parents[2] / "README.md").read_text()


def first_column(head: str) -> list[str]:
    table = README.split(f"| {head} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)[1:]


def test_the_modes() -> None:
    assert first_column("mode") == list(MODES)


def test_the_types() -> None:
    assert sorted(first_column("type")) == sorted([*GRAIN_TYPES, "any other"])


def test_the_presets() -> None:
    rows = re.findall(r"^\| (`FormatPolicy.*?) \| (.*?) \| (.*?) \| (.*?) \|$", README, re.M)
    stated = {
        name: (shape.lower().replace(" ", "_"), level, grouped == "by type")
        for names, shape, level, grouped in rows
        for name in re.findall(r"FormatPolicy\.(\w+)", names)
    }
    made = {name: FormatPolicy.preset(name) for name in PRESETS}
    assert stated == {name: (p.format, p.metadata, p.group_by_type) for name, p in made.items()}


def test_the_reasons() -> None:
    section = README.split("## What became of each hit", 1)[1].split("## ", 1)[0]
    assert set(Reason) <= set(re.findall(r"`(\w+)`", section))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_the_tables_of_a_page_are_what_the_registries_write(page: Path) -> None:
    text = page.read_text()
    assert written(text) == text, "python tests/write_tables.py writes them anew"


def test_every_table_stands_in_a_page() -> None:
    assert {name for page in PAGES for name in tables_in(page.read_text())} == set(TABLES)
