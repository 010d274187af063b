"""Parts of tables, HTML, records and talks."""

# ruff: noqa: E501  (the lines of the texts are as long as they are)

from inspect import cleandoc

import pytest

from areev_context.text.parts import parts_of
from text.part_pictures import assert_parts, kinds, picture, shown


def test_a_row_comes_with_its_header_and_its_caption() -> None:
    text = "# Prices\n\nIn francs, without tax\n\n| Room | Night |\n| --- | ---: |\n| single | 80 |\n" \
        "| double | 120 |\n\nBreakfast is included.\n"  # fmt: skip
    assert shown(text, "double") == (
        "# Prices\n\nIn francs, without tax\n\n| Room | Night |\n| --- | ---: |\n…\n"
        "| double | 120 |\n\n"
    )
    assert kinds(text)[-1] == "sentence"


def test_header_rows_whose_first_cell_is_empty_and_rows_that_name_others() -> None:
    text = cleandoc(
        """
        |  | Year | Year |
        |---|---|---|
        |  | 2019 | 2018 |
        | Assets: |  |  |
        | cash | 5 | 4 |
        | stocks | 7 | 6 |
        | Debts: |  |  |
        | loans | 3 | 2 |
        """
    )
    assert shown(text, "stocks") == (
        "|  | Year | Year |\n|---|---|---|\n|  | 2019 | 2018 |\n| Assets: |  |  |\n…\n"
        "| stocks | 7 | 6 |\n"
    )
    assert "Assets" not in shown(text, "loans")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| 2019 | 5 |\n| 2020 | 6 |\n\nText after.\n", ["row", "row", "sentence"]),
        ("|---|---|\n| a | 1 |\n| b | 2 |", ["header!", "row", "row"]),
        ("Text before it.\n\n| Key | Value |\n|---|---|", ["sentence", "header!"]),
        ("Text before it.\n\n| Key | Value |", ["sentence", "row"]),
        ("a | b | 1\nc | d | 2\n", ["row", "row"]),
        ("either a | b\nor not, as you like", ["sentence"]),
        ("Key | Value\n--- | ---\na | 1\n", ["header!", "row"]),
        ("+---+---+\n| A | B |\n+===+===+\n| 1 | 2 |\n+---+---+\n| 3 | 4 |\n+---+---+\n",
         ["header!", "row", "row"]),
        ("+---+---+\n| A | B |\n+---+---+\n| 1 | 2 |\n+---+---+\n", ["header!", "row"]),
        ("+---+---+\n| A | B |\n", ["sentence"]),
        ("| |\n", ["row"]),
        ("+----+----+\n| A  | B  |\n+----+----+\n", ["header!", "row"]),
    ],
)  # fmt: skip
def test_tables_also_where_they_are_cut(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_columns_of_a_terminal_have_a_header() -> None:
    text = cleandoc(
        """
        The pods are these:

        NAME            READY   STATUS    AGE
        api-7d9f8b6c5   1/1     Running   3d
        web-5c6d7e8f9   0/1     Failed    5h
        db-0            1/1     Running   10d

        One of them has failed.
        """
    )
    assert shown(text, "web-5c") == (
        "The pods are these:\n\nNAME            READY   STATUS    AGE\n…\n"
        "web-5c6d7e8f9   0/1     Failed    5h\n"
    )
    plain = "Name    Age\n----    ---\nAnna    33\nBob     41\n"
    assert kinds(plain) == ["header!", "row", "row"]
    assert kinds("=====  =====\nA      not A\n=====  =====\nFalse  True\nTrue   False\n=====  =====\n") \
        == ["header!", "row", "row"]  # fmt: skip
    assert kinds("drwx  4 a\n-rw-  1 b\n-rw-  2 c\n") == ["row"] * 3
    assert kinds("city\tpeople\nBasel\t170 thousand\nBern\t140 thousand\n") == [
        "header!",
        "record",
        "record",
    ]
    assert kinds("a  b\n\nx  y z\n") == ["sentence", "sentence"]
    assert kinds("one  two\nbut three  four\nand then  five\n") == ["sentence"]
    assert kinds("a\tb c\nd e\tf\ng\th i\nj k l\n")[0] == "sentence"


def test_lines_of_csv_need_their_header() -> None:
    text = 'date,amount,note\n2024-01-02,12.50,CHF\n"2024-01-03","1,200.00","a, b"\n2024-01-04,3,\n'
    assert kinds(text) == ["header!", "record", "record", "record"]
    assert shown(text, "1,200") == 'date,amount,note\n…\n"2024-01-03","1,200.00","a, b"\n'
    assert kinds("1;2;3\n4;5;6\n7;8;9\n") == ["record"] * 3
    assert kinds("1,2,3\n4,5,6\n7,8,9\nand so on\n10,11,12\n") == ["record"] * 5
    prose = "First, second, third.\nFourth, fifth, sixth.\nSeventh, eighth, ninth.\n"
    assert "record" not in kinds(prose)


LOG = cleandoc(
    """
    2024-05-01 10:00:00,123 ERROR [main] com.x.App - failed
    java.lang.IllegalStateException: boom
        at com.x.App.run(App.java:5)
    Caused by: java.io.IOException: disk
        ... 3 more
    2024-05-01 10:00:01,000 INFO [main] com.x.App - done
    """
)


def test_an_entry_of_a_log_has_the_lines_beneath_it() -> None:
    assert [text for _, text, _ in picture(LOG)] == [
        LOG[: LOG.rindex("2024")],
        LOG[LOG.rindex("2024") :],
    ]
    cut = "    at com.x.Foo.bar(Foo.java:10)\n" + LOG
    assert kinds(cut) == ["record"] * 3


@pytest.mark.parametrize(
    "line",
    [
        "May  3 09:47:02 host sshd[17]: accepted a key",
        '10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326',
        "[2024-05-01T10:00:00Z] started",
        "2024/05/01 10:00:00 [error] 17#0: no file",
        "INFO: it has started",
        "[ 12.345678] usb 1-1: new device",
        "1714557600 17 started",
        '{"ts":1714557600.5,"level":"info","msg":"started"}',
        "17/06/09 20:10:53 INFO storage.BlockManager: found it",
        "web-1  | it has started",
        "E0501 10:00:00.000001 17 main.go:5] failed",
        "level=info ts=2024-05-01 msg=x",
        "worker 17 at 10:00:00.123: started",
        "[pid: 7|app: 0|req: 3/13] 10.0.0.1 () {38 vars in 69 bytes} [Sun Mar 13 22:54:15 2016] GET /",
        "<34>1 2024-05-01T10:00:00Z host app - - started",
    ],
)
def test_logs_of_many_kinds(line: str) -> None:
    text = f"{line}\n{line}\n    more about it\n{line}\n"
    assert [part for _, part, _ in picture(text)] == [
        f"{line}\n", f"{line}\n    more about it\n", f"{line}\n",
    ]  # fmt: skip
    assert set(kinds(text)) == {"record"}


def test_an_entry_alone_is_one_where_it_does_not_read_as_prose() -> None:
    assert kinds("2024-05-01 10:00:00 x=1. y=2.") == ["record"]
    assert kinds(LOG[: LOG.rindex("2024")].replace("\n", "\n  ")) == ["record"]
    assert kinds("2024-05-01 was a day on which it rained. It was cold.")[0] == "sentence"


def test_subtitles_are_read_as_entries() -> None:
    text = (
        "1\n00:00:01,000 --> 00:00:04,000\nHello there.\n\n2\n00:00:05,000 --> 00:00:07,000\nYes.\n"
    )
    assert [part for _, part, _ in picture(text)] == [
        text[: text.index("2\n")],
        text[text.index("2\n") :],
    ]


def test_a_long_entry_goes_on_in_pieces() -> None:
    text = "".join(f"2024-05-01 10:00:0{n} INFO {'some words ' * 200}\n" for n in range(3))
    parts = assert_parts(text)
    assert [part.kind for part in parts if part.kind != "piece"] == ["record"] * 3
    row = f"| A | B |\n|---|---|\n| a | {'b c ' * 400} |\n| d | e |\n"
    pieces = assert_parts(row)
    assert [(part.kind, part.needs) for part in pieces[:3]] == [
        ("header", ()), ("row", (0,)), ("piece", (0,)),
    ]  # fmt: skip
    assert pieces[-1].needs == (0,)
    two = assert_parts(f"{row}\n{row}")
    assert two[two[-1].needs[0]].kind == "header"
    assert two[-1].needs[0] > 0


def test_a_turn_of_several_sentences_needs_the_label_of_who_speaks() -> None:
    long = "If that does not work for you, then on Friday, but only in the afternoon, as I said. "
    text = f"[10:02] Anna: Can we move it?\n[10:03] Bob: Sure. When?\n[10:05] Anna: Thursday. {long * 3}\n"
    found = picture(text)
    assert found[:3] == [
        ("turn", "[10:02] Anna: Can we move it?\n", ()),
        ("turn", "[10:03] Bob: Sure. When?\n", ()),
        ("label!", "[10:05] Anna: ", ()),
    ]
    assert {needs for _, _, needs in found[3:]} == {(2,)}
    assert {kind for kind, _, _ in found[3:]} == {"turn"}


@pytest.mark.parametrize(
    "text",
    [
        "User: what is the limit?\n\nAssistant: The limit is 5 GB.\nIt is per file.\n\nUser: thanks\n",
        "**Anna:** How did it start?\n\n**Maria Lopez:** With nothing. So we built it.\n\n**Anna:** And?\n",
        "Q: Who may come?\nA: Everybody.\nQ: When?\n",
        "<anna> are you there\n<bob> yes\n<anna> good\n",
        "Project Manager: Yeah .\nMarketing: No .\nProject Manager: Mm .\n",
        "田中：お元気ですか。\n佐藤：はい、元気です。\n田中：よかった。\n",
        "Dr. Weber (10:05): Come in.\nPatient (10:06): Thank you.\nDr. Weber (10:07): So?\n",
    ],
)
def test_talks_of_many_kinds(text: str) -> None:
    assert kinds(text) == ["turn"] * 3


def test_a_label_without_words_is_not_shown_alone() -> None:
    assert kinds("Anna: Yes.\nBob: \nAnna: So it is.\nBob:\n") == ["turn", "turn!", "turn", "turn!"]
    long = (
        "Anna:\n"
        + "This is what she says, and it is long enough. " * 8
        + "\nBob: Yes.\nAnna: No.\n"
    )
    assert kinds(long)[:2] == ["label!", "turn"]
    assert shown("and so it goes on\n" + long, "Bob: Yes") == "Bob: Yes.\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Name: Anna Meier\nAge: 34\nCity: Basel\n", "data"),
        ("note: it rains\nhint: take a coat\nnote: go\n", "data"),
        ("It was late: the shop was closed.\nWe went home then, and nobody spoke.\n", "sentence"),
    ],
)
def test_lines_with_a_colon_that_are_no_turns(text: str, kind: str) -> None:
    assert kinds(text)[0] == kind


HTML = cleandoc(
    """
    <div class="page">
      <h1>Rooms</h1>
      <p>There are two of them. Both have
         a <b>bath</b>.</p>
      <h2 id="prices">Prices</h2>
      <p>They are as follows:</p>
      <ul>
        <li>single <i>80</i>
          <ul>
            <li>with a dog 95</li>
          </ul>
        </li>
        <li>double 120</li>
      </ul>
      <table>
        <caption>In winter</caption>
        <tr><th>Room</th><th>Night</th></tr>
        <tr><td>single</td><td>60</td></tr>
        <tr>
          <td>double</td>
          <td>90</td>
        </tr>
      </table>
      <dl>
        <dt>Deposit</dt>
        <dd>A third. It is paid at once.</dd>
      </dl>
      <!-- nothing here -->
      <pre>
    book --room single
    pay --all
      </pre>
    </div>
    """
)


def test_blocks_of_html_come_with_what_they_stand_in() -> None:
    assert shown(HTML, "with a dog").replace(" ", "") == (
        '<h2id="prices">Prices</h2>\n<p>Theyareasfollows:</p>\n<ul>\n<li>single<i>80</i>\n'
        "<ul>\n<li>withadog95</li>\n</ul>\n</li>\n"
    )
    assert shown(HTML, "<td>90</td>").replace(" ", "") == (
        '<h2id="prices">Prices</h2>\n…\n<table>\n<caption>Inwinter</caption>\n'
        "<tr><th>Room</th><th>Night</th></tr>\n…\n<tr>\n<td>double</td>\n<td>90</td>\n</tr>\n</table>\n"
    )
    assert shown(HTML, "A third").endswith("<dt>Deposit</dt>\n    <dd>A third. ")
    assert "pay --all" in shown(HTML, "book --room")
    assert kinds(HTML)[:3] == ["heading!", "sentence", "sentence"]


def test_html_on_one_line_is_read_by_its_tags() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>{n * n}</td></tr>" for n in range(30))
    text = f"<h1>Squares</h1><table><tr><th>n</th><th>n<sup>2</sup></th></tr>{rows}</table><p>Done.</p>"
    assert kinds(text) == ["heading!", "header!", *["row"] * 30, "sentence"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<td>1</td></tr>\n<tr><td>2</td></tr>\n<tr><td>3</td>\n", ["sentence", "row", "row"]),
        ("the end of it.</p>\n<p>Next.</p>\n<p>More of</p>\n", ["sentence"] * 3),
        ("<ul>\n<li>one\n<li>two\n</ul>\n", ["item", "item"]),
        ("<div>\n<div>\n<p></p>\n</div>\n", ["frame!"]),
        ("<p>One.</p>\n<pre>x = 1\n", ["sentence", "code"]),
        ("<table>\n<tr><td>1\n<tr><td>2\n</table>\n<p>x</p>", ["row", "row", "sentence"]),
        ("<p>a</p>\n<!-- never closed <p>b</p>", ["sentence", "frame!"]),
        ("<title>Page</title>\n<p>Text is here.</p>\n<p>And here.</p>", ["heading!", "sentence",
                                                                       "sentence"]),
    ],
)  # fmt: skip
def test_html_that_is_cut(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_a_long_item_and_a_long_pre_of_html_are_opened() -> None:
    item = "It is so, and so it is. " * 30
    text = f"<ul><li>{item}</li><li>b</li></ul>\n<pre>\n" + "make one thing\n\n" * 60 + "</pre>\n"
    found = picture(text)
    assert found[0][0] == "item"
    assert found[1][2] == (0,)
    assert [kind for kind, _, _ in found].count("code") > 3


def test_what_a_context_is() -> None:
    text = "Text. It is so.\n\n- one\n"
    assert parts_of(text)[2].context == (1,)


def test_entries_that_hold_json_are_entries() -> None:
    entry = (
        '{"level":"info","ts":1761019828.61,"msg":"handled","request":{"uri":"/a","headers":{}}}'
    )
    long = entry.replace("handled", "handled " * 60)
    assert kinds(f"web  | {long}\n") == ["record"]
    assert kinds(f"{long}\n") == ["record"]
    assert kinds(f"{entry}\n{entry}\n") == ["record", "record"]
    assert "data" in kinds(f"{long.replace('ts', 'tz').replace('level', 'lev')}\n")


def test_values_that_stand_in_a_document() -> None:
    text = "# T\n\nThe ages:\n\nname\tage\tcity\nAnna\t33\tBasel\nBob\t41\tBern\n\nThat is all.\n"
    assert kinds(text)[2:] == ["header!", "row", "row", "sentence"]
    assert kinds("# T\n\nThe ages:\n\na,b,c\n1,2,3\n4,5,6\n\nThat is all.\n")[2:] == [
        "header!", "record", "record", "sentence",
    ]  # fmt: skip
