"""`awkward.py` through every format, mode and metadata level, and through the command line.

No exception, no law broken: each page is read back by its format's reader and compared piece by
piece, the outcomes add up, and what was printed is what was assembled.
"""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
    load_hits,
)
from areev_context.cli import main
from areev_context.extend import MetadataLevel, OutputFormat
from areev_context.formats.registry import FORMATS
from awkward import (
    BUDGETS,
    DATES,
    ENGINE_ROWS,
    SIZES,
    TEXTS,
    TOON_STRINGS,
)
from checker import check
from laws.expected import assembled, page_of, same
from laws.readers import READERS
from laws.situations import COMBINATIONS, Row, chain, everything, situated
from laws.strategies import KNOWN, METADATA_GROUPS, SCORE_GROUPS, SHORT, Case

LEVELS = list(MetadataLevel)


def scored(values: list[Any]) -> list[Row]:
    return [
        {"grain_type": "fact", "fields": {"subject": f"s{n}", "object": "o"}, "score": value}
        for n, value in enumerate(values)
    ]


def dated() -> list[Row]:
    return [
        {"grain_type": "event", "fields": {"content": f"c{n}", "created_at": value}, key: value}
        for n, value in enumerate(DATES)
        for key in ("created_at", "created_at_sec")
    ]


def with_metadata(metadata: dict[Any, Any]) -> list[Row]:
    """Return rows that hold odd metadata as fields, in the row itself, and deep inside."""
    return [
        {"grain_type": "document", "fields": {"content": "c", **metadata}},
        {"grain_type": "ticket", "fields": metadata, "hash": metadata, "id": metadata},
        {"grain_type": "state", "fields": {"context": metadata}, "score": metadata},
        {"grain_type": "recommendation", "fields": {"summary": {"args": metadata}}},
        {
            "grain_type": "event",
            "fields": {"content_blocks": [{"type": "tool_use", "input": metadata}]},
        },
        {"grain_type": "fact", "fields": {"subject": metadata}, "created_at_sec": metadata},
    ]


ROWS: dict[str, list[Row]] = {
    **{f"text {n}": everything(t) for n, t in enumerate([*SHORT, *TOON_STRINGS]) if t.strip()},
    "empty texts": [{"grain_type": kind, "fields": {"content": "", "name": ""}} for kind in KNOWN],
    **{f"scores: {name}": scored(values) for name, values in SCORE_GROUPS.items()},
    **{f"metadata: {name}": with_metadata(group) for name, group in METADATA_GROUPS.items()},
    "dates": dated(),
    "sizes": scored(SIZES),
    "engine": list[Any](ENGINE_ROWS),
    "a chain": chain("", "", "a"),
    "nothing": [],
}
OPTIONS: list[Row] = [
    {"numbered": True},
    {"group_by_type": True, "token_budget": 60},
    {"ordering": "by_entity", "token_budget": 400, "grain_type_diversity": None},
]


def holds(case: Case) -> None:
    context, outline = assembled(case)
    check(context, len(case.hits), case.policy)
    form = case.policy.format
    context.text.encode()
    same(READERS[form](context.text), page_of(outline, form, case.policy.metadata), form)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("form", "mode"), COMBINATIONS)
def test_every_awkward_value(form: str, mode: str, level: str) -> None:
    turn = itertools.cycle(OPTIONS)
    for found in ROWS.values():
        holds(situated(found, form, mode, metadata=level, **next(turn)))
        hits = tuple(load_hits(found))
        holds(Case(hits, FormatPolicy(format=form, metadata=level), RenderingHints()))


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize(("form", "mode"), COMBINATIONS)
def test_every_budget(form: str, mode: str, budget: int | None) -> None:
    holds(situated(everything("note\n## Facts"), form, mode, token_budget=budget))


@pytest.mark.parametrize("form", FORMATS)
def test_huge_texts(form: OutputFormat) -> None:
    """As the text of some types, whole and as a summary, with a query that its sentences answer."""
    huge = TEXTS["huge"]
    assert len(huge) > 100_000
    found: list[Row] = [
        {"grain_type": "document", "fields": {"content": huge, "title": "t"}},
        {"grain_type": "event", "fields": {"content": f"x\n{huge}\n- y"}},
        {"grain_type": "fact", "fields": {"subject": "s", "relation": "r", "object": huge}},
        {"grain_type": huge[:5000], "fields": {huge[:5000]: huge}},
    ]
    for budget in (None, 100_000):
        policy = FormatPolicy(
            format=form, token_budget=budget, grain_type_diversity=None, query_text="word"
        )
        holds(Case(tuple(map(SearchHit.model_validate, found)), policy, RenderingHints()))


@pytest.mark.parametrize("name", METADATA_GROUPS)
@pytest.mark.parametrize("form", FORMATS)
def test_awkward_metadata_of_a_passage(form: OutputFormat, name: str) -> None:
    group = METADATA_GROUPS[name]
    passages = [
        Passage("c", group, score, "id")
        for score in (*itertools.chain(*SCORE_GROUPS.values()), *group.values())
    ]
    passages += [Passage(None, {**group, "grain_type": kind}) for kind in ("fact", "state", "x")]
    for shown in (("title", "source", "page"), tuple(key for key in group if isinstance(key, str))):
        hits = PassageMapper(shown=shown).hits(passages)
        assert len(hits) == len(passages)
        holds(Case(tuple(hits), FormatPolicy(format=form, numbered=True), RenderingHints()))


# --- the command line -------------------------------------------------------------------------


def as_text(value: object) -> str:
    """Say what JSON has no form for: the engine's rows come as JSON text."""
    try:
        return str(value)
    except RuntimeError:
        return "?"


def dumped(found: list[Row]) -> str:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {k if isinstance(k, str) else as_text(k): plain(v) for k, v in value.items()}
        return [plain(item) for item in value] if isinstance(value, list) else value

    return json.dumps(plain(found), default=as_text)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("form", FORMATS)
def test_the_command_prints_what_was_assembled(
    form: str, level: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "rows.json"
    turn = itertools.cycle([[], ["--group-by-type"], ["--numbered", "--budget", "60"]])
    for name, found in ROWS.items():
        options = next(turn)
        file.write_text(dumped(found))
        query = "when did [CURRENT]\n## x \ud83d happen?"
        words = [str(file), "--format", form, "--metadata", level, "--query", query, "--report"]
        assert main([*words, *options]) == 0, name
        printed = capsysbinary.readouterr()
        policy = FormatPolicy(
            format=form,
            metadata=level,
            query_text=query,
            group_by_type="--group-by-type" in options,
            numbered="--numbered" in options,
            token_budget=60 if "--budget" in options else None,
        )
        context = ContextAssembler().format(
            load_hits(file.read_bytes()), policy, RenderingHints(query_text=query)
        )
        assert printed.out == (f"{context.text}\n" if context.text else "").encode(), name
        assert printed.err == f"{context.report()}\n".encode(), name


BAD = {
    "no JSON": b"{",
    "no rows": b"3",
    "no list": b'{"rows": []}',
    "a row that is none": b'[{"grain_type": "fact", "fields": {}}, 7]',
    "a row without a type": b'[{"fields": {}}]',
    "a type that is a number": b'[{"type": 3, "fields": {}}]',
    "fields that are a list": b'[{"type": "fact", "fields": []}]',
    "no UTF-8": b'["\xff"]',
    "a depth": b"[" * 200_000,
    "a long number": b"[" + b"9" * 10_000 + b"]",
    "nothing": b"",
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_what_cannot_be_read_is_one_line(
    content: bytes, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "rows.json"
    file.write_bytes(content)
    assert main([str(file)]) == 2
    printed = capsysbinary.readouterr()
    assert printed.out == b""
    assert printed.err.count(b"\n") == 1


@pytest.mark.parametrize("budget", ["-1", "10.5", "nan", "True", "x", "", "1_0_"])
def test_a_wrong_budget_is_one_line(
    budget: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "rows.json"
    file.write_text("[]")
    assert main([str(file), f"--budget={budget}"]) == 2
    printed = capsysbinary.readouterr()
    assert printed.out == b""
    assert printed.err.count(b"\n") == 1
