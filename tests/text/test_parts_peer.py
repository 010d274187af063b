"""Markdown as markdown-it reads it: headings, fences, tables and items begin on the same lines."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from amount import examples
from areev_context.text.parts import PartKind, parts_of

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")])
MARKDOWN = MarkdownIt("commonmark").enable("table")
OPENING = {"heading_open": "heading", "fence": "fence", "tr_open": "row", "list_item_open": "item"}
KINDS = {
    PartKind.HEADING: "heading",
    PartKind.FENCE: "fence",
    PartKind.HEADER: "row",
    PartKind.ROW: "row",
    PartKind.ITEM: "item",
}


def theirs(text: str) -> list[tuple[int, str]]:
    return sorted(
        (token.map[0], OPENING[token.type])
        for token in MARKDOWN.parse(text)
        if token.type in OPENING and token.map
    )


def ours(text: str) -> list[tuple[int, str]]:
    return sorted(
        (text.count("\n", 0, part.start + part.indent), KINDS[part.kind])
        for part in parts_of(text)
        if part.kind in KINDS
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_pages_of_this_project_are_read_as_markdown_it_reads_them(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert ours(text) == theirs(text)


SENTENCES = ["Some words stand here.", "A line of them\nand one more of it.", "It is *so* and `x`."]
BLOCKS = st.one_of(
    st.sampled_from(SENTENCES),
    st.sampled_from(["# Head", "## Sub head", "### A third", "Head line\n=========", "Sub\n---"]),
    st.sampled_from(["```py\nx = 1\n```", "~~~\nsome text\n\n- no item\n~~~", "````\n```\n````"]),
    st.sampled_from(["| A | B |\n|---|:-:|\n| 1 | 2 |\n| 3 |  |", "A | B\n--- | ---\n1 | 2"]),
    st.sampled_from(
        [
            "- one\n- two\n  more of it",
            "1. one\n2. two\n\n   its text\n3. three",
            "* one\n\n  - nested\n\n    deep text\n\n* two",
            "- one\n\n  ```sh\n  ls -l\n  ```\n- two",
            "+ one\n  1. first\n  2. second\n+ two",
        ]
    ),
    st.sampled_from(["> quoted words\n> go on", "> - an item\n> - another", "***", "    x = f(1)"]),
)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(BLOCKS, min_size=1, max_size=7))
def test_generated_markdown_is_read_as_markdown_it_reads_it(blocks: list[str]) -> None:
    text = "# Title\n\n" + "\n\n<!-- -->\n\n".join(blocks) + "\n"
    assert ours(text) == theirs(text)
