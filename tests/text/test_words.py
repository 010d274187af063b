"""What a text is matched by."""

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Grain,
    Passage,
    PassageMapper,
    SharedRenderer,
)
from areev_context.text import words
from areev_context.text.words import Asked, Query, asked_by, asked_of, shared_with, terms

ENDINGS = ("ingly", "edly", "ing", "ies", "ied", "ed", "es", "ly", "s", "e")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("What is the?", []),
        ("Refunds refunded refunding refund", ["refund"] * 4),
        ("cities city", ["city", "city"]),
        ("carried", ["carry"]),
        ("surprisingly repeatedly", ["surpris", "repeat"]),
        ("makes make", ["mak", "mak"]),
        ("red bed sing", ["red", "bed", "sing"]),  # too short to lose an ending
        ("Order-42 under_score", ["order", "42", "under", "scor"]),
        ("Füße ÉTÉ", ["füss", "été"]),
    ],
)
def test_words_by_their_stems_in_order(text: str, found: list[str]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("保存期間", ["保存", "存期", "期間"]),
        ("水", ["水"]),
        ("Lamps 保存期 lamps", ["lamp", "保存", "存期", "lamp"]),
        ("คืนเงิน", ["คื", "ืน", "นเ", "เง", "งิ", "ิน"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # spaced, but written with marks
        ("वापसी। cafe\u0301", ["वापसी", "cafe\u0301"]),
    ],
)
def test_pairs_of_characters_where_words_have_no_spaces(text: str, found: list[str]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    "sentences",
    [
        ["Refunds of under_score lamps, 42 of them.", "What is it?", "A lamp; a LAMP!"],
        ["It’s “a lamp” – refunds…", "lamp\u00a0lamp"],
        ["Füße of the lamp", "lamp"],
        ["Lamps 保存期 lamps", "", "期間"],
        [""],
        [],
    ],
)
def test_what_is_asked_of_each_sentence_in_one_pass(sentences: list[str]) -> None:
    asked = Asked(["lamp", "refund", "42", "保存", "füss"])
    each_found = [terms(sentence) for sentence in sentences]
    sizes, found = asked_of(sentences, asked)
    assert sizes == list(map(len, each_found))
    assert found == [[term for term in each if term in asked] for each in each_found]


@pytest.mark.parametrize("text", ["The lamp: 42 refunds!", "Füße, lamps", "Lamps 保存期 lamps", ""])
def test_a_text_shares_what_is_asked_of_it(text: str) -> None:
    asked = Asked(["lamp", "refund", "42", "保存", "füss", "desk"])
    assert shared_with(text, asked) == asked.intersection(terms(text))


def test_no_stem_loses_the_first_characters_of_its_word() -> None:
    endings = [f"{a}{b}" for a in ("", *ENDINGS) for b in ENDINGS]
    for word in (f"{start}{end}" for start in ("a", "le", "wal", "carr", "é") for end in endings):
        assert all(word.startswith(stem[:3]) for stem in terms(word)), word


def test_a_query_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(words, "terms", lambda text: read.append(text) or terms(text))
    query = Query("where is the lamp?")
    assert [asked_by(query) for _ in range(3)] == [{"lamp"}] * 3
    assert read == ["where is the lamp?"]
    assert asked_by("a desk") == {"desk"}


@pytest.mark.parametrize("hosted", [False, True])
def test_the_query_of_a_context_is_read_once(hosted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Own(SharedRenderer):
        def render_summary(self, grain: Grain, policy: FormatPolicy) -> str:
            return super().render_summary(grain, policy)

    read: list[str] = []
    monkeypatch.setattr(words, "terms", lambda text: read.append(text) or terms(text))
    passages = [Passage(f"A lamp. The desk {n} is sold. It was a good one.") for n in range(9)]
    assembler = ContextAssembler([Own("document")] if hosted else [])
    policy = FormatPolicy.gpt4(token_budget=60, query_text="which desk?", allocation="reference")
    context = assembler.format(PassageMapper().hits(passages), policy)
    assert sum(outcome.reason == "summary" for outcome in context.outcomes) > 1
    assert read == ["which desk?"]
