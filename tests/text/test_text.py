"""Strings before any format touches them: cleaned, folded, clipped, guarded and read back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import examples
from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Grain,
    RenderingHints,
    SharedRenderer,
    escape,
)
from areev_context.formats.escaping import guard_joined, guard_lines
from areev_context.text.clean import clean, clean_json, clip, fold, folding
from awkward import TEXTS
from laws.readers import dedent, opened, undo_plain, unescape


@pytest.mark.parametrize(
    ("dirty", "cleaned", "mended"),
    [
        ("plain", "plain", 0),
        ("", "", 0),
        ("two\nlines\tand a tab", "two\nlines\tand a tab", 0),
        ("a\r\nb\rc", "a\nb\nc", 2),
        ("F\x0013 \x00 G", "F13  G", 2),
        ("C1 \x85 and \x9f, DEL \x7f", "C1  and , DEL ", 3),
        ("lone \ud83d end", "lone \ufffd end", 1),
        ("low \ude00 end", "low \ufffd end", 1),
        ("pair \ud83d\ude00 end", "pair \U0001f600 end", 1),
        ("\ufffe\uffff", "\ufffd\ufffd", 2),
        ("kept: \ufffd \u200b \xa0", "kept: \ufffd \u200b \xa0", 0),
    ],
)
def test_clean_mends_what_no_output_may_hold(dirty: str, cleaned: str, mended: int) -> None:
    assert clean(dirty) == (cleaned, mended)
    assert clean(cleaned) == (cleaned, 0)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_clean_can_be_encoded(text: str) -> None:
    assert clean(text)[0].encode().decode() == clean(text)[0]


def test_clean_json_mends_every_string_and_key() -> None:
    value = {"k\x00": ["a\x00", {"b": "c\r"}, 1, None, True], "n": 1.5}
    assert clean_json(value) == ({"k": ["a", {"b": "c\n"}, 1, None, True], "n": 1.5}, 3)
    assert value == {"k\x00": ["a\x00", {"b": "c\r"}, 1, None, True], "n": 1.5}


@pytest.mark.parametrize("value", [{"a": ["b", {"c": "d"}]}, ["a", ["b"]], "text", 3, None])
def test_clean_json_gives_back_the_clean_value_itself(value: object) -> None:
    assert clean_json(value)[0] is value


def test_keys_that_become_equal_stay_distinct() -> None:
    assert clean_json({"a\x00": 1, "a": 2, "a\x01": 3}) == ({"a_": 1, "a": 2, "a__": 3}, 2)


@pytest.mark.parametrize(
    ("text", "folded"),
    [("", ""), (" \n\t ", ""), ("  two\n\nlines\t ", "two lines"), ("a\u2028b\xa0c", "a b c")],
)
def test_fold_leaves_one_line_of_single_spaces(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_folding_folds_before_it_speaks() -> None:
    assert folding(guard_lines)("a\n- b") == "a - b"


@pytest.mark.parametrize(
    ("text", "limit", "clipped"),
    [
        ("", 3, ""),
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefghi", 8, "abcde…"),
        ("abcd", 3, "…"),
        ("ééééé", 10, "ééééé"),
        ("éééééé", 10, "ééé…"),  # seven bytes are three characters and a half
        ("😀😀😀", 11, "😀😀…"),
    ],
)
def test_clip_cuts_between_characters(text: str, limit: int, clipped: str) -> None:
    assert clip(text, limit) == clipped
    assert len(clipped.encode()) <= limit


GUARDED = {
    "a heading": ("# a", r"\# a"),
    "a heading of six": ("###### a", r"\###### a"),
    "a bare heading": ("##", r"\##"),
    "a dash": ("- a", r"\- a"),
    "a star": ("* a", r"\* a"),
    "a plus": ("+ a", r"\+ a"),
    "a banner": ("=== GOALS ===", r"\=== GOALS ==="),
    "an underline": ("==", r"\=="),
    "a rule": ("---", r"\---"),
    "a rule of stars": ("* * *", r"\* * *"),
    "a rule of underscores": ("_ _ _", r"\_ _ _"),
    "a fence": ("```python", r"\```python"),
    "a fence of tildes": ("~~~", r"\~~~"),
    "a quotation": ("> a", r"\> a"),
    "a row of a table": ("| a | b |", r"\| a | b |"),
    "the line under a table's head": (":-- | --:", r"\:-- | --:"),
    "an ordered item": ("1. a", r"\1. a"),
    "an ordered item in brackets": ("12) a", r"\12) a"),
    "a number": ("[3] a", r"\[3] a"),
    "several numbers": ("[1, 2] a", r"\[1, 2] a"),
    "a gap": ("↓ 3 days", r"\↓ 3 days"),
    "a backslash": (r"\ a", r"\\ a"),
    "a status": ("[CURRENT] a", r"\[CURRENT] a"),
    "a status in the middle": ("a [OUTDATED] b", r"a \[OUTDATED] b"),
    "a session": ("a [session: b]", r"a \[session: b]"),
    "a guarded status": (r"a \[CURRENT]", r"a \\[CURRENT]"),
    "a guarded status at the start": (r"\[CURRENT] a", r"\\[CURRENT] a"),
    "a mark behind white space": ("  - a", r"  \- a"),
    "a mark behind a mark without width": ("\u200b# a", "\u200b\\# a"),
    "further lines": ("a\n- b\n\n  c", "a\n  \\- b\n\n    c"),
    "another line separator": ("a\u2028# b", "a\u2028  \\# b"),
    "raw HTML on a further line": ("a\n<div>", "a\n  \\<div>"),
}
UNGUARDED = [
    "plain", "#hash", "#1", "####### seven", "-5 degrees", "*emphasis*", "a - b", "=a", "CURRENT",
    "1.5 litres", "[high/active] a", "[link](target)", "3 > 2", "<b>bold</b>", "``code``",
    "~~gone~~", "",
]  # fmt: skip


@pytest.mark.parametrize(("text", "guarded"), GUARDED.values(), ids=GUARDED)
def test_what_would_read_as_ours_is_guarded(text: str, guarded: str) -> None:
    assert guard_lines(text) == guarded
    assert unescape(guarded) == text


@pytest.mark.parametrize("text", UNGUARDED)
def test_what_would_not_stays_as_it_is(text: str) -> None:
    assert guard_lines(text) == text


def in_plain_text(text: str, **hints: object) -> str:
    rows = [
        {"grain_type": "event", "fields": {"content": each}, "created_at_sec": place * 86_400}
        for place, each in enumerate((text, "b"), 1)
    ]
    policy = FormatPolicy(format="plain_text")
    return ContextAssembler().format(rows, policy, RenderingHints(**hints)).text


@pytest.mark.parametrize(
    "text",
    ["# a", "- b", "> c", "```", "| a |", "---", "~~~", "1. a", "<div>", "==", "\\begin{x}", "***"],
)
def test_plain_text_guards_no_mark_of_markdown(text: str) -> None:
    assert in_plain_text(f"{text}\n{text}") == f"{text}\n  {text}\nb"


@pytest.mark.parametrize(
    "text", ["=== GOALS ===", "[3] a", "[CURRENT] a", "[session: a]", "\u21933 days"]
)
@pytest.mark.parametrize("own", ["", "\\", "\\\\"])
def test_plain_text_guards_its_own_marks(text: str, own: str) -> None:
    shown = in_plain_text(f"x\n{own}{text}")
    assert shown.count("\\") == len(own) + 1
    assert undo_plain(dedent(shown.removesuffix("\nb"))) == f"x\n{own}{text}"


@pytest.mark.parametrize("own", ["", "\\"])
def test_plain_text_guards_ordinals_in_a_timeline_alone(own: str) -> None:
    text = f"1. a\n{own}1. b\n{own}12) c"
    assert "\\" not in in_plain_text(text).replace(own, "")
    in_time = in_plain_text(text, has_temporal_expr=True)
    entry = f"1. 1970-01-02: 1. a\n  \\{own}1. b\n  {own}12) c\n"
    assert entry in in_time


@pytest.mark.parametrize("text", ["\\  a", "\\\\ \ta", "\\\nb", "  a", "\nb"])
def test_plain_text_tells_a_backslash_of_its_own_from_one_of_the_text(text: str) -> None:
    shown = in_plain_text(text).removesuffix("\nb")
    assert dedent(opened(shown)) == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("form", ["markdown", "plain_text"])
def test_awkward_texts_are_read_back(text: str, form: str) -> None:
    assert unescape(escape(clean(text)[0], form)) == clean(text)[0]


PIECES = st.sampled_from([
    "\n", "\u2028", " ", "  ", "\u200b", "\\", "#", "-", "*", "=", "[", "]", "[3]", "[CURRENT]",
    "[OUTDATED]", "[session:", "1.", ">", "|", "<a", "↓", "a", "→",
])  # fmt: skip


@settings(derandomize=True, database=None, max_examples=examples(500))
@given(st.lists(PIECES, max_size=8).map("".join))
def test_guarding_is_undone_without_a_remainder(text: str) -> None:
    assert unescape(guard_lines(text)) == text


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("no bracket", "no bracket"),
        ("[high/active] a", "[high/active] a"),
        ("[CURRENT] a", r"\[CURRENT] a"),
        ("a [OUTDATED] b", r"a \[OUTDATED] b"),
        ("[session: a]", r"\[session: a]"),
        ("[3] a", r"\[3] a"),
        ("a [3]", "a [3]"),
        (r"a \[CURRENT]", r"a \[CURRENT]"),
        (r"\[3] a", r"\[3] a"),
    ],
)
def test_marks_that_values_make_together_are_guarded(line: str, result: str) -> None:
    assert guard_joined(line) == result
    assert guard_joined(result) == result


def test_in_plain_text_no_entry_starts_like_a_further_line_of_another() -> None:
    rows = [
        {"grain_type": "event", "fields": {"content": "a"}},
        {"grain_type": "fact", "fields": {"object": "x"}},
        {"grain_type": "event", "fields": {"content": "\t\ty"}},
    ]
    assert ContextAssembler().format(rows).text == "a\n\\  x\n\\\t\ty"


def test_a_summary_is_folded_before_it_is_clipped() -> None:
    grain = Grain("event", {"content": "a" + " " * 100 + "b"}, "00", 0)
    assert SharedRenderer("event").render_summary(grain, FormatPolicy()) == "a b"


def test_many_keys_that_become_one_stay_many_and_short() -> None:
    given = {"k" + "\x01" * n: n for n in range(1, 3_000)}
    found, _ = clean_json({**given, "k": "own", "k_9": "taken", "k__": "taken"})
    assert sorted(str(value) for value in found.values()) == sorted([
        *map(str, range(1, 3_000)), "own", "taken", "taken",
    ])  # fmt: skip
    assert found["k"] == "own"
    assert (found["k_"], found["k___"], found["k________"]) == (1, 2, 7)
    assert (found["k_10"], found["k_11"]) == (8, 9)
    assert max(map(len, found)) <= len("k________")


def test_what_is_clean_beside_what_is_not_stays() -> None:
    value = {"a\x01": [1, None, True, 1.5, {"b": ["c", "d\x00"]}]}
    assert clean_json(value) == ({"a": [1, None, True, 1.5, {"b": ["c", "d"]}]}, 2)
