"""The tables of the README say what the registries say."""

import re
from pathlib import Path

from areev_context import GRAIN_TYPES, PRESETS, FormatPolicy, Reason
from areev_context.modes import MODES

README = (Path(__file__).parents[1] / "README.md").read_text()


def first_column(head: str) -> list[str]:
    table = README.split(f"| {head} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)[1:]


def test_the_modes() -> None:
    assert first_column("mode") == list(MODES)


def test_the_types() -> None:
    assert sorted(first_column("type")) == sorted([*GRAIN_TYPES, "any other"])


def test_the_presets() -> None:
    rows = re.findall(r"^\| (`FormatPolicy.*?) \| (.*?) \| (.*?) \| (.*?) \|$", README, re.M)
    told = {
        name: (shape.lower().replace(" ", "_"), level, grouped == "by type")
        for names, shape, level, grouped in rows
        for name in re.findall(r"FormatPolicy\.(\w+)", names)
    }
    made = {name: FormatPolicy.preset(name) for name in PRESETS}
    assert told == {name: (p.format, p.metadata, p.group_by_type) for name, p in made.items()}


def test_the_reasons() -> None:
    told = README.split("## What became of each hit", 1)[1].split("## ", 1)[0]
    assert set(Reason) <= set(re.findall(r"`(\w+)`", told))
