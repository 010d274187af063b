"""What a text is matched by."""

import pytest

from areev_context.core.words import Asked, asked_of, terms


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
    told = [terms(sentence) for sentence in sentences]
    sizes, found = asked_of(sentences, asked)
    assert sizes == list(map(len, told))
    assert found == [[term for term in each if term in asked] for each in told]
