"""How much each part should tell."""

import math

import pytest

from areev_context.budget.parted import Parted, PassageNumber, number_of
from areev_context.budget.relevance import part_values
from areev_context.text.part import Part, PartKind
from areev_context.text.parts import parts_of

OTHER = "The carrier called from Milan about the desk again."


def plain(
    *sentences: str, number: PassageNumber | None = None, speaker: str = "", title: str = ""
) -> Parted:
    parts, start = [], 0
    for sentence in sentences:
        parts.append(Part(PartKind.SENTENCE, start, start + len(sentence) + 1))
        start += len(sentence) + 1
    text = " ".join((*sentences, ""))
    return Parted(text, parts, speaker=speaker, title=title, number=number)


def read(text: str) -> Parted:
    return Parted(text, parts_of(text))


def by_text(query: str, text: str) -> dict[str, float]:
    """Return the value of each part of a text by its words."""
    passage = read(text)
    (values,) = part_values(query, [passage])
    found = zip(passage.parts, values, strict=True)
    return {text[part.start : part.end].strip(): value for part, value in found}


@pytest.mark.parametrize(
    ("identifier", "number"),
    [
        (None, None),
        ("", None),
        ("chat", None),
        ("chat-12", ("chat-", 12)),
        ("D1:3", ("D1:", 3)),
        ("007", ("", 7)),
        ("a123456789", ("a", 123456789)),
        ("a1234567890", None),  # no number of a piece, but a key
        ("a٣", None),
        ("a-3b", None),
    ],
)
def test_the_number_an_id_names(identifier: str | None, number: PassageNumber | None) -> None:
    assert number_of(identifier) == number


def test_nothing_in_nothing_out() -> None:
    assert part_values("lamp", []) == []


def test_without_a_query_places_decide() -> None:
    for query in ("", "  ", "what is it?"):
        (first,), (second,), (third,) = part_values(query, [plain(OTHER)] * 3)
        assert first > second > third


def test_words_in_common_beat_places() -> None:
    query = "How long does the refund of a walnut lamp take?"
    found = part_values(query, [plain(OTHER), plain("The refund of a lamp takes a week.")])
    assert found[1][0] > found[0][0]


@pytest.mark.parametrize("query", ["refund", "refund of a lamp", "when is the refund?"])
def test_a_query_of_few_words_prefers_what_has_them(query: str) -> None:
    texts = ["Desks come in walnut.", "The refund of a lamp takes a week.", "Parcels go at noon."]
    found = part_values(query, [plain(text, number=("d", n)) for n, text in enumerate(texts)])
    assert max(found)[0] == found[1][0]
    ((before, asked, after),) = part_values(query, [plain(*texts)])
    assert asked > max(before, after)


def test_the_sentence_that_answers_beats_its_neighbours() -> None:
    query = "How long does the refund of a walnut lamp take at the desk in Milan?"
    passage = plain(OTHER, "The refund of a walnut lamp takes five days.", "Parcels leave at noon.")
    (values,) = part_values(query, [passage])
    assert max(values) == values[1]


def test_a_scrap_is_worth_less_than_a_sentence() -> None:
    ((scrap, sentence),) = part_values("", [plain("Yes indeed.", OTHER)])
    assert scrap < sentence


def test_who_speaks_and_the_title_count() -> None:
    query = "What did Alice say about the Walnut catalogue?"
    turns = [plain(OTHER, speaker=name) for name in ("Bob", "Alice")]
    titled = [plain(OTHER, title=name) for name in ("Parcels", "Walnut")]
    for passages in (turns, titled):
        (first,), (second,) = part_values(query, passages)
        assert second > first


def test_neighbours_in_the_source_lend_their_worth() -> None:
    asked, answer = (
        plain("Where is the walnut lamp?", number=("c", 4)),
        "It stands beside the window.",
    )
    for number in (3, 5, 2, 6):
        near, far = plain(answer, number=("c", number)), plain(answer, number=("d", number))
        (beside,) = part_values("walnut lamp", [asked, near])[1]
        (elsewhere,) = part_values("walnut lamp", [asked, far])[1]
        assert beside > elsewhere


def test_of_two_passages_with_one_id_the_better_is_the_neighbour() -> None:
    twice = [plain(OTHER, number=("c", 1)), plain(OTHER), plain(OTHER, number=("c", 1))]
    once = [twice[0], twice[1], plain(OTHER)]
    last = plain(OTHER, number=("c", 2))
    assert part_values("", [*twice, last])[3] == part_values("", [*once, last])[3]


def test_values_are_numbers_whatever_comes() -> None:
    passages = [plain(""), plain("…", "!"), plain("保存期間は三年間です。", number=("c", 1))]
    passages += [plain("lamp " * 5000, number=("c", 2), speaker="lamp", title="lamp")]
    for query in ("", "…", "保存期間は?", "lamp " * 500):
        values = [v for of in part_values(query, passages) for v in of]
        assert all(math.isfinite(value) for value in values)


def test_a_script_without_spaces_is_matched() -> None:
    query = "保存期間は何年ですか"
    passages = [
        plain("配送は翌日に行われ、送料は無料です。"),
        plain("保存期間は三年間と定められた。"),
    ]
    (first,), (second,) = part_values(query, passages)
    assert second > first


def test_what_stands_above_counts_less_than_the_words_themselves() -> None:
    text = (
        "## Debian\n\n```sh\napt install pump\n```\n\n## Fedora\n\n```sh\ndnf install pump\n```\n\n"
        "## Notes\n\n```sh\necho Debian here\n```\n"
    )
    values = by_text("Debian", text)
    assert values["apt install pump"] > values["dnf install pump"]
    assert values["echo Debian here"] > values["apt install pump"]


def test_the_words_of_a_header_count_for_its_rows() -> None:
    rows = "\n".join(f"| {name} pump | {n} bar |" for n, name in enumerate(("red", "blue")))
    one = f"| what | pressure |\n|---|---|\n{rows}\n"
    other = one.replace("pressure", "amount")
    (first, second) = part_values("which pressure has the blue pump?", [read(one), read(other)])
    assert max(first) > max(second)


def test_a_heading_twice_removed_counts() -> None:
    text = "# Debian\n\n## Install\n\nRun the first command of the two below here.\n"
    other = text.replace("Debian", "Fedora")
    first, second = part_values("Debian", [read(other), read(text)])
    assert second[-1] > first[-1]


@pytest.mark.parametrize("query", ["where is the open amount settled?", "openAmount"])
def test_identifiers_are_matched_by_their_pieces(query: str) -> None:
    code = ["def one():\n    return settleOpenAmount(1)\n", "def two():\n    return chargeIt(2)\n"]
    parts = [Part(PartKind.CODE, 0, len(text)) for text in code]
    passages = [
        Parted(text, [part]) for text, part in zip(reversed(code), reversed(parts), strict=True)
    ]
    (charge,), (payment,) = part_values(query, passages)
    assert payment > charge


def test_the_first_paragraph_below_a_heading_opens_it() -> None:
    line = "The pump needs some water every day of the year."
    text = f"# Pump\n\n{line} {line}\n\n{line} {line}\n"
    passage = read(text)
    ((_, first, second, third, fourth),) = part_values("", [passage])
    assert first == second
    assert third == fourth
    assert first > third


def test_the_items_of_a_list_are_weighed_by_their_words() -> None:
    text = "The pump has two switches:\n\n- the red one starts it\n- the blue one stops it\n"
    values = by_text("blue", text)
    assert values["- the blue one stops it"] > values["- the red one starts it"]
