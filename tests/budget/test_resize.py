"""Parts that are larger than the room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from areev_context.budget.resize import within
from areev_context.text.part import Part, PartKind
from areev_context.text.parts import parts_of


def pieces(text: str, most: int, kind: PartKind = PartKind.SENTENCE) -> list[str]:
    found = within(text, (Part(kind, 0, len(text)),), most, most)
    return [text[part.start : part.end] for part in found]


@pytest.mark.parametrize(
    ("text", "most", "found"),
    [
        ("short enough", 12, ["short enough"]),
        ("x = 1\ny = 2\nz = 3\n", 14, ["x = 1\ny = 2\n", "z = 3\n"]),
        ("One is here. Two is there", 20, ["One is here. ", "Two is there"]),
        ('{"a":"b","c":"d","e":"f"}', 18, ['{"a":"b","c":"d",', '"e":"f"}']),
        ("<tr><td>1</td></tr><tr>", 20, ["<tr><td>1</td></tr>", "<tr>"]),
        ("one two three four", 10, ["one two ", "three four"]),
        ("一二三，四五六七八九十", 6, ["一二三，", "四五六七八九", "十"]),
        ("abcdefghijkl", 5, ["abcde", "fghij", "kl"]),
    ],
)
def test_the_best_place_in_reach(text: str, most: int, found: list[str]) -> None:
    assert pieces(text, most) == found


def test_only_what_is_too_large_is_taken_in_smaller_pieces() -> None:
    text = "one two three four five six"
    parts = (Part(PartKind.SENTENCE, 0, 14), Part(PartKind.SENTENCE, 14, 27))
    found = within(text, parts, 13, 5)
    assert [text[p.start : p.end] for p in found] == ["one ", "two ", "three", " ", text[14:]]


def test_no_piece_begins_inside_a_character() -> None:
    text = "e\u0301" * 10
    assert all(piece[0] == "e" for piece in pieces(text, 5))
    assert "".join(pieces("\u0301" * 9, 3)) == "\u0301" * 9


def test_kinds_and_indents_of_the_pieces() -> None:
    text = "def one():\n    return 1\n"
    code = within(text, (Part(PartKind.CODE, 0, len(text)),), 14, 14)
    assert [(part.kind, part.indent) for part in code] == [("code", 0), ("code", 4)]
    line = within("one two three", (Part(PartKind.RECORD, 0, 13),), 9, 9)
    assert [part.kind for part in line] == [PartKind.RECORD, PartKind.PIECE]


def test_needs_name_the_first_piece_of_what_is_needed() -> None:
    text = "one two three four five six"
    parts = (
        Part(PartKind.SENTENCE, 0, 14, context=(1,)),
        Part(PartKind.SENTENCE, 14, 27, needs=(0,)),
    )
    found = within(text, parts, 10, 10)
    assert [part.needs for part in found] == [(), (), (0,), (0,)]
    assert [part.context for part in found] == [(2,), (2,), (), ()]


@given(st.text(alphabet='ab ,.\n{"}>\u0301一', max_size=200), st.integers(1, 40))
def test_pieces_cover_the_text_in_order(text: str, most: int) -> None:
    parts = parts_of(text)
    found = within(text, parts, most, most)
    assert "".join(text[part.start : part.end] for part in found) == "".join(
        text[part.start : part.end] for part in parts
    )
    assert all(part.start < part.end for part in found)
