"""Passages of a retriever as hits: what is shown, what is read, what stays outside."""

import hashlib
import json
import math
from enum import Enum
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import ValidationError

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, SearchHit
from areev_context.extend import GRAIN_TYPES
from areev_context.formats.registry import FORMATS
from awkward import DATES, METADATA, SCORES, TEXTS

Metadata = dict[Any, Any]


def hit(metadata: Metadata, text: str | None = "the text", /, **options: Any) -> SearchHit:
    return PassageMapper(**options).hits([Passage(text, metadata)])[0]


def line(metadata: Metadata, text: str = "the text", /, format: str = "sml", **options: Any) -> str:
    mapped = [hit(metadata, text, **options)]
    return ContextAssembler().format(mapped, FormatPolicy(format=format)).text


def test_a_passage_is_a_document() -> None:
    assert hit({}).grain_type == "document"
    assert line({}) == "<document>the text</document>"


@pytest.mark.parametrize("key", ["text", "content", "page_content", "document", "body"])
def test_the_text_is_the_text_of_the_passage(key: str) -> None:
    assert line({key: "NOT THE TEXT"}) == "<document>the text</document>"
    assert hit({key: "NOT THE TEXT"}).fields == {"content": "the text"}


@pytest.mark.parametrize("text", [None, "", " "])
def test_a_passage_without_text_is_empty(text: str | None) -> None:
    context = ContextAssembler().format([hit({"title": "A title"}, text)])
    assert [outcome.reason for outcome in context.outcomes] == ["empty"]


def test_only_listed_keys_are_shown_in_the_order_of_the_list() -> None:
    metadata = {
        "secret": "key", "url": "u", "author": "a", "section": "s", "page": 3, "source": "m.pdf",
        "title": "t", "_node_content": {"text": "internal"},
    }  # fmt: skip
    assert hit(metadata).fields == {
        "content": "the text", "title": "t", "source": "m.pdf", "page": 3, "section": "s",
        "author": "a", "url": "u",
    }  # fmt: skip
    assert line(metadata) == (
        '<document title="t" source="m.pdf" page="3" section="s" author="a" url="u">'
        "the text</document>"
    )
    assert line(metadata, format="plain_text") == (
        "t (m.pdf, page 3, section s, author a, url u): the text"
    )


def test_what_is_not_listed_never_leaves() -> None:
    metadata = {f"secret {n}": "hidden" for n in range(3)} | {"embedding": [0.5] * 3, "title": "t"}
    assert "hidden" not in hit(metadata).model_dump_json()
    for form in FORMATS:
        assert "hidden" not in line(metadata, format=form)
        assert "0.5" not in line(metadata, format=form)


def test_the_list_is_the_callers_to_choose() -> None:
    metadata = {"title": "t", "shelf": 4, "lang": "en"}
    assert line(metadata, shown=("lang", "shelf")) == (
        '<document lang="en" shelf="4">the text</document>'
    )
    assert line(metadata, shown=()) == "<document>the text</document>"


@pytest.mark.parametrize(
    ("metadata", "shown"),
    [
        ({"file": {"name": "a.md"}}, {"file.name": "a.md"}),
        ({"file": {"name": {"short": "a"}}}, {"file.name": {"short": "a"}}),
        ({"file.name": "flat", "file": {"name": "a.md"}}, {"file.name": "flat"}),
        ({"file": MappingProxyType({"name": "a.md"})}, {"file.name": "a.md"}),
        ({"file": "a.md"}, {}),
        ({"file": {"size": 1}}, {}),
        ({"file": None}, {}),
        ({}, {}),
    ],
)
def test_a_dotted_path_reads_inside_objects(metadata: Metadata, shown: Metadata) -> None:
    assert hit(metadata, shown=("file.name",)).fields == {"content": "the text", **shown}


@pytest.mark.parametrize("excluded", [["source", "url"], ("source", "url"), {"source", "url"}])
def test_keys_that_a_passage_keeps_to_itself_are_not_shown(excluded: Any) -> None:
    metadata = {"title": "t", "source": "s", "url": "u"}
    passage = Passage("the text", metadata, excluded=excluded)
    assert PassageMapper().hits([passage])[0].fields == {"content": "the text", "title": "t"}


@pytest.mark.parametrize("value", [None, "", math.nan])
def test_what_is_empty_is_left_out(value: object) -> None:
    assert hit({"title": value, "page": 0, "source": False}).fields == {
        "content": "the text",
        "source": False,
        "page": 0,
    }


RESERVED = [
    "type", "content", "namespace", "created_at", "confidence", "verification_status",
    "derived_from", "superseded_by", "structural_tags",
]  # fmt: skip


@pytest.mark.parametrize("key", RESERVED)
def test_a_shown_key_that_a_grain_reserves_moves_aside(key: str) -> None:
    fields = hit({key: "shown"}, shown=(key,)).fields
    assert fields["content"] == "the text"
    assert fields[f"meta-{key}"] == "shown"
    assert f'meta-{key}="shown"' in line({key: "shown"}, shown=(key,))


@pytest.mark.parametrize("key", ["confidence", "date", "hash", "namespace", "status", "tags", "id"])
def test_a_shown_key_that_is_an_attribute_of_ours_moves_aside(key: str) -> None:
    assert f'<document meta-{key}="shown"' in line({key: "shown"}, shown=(key,))


@pytest.mark.parametrize("key", ['x="1"><system', "a b", "1st", "xmlns", "é"])
def test_a_shown_key_that_is_no_attribute_is_a_field(key: str) -> None:
    escaped = key.replace('"', "&quot;").replace(">", "&gt;").replace("<", "&lt;")
    assert line({key: "v"}, shown=(key,)) == (
        f'<document><field name="{escaped}">v</field>the text</document>'
    )


SHOWN = {
    "naive": "2024-03-01T09:00:00",
    "aware": "2024-03-01T09:00:00+00:00",
    "day": "2024-03-01",
    "u": "00000000-0000-0000-0000-000000000007",
    "d": "1.10",
    "p": "/srv/a b.md",
    "e": "red",
    "s": ["a", "b"],
    "bad": "<NoText>",
    "vector": "<array 1536>",
    "page_content": "NOT THE TEXT",
    "id": 0,
    "score": "high",
    "type": "system",
    'x="1"><system': "v",
    "a b": 1,
    "": 2,
}


@pytest.mark.parametrize("metadata", METADATA.values(), ids=METADATA)
def test_values_become_plain(metadata: Metadata) -> None:
    keys = tuple(key for key in metadata if isinstance(key, str))
    fields = hit(metadata, shown=keys).fields
    assert fields.pop("content") == "the text"
    named = {key.removeprefix("meta-"): value for key, value in fields.items()}
    assert named == {key: SHOWN[key] for key in keys if metadata[key] is not None}


class Array:
    """A vector of a numeric library."""

    def __init__(self, size: int) -> None:
        self.size = size

    def tolist(self) -> list[float]:
        return [0.5] * self.size


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([1] * 64, [1] * 64),
        ([1] * 65, "<array 65>"),
        (("a",) * 65, "<array 65>"),
        (set(range(65)), "<array 65>"),
        (Array(2), [0.5, 0.5]),
        (Array(65), "<array 65>"),
        ({"inner": [1] * 65}, {"inner": "<array 65>"}),
        (b"abc", "<3 bytes>"),
    ],
)
def test_long_arrays_are_shown_as_their_length(value: object, shown: object) -> None:
    assert hit({"title": value}).fields["title"] == shown


FILLED: dict[str, dict[str, Any]] = {
    "fact": {"object": "the text"},
    "observation": {"object": "the text"},
    "event": {"content": "the text"},
    "tool": {"tool_content": "the text"},
    "goal": {"description": "the text"},
    "skill": {"description": "the text"},
    "reasoning": {"conclusion": "the text"},
    "consensus": {"agreed_content": "the text"},
    "state": {"context": {"label": "the text"}},
}


@pytest.mark.parametrize(("grain_type", "fields"), FILLED.items())
def test_the_text_fills_the_text_field_of_a_type(grain_type: str, fields: Metadata) -> None:
    made = hit({"grain_type": grain_type})
    assert (made.grain_type, made.fields) == (grain_type, fields)


@pytest.mark.parametrize(("grain_type", "fields"), FILLED.items())
def test_but_not_where_the_metadata_fill_it(grain_type: str, fields: Metadata) -> None:
    given = json.loads(json.dumps(fields).replace("the text", "the field"))
    assert hit({"grain_type": grain_type, **given}).fields == given


OF_A_TYPE: dict[str, dict[str, Any]] = {
    "fact": {"subject": "s", "relation": "r", "object": "o"},
    "event": {"relation": "r", "role": "user", "speaker": "s", "content": "c",
              "content_blocks": [{"type": "text", "text": "t"}]},
    "state": {"context": {"label": "l", "step": 1}},
    "workflow": {"name": "n", "trigger": "t", "nodes": ["a"], "edges": [{"src": "a", "dst": "b"}],
                 "bindings": {"a": "b"}},
    "tool": {"tool_name": "n", "tool_content": "c", "content": "c", "is_error": True, "error": "e",
             "duration_ms": 7},
    "observation": {"observer_id": "i", "subject": "s", "object": "o"},
    "goal": {"subject": "s", "description": "d", "goal_state": "active", "priority": "high",
             "criteria": "c", "progress": 0.5},
    "reasoning": {"conclusion": "c", "premises": ["p"], "inference_method": "deduction"},
    "consensus": {"agreed_content": "a", "agreement_count": 2, "dissent_count": 1,
                  "threshold": "all"},
    "consent": {"subject_did": "s", "is_withdrawal": True, "scope": "mail", "grantee_did": "g"},
    "skill": {"name": "n", "domain": "d", "description": "d", "proficiency": 0.5,
              "practice_count": 3},
    "recommendation": {"target_ref": "t", "severity": "info", "summary": {"args": {"a": 1}}},
    "trigger": {"kind": "cron", "scope": "s", "description": "d", "name": "n", "connector": "c",
                "cron": "0 9 * * *", "workflow": "w"},
}  # fmt: skip


@pytest.mark.parametrize(("grain_type", "fields"), OF_A_TYPE.items())
def test_a_known_type_takes_its_fields_and_no_others(grain_type: str, fields: Metadata) -> None:
    beside = {"grain_type": grain_type, "title": "t", "secret": "x", "tags": ["y"], "hash": "h"}
    made = hit({**beside, **fields})
    assert (made.grain_type, made.fields) == (grain_type, fields)


def test_every_known_type_is_tried() -> None:
    assert {*OF_A_TYPE, "document"} == set(GRAIN_TYPES)


@pytest.mark.parametrize("grain_type", ["ticket", "FACT", "", None, 7, ["fact"], "document"])
def test_an_unknown_type_is_a_document(grain_type: object) -> None:
    made = hit({"grain_type": grain_type, "subject": "s", "title": "t"})
    assert made.grain_type == "document"
    assert made.fields == {"content": "the text", "title": "t"}


def test_the_label_of_a_state_joins_its_context() -> None:
    assert hit({"grain_type": "state", "context": {"step": 1}}).fields == {
        "context": {"label": "the text", "step": 1}
    }
    assert hit({"grain_type": "state", "context": "odd"}).fields == {
        "context": {"context": "odd", "label": "the text"}
    }


def test_fields_that_are_none_are_absent() -> None:
    assert hit({"grain_type": "fact", "object": None, "subject": None}).fields == {
        "object": "the text"
    }


@pytest.mark.parametrize("grain_type", ["document", "fact"])
def test_reserved_keys_say_what_is_known_of_the_grain(grain_type: str) -> None:
    known = {"confidence": 0.5, "namespace": "desk", "verification_status": "contested"}
    made = hit({"grain_type": grain_type, "created_at": "2024-03-01", **known})
    assert {name: made.fields[name] for name in known} == known
    context = ContextAssembler().format([made], FormatPolicy(format="sml", metadata="full"))
    assert context.text == (
        f'<{grain_type} confidence="0.50" date="2024-03-01" hash="{made.hash[:16]}" '
        f'namespace="desk" status="contested">'
        f"{'? ? ' if grain_type == 'fact' else ''}the text</{grain_type}>"
    )


class Trust(Enum):
    """A status as an application has it."""

    RETRACTED = "retracted"
    VERIFIED = "verified"


RETRACTED = {
    "text": "retracted",
    "another": "Rejected",
    "white space about it": " retracted\n",
    "characters without width": "re\u200btracted\ufeff",
    "a list": ["verified", "retracted"],
    "a tuple": ("retracted",),
    "a set": {"retracted"},
    "an object": {"status": "retracted"},
    "bytes": b"retracted",
    "a member": Trust.RETRACTED,
    "a member's name": str(Trust.RETRACTED),
    "a URI": "urn:trust:rejected",
}


@pytest.mark.parametrize("status", RETRACTED.values(), ids=RETRACTED.keys())
def test_a_retracted_passage_is_withheld_however_it_is_marked(status: object) -> None:
    for metadata in (
        {"verification_status": status},
        {"context": {"vstatus": status}},
        {"verification_status": "verified", "context": {"vstatus": status}},
        {"verification_status": status, "context": {"vstatus": "verified"}},
    ):
        context = ContextAssembler().format([hit({**metadata, "title": "t"})])
        assert (context.text, context.withheld_count) == ("", 1)


IN_ROWS = {name: status for name, status in RETRACTED.items() if name != "bytes"}  # JSON has none


@pytest.mark.parametrize("status", IN_ROWS.values(), ids=IN_ROWS.keys())
def test_a_retracted_row_is_withheld_however_it_is_marked(status: object) -> None:
    rows = [
        {"grain_type": "fact", "fields": {"object": "t", "verification_status": status}},
        {"grain_type": "fact", "fields": {"object": "t"}, "verification_status": status},
        {"grain_type": "fact", "fields": {"object": "t", "context": {"vstatus": status}}},
    ]
    shown = [ContextAssembler().format([row]).withheld_count for row in rows]
    assert shown == [1, 1, 1]


@pytest.mark.parametrize("status", ["verified", "unretracted", [], {}, 7, Trust.VERIFIED, b""])
def test_other_statuses_withhold_nothing(status: object) -> None:
    context = ContextAssembler().format([hit({"verification_status": status})])
    assert context.withheld_count == 0


@pytest.mark.parametrize("grain_type", ["document", "fact"])
def test_reserved_keys_say_what_recall_knows(grain_type: str) -> None:
    made = hit({
        "grain_type": grain_type,
        "supersession_status": "superseded",
        "superseded_by_hash": "b2",
        "conflict_status": "outdated",
        "recall_source": "census",
        "source_namespace": "chat 17",
    })  # fmt: skip
    assert (made.supersession_status, made.superseded_by_hash) == ("superseded", "b2")
    assert (made.conflict_status, made.recall_source) == ("outdated", "census")
    assert made.source_namespace == "chat 17"


@pytest.mark.parametrize("value", [None, 7, [], {}, "nonsense", math.nan])
def test_odd_values_of_reserved_keys_are_unknown(value: object) -> None:
    names = ("supersession_status", "conflict_status", "recall_source", "created_at")
    made = hit(dict.fromkeys(names, value))
    stated = set() if value is None else {"created_at_sec" if value == 7 else "undated"}
    always = {"grain_type", "fields", "hash", "event_at_sec"}
    assert made.model_dump(exclude_defaults=True).keys() == always | stated


@pytest.mark.parametrize("key", ["superseded_by", "superseded_by_hash"])
@pytest.mark.parametrize("by", ["hash", "id"])
def test_a_passage_may_name_the_one_that_replaced_it(key: str, by: str) -> None:
    newer = Passage("new", {"grain_type": "fact", "subject": "ada"}, id="p2")
    name = PassageMapper().hits([newer])[0].hash if by == "hash" else "p2"
    older = Passage("old", {"grain_type": "fact", "subject": "ada", key: name}, id="p1")
    hits = PassageMapper().hits([older, newer])
    assert [each.supersession_status for each in hits] == ["superseded", "current"]
    assert ContextAssembler().format(hits).text.splitlines()[1] == 'ada: "old" → "new" [CURRENT]'


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        *zip(
            DATES,
            [0, 0, 1_709_283_600, 1_709_263_800, 0, 1_700_000_000, 1_700_000_000, 0],
            strict=True,
        ),
        (METADATA["dates"]["naive"], 1_709_283_600),
        (METADATA["dates"]["aware"], 1_709_283_600),
        (METADATA["dates"]["day"], 1_709_251_200),
        (10**11, 10**8),  # from here on it is milliseconds
        (10**11 - 1, 10**11 - 1),
        (1_700_000_000.9, 1_700_000_000),
        (True, 0),
    ],
)
def test_when_a_passage_was_made(given: object, seconds: int) -> None:
    assert hit({"created_at": given}).created_at_sec == seconds


class Refusing:
    def __float__(self) -> float:
        raise RuntimeError("no number")


RANKED = {
    "fall": ([0.9, 0.5, 0.5, 0.0], [0.9, 0.5, 0.5, 0.0]),
    "mixed_none": (SCORES["mixed_none"], [0.9, None, 0.5]),
    "nan_in_the_middle": (SCORES["nan_in_the_middle"], [0.9, None, 0.5]),
    "distances": (SCORES["distances"], [None] * 3),
    "out_of_range": (SCORES["out_of_range"], [None] * 4),
    "ties": (SCORES["ties"], [0.5] * 6),
    "infinite": ([math.inf, 0.5], [None, 0.5]),
    "no numbers": (["high", True, b"1", [], Refusing(), 0.5], [None] * 5 + [0.5]),
    "whole numbers": ([1, 0], [1.0, 0.0]),
    "rise": ([0.1, 0.2], [None, None]),
    "rise over a gap": ([0.1, None, 0.2], [None, None, None]),
    "nearly in range": ([1.0001, 0.5], [None, None]),
    "none": ([], []),
}


def scores(found: list[Any], **options: Any) -> list[float | None]:
    passages = [Passage(f"text {n}", {}, score) for n, score in enumerate(found)]
    return [each.score for each in PassageMapper(**options).hits(passages)]


@pytest.mark.parametrize(("found", "scored"), RANKED.values(), ids=RANKED)
def test_scores_that_say_something_of_relevance_are_used(
    found: list[Any], scored: list[float | None]
) -> None:
    assert scores(found) == scored


def test_every_awkward_list_of_scores_is_tried() -> None:
    assert set(SCORES) <= set(RANKED)


def test_where_scores_say_nothing_the_rank_decides() -> None:
    passages = [Passage(f"text {n}", {}, score) for n, score in enumerate(SCORES["out_of_range"])]
    outcomes = ContextAssembler().format(PassageMapper().hits(passages)).outcomes
    assert [outcome.priority for outcome in outcomes] == pytest.approx(
        [0.75 + 0.15 * share for share in (1, 0.75, 0.5, 0.25)]
    )


def test_distances_may_be_declared() -> None:
    assert scores([0.0, 0.25, 0.25, 1.0], higher_is_better=False) == [1.0, 0.75, 0.75, 0.0]
    assert scores([0.25, 0.0], higher_is_better=False) == [None, None]
    assert scores([0.5, None], higher_is_better=False) == [0.5, None]
    assert scores(SCORES["distances"], higher_is_better=False) == [None] * 3


def test_the_score_may_stand_in_the_metadata() -> None:
    passages = [Passage("a", {"rank": {"bm25": 0.75}}, 0.1), Passage("b", {}, 0.9)]
    hits = PassageMapper(score_key="rank.bm25").hits(passages)
    assert [each.score for each in hits] == [0.75, None]
    assert [each.score for each in PassageMapper(score_key="score").hits(passages)] == [None, None]


def test_the_hash_is_that_of_the_type_and_the_shown_fields() -> None:
    canonical = b'["document",{"content":"the text","title":"t"}]'
    made = hit({"title": "t", "secret": 1})
    assert made.hash == hashlib.sha256(canonical).hexdigest()


def test_the_hash_is_the_same_wherever_the_passage_comes_from() -> None:
    one = Passage("the text", {"title": "t", "_id": 7, "created_at": 1}, 0.9, "p1")
    two = Passage("the text", {"row": 3, "title": "t", "confidence": 0.5}, None, "17")
    hits = PassageMapper().hits([one, two])
    assert hits[0].hash == hits[1].hash
    assert [each.id for each in hits] == ["p1", "17"]
    assert hits[0].hash != hit({"title": "other"}).hash
    assert hits[0].hash != hit({"title": "t"}, "other").hash


def test_the_id_of_a_passage_stands_in_outcomes_and_sources_only() -> None:
    for form in FORMATS:
        hits = PassageMapper().hits([Passage("the text", {"id": "meta"}, id="own")])
        context = ContextAssembler().format(hits, FormatPolicy(format=form, metadata="full"))
        assert "own" not in context.text
        assert context.outcomes[0].id == context.sources[0].id == "own"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("metadata", METADATA.values(), ids=METADATA)
def test_nothing_that_a_retriever_returns_raises(text: str, metadata: Metadata) -> None:
    keys = tuple(key for key in metadata if isinstance(key, str))
    before = repr(metadata)
    hits = PassageMapper(shown=keys).hits([Passage(text, metadata, "odd")])
    for form in FORMATS:
        ContextAssembler().format(hits, FormatPolicy(format=form, metadata="full"))
    assert repr(metadata) == before


def test_no_passages_are_no_hits() -> None:
    assert PassageMapper().hits(iter(())) == []


def test_a_mapper_is_data() -> None:
    mapper = PassageMapper(shown=("title",), score_key="s", higher_is_better=False)
    assert PassageMapper.model_validate_json(mapper.model_dump_json()) == mapper
    with pytest.raises(ValidationError, match="show"):
        PassageMapper.model_validate({"show": ["title"]})
    with pytest.raises(ValidationError):
        mapper.score_key = "other"  # type: ignore[misc]


def test_what_a_passage_keeps_to_itself_is_hidden_from_every_type() -> None:
    metadata = {
        "grain_type": "fact",
        "subject": "secret",
        "confidence": 0.3,
        "namespace": "n",
        "created_at": 1_700_000_000,
        "verification_status": "retracted",
    }
    [found] = PassageMapper().hits([Passage("t", metadata, excluded=tuple(metadata))])
    assert found.fields == {"object": "t", "verification_status": "retracted"}
    assert found.created_at_sec == 0


class NotAvailable:
    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


@pytest.mark.parametrize(
    "passage",
    [
        Passage("t", {"superseded_by_hash": NotAvailable(), "created_at": NotAvailable()}),
        Passage("t", None),  # type: ignore[arg-type]
        Passage(b"t", {}),  # type: ignore[arg-type]
        Passage("t", {}, excluded=None),  # type: ignore[arg-type]
    ],
)
def test_odd_passages_do_not_raise(passage: Passage) -> None:
    assert len(PassageMapper().hits([passage])) == 1


@pytest.mark.parametrize("value", [None, [], {}])
def test_a_text_field_that_holds_nothing_is_filled(value: object) -> None:
    assert hit({"grain_type": "fact", "object": value}, "t").fields["object"] == "t"
    state = hit({"grain_type": "state", "context": {"label": None, "n": 1}}, "t")
    assert state.fields["context"] == {"label": "t", "n": 1}


@pytest.mark.parametrize("value", [5, False, "", ["t"], {"a": 1}])
def test_a_text_field_that_holds_a_value_keeps_it(value: object) -> None:
    assert hit({"grain_type": "fact", "object": value}, "t").fields["object"] == value


@pytest.mark.parametrize(
    ("text", "shown"),
    [(42, "42"), (["a", {"type": "text", "text": "b"}], "a\nb"), ({"a": 1}, '{"a":1}'), (b"x", "")],
)
def test_the_text_of_a_passage_may_be_a_value(text: Any, shown: str) -> None:
    [found] = PassageMapper().hits([Passage(text)])
    assert found.fields["content"] == shown


def test_trust_is_read_in_both_shapes() -> None:
    [found] = PassageMapper().hits([Passage("t", {"context": {"vstatus": "retracted"}})])
    assert ContextAssembler().format([found]).withheld_count == 1


def test_numbers_may_name_the_newer_passage_and_enter_no_text() -> None:
    old = Passage("old", {"superseded_by": 2}, id=1)  # type: ignore[arg-type]  # some stores do
    new = Passage("new", {}, id=2)  # type: ignore[arg-type]
    hits = PassageMapper().hits([old, new])
    assert hits[0].superseded_by_hash == hits[1].hash
    assert hits[0].fields == {"content": "old", "superseded_by": True}


def test_the_session_may_be_excluded() -> None:
    metadata = {"recall_source": "census", "source_namespace": "secret"}
    assert hit(metadata, "t").source_namespace == "secret"
    [found] = PassageMapper().hits([Passage("t", metadata, excluded=["source_namespace"])])
    assert found.source_namespace is None


def test_a_number_is_a_title() -> None:
    found = hit({"title": 2024, "source": 5}, "t")
    context = ContextAssembler().format([found], FormatPolicy(format="toon"))
    assert context.text == 'documents[1]{source,title,content}:\n  "5","2024",t'
    assert (context.sources[0].title, context.sources[0].source) == ("2024", "5")


def test_a_text_without_a_field_of_its_type_is_an_argument() -> None:
    found = hit({"grain_type": "recommendation"}, "t")
    assert ContextAssembler().format([found]).text == "[info] text=t"
