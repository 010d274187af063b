"""What is withheld or excluded is as if never retrieved: marks, names, scores, copies."""

import copy
import pickle
from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    GrainOverride,
    Passage,
    PassageMapper,
    SearchHit,
    load_hits,
)

Row = dict[str, Any]


def excluding(*types: str) -> FormatPolicy:
    return FormatPolicy(grain_overrides=dict.fromkeys(types, GrainOverride(include=False)))


def linked_rows() -> list[Row]:
    return [
        {"grain_type": "event", "hash": "a", "fields": {"content": "old", "superseded_by": "b"}},
        {"grain_type": "tool", "hash": "b", "fields": {"content": "new"}},
        {"grain_type": "event", "hash": "c", "superseded_by_hash": "b", "fields": {"content": "c"}},
        {"grain_type": "goal", "hash": "b", "fields": {"description": "go"}},
        {"grain_type": "goal", "hash": "d", "fields": {"description": "rest"}},
    ]


@pytest.mark.parametrize(
    "made",
    [
        list,
        copy.deepcopy,
        lambda hits: pickle.loads(pickle.dumps(hits)),
        lambda hits: [pickle.loads(pickle.dumps(hit)) for hit in hits],
        lambda hits: [copy.deepcopy(hit) for hit in hits],
    ],
)
def test_an_excluded_type_marks_no_other(made: Any) -> None:
    rows = linked_rows()
    hits = made(load_hits(rows))
    assert hits == load_hits(rows)
    for types in (("tool",), ("tool", "goal"), ("event",)):
        policy = excluding(*types)
        left = [row for row in rows if row["grain_type"] not in types]
        assert ContextAssembler().format(hits, policy).text == (
            ContextAssembler().format(load_hits(left), policy).text
        )


def test_what_was_set_since_stays() -> None:
    hits = load_hits(linked_rows())
    hits[0] = hits[0].model_copy(update={"supersession_status": "current"})
    text = ContextAssembler().format(hits, excluding("tool", "goal")).text
    assert text == "[CURRENT] old\n[OUTDATED] c"


def test_a_part_of_a_recall_is_linked_as_the_whole_was() -> None:
    hits = load_hits(linked_rows())
    assert ContextAssembler().format(hits[:1], excluding("state")).text == "[OUTDATED] old"
    assert ContextAssembler().format(hits[:1], excluding("tool", "goal")).text == "[OUTDATED] old"


def test_what_a_copy_in_another_recall_withholds_marks_no_other() -> None:
    rows = [linked_rows()[0], {"grain_type": "event", "hash": "b", "fields": {"content": "new"}}]
    retracted = {**rows[1], "verification_status": "retracted"}
    hits = [*load_hits(rows), *load_hits([retracted])]
    assert ContextAssembler().format(hits).text == "[OUTDATED] old"
    assert ContextAssembler().format([copy.deepcopy(hit) for hit in hits]).text == "[OUTDATED] old"


def copies() -> dict[str, tuple[Row, Row]]:
    fields = {"subject": "ada", "object": "secret", "context": {"a": 1}}
    trusted, gone = {"vstatus": "verified"}, {"verification_status": "retracted"}
    named = {"grain_type": "fact", "hash": "a", "fields": fields}
    bare = {"grain_type": "fact", "fields": fields}
    document = {"grain_type": "document", "hash": "a", "fields": {"content": "a  b c d"}}
    return {
        "equal hash": (named, {**named, "fields": {"object": "x", **gone}}),
        "equal id and hash": (
            {**named, "id": "i"},
            {**named, "grain_type": "goal", "id": "i", **gone},
        ),
        "equal text": (
            document,
            {**document, "hash": "b", "fields": {"content": " a b c d", **gone}},
        ),
        "equal fields": (bare, {**bare, "fields": {**fields, **gone}}),
        "other statements": (
            {**bare, "fields": {**fields, **trusted}},
            {**bare, "fields": {**fields, "context": {"a": 1, "vstatus": "rejected"}}},
        ),
        "a hash of its own": (named, {**bare, "fields": {**fields, "metadata": gone}}),
        "characters that are mended": (
            {**bare, "fields": {"object": "ab"}},
            {**bare, "fields": {"object": "a\x00b", **gone}},
        ),
    }


COPIES = copies()


@pytest.mark.parametrize(("row", "gone"), COPIES.values(), ids=COPIES)
def test_all_copies_of_what_is_retracted_are_withheld(row: Row, gone: Row) -> None:
    other = {"grain_type": "event", "hash": "o", "fields": {"content": "shown"}}
    for rows in ([row, gone, other], [gone, other, row]):
        for hits in (rows, load_hits(rows)):
            context = ContextAssembler().format(hits)
            assert (context.text, context.withheld_count) == ("shown", 2)
    assert ContextAssembler().format([row, other]).withheld_count == 0


def test_a_copy_of_a_copy_is_withheld() -> None:
    texts = ["one two", "one two", "one  two three", "one two three"]
    hashes = ["a", "b", "b", "c"]
    rows = [
        {"grain_type": "document", "hash": own, "fields": {"content": text}}
        for own, text in zip(hashes, texts, strict=True)
    ]
    rows[0]["verification_status"] = "retracted"
    assert ContextAssembler().format(rows).withheld_count == 4


def test_two_grains_of_equal_fields_and_different_hashes_are_no_copies() -> None:
    rows = [{"grain_type": "fact", "hash": n, "fields": {"object": "x"}} for n in "ab"]
    rows += [{"grain_type": "document", "hash": n, "fields": {"content": " "}} for n in "cd"]
    rows[0]["verification_status"] = rows[2]["verification_status"] = "retracted"
    assert [o.reason for o in ContextAssembler().format(rows).outcomes] == [
        "withheld", "full", "withheld", "empty",
    ]  # fmt: skip


# --- passages ---------------------------------------------------------------------------------


def test_an_excluded_passage_lends_no_name_and_no_score() -> None:
    tool = {"grain_type": "tool", "tool_name": "t"}
    passages = [
        Passage("hidden", tool, score=7, id="new"),
        Passage("old", {"grain_type": "fact", "superseded_by": "new"}, score=0.2, id="old"),
        Passage("new", {"grain_type": "fact"}, score=0.1, id="new"),
    ]
    hits = PassageMapper().hits(passages)
    assert [hit.score for hit in hits] == [None, None, None]
    assert hits[1].superseded_by_hash == hits[0].hash
    whole = ContextAssembler().format(hits, excluding("tool"))
    less = ContextAssembler().format(PassageMapper().hits(passages[1:]), excluding("tool"))
    assert whole.text == less.text
    assert "Knowledge Updates" in whole.text


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("score", [7, 0.5, -1, None])
def test_scores_are_those_without_an_excluded_passage(higher: bool, score: Any) -> None:
    falling = (0.2, 0.1) if higher else (0.1, 0.2)
    trusted = [Passage("a b c", {}, score=each) for each in falling]
    hidden = Passage("zz", {"grain_type": "tool", "tool_name": "t"}, score=score)
    mapper = PassageMapper(higher_is_better=higher)
    whole = ContextAssembler().format(mapper.hits([*trusted, hidden]), excluding("tool"))
    less = ContextAssembler().format(mapper.hits(trusted), excluding("tool"))
    assert [o.priority for o in whole.outcomes[:2]] == [o.priority for o in less.outcomes]


def test_a_retracted_passage_names_its_successor_all_the_same() -> None:
    gone = {"grain_type": "fact", "superseded_by": "new", "verification_status": "retracted"}
    passages = [Passage("old", gone, id="old"), Passage("new", {"grain_type": "fact"}, id="new")]
    [old, new] = PassageMapper().hits([*passages, Passage("x", {"superseded_by": "new"})])[:2]
    assert old.superseded_by_hash == new.hash


def test_a_hit_is_a_hit() -> None:
    [hit] = load_hits(linked_rows()[:1])
    assert SearchHit.model_validate(hit) is hit
