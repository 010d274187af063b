"""The numbers of entries, read back from an answer."""

import re
import time
from typing import Any

import pytest
from pydantic import ValidationError

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    InputError,
    Passage,
    PassageMapper,
    RenderingHints,
    citation_instructions,
    cited_numbers,
    cited_sources,
)
from areev_context.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("", []),
        ("nothing cited", []),
        ("as said in [3]", [3]),
        ("[1, 2] and [2,1]", [1, 2]),
        ("[1-3]", [1, 2, 3]),
        ("[1–3]", [1, 2, 3]),
        ("[ 4 ; 2 - 3 ]", [4, 2, 3]),
        ("first [9], then [2], then [9] again", [9, 2]),
        ("[1][2]", [1, 2]),
        ("[5-5]", [5]),
        ("[3-1]", [3, 1]),
        ("[1-999]", list(range(1, 1000))),
        ("[1-2000]", [1]),
        ("[a] [] [1.5] [-1] [1234567] (3) 4", []),
        ("[CURRENT] [session: 3]", []),
        ("[٣]", [3]),
        ("[3\n]", [3]),
        (r"as \[3] says, [4]", [4]),
    ],
)
def test_numbers_in_order_of_appearance(answer: str, numbers: list[int]) -> None:
    assert cited_numbers(answer) == numbers


def test_ranges_that_overlap_give_each_number_once_in_order() -> None:
    assert cited_numbers("[3-5] [1-4] [2-7] [7-9, 8-10]") == [3, 4, 5, 1, 2, 6, 7, 8, 9, 10]
    assert cited_numbers("[9-2, 1-10]") == [9, 2, 1, 3, 4, 5, 6, 7, 8, 10]
    ranges = [(first, first + width) for first in range(1, 90, 7) for width in (0, 3, 40, 8)]
    answer = "; ".join(f"[{first}-{last}]" for first, last in ranges)
    every = [number for first, last in ranges for number in range(first, last + 1)]
    assert cited_numbers(answer) == list(dict.fromkeys(every))


def test_a_range_again_costs_no_more_than_a_number_again() -> None:
    def seconds(part: str) -> float:
        began = time.process_time()
        cited_numbers(f"[{','.join([part] * 4_000)}]")
        return time.process_time() - began

    assert any(seconds("1-999") < 10 * seconds("1") + 0.01 for _ in range(3))


# --- what models write ------------------------------------------------------------------------


class Entry:
    """Something with a number."""

    def __init__(self, number: int | None) -> None:
        self.number = number


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("Three months 【1】.", [1]),
        ("Three months【1†source】 and【2:0†lease.pdf】.", [1]),
        ("Both [1, 2 and 3].", [1, 2, 3]),
        ("Both [1，2].", [1, 2]),
        ("Beide [1 und 2], [3 bis 5].", [1, 2, 3, 4, 5]),
        ("See [^2].", [2]),
        ("See [^2][^3].", [2, 3]),
        (
            "See [Source 1] and [Sources 2, 3], [source: 4], [Doc. 5], [Document 6].",
            [1, 2, 3, 4, 5, 6],
        ),
        ("See [１] and ［２］.", [1, 2]),
        ("三个月[1]。", [1]),
        ("Three months[1]. Two[2][3], four [4].", [1, 2, 3, 4]),
        ("It is [1–3] or [5..6].", [1, 2, 3, 5, 6]),
        ('As in [id="2"] and [#3].', [2, 3]),
        ("A lone ``` ` and [1].", [1]),
    ],
)
def test_forms_that_models_write_are_read(answer: str, numbers: list[int]) -> None:
    assert cited_numbers(answer) == numbers


@pytest.mark.parametrize(
    "answer",
    [
        "Use `argv[1]` here.",
        "Use ``x `[1]` `` here.",
        "Use argv[1] here.",
        "Use sys.argv[1] here.",
        "the value of my_list[3]",
        "x[0], y[1] and z[2]",
        "set table[4] = 7, matrix[1][2]",
        "```py\nrows[1]\n[2]\n```",
        "~~~\n[2]\n~~~",
        "```\n[2]",
        "[1](https://example.org)",
        "[[1]](https://example.org)",
        "[1]: https://example.org",
        "since the edition [2023]",
        "order [4471]",
        "[0]",
        "[1.5] [a1] [12:30] [Table 2]",
        "(1)",
        r"\[1]",
    ],
)
def test_what_is_no_citation_is_not_read(answer: str) -> None:
    assert cited_numbers(answer) == []
    assert cited_numbers(f"{answer}\n\nThree months [7].") in ([7], [])


def test_with_sources_only_their_numbers_are_read() -> None:
    sources = [Entry(2), Entry(3), Entry(None), Entry(2_023), Entry(0)]
    assert cited_numbers("[1] [2-5] [2023] [0] [9]", sources) == [2, 3, 2023, 0]
    assert cited_numbers("[1-999999999]", sources) == [2, 3, 2023]
    assert cited_numbers("[1]", []) == []
    dumps = [{"number": 2, "id": "a"}, {"number": None}, {}]
    assert cited_numbers("[1] [2]", dumps[:2]) == [2]
    for wrong in (dumps[2], 2, "2", {"number": "2"}, None):
        with pytest.raises(InputError, match=r"source 1 is of type .*: give a Source"):
            cited_numbers("[2]", [dumps[0], wrong])  # type: ignore[list-item]


def test_parentheses_are_read_only_where_asked() -> None:
    assert cited_numbers("Three months (1), [2].") == [2]
    assert cited_numbers("Three months (1), [2]; (Source 3).", parentheses=True) == [1, 2, 3]
    assert cited_numbers("f(1) and (see 2)", parentheses=True) == []


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[1",
        "[1,",
        "`",
        "``` ",
        "\n```\n",
        "【1†",
        "[Source ",
        "[1 and ",
        "a_",
        "[1](",
        "[1]: ",
        "[^",
    ],
)
def test_reading_is_linear(piece: str) -> None:
    def seconds(times: int) -> float:
        began = time.process_time()
        cited_numbers(piece * times, parentheses=True)
        return time.process_time() - began

    assert any(seconds(40_000) < 8 * seconds(10_000) + 0.02 for _ in range(3))


# --- the way there and back -------------------------------------------------------------------

PASSAGES = [
    Passage(
        f"Clause {n} says {word}. It holds for every flat of the house, and for its cellar too.",
        {
            "title": f"Lease {n}",
            "source": f"/srv/lease-{n}.pdf",
            "page_label": str(n),
            "url": f"u{n}",
        },
        id=f"p{n}",
    )
    for n, word in enumerate(["one", "two", "three", "four", "five", "six"], start=1)
]
FORMATS = ("sml", "markdown", "plain_text", "toon", "json")


def cites(prompt: str, instructions: str, words: list[str]) -> str:
    """Return the answer of a model that follows the instructions to the letter.

    It finds the number of an entry where the instructions say that it stands.
    """
    marks = {
        "attribute id": r'id="(\d+)"[^>]*>',
        "before it": r"(?m)^(?:- )?\[(\d+)\] ",
        "column id": r"(?m)^  (\d+),",
        "property id": r'"id":(\d+)',
    }
    mark = next(mark for words_of, mark in marks.items() if words_of in instructions)
    found = []
    for word in words:
        place = prompt.index(f"says {word}")
        if "property" in instructions:  # it stands behind the text
            found.append(re.search(mark, prompt[place:])[1])  # type: ignore[index]
        else:
            found.append(re.findall(mark, prompt[:place])[-1])
    return f"It says so [{found[0]}]. And this [{found[1]}, {found[2]}]."


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("first", [1, 0, 7])
def test_a_model_that_follows_the_instructions_leads_back(form: str, first: int) -> None:
    policy = FormatPolicy(format=form, numbered=True, first_number=first)
    context = ContextAssembler().format(PassageMapper().hits(PASSAGES), policy)
    answer = cites(context.text, citation_instructions(policy), ["four", "one", "six"])
    cited, unknown = context.cited(answer)
    assert [(s.id, s.page, s.url, s.source, s.index) for s in cited] == [
        (f"p{n}", str(n), f"u{n}", f"/srv/lease-{n}.pdf", n - 1) for n in (4, 1, 6)
    ]
    assert unknown == ()
    again = FormattedContext.model_validate_json(context.model_dump_json())
    assert again.cited(answer) == context.cited(answer)


def test_in_a_timeline_the_instructions_lead_back_too() -> None:
    days = [f"2024-03-0{n}" for n in range(1, 7)]
    found = [
        Passage(p.text, {**p.metadata, "event_at": day}, id=p.id)
        for p, day in zip(PASSAGES, days, strict=True)
    ]
    hints = RenderingHints(has_time_range=True)
    for form in ("markdown", "plain_text"):
        policy = FormatPolicy(format=form, numbered=True, first_number=7)
        context = ContextAssembler().format(PassageMapper().hits(found), policy, hints)
        assert "in a timeline it begins the line, as in 8." in citation_instructions(policy)
        number = re.search(r"(?m)^(\d+)\. .*says three", context.text)
        assert number is not None
        [source] = context.cited(f"It says so [{number[1]}].").sources
        assert source.id == "p3"


def test_numbers_lead_back_from_a_dump() -> None:
    context = ContextAssembler().format(
        PassageMapper().hits(PASSAGES), FormatPolicy.gpt4(numbered=True)
    )
    dumped = context.model_dump(mode="json")["sources"]
    assert cited_sources("So [2] and [9].", dumped) == context.cited("So [2] and [9].")
    for wrong in ({}, 2, "2", {**dumped[0], "number": "x"}):
        with pytest.raises(InputError, match=r"source 1 is of type .*: give a Source"):
            cited_sources("So [2].", [dumped[0], wrong])  # type: ignore[list-item]


@pytest.mark.parametrize("number", [-1, 100_000_000, 1.5, True, "2", None])
def test_a_first_number_is_one_that_can_be_read_back(number: Any) -> None:
    with pytest.raises(ValidationError, match="first_number"):
        FormatPolicy(first_number=number)


def test_numbers_go_on_over_two_calls() -> None:
    policy = FormatPolicy.gpt4(numbered=True)
    mapper, assembler = PassageMapper(), ContextAssembler()
    one = assembler.format(mapper.hits(PASSAGES[:3]), policy)
    two = assembler.format(mapper.hits(PASSAGES[3:]), policy.replace(first_number=4))
    cited, unknown = cited_sources("So [2], so [5], so [8].", [*one.sources, *two.sources])
    assert [source.id for source in cited] == ["p2", "p5"]
    assert unknown == (8,)
    assert one.cited("[2] [5]") == ((one.sources[1],), (5,))


def test_numbers_of_code_are_no_unknown_citations() -> None:
    policy = FormatPolicy.gpt4(numbered=True)
    context = ContextAssembler().format(PassageMapper().hits(PASSAGES), policy)
    assert context.cited("`argv[9]` of 2023 [2023], see [1] and [9].").unknown == (9,)


def test_without_numbers_there_is_nothing_to_instruct() -> None:
    with pytest.raises(InputError, match="numbered=True"):
        citation_instructions(FormatPolicy())


@pytest.mark.parametrize("budget", [None, 40, 60])
def test_the_span_is_what_the_text_shows(budget: int | None) -> None:
    policy = FormatPolicy.gpt4(token_budget=budget)
    query = "what does clause two say of the cellar?"
    hits = PassageMapper().hits(PASSAGES)
    context = ContextAssembler(counter=estimate_tokens).format(hits, policy, query=query)
    assert context.sources
    for source in context.sources:
        assert source.span is not None
        assert source.index is not None
        start, end = source.span
        content = hits[source.index].fields["content"]
        assert content[start:end].strip() in context.text or "…" in context.text
        if context.outcomes[source.index].reason == "full":
            assert source.span == (0, len(content))
