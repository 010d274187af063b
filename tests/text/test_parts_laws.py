"""What holds of the parts of any text."""

# ruff: noqa: E501  (the lines of the texts are as long as they are)

import gc
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import examples
from areev_context.text import parts as reading
from areev_context.text.parts import PartKind, parts_of
from text.part_pictures import assert_parts

LINES = """# Title|## Sub|Title|=====|-----|~~~~~|```|```python|~~~|    x = 1|def f(a):|    return a
}|});|{|"a": 1,|[|]|- item|  - nested|1. one|a) two|> quoted|>> deeper|| a | b ||---|---||| 1 | 2 |
key: value|  sub: 2|- name: x|[section]|a = 1|; note|# note|<p>Text.</p>|<ul><li>one|</li></ul>|<table>
<tr><th>A</th></tr>|<tr><td>1</td></tr>|</table>|<pre>|</pre>|<h2>Head</h2>|Anna: hello there.|Bob: yes
2024-01-01 10:00:00 INFO start|    at x.y(Z.java:1)|a,b,c|1,2,3|NAME  AGE|Tom   33|!!! note|.. note::
   indented|Some words. And more of them!|it goes on|Example:|Literal::|/* comment|*/|\"\"\"|'''|@app.get
// c|else:|SELECT a,|FROM b;|---|+---+---+|=====  ====|\t\ttabbed|\u3000wide\u3000|\r|é。これは文。|1|<!-- c -->
{"ts":1,"m":"x"}|{"a":{"b":[1,2,{"c":"d"}]}}|cat <<EOF|EOF|::: x|<div>|</div>|a  b  c|x|.|""".replace(
    "\n", "|"
).split("|")


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=14), st.sampled_from(["\n", "\n\n", "\r\n", ""]))
def test_parts_cover_the_text_and_their_needs_have_no_cycle(lines: list[str], between: str) -> None:
    assert_parts(between.join(lines))


@settings(max_examples=examples(200), deadline=None)
@given(st.text(alphabet="ab.,:;|`~#-=*>< \n\t\"'{}[]()/\\01é。", max_size=120))
def test_parts_cover_any_text(text: str) -> None:
    assert_parts(text)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=8))
def test_long_texts_hold_to_it_too(lines: list[str]) -> None:
    text = "\n".join(lines * 25)
    parts = assert_parts(text)
    assert parts == parts_of(text)


def test_a_text_of_nothing_has_no_parts_and_one_of_blanks_has_one_that_says_nothing() -> None:
    assert parts_of("") == ()
    (part,) = parts_of(" \n\n")
    assert (part.kind, part.end, part.alone) == (PartKind.FRAME, 3, False)
    (part,) = parts_of("> \n>")
    assert (part.kind, part.end, part.alone) == (PartKind.FRAME, 4, False)


GROWING: dict[str, Callable[[int], str]] = {
    "prose": lambda n: "The fox jumps over the dog. It rests.\n" * n,
    "one line without an end": lambda n: "and then " * (3 * n),
    "one word": lambda n: "a" * (30 * n),
    "brackets": lambda n: "[" * (20 * n),
    "minified": lambda n: "[" + ",".join(f'{{"id":{k},"n":"x y"}}' for k in range(n)) + "]",
    "quotes that are escaped": lambda n: '\\"' * (10 * n),
    "closing brackets": lambda n: "]\n" * (8 * n),
    "tags": lambda n: "<div>" * (8 * n),
    "rows that are not closed": lambda n: "<tr><td>x" * (4 * n),
    "comments that are not closed": lambda n: "<!--" * (8 * n),
    "fences": lambda n: "```\n" * (5 * n),
    "nested items": lambda n: "".join(f"{' ' * (k % 150)}- item {k}\n" for k in range(n)),
    "nested blocks": lambda n: "".join(f"{' ' * (k % 150)}if x:\n" for k in range(2 * n)),
    "pipes": lambda n: "| a\n" * (4 * n),
    "tables": lambda n: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * (3 * n),
    "indented prose": lambda n: "    Some prose that is read by all.\n\n" * n,
    "headings": lambda n: "a\n===\n" * (3 * n),
    "quotations": lambda n: "> a\n>> b\n" * (2 * n),
    "documents here": lambda n: "cat <<EOFX;\n" * n,
    "log": lambda n: "2024-01-01 10:00:00 INFO x\n  at y\n" * (2 * n),
    "talk": lambda n: "Anna: hello there you.\nBob: yes\n" * n,
}


@pytest.mark.parametrize("make", GROWING.values(), ids=GROWING)
def test_the_time_grows_with_the_text(make: Callable[[int], str]) -> None:
    small, large = (min(seconds(make(n)) for _ in range(2)) for n in (700, 5600))
    assert large < 24 * max(small, 0.004)  # eight times the text; by its square it were 64 times


def seconds(text: str) -> float:
    gc.disable()  # its rounds grow with all that is alive, whatever is measured
    start = time.process_time()
    parts_of(text)
    taken = time.process_time() - start
    gc.enable()
    return taken


def test_ten_thousand_items_one_in_the_other_are_read() -> None:
    text = "".join(f"{' ' * k}- {k}\n" for k in range(0, 3000, 2)) + "[" * 10_000 + "]" * 10_000
    assert_parts(text)
    assert_parts("[" * 10_000 + "1" + "]" * 10_000)


def test_blanks_are_not_cut_into_pieces() -> None:
    deep = "".join(f"{' ' * 9}{' ' * k}- item\n" for k in range(0, 2000, 20))
    assert {part.kind for part in assert_parts(deep)} == {"item"}
    assert len(assert_parts(f"| a | b |{chr(10) * 3000}| c | d |\n")) == 2


def test_no_part_is_long_where_there_is_a_pause_or_none() -> None:
    for text in ("word " * 3000, "x" * 20_000, f"| a | {'b c ' * 2000} |\n" * 3):
        assert max(part.end - part.start for part in assert_parts(text)) <= 400


ONE_LINE = (
    "The fox jumps over the dog. It rests! Does it? (It does.) Then, at last, it sleeps.",
    "The fox jumps over the dog and rests. " * 20,
    "no end and no mark at all " * 30,
    "狐は犬を飛び越える。休む。" * 5,
    "a) The first of them. The second.",
    "ii. The first of them. The second.",
    "x = call(1, 2); return x",
    "from a.b import c",
    "Anna: hello there. Bob: yes, hello to you too.",
    "INFO 12 started",
    "WARN the disk of the server is nearly full. Clean it.",
    "Mar 04 10:00:01 host sshd[1]: closed",
    'data: {"a": 1, "b": 2, "c": 3, "d": [1, 2, 3]}, ' * 12,
    "name  age  town. Some words.",
    "a | b | c",
    "Some <b>bold</b> words. And <i>more</i> of them.",
    "Some <p>bold</p> words. <p>And more.</p> <div>And the rest.</div>",
    "One.\nTwo.",
    "One. Two.\n",
    "One. Two. ",
)


@pytest.mark.parametrize("title", ["", "notes.md", "main.py", "a.yaml", "a.toml"])
@pytest.mark.parametrize("text", ONE_LINE)
def test_one_line_of_prose_is_read_at_a_look_as_it_is_read_line_by_line(
    text: str, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = parts_of(text, title)
    monkeypatch.setattr(reading, "_NOT_PLAIN", ("",))  # which every text has
    assert parts_of(text, title) == found
