"""The real engine as a peer: what it returns is read, and what it prints is compared with ours."""

import json
import platform
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Reason,
    RenderingHints,
    SearchHit,
    load_hits,
)
from areev_context.extend import GRAIN_TYPES, MetadataLevel, SupersessionStatus
from engine import (
    DIFFERENCES,
    FORMATS,
    NAMESPACE,
    PLURALS,
    SAMPLES,
    SUBJECT,
    TYPES,
    Difference,
    Store,
    engines,
)

# The engine has wheels for these, on Linux with glibc alone. Elsewhere its absence is no mistake.
WHEELS = {
    ("darwin", "arm64"),
    ("darwin", "x86_64"),
    ("linux", "aarch64"),
    ("linux", "x86_64"),
    ("win32", "amd64"),
}
HERE = (sys.platform, platform.machine().lower())

if HERE in WHEELS and (sys.platform != "linux" or platform.libc_ver()[0] == "glibc"):
    import areev
else:
    areev = pytest.importorskip(
        "areev", reason=f"the engine has no wheel for this platform ({' '.join(HERE)})"
    )

ABOUT = f'RECALL * WHERE subject = "{SUBJECT}" LIMIT 99'
READS: dict[str, Callable[[Any], str]] = {
    "recall": lambda memory: memory.recall(SUBJECT, k=99),
    "search": lambda memory: memory.search("pears", subject=SUBJECT, k=99),
    "cal": lambda memory: memory.cal(ABOUT),
    "cal superseded": lambda memory: memory.cal(f"{ABOUT} WITH superseded"),
}


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(areev, tmp_path_factory.mktemp("engine") / "memory.db")


def ours(hits: list[SearchHit], format: str, metadata: str = "minimal") -> str:
    policy = FormatPolicy(
        format=format,
        metadata=metadata,
        include_retracted=True,
        highlight_over=None,
        join=False,  # the engine joins nothing
    )
    return ContextAssembler().format(hits, policy).text


def the_hit(store: Store, name: str) -> SearchHit:
    (hit,) = load_hits(store.memory.cal(store.one(name)))
    assert hit.hash == store.hashes[name]
    assert hit.grain_type == SAMPLES[name].grain_type
    # The engine's line of an old version, recalled alone, has no mark; ours has.
    return hit.model_copy(update={"supersession_status": None})


def test_the_samples_are_of_every_type_the_engine_lets_one_write(store: Store) -> None:
    with pytest.raises(ValueError, match="cannot be created by a host") as refusal:
        store.memory.add("recommendation", json.dumps({"target_ref": "x"}))
    addable = str(refusal.value).rpartition("Host-addable types: ")[2].rstrip(".").split(", ")
    assert set(addable) == set(TYPES) == {sample.grain_type for sample in SAMPLES.values()}
    assert set(TYPES) == set(GRAIN_TYPES) - {"recommendation", "document"}


@pytest.mark.parametrize(
    ("grain_type", "fields", "missing"),
    [
        ("ticket", {"content": "x"}, "unknown grain type"),
        ("observation", {"object": "x"}, "content"),
        ("consent", {"subject_did": "x"}, "user_id"),
        ("trigger", {"kind": "polling", "connector": "imap"}, "interval_secs"),
    ],
)
def test_what_the_engine_refuses(
    store: Store, grain_type: str, fields: dict[str, Any], missing: str
) -> None:
    workflow = {"workflow": store.hashes["workflow"]} if grain_type == "trigger" else {}
    with pytest.raises(ValueError, match=missing):
        store.memory.add(grain_type, json.dumps({**fields, **workflow}))


def test_a_file_has_one_handle(store: Store) -> None:
    with pytest.raises(ValueError, match="already open"):
        areev.Areev(str(store.path), ns=NAMESPACE)


@pytest.mark.parametrize("read", READS)
def test_every_read_loads(store: Store, read: str) -> None:
    answer = READS[read](store.memory)
    rows = json.loads(answer)
    rows = rows if isinstance(rows, list) else rows["grains"]
    hits = load_hits(answer)
    assert {hit.grain_type for hit in hits} == set(TYPES)
    for row, hit in zip(rows, hits, strict=True):
        assert hit.grain_type == row.get("grain_type", row.get("type"))
        assert hit.fields == row["fields"]
        assert hit.hash == row["hash"]
        assert hit.score == row.get("score")
        assert hit.created_at_sec == row["fields"]["created_at"] // 1000
    current = {store.hashes[name] for name in SAMPLES if name.endswith("-v2")}
    superseded = {store.hashes[name] for name in SAMPLES if name.endswith(("-v0", "-v1"))}
    expected = current | superseded if read == "cal superseded" else current
    assert sorted(hit.hash for hit in hits) == sorted(expected)


def test_every_read_gives_the_same_grains(store: Store) -> None:
    reads = [load_hits(read(store.memory)) for read in READS.values()]
    first, *others = [{hit.hash: hit.grain for hit in hits} for hits in reads]
    for grains in others:
        assert {name: grains[name] for name in first} == first


def test_old_versions_are_linked(store: Store) -> None:
    hits = {hit.hash: hit for hit in load_hits(READS["cal superseded"](store.memory))}
    replaced = {
        store.hashes[sample.supersedes]: store.hashes[name]
        for name, sample in SAMPLES.items()
        if sample.supersedes is not None
    }
    assert len(replaced) == len(TYPES) + 1
    for name, hit in hits.items():
        old = name in replaced
        assert hit.superseded_by_hash == replaced.get(name)
        assert hit.supersession_status == SupersessionStatus("superseded" if old else "current")


def test_old_versions_make_updates(store: Store) -> None:
    hits = load_hits(READS["cal superseded"](store.memory))
    context = ContextAssembler().format(hits, FormatPolicy.gpt4(highlight_over=None))
    facts = {store.hashes[f"fact-v{n}"]: n for n in range(3)}
    reasons = {facts[o.hash]: o.reason for o in context.outcomes if o.hash in facts}
    assert reasons == {0: Reason.UPDATE, 1: Reason.SUPERSEDED, 2: Reason.UPDATE}
    others = {o.reason for o in context.outcomes if o.hash not in facts}
    assert others == {Reason.UPDATE}
    line = f"**{SUBJECT}**: ~~plums~~ (2017-07-14) → **pears** (2023-11-14) [CURRENT]"
    assert context.text.startswith("## Knowledge Updates\n")
    assert line in context.text.splitlines()


def test_old_versions_are_marked_on_a_timeline(store: Store) -> None:
    hits = load_hits(store.memory.cal(f"{ABOUT} WITH superseded".replace("*", "facts")))
    policy, hints = FormatPolicy(metadata="full"), RenderingHints(has_time_range=True)
    assert ContextAssembler().format(hits, policy, hints).text == "\n".join((
        "=== Timeline (earliest to latest) ===",
        f"1. 2017-07-14: [OUTDATED] {SUBJECT} grows plums",
        "   ↓ 3 years, 2 months",
        f"2. 2020-09-13: [OUTDATED] {SUBJECT} grows apples",
        "   ↓ 3 years, 2 months",
        f"3. 2023-11-14: [CURRENT] {SUBJECT} grows pears",
    ))  # fmt: skip


@pytest.mark.parametrize("name", [name for name in SAMPLES if name.endswith(("-v0", "-v1"))])
def test_old_versions_come_on_request_only(store: Store, name: str) -> None:
    statement = store.one(name)
    assert len(load_hits(store.memory.cal(statement))) == 1
    assert load_hits(store.memory.cal(statement.removesuffix(" WITH superseded"))) == []


@pytest.mark.parametrize("format", ["sml", "markdown", "plain_text"])
@pytest.mark.parametrize("name", SAMPLES)
def test_our_line_is_the_engines(store: Store, name: str, format: str) -> None:
    hit = the_hit(store, name)
    assert engines(ours([hit], format), hit, format) == store.printed(store.one(name), format)


@pytest.mark.parametrize("name", SAMPLES)
def test_our_row_is_the_engines(store: Store, name: str) -> None:
    hit = the_hit(store, name)
    head, row = ours([hit], "toon").split("\n", 1)
    engines_head, engines_row = store.printed(store.one(name), "toon").split("\n")
    assert row.startswith("  ")
    assert engines(row.removeprefix("  "), hit, "toon") == engines_row
    section = GRAIN_TYPES[hit.grain_type].section
    assert head.replace(section, PLURALS[hit.grain_type], 1) == engines_head


@pytest.mark.parametrize("name", SAMPLES)
def test_our_json_is_the_engines(store: Store, name: str) -> None:
    (row,) = json.loads(store.memory.cal(f"{store.one(name)} FORMAT json"))["grains"]
    own = {key: row[key] for key in ("fields", "grain_type", "hash")}
    written = json.dumps(own, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    written = written.replace(r"\u0007", "")  # no output holds control characters
    assert ours([the_hit(store, name)], "json") == f"[{written}]"


def rest_of_full(hit: SearchHit) -> str:
    status = hit.fields.get("context")
    named = {
        "hash": hit.hash[:16],
        "namespace": NAMESPACE,
        "verification" if hit.grain_type == "tool" else "status": (
            status.get("vstatus") if isinstance(status, dict) else None
        ),
        "tags": ",".join(hit.fields.get("structural_tags", [])).replace('"', "&quot;"),
    }
    return "".join(f' {name}="{value}"' for name, value in named.items() if value)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_other_metadata_levels_start_from_the_engines_line(store: Store, name: str) -> None:
    hit = the_hit(store, name)
    common = re.compile(r' confidence="[^"]*"(?: date="[^"]*")?')
    line = ours([hit], "sml")
    assert ours([hit], "sml", "none") == common.sub("", line, count=1)
    rest, whole = rest_of_full(hit), ours([hit], "sml", "full")
    assert rest in whole
    small, full = ET.fromstring(line), ET.fromstring(whole.replace(rest, "", 1))
    assert small.tag == full.tag
    added = ADDED - set(small.keys())
    assert small.items() == [pair for pair in full.items() if pair[0] not in added]
    assert "".join(full.itertext()).startswith("".join(small.itertext()))
    for format in ("toon", "json"):
        assert len({ours([hit], format, level) for level in MetadataLevel}) == 1
    for format in ("markdown", "plain_text"):
        line = ours([hit], format)
        assert ours([hit], format, "none") == line
        bare = re.sub(r" \*\([^*]*\)\*$", "", line) if format == "markdown" else line
        assert ours([hit], format, "full").startswith(bare)


ADDED = {"name", "subject", "progress", "inference_method", "threshold", "practice_count"} | {
    "proficiency", "connector", "cron", "workflow",
}  # fmt: skip
"""The attributes of a type's own that the level full adds."""


@pytest.mark.parametrize("name", [name for name in SAMPLES if "subject" in SAMPLES[name].fields])
def test_a_subject_is_for_facts_and_observations(store: Store, name: str) -> None:
    """The engine's plain text makes a triple of any grain that has one, and says no more of it."""
    hit = the_hit(store, name)
    fields = {key: value for key, value in hit.fields.items() if key != "subject"}
    same = ours([hit], "plain_text") == ours(
        [hit.model_copy(update={"fields": fields})], "plain_text"
    )
    assert same == (hit.grain_type not in ("fact", "observation"))


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.name)
def test_the_engine_still_differs(store: Store, difference: Difference) -> None:
    for format in difference.formats:
        seen = 0
        for name in SAMPLES:
            hit = the_hit(store, name)
            line = ours([hit], format)
            printed = store.printed(store.one(name), format)
            if format == "toon":
                line, printed = line.split("\n  ", 1)[1], printed.split("\n", 1)[1]
            seen += engines(line, hit, format, without=difference) != printed
        assert seen, f"{difference.name}, {format}: the engine prints our line, so strike it"


@pytest.mark.parametrize("format", ["sml", "markdown", "plain_text"])
@pytest.mark.parametrize("grain_type", TYPES)
def test_a_whole_answer_is_its_lines(store: Store, grain_type: str, format: str) -> None:
    """The engine sets SML inside one element, indented, and ends the others with a newline."""
    statement = f"RECALL {PLURALS[grain_type]} LIMIT 99"
    hits = load_hits(store.memory.cal(statement))
    name_of = {of: name for name, of in store.hashes.items()}
    lines = [store.printed(store.one(name_of[hit.hash]), format) for hit in hits]
    between = "\n  " if format == "sml" else "\n"
    assert store.printed(statement, format) == between.join(lines)
    assert ours(hits, format) == "\n".join(ours([hit], format) for hit in hits)


def test_an_assembly_of_the_engine_loads(store: Store) -> None:
    parts = [f"{name}: (RECALL {PLURALS[name]} LIMIT 3)" for name in ("goal", "consent", "state")]
    statement = f"ASSEMBLE peers FROM {', '.join(parts)} BUDGET 900"
    hits = load_hits(store.memory.cal(f"{statement} FORMAT json"))
    assert [hit.grain_type for hit in hits] == ["goal"] * 3 + ["consent"] * 3 + ["state"] * 3
    lines = [engines(ours([hit], "sml"), hit, "sml") for hit in hits]
    assert store.printed(statement, "sml") == "\n  ".join(lines)
    assert ours(hits, "sml") == "\n".join(ours([hit], "sml") for hit in hits)


def test_sections_have_the_engines_names_but_two() -> None:
    named = {name: GRAIN_TYPES[name].section for name in TYPES}
    assert {name for name in TYPES if named[name] != PLURALS[name]} == {"reasoning", "consensus"}


def test_the_engine_knows_its_own_plurals_only(store: Store) -> None:
    for name in ("reasoning", "consensus"):
        with pytest.raises(ValueError, match="Unknown grain type"):
            store.memory.cal(f"RECALL {GRAIN_TYPES[name].section} LIMIT 1")
    for format in FORMATS.values():
        assert json.loads(store.memory.cal(f"RECALL facts LIMIT 1 FORMAT {format}"))["text"]
