"""What holds of the sentences of any text: they cover it, they are short enough, time is linear."""

import base64
import json
import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from areev_context.text.sentences import sentence_spans
from text.golden import LANGUAGES, cases

PIECES = (
    *(
        "a",
        "A",
        "É",
        "1",
        "3",
        "12",
        ".",
        "!",
        "?",
        "…",
        ",",
        ";",
        ":",
        "-",
        "—",
        "•",
        "'",
        '"',
        "|",
    ),
    *(" ", "  ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u3000", "\u200b", "\u2029", "(", ")", "["),
    *(
        "]",
        "“",
        "”",
        "„",
        "«",
        "»",
        "‘",
        "’",
        "‚",
        "「",
        "」",
        "『",
        "』",
        "（",
        "）",
        "《",
        "》",
        "。",
    ),
    *(
        "！",
        "？",
        "我",
        "说",
        "と",
        "ก",
        "ข ",
        "ๆ",
        "ว่า ",
        "।",
        "॥",
        "कहा",
        "؟",
        "م",
        "۔",
        "Α;",
        "🙂",
    ),
    *(
        "Dr. ",
        "z. B. ",
        "e.g. ",
        "No. ",
        "etc. ",
        "a.m. ",
        "г. ",
        "J. ",
        "1. ",
        "2) ",
        "b) ",
        "am ",
    ),
    *(" . . .", "...", "The ", "word. ", "Word", "I ", "said ", "e\u0301", "\ud800", "\x00"),
)
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
SPEECH = "so i went there and then we left because it was late and nobody was around any more "
THAI = "ฉันไปตลาดกับแม่และพี่ชายเพื่อซื้อผลไม้หลายอย่างที่บ้านเราชอบกินกันทุกวัน"
CHINESE = "我们走了很久也没有找到那个地方因为天已经黑了而且路上没有人可以问"


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@given(TEXTS)
def test_spans_cover_the_text_in_order_and_none_is_empty(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    assert all(start < end for start, end in spans)
    assert spans == sentence_spans(text)


@given(TEXTS)
@example(("x" * 50 + " " * 100) * 9)
def test_white_space_belongs_to_the_sentence_before(text: str) -> None:
    parts = sentences(text)
    assert not any(part[0].isspace() for part in parts[1:])
    assert len(parts) < 2 or all(part.strip() for part in parts)


@pytest.mark.parametrize(
    ("text", "longest"),
    [
        (SPEECH * 60, 240),
        (
            json.dumps([{"id": n, "tags": ["a", "b"]} for n in range(300)], separators=(",", ":")),
            240,
        ),
        ("<ul>" + "<li><b>x</b>more</li>" * 300 + "</ul>", 240),
        (base64.b64encode(bytes(range(256)) * 20).decode(), 240),
        (f"One clause, {SPEECH[:-1]}; " * 20 + "ends.", 240),
        (THAI * 30, 80),
        (CHINESE * 30, 80),
        ("មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងសមភាពក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ" * 9, 80),
        ("လူတိုင်းသည်တူညီလွတ်လပ်သောဂုဏ်သိက္ခာဖြင့်လည်းကောင်း" * 9, 80),
        ("ມະນຸດທຸກຄົນເກີດມາມີສິດສະເໝີພາບແລະມີກຽດສັກສີ" * 9, 80),
    ],
)
def test_what_has_no_ends_comes_in_short_spans(text: str, longest: int) -> None:
    lengths = [end - start for start, end in sentence_spans(text)]
    assert max(lengths) <= longest
    assert min(lengths) >= longest // 8


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (f"{SPEECH}and so on; {SPEECH * 2}", "on; "),
        (f"{SPEECH}and so on, {SPEECH * 2}", "on, "),
        (SPEECH * 4, " "),
        ('{"k":"' + "x" * 100 + '"},' + '{"k":"' + "y" * 200 + '"}', "},"),
        ("<p>" + "x" * 100 + "</p>" + "<p>" + "y" * 200 + "</p>", "</p>"),
        (THAI[:70] + "แต่" + THAI, THAI[60:70]),
    ],
)
def test_a_long_span_ends_at_the_best_pause(text: str, at: str) -> None:
    assert sentences(text)[0].endswith(at)


def test_a_sentence_that_ends_is_whole_up_to_400_characters() -> None:
    clause = "The tenant pays the rent, on the first of the month, in advance, "
    assert len(sentences(clause * 5 + "always.")) == 1
    assert len(sentences(clause * 5 + "always")) == 2
    assert len(sentences(clause * 7 + "always.")) > 1


@pytest.mark.parametrize(
    "text", [THAI * 9, "กี่" * 90, "เก" * 200, "e\u0301" * 300, "👩\u200d🚀" * 200]
)
def test_no_letter_is_torn_from_its_signs(text: str) -> None:
    for (_, end), _ in pairwise(sentence_spans(text)):
        assert unicodedata.category(text[end])[0] != "M"
        assert "\u200d" not in text[end - 1 : end + 1]
        assert text[end - 1] not in "เแโใไ"


def test_a_run_of_signs_without_a_letter_is_divided_too() -> None:
    assert max(end - start for start, end in sentence_spans("\u0301" * 1000)) <= 240


@pytest.mark.parametrize("text", ["", " ", " \n\n ", "x"])
def test_short_texts(text: str) -> None:
    assert sentences(text) == [text] * bool(text)


def seconds(text: str) -> float:
    started = time.process_time()
    sentence_spans(text)
    return time.process_time() - started


RUNS = [*PIECES, '"a?" क ', "(a?) ", "“a.” 我 ", "(a. ", ". x", "A.b. ", "([{«“‘", "'a ", "1. a "]


@pytest.mark.parametrize("run", [*RUNS, " ".join(cases("german")).replace("|", "")])
def test_time_is_linear(run: str) -> None:
    small = run * (4_000 // len(run) + 1)
    fast = min(seconds(small) for _ in range(3))
    assert min(seconds(small * 8) for _ in range(2)) < 24 * fast + 0.05


def test_a_line_of_a_megabyte() -> None:
    assert sum(map(len, sentences("x" * 1_000_000))) == 1_000_000
    assert seconds("The lamp was tested for a day. " * 32_000) < 20
    quarter = min(seconds(SPEECH * 3_000) for _ in range(2))
    assert seconds(SPEECH * 12_000) < 8 * quarter + 0.1


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_pair_of_golden_texts_disturbs_another(language: str) -> None:
    for first, second in pairwise(case.replace("|", "") for case in cases(language)):
        joined = f"{first}\n\n{second}"
        assert sentences(joined) == sentences(f"{first}\n\n") + sentences(second)
