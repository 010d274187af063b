"""The same hits under several policies, side by side: as a table and as HTML."""

from typing import Any

import pytest

import desk
from areev_context import (
    Comparison,
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    InputError,
    compare,
)
from areev_context.extend import OutputFormat
from areev_context.result import room_of
from laws.situations import everything
from laws.strategies import SHORT
from page_reader import Read

ROWS: list[dict[str, Any]] = [
    {
        "grain_type": "fact",
        "hash": "f",
        "fields": {"subject": "ada", "relation": "owns", "object": "a lamp"},
    },
    {
        "grain_type": "fact",
        "hash": "s",
        "fields": {"object": "secret", "verification_status": "retracted"},
    },
    {"grain_type": "event", "hash": "e", "fields": {"content": "Where is it? " * 20}},
    {"grain_type": "goal", "hash": "g", "fields": {"description": "find\nit"}},
]


def made(rows: list[dict[str, Any]] = ROWS, **options: Any) -> FormattedContext:
    return ContextAssembler(counter=desk.count).format(rows, FormatPolicy(**options))


def several(rows: list[dict[str, Any]] = ROWS) -> Comparison:
    return compare([
        made(rows, token_budget=30),
        made(rows, token_budget=200),
        made(rows, format="sml", group_by_type=True),
        made(rows, token_budget=0),
    ])  # fmt: skip


def test_the_table_in_plain_text() -> None:
    table = compare([made(token_budget=30), made(format="sml")], names=["small", "no\nlimit"])
    assert (
        str(table)
        == """\
#  small       no limit  type   label
0  full 4      full 8    fact   ada owns a lamp
1  withheld    withheld  -      -
2  summary 18  full 69   event  Where is it? Where is it? Where is it? Where is it? Where…
3  full 7      full 14   goal   [medium/active] find it

          tokens  budget  shown  omitted  withheld  format      mode
small         28      30      3        0         1  plain_text  default
no limit      90       -      3        0         1  sml         default"""
    )


def test_names_are_numbers_unless_given() -> None:
    assert several().names == ("1", "2", "3", "4")
    assert len(several().contexts) == 4


@pytest.mark.parametrize("withheld_first", [False, True])
def test_what_one_policy_withholds_another_may_tell(withheld_first: bool) -> None:
    withheld, shown = made(include_retracted=True), made()
    table = compare([shown, withheld] if withheld_first else [withheld, shown])
    assert "secret" in str(table)
    assert "secret" not in compare([shown]).to_html() + str(compare([shown]))


def test_a_page_has_the_bars_on_one_scale_and_all_hits() -> None:
    table = several()
    page, fragment = Read(table.to_html()), Read(table._repr_html_())
    assert page.widths == fragment.widths
    rooms = [share.tokens for context in table.contexts for share in room_of(context)]
    assert page.widths == [tokens for tokens in rooms if tokens]
    for text in (
        "floor_unaffordable",
        "summary",
        "ada owns a lamp",
        "withheld",
        "plain_text, mode default",
    ):
        assert text in page.all_text
    assert "secret" not in page.all_text
    assert 'style="width:15.00%"' in table.to_html()
    assert 'style="width:100.00%"' in table.to_html()
    assert 'style="width:0.00%"' in table.to_html()


def test_a_section_has_one_colour_in_all_bars() -> None:
    page = several().to_html()
    colours = {
        name: {
            line.partition('"></i>')[0][-2:] for line in page.split("<li>") if f">{name} " in line
        }
        for name in ("facts", "events", "goals")
    }
    assert all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) == 3


def test_nothing_shown_anywhere_is_a_page_too() -> None:
    assert Read(compare([made([], token_budget=0)]).to_html()).widths == []


@pytest.mark.parametrize("text", list(filter(str.strip, SHORT)))
def test_no_awkward_text_adds_a_tag(text: str) -> None:
    rows = everything(text)
    contexts = [
        made(rows, format=form, group_by_type=True, token_budget=budget)
        for form, budget in ((OutputFormat.SML, 300), (OutputFormat.TOON, None))
    ]
    table = compare(contexts, names=[text, f"<i onclick=x>{text}"])
    Read(table.to_html())
    assert len(str(table).split("\n")) == len(rows) + 1 + 1 + 3


OTHERS: dict[str, tuple[Any, str]] = {
    "none": ([], "there is nothing to compare: give one context or more"),
    "no context": (
        [made(), "text"],
        "context 2 is of type str: give FormattedContexts",
    ),
    "fewer hits": (
        [made(), made(ROWS[:2])],
        "context 2 is of 2 hits, the first of 4: give contexts of the same hits",
    ),
    "another order": (
        [made(), made(), made(ROWS[::-1])],
        "hit 0 of context 3 has the hash 'g', of the first 'f': "
        "give contexts of the same hits, in the same order",
    ),
}


@pytest.mark.parametrize(("contexts", "why"), OTHERS.values(), ids=OTHERS)
def test_what_cannot_be_compared_is_reported(contexts: list[Any], why: str) -> None:
    with pytest.raises(InputError) as error:
        compare(contexts)
    assert str(error.value) == why


def test_names_may_be_what_differs() -> None:
    assert compare([made(), made()], names=[12, 40]).names == ("12", "40")


def test_names_are_as_many_as_contexts() -> None:
    with pytest.raises(InputError, match="1 names for 2 contexts: give one for each"):
        compare([made(), made()], names=["one"])
