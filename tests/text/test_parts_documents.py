"""Parts of documents: headings, lists, paragraphs, fences, quotations."""

# ruff: noqa: E501  (the lines of the texts are as long as they are)

from inspect import cleandoc

import pytest

from areev_context.text.parts import PartKind, parts_of
from text.part_pictures import kinds, picture, shown

GUIDE = cleandoc(
    """
    # Guide

    A first sentence. A second one
    goes over a line.

    ## Debian

    Install it like this:

    ```sh
    apt install acme
    ```

    Then start it.

    ### Older releases

    - one item
      goes on here
    - another item:

      - a nested item

        and its second paragraph
    - the last
    """
)


def test_a_paragraph_is_read_in_sentences_which_need_the_nearest_heading() -> None:
    assert picture(GUIDE)[:3] == [
        ("heading!", "# Guide\n\n", ()),
        ("sentence", "A first sentence. ", (0,)),
        ("sentence", "A second one\ngoes over a line.\n\n", (0,)),
    ]


def test_a_heading_counts_for_those_below_it_and_needs_none() -> None:
    headings = [part for part in parts_of(GUIDE) if part.kind is PartKind.HEADING]
    assert [(part.needs, part.context) for part in headings] == [((), ()), ((), (0,)), ((), (0, 3))]
    last = parts_of(GUIDE)[-1]
    assert (last.needs, last.context[:2]) == ((9,), (0, 3))


def test_code_in_a_fence_comes_with_its_fence_what_introduces_it_and_the_heading() -> None:
    assert shown(GUIDE, "apt install") == (
        "## Debian\n\nInstall it like this:\n\n```sh\napt install acme\n```\n\n"
    )


def test_a_nested_item_comes_with_the_item_it_stands_in() -> None:
    assert shown(GUIDE, "second paragraph") == (
        "### Older releases\n\n…\n- another item:\n\n  - a nested item\n\n"
        "    and its second paragraph\n"
    )
    assert shown(GUIDE, "goes on here") == "### Older releases\n\n- one item\n  goes on here\n"


def test_an_item_comes_with_the_line_that_introduces_the_list() -> None:
    text = "Bring:\n\n1. a pen\n2. paper\n\nNothing else.\n\n- a list of its own\n"
    assert shown(text, "paper") == "Bring:\n\n…\n2. paper\n\n"
    assert shown(text, "of its own") == "- a list of its own\n"
    assert parts_of(text)[4].context == (3,)


@pytest.mark.parametrize("marker", ["-", "*", "+", "•", "–", "1.", "2)", "(3)"])
def test_items_begin_with_many_markers(marker: str) -> None:
    assert kinds(f"{marker} one\n{marker} two\n  more of it") == ["item", "item"]


def test_letters_mark_items_only_where_a_list_begins_with_them() -> None:
    assert kinds("a) one\nb) two\n") == ["item", "item"]
    assert kinds("He met\ne) no one") == ["sentence"]
    assert kinds("x. no list") == ["sentence"]


def test_a_number_in_the_middle_of_a_paragraph_is_no_item() -> None:
    assert kinds("It was founded in\n1986. A great year.") == ["sentence", "sentence"]
    assert kinds("You need\n1. a pen\n2. paper") == ["sentence", "item", "item"]


def test_a_long_item_is_read_in_sentences_which_need_its_beginning() -> None:
    text = f"- First it begins. {'Then it goes on and on for a while. ' * 20}"
    found = picture(text)
    assert found[0] == ("item", "- First it begins. ", ())
    assert {needs for _, _, needs in found[1:]} == {(0,)}


def test_headings_of_restructured_text_and_directives() -> None:
    text = cleandoc(
        """
        =====
        Title
        =====

        Install
        -------

        On Linux::

            make install

        .. code-block:: sh

           brew install acme

        .. note::

           Reboot afterwards. It matters.

        .. image:: picture.png

        Usage
        ~~~~~

        See below.
        """
    )
    assert kinds(text) == [
        *["heading!"] * 2, "sentence", "code", "frame!", "code", "frame!", "sentence", "sentence",
        "sentence", "heading!", "sentence",
    ]  # fmt: skip
    assert shown(text, "brew") == (
        "Install\n-------\n\n…\n.. code-block:: sh\n\n   brew install acme\n\n"
    )
    assert shown(text, "It matters") == (
        "Install\n-------\n\n…\n.. note::\n\n…\n   It matters.\n\n"
    ).replace("   It", "It")
    assert parts_of(text)[-1].context == (0, 1)


def test_a_heading_of_two_lines_is_underlined() -> None:
    assert kinds("A heading\nof two lines\n---\n\nText.") == ["heading!", "sentence"]


def test_a_note_holds_what_is_indented_below_it() -> None:
    text = '!!! note "Careful"\n    Do not do it. Really.\n\nOutside.\n'
    assert shown(text, "Really") == '!!! note "Careful"\n…\nReally.\n\n'
    assert shown(text, "Outside") == "Outside.\n"


def test_title_lines_of_plain_text_are_headings() -> None:
    contract = cleandoc(
        """
        EMPLOYMENT CONTRACT

        1. Term

        The contract begins on 1 May. It ends after two years, unless it is renewed.

        2. Salary

        The salary is 5000 francs a month, paid at its end.

        Final Provisions

        Changes are made in writing, and they are signed by both of the parties.
        """
    )
    assert [kind for kind in kinds(contract) if kind == "heading!"] == ["heading!"] * 4
    assert shown(contract, "5000") == (
        "2. Salary\n\nThe salary is 5000 francs a month, paid at its end.\n\n"
    )


def test_the_number_of_a_title_is_its_level() -> None:
    text = (
        "1. Duties\n\nThere are two of them, as follows below.\n\n"
        "1.1 Duty of care of the tenant towards the neighbors\n\nNo noise at night.\n\n"
        "2. Rent\n\nIt is paid in advance, each month, by bank transfer.\n"
    )
    headings = [part for part in parts_of(text) if part.kind is PartKind.HEADING]
    assert [part.context for part in headings] == [(), (0,), ()]


@pytest.mark.parametrize(
    "text",
    [
        "Hi Tom,\n\nthe meeting is moved to Friday because the hall is closed.",
        "It is done.\n\nNow something else begins that is longer than this.",
        "1. one\n\n2. two\n\n3. three",
        "Yes\n\nNo\n\nPerhaps",
        "# Title\n\nShort Line\n\nA longer line of text follows it here.",
        "123\n\nA longer line of text follows the number.",
        "Column  Other\n\nA longer line of text follows the columns.",
        "The end",
    ],
)
def test_in_doubt_a_short_line_is_no_heading(text: str) -> None:
    assert "heading!" not in kinds(text)[1:]
    assert kinds(text)[0] != "heading!" or text[0] == "#"


def test_quotations_are_read_as_what_they_hold() -> None:
    text = "> A quotation. It has\n> two sentences.\n>\n> - and an item\n\nAn answer. With more."
    assert picture(text) == [
        ("sentence", "> A quotation. ", ()),
        ("sentence", "It has\n> two sentences.\n>\n", ()),
        ("item", "> - and an item\n\n", ()),
        ("sentence", "An answer. ", ()),
        ("sentence", "With more.", ()),
    ]


def test_a_quotation_ends_and_begins_a_paragraph() -> None:
    assert kinds("Some words\n> and quoted words\n>> and more of them\n") == ["sentence"] * 3
    assert shown("> - an item\n\n  words that are not of it\n", "not of it") == (
        "  words that are not of it\n"
    )


def test_matter_in_front_of_a_document_is_data() -> None:
    text = "---\ntitle: A page\nlang: en\n---\n\n# Head\n\nText is here.\n\n***\n\nMore.\n"
    assert kinds(text) == ["data", "heading!", "sentence", "frame!", "sentence"]
    assert kinds("---\ntitle: A page\n---\n\nText is here, and more of it than that.\n") == [
        "data",
        "sentence",
    ]
    assert kinds("---\n\nText.\n") == ["frame!", "sentence"]


def test_a_fence_that_is_not_closed_needs_no_end() -> None:
    assert picture("Do:\n\n```py\nx = 1\n") == [
        ("sentence", "Do:\n\n", ()),
        ("fence!", "```py\n", (0,)),
        ("code", "x = 1\n", (1,)),
    ]


def test_what_closes_a_fence_that_was_cut_off_is_needed_by_nothing() -> None:
    text = "    return x\n```\n\nAfter it comes text.\n\n```py\ny = 2\n```\n"
    assert picture(text)[:3] == [
        ("code", "    return x\n", ()),
        ("fence end!", "```\n\n", ()),
        ("sentence", "After it comes text.\n\n", ()),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = f(1)\ny = g(x)\n```\n\nSo it is done.\n", ["code", "fence end!", "sentence"]),
        ("```\n\nSo it is done, all of it.\n", ["fence end!", "sentence"]),
        ("```\nx = 1\n```\n", ["fence!", "code", "fence end!"]),
        ("```\nsome output\n```\n", ["fence!", "code", "fence end!"]),
        ("~~~~\n~~~\nx\n~~~~\n", ["fence!", "code", "fence end!"]),
        ("Text.\n```\nx = 1\n```\nMore.\n\n```", ["sentence", "fence!", "code", "fence end!",
                                                  "sentence", "fence!"]),
        ("a = 1\n```\nText is here.\n```py\nb = 2\n```", ["code", "fence end!", "sentence", "fence!",
                                                          "code", "fence end!"]),
        ("```\n```\n", ["fence!", "fence end!"]),
    ],
)  # fmt: skip
def test_fences_are_paired_where_a_text_is_cut(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_the_language_of_a_fence_says_what_it_holds() -> None:
    assert kinds("```yaml\na: 1\n```\n")[1] == "data"
    assert kinds("``` {.toml}\n[a]\nb = 1\n```\n")[1] == "data"
    assert kinds("```\nAnna: hello you.\nBob: yes.\nAnna: so.\n```\n")[1] == "code"
    assert kinds("```json\n[\n" + '  {"a": 1, "b": "some words"},\n' * 30 + "]\n```\n")[2] == "data"


def test_markup_in_a_fence_needs_the_fence() -> None:
    text = "Put this in:\n\n```html\n<h1>Results</h1>\n<ul>\n<li>one</li>\n</ul>\n```\n"
    assert kinds(text) == ["sentence", "fence!", "code", "fence end!"]
    long = text.replace("<li>one</li>\n", "".join(f"<li>item {n}</li>\n" for n in range(60)))
    assert shown(long, "<li>item 40<").startswith("Put this in:\n\n```html\n")


def test_indented_source_is_code_and_indented_prose_is_prose() -> None:
    text = "# T\n\nRun:\n\n    make all\n    x = build(1);\n\nOr not, as you like it.\n"
    assert shown(text, "make all") == "# T\n\nRun:\n\n    make all\n    x = build(1);\n\n"
    prose = "It says\n\n    that all of us are welcome here\n\n    and that nobody pays a thing\n"
    assert kinds(prose) == ["sentence"] * 3
    assert kinds("Text.\n\n    x = 1\n```\ny\n```\n")[1:3] == ["code", "fence!"]


def test_source_in_a_mail_is_code_as_far_as_it_goes() -> None:
    mail = (
        "Hi Tom,\n\nhere it is:\n\ndef main():\n    run()\n\n    stop()\n\nmain()\n\nBest,\nEva\n"
    )
    assert picture(mail)[2] == (
        "code",
        "def main():\n    run()\n\n    stop()\n\nmain()\n\n",
        (1,),
    )
    assert kinds(mail)[3:] == ["sentence"]
    cut = "Here it is:\n\ndef main():\n    run()\n\n```\nx\n```\n"
    assert kinds(cut)[1] == "code"


def test_markup_in_markdown_is_read_by_its_tags() -> None:
    text = (
        "# T\n\n<table>\n<tr><th>A</th></tr>\n\n<tr><td>one</td></tr>\n</table>\n\n"
        "Text with <b>bold</b> words.\n\n<div>\n\nOther text.\n"
    )
    assert kinds(text) == ["heading!", "header!", "row", "sentence", "sentence", "sentence"]
    assert kinds("<table>\n<tr><td>1</td></tr>\n\ntext\n") == ["row", "sentence"]


def test_speech_without_an_end_is_cut_into_pieces() -> None:
    found = picture("so we went and " * 60)
    assert [kind for kind, _, _ in found] == ["sentence", *["piece"] * (len(found) - 1)]
    assert all(len(text) <= 240 for _, text, _ in found)


def test_marks_and_tags_that_stand_alone_belong_to_the_sentence_before() -> None:
    assert picture("Done. </b> ***\n\nMore.")[0][1] == "Done. </b> ***\n\n"


def test_indented_source_ends_where_a_fence_begins() -> None:
    text = "# T\n\nRun it:\n\n    x = f(1);\n    ```\n    y\n    ```\n"
    assert kinds(text)[2:] == ["code", "fence!", "code", "fence end!"]
