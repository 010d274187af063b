"""One text cut to what fits: where the cut falls, and how few texts are asked about."""

from collections.abc import Callable

import pytest
import regex  # tiktoken brings it along; it knows where a character ends
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import examples
from areev_context.text.truncate import CUT_MARK, cut_to_fit

LETTERS = {
    "an accent of its own": "e\u0301",
    "two accents": "e\u0323\u0301",
    "a skin": "👍🏽",
    "a family": "👩\u200d👩\u200d👧",
    "a flag": "🇩🇪",
    "a flag in letters": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a keycap": "1\ufe0f\u20e3",
    "Devanagari": "\u0915\u094d\u0937\u093f",
    "Hangul in parts": "\u1112\u1161\u11ab",
    "Hangul and a final": "\uac00\u11a8",
    "Thai": "\u0e01\u0e33",
    "a voice mark": "\uff76\uff9e",
    "a joiner without width": "a\u200c",
}
"""What a reader sees as one character and Python as several."""


def at_most(characters: int) -> Callable[[str], bool]:
    return lambda text: len(text) <= characters


def test_the_mark_is_what_a_cut_text_ends_in() -> None:
    assert CUT_MARK == " […]"


CUTS = {
    "after a sentence": ("One two. Three four. Five", 22, "One two. […]"),
    "after the last that fits": ("One two. Three four. Five", 24, "One two. Three four. […]"),
    "after a question": ("Why so? Because it is.", 12, "Why so? […]"),
    "after a closing quote": ('He said "no." Then he left.', 20, 'He said "no." […]'),
    "after a closing bracket": ("It was (he said.) Then not.", 22, "It was (he said.) […]"),
    "after dots": ("Well … what now then", 15, "Well … […]"),
    "after a line": ("a heading\nand its text", 14, "a heading […]"),
    "after a sentence without a space": (
        "保存期間は三年。延長なし。終",
        12,
        "保存期間は三年。 […]",
    ),
    "not in a number": ("It costs 3.50 or so", 15, "It costs […]"),
    "after a word, where no sentence fits": ("One two three four. Five", 12, "One two […]"),
    "after the last word that fits": ("One two three four. Five", 17, "One two three […]"),
    "not after white space": ("One   two", 8, "One […]"),
    "in a word, where none fits": ("Donaudampfschifffahrt", 9, "Donau […]"),
    "between signs": ("保存期間は三年", 6, "保存 […]"),
    "after one character": ("abc", 5, "a […]"),
}


@pytest.mark.parametrize(("text", "limit", "cut"), CUTS.values(), ids=CUTS)
def test_where_a_cut_falls(text: str, limit: int, cut: str) -> None:
    assert cut_to_fit(text, at_most(limit)) == cut


@pytest.mark.parametrize("text", ["", "a", " ", "\n", "ab", "。", "e\u0301"])
def test_what_cannot_be_cut(text: str) -> None:
    assert cut_to_fit(text, at_most(4)) is None


@pytest.mark.parametrize("text", ["", "a", " ", "\n", "\n\n", "。", "e\u0301"])
def test_a_text_is_never_marked_as_cut_where_nothing_is_missing(text: str) -> None:
    assert cut_to_fit(text, at_most(1_000)) is None


def test_leading_white_space_alone_is_no_beginning() -> None:
    assert cut_to_fit("\n  abc def", at_most(4)) is None
    assert cut_to_fit("\n  abc def", at_most(10)) == "\n  abc […]"


@pytest.mark.parametrize("letter", LETTERS.values(), ids=LETTERS)
def test_no_cut_falls_inside_a_character(letter: str) -> None:
    text = f"x{letter}yz"
    whole = {f"x{CUT_MARK}", f"x{letter}{CUT_MARK}", f"x{letter}y{CUT_MARK}"}
    found = {cut_to_fit(text, at_most(limit)) for limit in range(5, len(text) + 5)}
    assert found == whole


def test_a_row_of_flags_stays_in_one_piece() -> None:
    found = {cut_to_fit("a🇩🇪🇫🇷b", at_most(limit)) for limit in range(5, 12)}
    assert found == {"a […]", "a🇩🇪🇫🇷 […]"}


LONG = {
    "words": "word " * 50_000,
    "sentences": "A sentence of some words. " * 9_000,
    "signs": "保存期間は三年間です。" * 20_000,
    "one word": "x" * 200_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
@pytest.mark.parametrize("limit", [5, 50, 5_000, 150_000])
def test_few_and_short_texts_are_asked_about(text: str, limit: int) -> None:
    asked: list[int] = []

    def fits(tried: str) -> bool:
        asked.append(len(tried))
        return len(tried) <= limit

    found = cut_to_fit(text, fits)
    assert found is None or len(found) <= limit
    assert len(asked) < 70
    assert max(asked) <= 4 * limit + 40  # never the whole of a huge text to fill a little room
    assert limit < 50 or (found is not None and len(found) > limit - 40)


# A row of flags stays in one piece, which the plain way below does not know: they stand apart.
SINGLE = [letter for name, letter in LETTERS.items() if name != "a flag"]
PIECES = ["a", "bc", ".", "! ", " ", "\n", "。", '"', ")", "é", "保", "🇩🇪a", *SINGLE]
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
SENTENCE, WORD, CHARACTER = range(3)


def kind(text: str, end: int) -> int:
    """Return after what a cut at this place falls, by the plainest means."""
    before, after = text[:end].rstrip("\"'”’)]"), text[end]
    if after == "\n" or text[end - 1] == "。" or (before[-1:] in (".", "!") and after.isspace()):
        return SENTENCE
    return WORD if after.isspace() else CHARACTER


@settings(max_examples=examples(500), derandomize=True, database=None, deadline=None)
@given(texts, st.integers(0, 60))
def test_any_cut_is_the_longest_of_the_best_kind(text: str, limit: int) -> None:
    characters = [match.end() for match in regex.finditer(r"\X", text)]
    places = [
        end
        for end in characters
        if end < len(text) and not text[end - 1].isspace() and end + len(CUT_MARK) <= limit
    ]
    best = min(places, key=lambda end: (kind(text, end), -end), default=None)
    expected = None if best is None else text[:best] + CUT_MARK
    assert cut_to_fit(text, at_most(limit)) == expected
