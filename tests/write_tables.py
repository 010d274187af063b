"""The tables of docs/ that the registries write; as a script, put them into the pages.

A table stands in a page between ``<!-- table: NAME -->`` and ``<!-- end of table -->``.
"""

import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from areev_context import FormatPolicy, Reason
from areev_context.extend import GRAIN_TYPES, PRESETS, OutputFormat
from areev_context.formats.registry import FORMATS
from areev_context.layout.all_modes import MODES
from checker import OMITTED, SET_ASIDE, SHOWN
from loader_metadata import LANGCHAIN, LLAMAINDEX

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))

_REGION = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)

_WHEN = {
    "aggregation": "`RenderingHints(entity_count=…)`",
    "timeline": "hints of time, or a phrase in the hints' query, and two dated hits or more",
    "census": 'hits of other sessions (`recall_source="census"`)',
    "highlight": "more hits than `highlight_over`, 10, in order of relevance",
    "default": "otherwise",
}

_MEANS = {
    Reason.FULL: "whole",
    Reason.SUMMARY: "shortened: one line, or the sentences that answer the query",
    Reason.UPDATE: "one half of a line that says what changed",
    Reason.CUT: "too large for the budget even alone: cut, ending in ` […]`",
    Reason.TRIMMED: "another entry shows what is left out of it",
    Reason.OMITTED_BUDGET: "no room",
    Reason.FLOOR_UNAFFORDABLE: "the best of its type, with room reserved, and it does not fit",
    Reason.OMITTED_DECIDER: "a calibrated decider calls it off-topic",
    Reason.OVER_SOURCE_CAP: "too many of one source; no rule of today gives it",
    Reason.WITHHELD: "retracted or rejected: its outcome has no text, type or hash",
    Reason.EXCLUDED_TYPE: "`GrainOverride(include=False)`",
    Reason.OVER_MAX_COUNT: "`GrainOverride(max_count=…)`",
    Reason.SUPERSEDED: "a newer value stands for it",
    Reason.DUPLICATE: "an earlier hit has the same type and hash, or the same text",
    Reason.EMPTY: "an event or a document without text",
}


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _about(module: str) -> str:
    """Return the first line of a module's docstring, its name before a colon left out."""
    line = (importlib.import_module(module).__doc__ or "").splitlines()[0]
    return re.sub(r"^\w[\w ]*: ", "", line).rstrip(".")


def _formats() -> str:
    def yes(value: object) -> str:
        return "yes" if value else "no"

    return _table(
        ["format", "name", "what", "modes", "summaries"],
        (
            [
                _title(name),
                f"`{name}`",
                _about(f"areev_context.formats.{name}"),
                yes(row.takes_modes),
                yes(row.shortens),
            ]
            for name, row in FORMATS.items()
        ),
    )


def _title(name: OutputFormat) -> str:
    words = name.replace("_", " ")
    return words.upper() if name in ("sml", "toon", "json") else words.capitalize()


def _modes() -> str:
    return _table(
        ["mode", "when", "what"],
        ([name, _WHEN[name], _about(f"areev_context.layout.{name}")] for name in MODES),
    )


_MORE = {"document": ("every other field",)}
"""What is shown of a type beside the fields of its row."""


def _types() -> str:
    return _table(
        ["type", "section", "base priority", "fields that are shown", "TOON's columns"],
        (
            [
                row.name,
                row.section,
                f"{row.base:.2f}",
                ", ".join((*row.fields, *_MORE.get(row.name, ()))),
                ", ".join(row.columns),
            ]
            for row in GRAIN_TYPES.values()
        ),
    )


def _presets() -> str:
    made = {name: FormatPolicy.preset(name) for name in PRESETS}
    return _table(
        ["preset", "format", "metadata", "grouped by type"],
        (
            [f"`FormatPolicy.{name}()`", _title(p.format), p.metadata, _grouped(p)]
            for name, p in made.items()
        ),
    )


def _grouped(policy: FormatPolicy) -> str:
    return "yes" if policy.group_by_type else "no"


def _reasons() -> str:
    return _table(
        ["reason", "", "means"],
        ([f"`{reason}`", _outcome(reason), _MEANS[reason]] for reason in Reason),
    )


def _outcome(reason: Reason) -> str:
    outcomes = {"shown": SHOWN, "omitted": OMITTED, "set aside": SET_ASIDE}
    return next((outcome for outcome, reasons in outcomes.items() if reason in reasons), "withheld")


def _loaders() -> str:
    return _table(
        ["loader or reader", "of", "its keys that are read", "shown as"],
        (
            [each.loader, framework, ", ".join(each.read), ", ".join(each.shown)]
            for framework, rows in (("LangChain", LANGCHAIN), ("LlamaIndex", LLAMAINDEX))
            for each in rows
        ),
    )


TABLES: dict[str, Callable[[], str]] = {
    "formats": _formats,
    "modes": _modes,
    "types": _types,
    "presets": _presets,
    "reasons": _reasons,
    "loaders": _loaders,
}


def written(page: str) -> str:
    """Return a page with its tables as the registries have them now."""
    return _REGION.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}\n{found[3]}", page)


def tables_in(page: str) -> Iterator[str]:
    """Yield the names of the tables that stand in a page."""
    return (found[2] for found in _REGION.finditer(page))


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(written(path.read_text()))
