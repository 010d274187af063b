"""What is shown of a text in part: slices as they are, and marks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from areev_context.budget.slices import runs, shown_text
from areev_context.text.part import Part, PartKind
from areev_context.text.parts import parts_of

PROSE = "One stands here.\nTwo goes on in\na second line. Three ends it.\n\nFour begins anew."
CODE = """import os

def one():
    return 1

def two():
    if os:
        return 2
    return 3
"""


def parts(text: str, kind: PartKind, *ends: int) -> tuple[Part, ...]:
    """Return parts of one kind that end where these say, their indents read."""
    found, start = [], 0
    for end in (*ends, len(text)):
        line = text[start:end]
        found.append(Part(kind, start, end, indent=len(line) - len(line.lstrip(" "))))
        start = end
    return tuple(found)


def ends_of(text: str, pattern: str) -> list[int]:
    return [match.end() for match in re.finditer(pattern, text) if match.end() < len(text)]


def sentences(text: str) -> tuple[Part, ...]:
    return parts(text, PartKind.SENTENCE, *ends_of(text, r"\.\s+"))


def lines(text: str, kind: PartKind = PartKind.CODE) -> tuple[Part, ...]:
    return parts(text, kind, *ends_of(text, r"\n"))


@pytest.mark.parametrize(
    ("shown", "stretches"),
    [([], []), ([0], [(0, 0)]), ([1, 2, 4], [(1, 2), (4, 4)]), ([0, 2], [(0, 0), (2, 2)])],
)
def test_stretches_of_neighbours(shown: list[int], stretches: list[tuple[int, int]]) -> None:
    assert list(runs(shown)) == stretches


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ([0, 1, 2, 3], PROSE),
        ([0, 1], "One stands here.\nTwo goes on in\na second line. …"),
        ([0, 2], "One stands here. … Three ends it. …"),
        ([1], "… Two goes on in\na second line. …"),
        ([3], "… Four begins anew."),
        ([2], "… Three ends it. …"),
        ([0, 3], "One stands here.\n…\nFour begins anew."),
    ],
)
def test_prose_is_marked_inside_a_line_and_paragraphs_between_lines(
    shown: list[int], text: str
) -> None:
    assert shown_text(PROSE, sentences(PROSE), shown) == text


def test_lines_are_marked_between_lines_with_the_indentation_of_what_follows() -> None:
    found = lines(CODE)
    assert shown_text(CODE, found, [2, 8]) == ("…\ndef one():\n    …\n    return 3")
    assert shown_text(CODE, found, [0, 3]) == "import os\n    …\n    return 1\n…"
    assert shown_text(CODE, found, [7]) == "        …\n        return 2\n    …"


def test_what_goes_on_in_a_line_is_marked_in_that_line() -> None:
    text = "# Title\nOne is here. Two is here.\n"
    found = (
        Part(PartKind.HEADING, 0, 8),
        Part(PartKind.SENTENCE, 8, 21),
        Part(PartKind.SENTENCE, 21, 34),
    )
    assert shown_text(text, found, [0, 2]) == "# Title\n… Two is here."
    data = parts('{"a": 1, "b": 2, "c": 3}', PartKind.DATA, 8, 16)
    assert shown_text('{"a": 1, "b": 2, "c": 3}', data, [0, 2]) == '{"a": 1, … "c": 3}'
    assert shown_text('{"a": 1, "b": 2, "c": 3}', data, [0]) == '{"a": 1, …'


def test_a_turn_begins_its_own_line() -> None:
    text = "Ann: Good morning.\nBen: Hello.\nAnn: The pump is broken."
    found = lines(text, PartKind.TURN)
    assert shown_text(text, found, [0, 2]) == "Ann: Good morning.\n…\nAnn: The pump is broken."
    assert shown_text(text, found, [1]) == "…\nBen: Hello.\n…"


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_fence_that_is_opened_is_closed(fence: str) -> None:
    text = f"{fence}py\none = 1\ntwo = 2\n{fence}\nAfter it."
    size = len(fence)
    found = (
        Part(PartKind.FENCE, 0, size + 3),
        Part(PartKind.CODE, size + 3, size + 11, (0,)),
        Part(PartKind.CODE, size + 11, size + 19, (0,)),
        Part(PartKind.FENCE_END, size + 19, 2 * size + 20),
        Part(PartKind.SENTENCE, 2 * size + 20, len(text)),
    )
    assert shown_text(text, found, [0, 1]) == f"{fence}py\none = 1\n…\n{fence}"
    assert shown_text(text, found, [0, 1, 3]) == f"{fence}py\none = 1\n…\n{fence}\n…"
    assert shown_text(text, found, [1, 4]) == "…\none = 1\n…\nAfter it."


TEXTS = [
    PROSE,
    CODE,
    "# Pump\n\nThe pump:\n\n```sh\npump start\npump stop\n```\n\n- one\n- two\n\nIt runs.",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
    "2026-05-08 10:00:01 INFO up\n2026-05-08 10:00:02 ERROR down\n  at pump.py:4\n" * 3,
    '{\n  "name": "pump",\n  "ports": [\n    80,\n    81\n  ]\n}\n',
    "Ann: Good morning. It is cold.\nBen: Hello.\nAnn: The pump is broken.\n",
]


@given(st.sampled_from(TEXTS), st.data())
def test_every_slice_stands_in_the_text_as_it_is(text: str, data: st.DataObject) -> None:
    found = parts_of(text)
    shown = sorted(data.draw(st.sets(st.integers(0, len(found) - 1), min_size=1)))
    out = shown_text(text, found, shown)
    at = 0
    for first, last in runs(shown):
        piece = text[found[first].start : found[last].end].strip("\n").rstrip()
        at = out.index(piece, at) + len(piece)
    left_out = len(found) - len(shown)
    assert ("…" in out) == (left_out > 0)
