"""What values that are no strings become: their text, a number, a call, or an unread field."""

from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    Grain,
    SearchHit,
    SharedRenderer,
    hits_of,
    load_hits,
)
from areev_context.extend import OutputFormat
from areev_context.formats.registry import FORMATS
from areev_context.hits.contents import content_text, value_text
from areev_context.hits.values import readable_fields
from areev_context.policy import MetadataLevel

Row = dict[str, Any]
CALL = {"city": "Bern"}
NAN = float("nan")
SHOWN_CALL = 'get_weather({"city":"Bern"})'
TEXT_FORMATS = ["markdown", "plain_text", "sml", "toon"]


def row(kind: str, **fields: Any) -> Row:
    return {"grain_type": kind, "fields": fields}


def made(rows: list[Row], form: str = "markdown", **options: Any) -> FormattedContext:
    policy = FormatPolicy.model_validate({"format": form, **options})
    return ContextAssembler().format(load_hits(rows), policy)


# --- contents -----------------------------------------------------------------------------------

BLOCKS = {
    "strings": (["a", "b"], "a\nb"),
    "text": ([{"type": "text", "text": "a"}], "a"),
    "OpenAI's texts": (
        [{"type": "input_text", "text": "a"}, {"type": "output_text", "text": "b"}], "a\nb",
    ),
    "text with annotations": ([{"type": "text", "text": {"value": "a", "annotations": []}}], "a"),
    "a refusal": ([{"type": "refusal", "refusal": "no"}], "no"),
    "LangChain's reasoning": ([{"type": "reasoning", "reasoning": "so"}], "so"),
    "OpenAI's reasoning": (
        [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "so"}]}], "so",
    ),
    "Anthropic's thinking": ([{"type": "thinking", "thinking": "hm", "signature": "x"}], "hm"),
    "an image": ([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}],
                 "[image]"),
    "images of three libraries": (
        [{"type": "image", "source": {"type": "base64", "data": "A"}}, {"type": "input_image"},
         {"type": "image", "base64": "A", "mime_type": "image/png"}],
        "[image]\n[image]\n[image]",
    ),
    "audio": ([{"type": "input_audio", "input_audio": {"data": "A"}}], "[audio]"),
    "audio and what was heard": ([{"type": "output_audio", "transcript": "hello"}], "hello"),
    "a video": ([{"type": "video", "url": "https://example.org/v.mp4"}], "[video]"),
    "OpenAI's file": ([{"type": "file", "file": {"filename": "a.pdf", "file_data": "A"}}],
                      "[file a.pdf]"),
    "OpenAI's input file": ([{"type": "input_file", "filename": "a.pdf"}], "[file a.pdf]"),
    "LangChain's file": ([{"type": "file", "base64": "A", "extras": {"name": "a.pdf"}}],
                         "[file a.pdf]"),
    "a file without a name": ([{"type": "file", "file_id": "f"}], "[file]"),
    "Anthropic's document": (
        [{"type": "document", "title": "a.pdf", "source": {"type": "base64"}}], "[file a.pdf]",
    ),
    "a document of text": (
        [{"type": "document", "source": {"type": "text", "data": "Rent is due."}}], "Rent is due.",
    ),
    "a document of blocks": (
        [{"type": "document",
          "source": {"type": "content", "content": [{"type": "text", "text": "a"}]}}], "a",
    ),
    "a file of text": ([{"type": "file", "source_type": "text", "text": "a"}], "a"),
    "Anthropic's call": (
        [{"type": "tool_use", "id": "1", "name": "get_weather", "input": CALL}], SHOWN_CALL,
    ),
    "LangChain's call": (
        [{"type": "tool_call", "id": "1", "name": "get_weather", "args": CALL}], SHOWN_CALL,
    ),
    "OpenAI's call": (
        [{"type": "function_call", "name": "get_weather", "arguments": '{"city": "Bern"}'}],
        SHOWN_CALL,
    ),
    "arguments that are no JSON": (
        [{"type": "function_call", "name": "run", "arguments": "ls -l"}], 'run("ls -l")',
    ),
    "a call without arguments": ([{"type": "tool_call", "name": "now", "args": ""}], "now({})"),
    "a call without a name": ([{"type": "tool_call"}], "tool({})"),
    "a result": (
        [{"type": "tool_result", "content": [{"type": "text", "text": "12"}, {"type": "image"}]}],
        "12\n[image]",
    ),
    "OpenAI's result": ([{"type": "function_call_output", "output": "12"}], "12"),
    "an unknown kind": (["a", {"type": "text", "text": "b"}, {"type": "weird"}], "a\nb\n[weird]"),
    "an unknown kind of text": (
        [{"type": "text", "text": "b"}, {"type": "weird", "text": "c"}], "b\nc",
    ),
    "values among blocks": ([{"type": "text", "text": "b"}, 7, None, {"a": 1}], 'b\n7\n{"a":1}'),
    "data": ([{"type": "cat", "name": "Tom"}], '[{"name":"Tom","type":"cat"}]'),
    "numbers": ([1, 2.5], "[1,2.5]"),
    "one block": ({"type": "text", "text": "a"}, "a"),
    "an object": ({"b": 1, "a": None}, '{"a":null,"b":1}'),
    "nothing": (None, ""),
    "no blocks": ([], ""),
}  # fmt: skip


@pytest.mark.parametrize(("content", "text"), BLOCKS.values(), ids=BLOCKS)
def test_the_text_of_a_content(content: Any, text: str) -> None:
    assert content_text(content) == text


@pytest.mark.parametrize(("content", "text"), BLOCKS.values(), ids=BLOCKS)
def test_a_message_and_a_row_show_the_same(content: Any, text: str) -> None:
    of_row = made([row("event", role="user", content=content)], "toon")
    message = hits_of([{"role": "user", "content": content}])
    assert [str(o.reason) for o in of_row.outcomes] == ["full" if text else "empty"]
    shown = ContextAssembler().format(message, FormatPolicy(format="toon"))
    assert of_row.text == shown.text


def test_contents_within_contents_end() -> None:
    content: Any = "deep"
    for _ in range(40):
        content = [{"type": "tool_result", "content": content}]
    assert "deep" in content_text(content)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (42, "42"), (21.5, "21.5"), (True, "true"), (["de", "fr"], '["de","fr"]'), ([], "[]"),
        ({"a": [1]}, '{"a":[1]}'), ([{"type": "text", "text": "a"}, "b"], "a\nb"),
        ({"type": "text", "text": "a"}, "a"),
        ({"type": "image", "url": "u"}, '{"type":"image","url":"u"}'), (None, ""), ("a", "a"),
    ],
)  # fmt: skip
def test_the_text_of_a_value(value: Any, text: str) -> None:
    assert value_text(value) == text


# --- fields -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", OutputFormat)
def test_a_value_is_in_every_format(form: str) -> None:
    context = made(
        [
            row("fact", subject="ada", relation="age", object=42),
            row("tool", tool_name="get", tool_content={"temp": 21.5}),
            row("observation", observer_id=7, object=["x"]),
            row("goal", description=False),
        ],
        form,
    )
    assert all(part in context.text for part in ("42", "21.5", "x", "false"))
    assert all(outcome.unread == () for outcome in context.outcomes)


def test_a_hit_keeps_its_fields_and_its_hash() -> None:
    [hit] = load_hits([row("fact", subject="ada", object=42)])
    same = SearchHit.model_validate(row("fact", subject="ada", object=42))
    ContextAssembler().format([hit])
    assert hit.fields == {"subject": "ada", "object": 42}
    assert hit.hash == same.hash


def test_usual_fields_are_not_copied() -> None:
    fields = {"subject": "ada", "confidence": 0.5, "object": None, "tags": ["a"]}
    assert readable_fields("fact", fields)[0] is fields


@pytest.mark.parametrize(
    ("kind", "fields", "unread"),
    [
        ("tool", {"duration_ms": 12.5, "is_error": "maybe"}, ("duration_ms", "is_error")),
        ("tool", {"duration_ms": -1}, ("duration_ms",)),
        ("tool", {"duration_ms": "12", "is_error": "True"}, ()),
        ("skill", {"proficiency": "high", "practice_count": 2.5},
         ("proficiency", "practice_count")),
        ("skill", {"proficiency": "0.8", "practice_count": 3.0}, ()),
        ("consent", {"is_withdrawal": 2}, ("is_withdrawal",)),
        ("consensus", {"threshold": 3}, ("threshold",)),
        ("state", {"context": "Vacation"}, ("context",)),
        ("state", {"context": {"label": 5}}, ()),
        ("workflow", {"nodes": {}, "bindings": [], "edges": "a"}, ("nodes", "bindings", "edges")),
        ("workflow", {"edges": [{"src": 1, "dst": 2, "max_cycles": "3"}]}, ()),
        ("workflow", {"edges": [{"src": 1}, "odd"]}, ("edges",)),
        ("recommendation", {"summary": {"text": "t"}}, ("summary",)),
        ("recommendation", {"summary": {}}, ()),
        ("reasoning", {"premises": "p"}, ("premises",)),
        ("event", {"content": "c", "tool_calls": "x"}, ("tool_calls",)),
        ("event", {"content": "c", "content_blocks": [7]}, ("content_blocks",)),
        ("fact", {"tags": ["a", 5]}, ("tags",)),
        ("note", {"confidence": "high", "progress": "much"}, ("confidence",)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", OutputFormat)
def test_fields_that_are_not_understood_are_named(
    form: str, kind: str, fields: Row, unread: tuple[str, ...]
) -> None:
    [outcome] = made([row(kind, **fields)], form).outcomes
    assert outcome.unread == unread


def test_a_hit_that_is_not_shown_names_them_and_a_withheld_one_does_not() -> None:
    twin = row("fact", object="a", confidence="high")
    gone = row("fact", object="b", confidence="high", verification_status="retracted")
    rows = [twin, twin, gone]
    assert [o.unread for o in made(rows).outcomes] == [("confidence",), ("confidence",), ()]


def test_a_renderer_gets_the_values_as_they_came() -> None:
    class Doubling(SharedRenderer):
        def render(self, grain: Grain, policy: FormatPolicy) -> str:
            return super().render(
                grain._replace(fields={**grain.fields, "object": grain.fields["object"] * 2}),
                policy,
            )

    hits = load_hits([row("fact", subject="ada", relation="age", object=21)])
    context = ContextAssembler(renderers=[Doubling("fact")]).format(hits)
    assert context.text == "ada age 42"


# --- calls --------------------------------------------------------------------------------------

CALLS = {
    "OpenAI": {"tool_calls": [{"id": "1", "type": "function", "function": {
        "name": "get_weather", "arguments": '{"city": "Bern"}'}}]},
    "LangChain": {"tool_calls": [{"id": "1", "name": "get_weather", "args": CALL}]},
    "both of LangChain's": {
        "tool_calls": [{"id": "1", "name": "get_weather", "args": CALL}],
        "content": [{"type": "tool_use", "id": "1", "name": "get_weather", "input": CALL}]},
    "Anthropic": {
        "content": [{"type": "tool_use", "id": "1", "name": "get_weather", "input": CALL}]},
    "content blocks": {
        "content_blocks": [{"type": "tool_call", "id": "1", "name": "get_weather", "args": CALL}]},
    "the old way": {"function_call": {"name": "get_weather", "arguments": '{"city": "Bern"}'}},
}  # fmt: skip


@pytest.mark.parametrize("fields", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("form", TEXT_FORMATS)
def test_a_turn_that_only_calls_a_tool_shows_the_call_once(form: str, fields: Row) -> None:
    context = made([row("event", role="assistant", **fields)], form)
    assert [str(o.reason) for o in context.outcomes] == ["full"]
    assert context.text.count("get_weather") == context.text.count("Bern") == 1
    if form == "markdown":
        assert context.text == f"- **assistant**: {SHOWN_CALL}"


@pytest.mark.parametrize("fields", CALLS.values(), ids=CALLS)
def test_a_message_that_only_calls_a_tool_shows_the_call_once(fields: Row) -> None:
    hits = hits_of([{"role": "assistant", "content": None, **fields}])
    if "content_blocks" not in fields:
        assert hits[0].fields["content"] == SHOWN_CALL
    assert ContextAssembler().format(hits).text == f"assistant: {SHOWN_CALL}"


def test_a_turn_that_speaks_and_calls_shows_both() -> None:
    fields = {"role": "assistant", "content": "I look.", **CALLS["LangChain"]}
    assert made([row("event", **fields)]).text == f"- **assistant**: I look. {SHOWN_CALL}"
    sml = made([row("event", **fields)], "sml", metadata="none").text
    assert '<text>I look.</text><tool_use name="get_weather" id="1">' in sml


def test_calls_join_the_content_blocks_that_are_there() -> None:
    text = {"type": "text", "text": "I look."}
    call = {"type": "tool_use", "id": "1", "name": "get_weather", "input": CALL}
    for blocks in ([text], [text, call]):
        fields = {"content_blocks": blocks, **CALLS["LangChain"]}
        assert made([row("event", **fields)]).text == f"- I look. {SHOWN_CALL}"


def test_a_message_may_have_calls_and_no_content() -> None:
    [hit] = hits_of([{"role": "assistant", **CALLS["OpenAI"]}])
    assert hit.fields["content"] == SHOWN_CALL


@pytest.mark.parametrize("form", TEXT_FORMATS)
def test_a_format_alone_passes_over_blocks_that_it_cannot_read(form: str) -> None:
    blocks = ["a", {"type": "image"}, {"type": "text", "text": "b"}]
    grain = Grain("event", {"content_blocks": blocks}, "0" * 64, 0)
    assert "b" in FORMATS[form].render(grain, MetadataLevel.NONE)


def test_a_result_among_a_contents_blocks_keeps_its_id() -> None:
    block = {"type": "tool_result", "tool_use_id": "1", "is_error": True,
             "content": [{"type": "text", "text": "no such city"}]}  # fmt: skip
    text = made([row("event", role="user", content=[block])], "sml", metadata="none").text
    assert '<tool_result tool_use_id="1" is_error="true">no such city</tool_result>' in text


# --- confidence ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (35, 0.35), (35.5, 0.355), (100, 1.0), (1, 1), (1.5, 0.015), (0, 0), (0.4, 0.4),
        ("35%", 0.35), ("0.9", 0.9), (" 35 % ", 0.35), ("35", 0.35), ("0.5%", 0.005),
        (101, None), (-1, None), (-0.1, None), (1e300, None), (10**400, None), (NAN, None),
        ("high", None), ("101%", None), ("-5", None), ("0,9", None), (True, None), ([0.5], None),
    ],
)  # fmt: skip
def test_a_confidence_may_be_a_percentage(given: Any, shown: float | None) -> None:
    rows = [row("fact", subject="s", relation="r", object="o", confidence=given)]
    plain = row("fact", subject="s", relation="r", object="o")
    wanted = [plain if shown is None else {**plain, "fields": {**plain["fields"],
                                                               "confidence": shown}}]  # fmt: skip
    for form in TEXT_FORMATS:
        context, expected = made(rows, form), made(wanted, form)
        assert context.text == expected.text
        assert context.outcomes[0].priority == expected.outcomes[0].priority
        lost = shown is None and given not in (NAN,)  # which is no JSON value
        assert context.outcomes[0].unread == (("confidence",) if lost else ())


def test_json_has_one_scale_and_shows_what_it_does_not_know() -> None:
    rows = [row("document", content="a", confidence=35), row("fact", object="b", confidence="high")]
    text = made(rows, "json").text
    assert '"confidence":0.35' in text
    assert '"confidence":"high"' in text


# --- observations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"observer_id": "cam", "observer_type": "camera"}, "cam"),
        ({"observer_type": "camera"}, "camera"),
        ({"observer_id": "", "observer_type": "camera"}, "camera"),
        ({}, "?"),
    ],
)
def test_an_observation_of_nothing_shows_its_observer(fields: Row, shown: str) -> None:
    dated = row("observation", **fields) | {"created_at": 1_700_000_000}
    assert made([row("observation", **fields)]).text == f"- {shown}"
    assert made([dated], metadata="full").text == f"- {shown} *(2023-11-14)*"
    assert made([dated], "plain_text").text == shown
    assert f'observer="{shown}"' in made([dated], "sml", metadata="full").text
