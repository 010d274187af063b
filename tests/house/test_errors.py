"""What a programmer or a file gets wrong: a clear error, on the command line in one line."""

import asyncio
import json
import math
import traceback
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from areev_context import (
    AreevContextError,
    ContextAssembler,
    DecidePolicy,
    FormatPolicy,
    GrainOverride,
    GrainTypeDiversity,
    InputError,
    Passage,
    PassageMapper,
    RendererError,
    RenderingHints,
    SearchHit,
    SharedRenderer,
    cited_numbers,
    load_hits,
)
from areev_context.cli import main
from areev_context.extend import allocate, allocate_with_diversity
from awkward import BAD_BUDGETS

Row = dict[str, Any]
GOOD: Row = {"grain_type": "fact", "fields": {"object": "x"}}


@pytest.mark.parametrize("budget", BAD_BUDGETS)
def test_a_budget_is_a_whole_number_from_0_up(budget: Any) -> None:
    for make in (FormatPolicy, FormatPolicy.claude, FormatPolicy().replace):
        with pytest.raises(ValidationError, match="token_budget") as caught:
            make(token_budget=budget)
        assert [error["loc"] for error in caught.value.errors()] == [("token_budget",)]


@pytest.mark.parametrize("budget", [None, 0, 1, 10**9])
def test_these_are_budgets(budget: int | None) -> None:
    assert FormatPolicy(token_budget=budget).token_budget == budget


@pytest.mark.parametrize(
    ("model", "options", "name"),
    [
        (FormatPolicy, {"format": "xml"}, "format"),
        (FormatPolicy, {"format": "SML"}, "format"),
        (FormatPolicy, {"format": None}, "format"),
        (FormatPolicy, {"metadata": "all"}, "metadata"),
        (FormatPolicy, {"ordering": "random"}, "ordering"),
        (FormatPolicy, {"allocation": "greedy"}, "allocation"),
        (FormatPolicy, {"budget": 800}, "budget"),
        (FormatPolicy, {"highlight_over": -1}, "highlight_over"),
        (FormatPolicy, {"highlight_over": True}, "highlight_over"),
        (FormatPolicy, {"type_order": "fact"}, "type_order"),
        (FormatPolicy, {"grain_overrides": {"fact": {"exclude": True}}}, "exclude"),
        (FormatPolicy, {"grain_overrides": {"fact": {"max_count": -1}}}, "max_count"),
        (FormatPolicy, {"query_text": ["words"]}, "query_text"),
        (FormatPolicy, {"decide": {"drop_below": 2}}, "drop_below"),
        (GrainOverride, {"max_count": 1.5}, "max_count"),
        (GrainTypeDiversity, {"min_per_type": 0}, "min_per_type"),
        (GrainTypeDiversity, {"min_per_type": 11}, "min_per_type"),
        (GrainTypeDiversity, {"max_reservation_pct": 0.04}, "max_reservation_pct"),
        (GrainTypeDiversity, {"max_reservation_pct": 0.51}, "max_reservation_pct"),
        (GrainTypeDiversity, {"max_reservation_pct": math.nan}, "max_reservation_pct"),
        (DecidePolicy, {"full_above": -0.1}, "full_above"),
        (DecidePolicy, {"deadline_ms": 0}, "deadline_ms"),
        (RenderingHints, {"entity_count": -1}, "entity_count"),
        (RenderingHints, {"entities": "ada"}, "entities"),
        (RenderingHints, {"query": "words"}, "query"),
    ],
)
def test_a_wrong_option_is_named(model: type[BaseModel], options: Row, name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        model(**options)
    assert name in {part for error in caught.value.errors() for part in error["loc"]}


@pytest.mark.parametrize("model", [FormatPolicy(), RenderingHints(), SearchHit(**GOOD)])
def test_what_came_in_is_frozen(model: BaseModel) -> None:
    name = next(iter(type(model).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(model, name, None)


def test_a_preset_that_does_not_exist() -> None:
    with pytest.raises(InputError, match="'gpt9': give one of claude, gpt4"):
        FormatPolicy.preset("gpt9")


BAD_ROWS: dict[str, tuple[Any, str | None, str]] = {
    "no type": ({"fields": {}}, "grain_type", "grain_type (or type) is missing"),
    "an empty type": ({"type": " ", "fields": {}}, "grain_type", "is blank"),
    "a type that is a number": ({"type": 7, "fields": {}}, "grain_type", "is of type int"),
    "no fields": ({"type": "fact"}, "fields", "fields is missing: give a JSON object"),
    "fields that are a list": ({"type": "fact", "fields": []}, "fields", "of type list"),
    "fields that are text": ({"type": "fact", "fields": "{}"}, "fields", "of type str"),
    "a list": (["fact"], None, "of type list: give an object with grain_type and fields"),
    "text": ("fact", None, "of type str"),
    "nothing": (None, None, "of type NoneType"),
    "a number": (7, None, "of type int"),
}


@pytest.mark.parametrize(("row", "field", "message"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_a_bad_row_is_named_with_its_field(row: Any, field: str | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_hits([GOOD, row])
    assert (caught.value.row, caught.value.field) == (1, field)
    assert str(caught.value).startswith("row 1: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("row", [row for row, _, _ in BAD_ROWS.values()], ids=BAD_ROWS)
def test_a_bad_row_is_no_hit(row: Any) -> None:
    with pytest.raises(ValidationError):
        SearchHit.model_validate(row)
    with pytest.raises((ValidationError, InputError)):
        ContextAssembler().format([GOOD, row])


DEEP = "[" * 100_000
BAD_SOURCES: dict[str, tuple[Any, str]] = {
    "no JSON": ("{", "not JSON: Expecting property name enclosed in double quotes at line 1, col"),
    "JSON on two lines": ("[\n{]", "at line 2, column 2"),
    "nothing": ("", "not JSON, the text is empty: Expecting value at line 1, column 1"),
    "a PDF": (b"%PDF-1.7 \xff", "not JSON, but a PDF file: give UTF-8 text"),
    "a pickle": (b"\x80\x05\x95", "not JSON, but a pickle"),
    "a table": ("id,text\n1,a\n2,b", "comma-separated values (give UTF-8 text: a JSON"),
    "a page": (" <html></html>", "not JSON, but HTML or XML"),
    "YAML": ("rows:\n- a", "not JSON, but perhaps YAML"),
    "a letter": ("Dear all", "not JSON (give UTF-8 text: a JSON list of rows, or JSON Lines"),
    "a bad line": (
        '{"grain_type": "goal"}\n{1}',
        "not JSON Lines, one row a line: Expecting property name",
    ),
    "two texts": ('"a"\n"b"', "not JSON (give UTF-8 text"),
    "no UTF-8": (b'["\xff"]', "not UTF-8: byte 2 cannot be read"),
    "too deep": (DEEP, "the JSON is nested too deeply to read"),
    "a number too long": (f"[{'9' * 5000}]", "the JSON cannot be read: Exceeds the limit"),
    "an object": (
        {"rows": [], "n": 1},
        "the object has 2 keys, none of them 'grains' or 'grain_type'",
    ),
    "an empty object": ("{}", "the object has 0 keys"),
    "many keys": (dict.fromkeys("abcdefgh"), "the object has 8 keys"),
    "grains that are none": ({"grains": None}, "the rows are of type NoneType: give a list"),
    "grains that are an object": ({"grains": {"a": 1}}, "the rows are of type dict"),
    "grains that are text": ({"grains": "[]"}, "the rows are of type str"),
    "text in JSON": ('"rows"', "the rows are of type str"),
    "a number in JSON": ("7", "the rows are of type int"),
    "a path": (Path("rows.json"), "give a list of rows"),
    "None": (None, "the rows are of type NoneType"),
}


@pytest.mark.parametrize(("source", "message"), BAD_SOURCES.values(), ids=BAD_SOURCES)
def test_a_bad_source_is_described(source: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_hits(source)
    assert message in str(caught.value)
    assert (caught.value.row, caught.value.field) == (None, None)


@pytest.mark.parametrize("hits", [None, 7, "[]", b"[]", {"grains": []}, GOOD, SearchHit])
def test_hits_of_the_wrong_kind(hits: Any) -> None:
    with pytest.raises(AreevContextError, match=r"hits is of type .*: give a list of SearchHit"):
        ContextAssembler().format(hits)


@pytest.mark.parametrize(
    "policy", ["claude", {"format": "sml"}, FormatPolicy, RenderingHints(), 800]
)
def test_a_policy_of_the_wrong_kind(policy: Any) -> None:
    with pytest.raises(AreevContextError, match=r"policy is of type .*: give a FormatPolicy"):
        ContextAssembler().format([GOOD], policy)


@pytest.mark.parametrize("hints", ["when?", {"entity_count": 1}, FormatPolicy()])
def test_hints_of_the_wrong_kind(hints: Any) -> None:
    with pytest.raises(
        AreevContextError, match=r"hints is of type .*: give RenderingHints or None"
    ):
        ContextAssembler().format([GOOD], None, hints)


def test_the_tree_of_errors() -> None:
    assert issubclass(InputError, AreevContextError)
    assert issubclass(RendererError, AreevContextError)
    assert not issubclass(AreevContextError, ValueError)


# The command line: (arguments after the file, what the one line on standard error has in it).
WRONG_ARGUMENTS = {
    "a budget below 0": (["--budget", "-1"], "token_budget: Input should be greater than or eq"),
    "half a token": (["--budget", "10.5"], "--budget is '10.5': give a whole number of tokens"),
    "NaN": (["--budget", "nan"], "--budget is 'nan'"),
    "true": (["--budget", "True"], "--budget is 'True'"),
    "no number": (["--budget", "many\nmore"], "--budget is 'many\\nmore'"),
    "an empty budget": (["--budget", ""], "--budget is ''"),
    "no budget": (["--budget"], "argument --budget: expected one argument"),
    "an unknown format": (["--format", "xml"], "argument --format: invalid choice: 'xml'"),
    "an unknown preset": (["--preset", "gpt9"], "argument --preset: invalid choice: 'gpt9'"),
    "an unknown level": (["--metadata", "all"], "argument --metadata: invalid choice: 'all'"),
    "an unknown ordering": (["--ordering", "x\ny"], "argument --ordering: invalid choice"),
    "an unknown option": (["--colour"], "unrecognized arguments: --colour"),
    "an abbreviation": (["--numb"], "unrecognized arguments: --numb"),
    "two files": (["more.json"], "unrecognized arguments: more.json"),
}
WRONG_CONTENTS: dict[str, tuple[str | bytes, list[str]]] = {
    name: (json.dumps([GOOD, row]), ["row 1: ", message, field or ""])
    for name, (row, field, message) in BAD_ROWS.items()
} | {
    name: (source, [message])
    for name, (source, message) in BAD_SOURCES.items()
    if isinstance(source, str | bytes)
}


def refused(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    """Run the command and return its one line on standard error."""
    try:
        status: object = main(arguments)
    except SystemExit as ended:
        status = ended.code
    printed = capfd.readouterr()
    assert status == 2
    assert printed.out == ""
    assert printed.err.endswith("\n")
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("areev-context: ")
    return printed.err


@pytest.mark.parametrize(("arguments", "message"), WRONG_ARGUMENTS.values(), ids=WRONG_ARGUMENTS)
def test_wrong_arguments_end_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.json"
    rows.write_text(json.dumps([GOOD]))
    assert message in refused([str(rows), *arguments], capfd)


@pytest.mark.parametrize(("content", "parts"), WRONG_CONTENTS.values(), ids=WRONG_CONTENTS)
def test_a_wrong_file_ends_in_one_line(
    content: str | bytes, parts: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.json"
    rows.write_bytes(content.encode() if isinstance(content, str) else content)
    line = refused([str(rows)], capfd)
    assert [part for part in parts if part not in line] == []


def test_no_file_ends_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "two\nlines.json"
    assert "two lines.json: No such file or directory" in refused([str(missing)], capfd)
    assert f"{tmp_path}: Is a directory" in refused([str(tmp_path)], capfd)
    assert "the following arguments are required: FILE" in refused([], capfd)


def test_renderers_are_a_list() -> None:
    with pytest.raises(AreevContextError, match="give a list of renderers"):
        ContextAssembler(SharedRenderer("fact"))  # type: ignore[arg-type]


def test_the_type_of_a_renderer_is_a_name() -> None:
    with pytest.raises(AreevContextError, match="give the name of a type"):
        SharedRenderer(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("budget", BAD_BUDGETS)
def test_an_allocator_takes_a_whole_number_from_0_up(budget: Any) -> None:
    with pytest.raises(InputError, match="whole number"):
        allocate([], budget)
    with pytest.raises(InputError, match="whole number"):
        allocate_with_diversity([], budget, GrainTypeDiversity())


@pytest.mark.parametrize("hits", [["text"], [5], [None], [[]]])
def test_what_is_no_row_is_named_by_its_place(hits: list[Any]) -> None:
    with pytest.raises(InputError, match="hit 1 is of type") as caught:
        ContextAssembler().format([GOOD, *hits])
    assert caught.value.row == 1


@pytest.mark.parametrize("passages", [None, "text", {"a": 1}, 5, ["text"], [{"text": "t"}]])
def test_passages_are_a_list_of_them(passages: Any) -> None:
    with pytest.raises(InputError, match="Passage"):
        PassageMapper().hits(passages)


def test_an_answer_is_a_string() -> None:
    with pytest.raises(InputError, match="NoneType: give a string"):
        cited_numbers(None)  # type: ignore[arg-type]  # that is the mistake


def test_a_policy_of_any_words_dumps_to_json_and_back() -> None:
    policy = FormatPolicy(
        query_text="a\ud83d?", type_order=("b\udc00",), grain_overrides={"c\ud800": GrainOverride()}
    )
    hints = RenderingHints(query_text="\ud83d", entities=("\udfff",))
    assert FormatPolicy.model_validate_json(policy.model_dump_json()) == policy
    assert RenderingHints.model_validate_json(hints.model_dump_json()) == hints


# --- what an error tells ----------------------------------------------------------------------

SECRET = "SECRET-7781"
GONE = {"verification_status": "retracted"}
SECRET_ROWS: dict[str, Any] = {
    "no type": {"f": SECRET, **GONE},
    "no fields": {"type": "fact", "f": SECRET, **GONE},
    "fields that are text": {"type": "fact", "fields": SECRET, **GONE},
    "fields that are a list": {"type": SECRET, "fields": [SECRET], **GONE},
    "a type that is an object": {"type": {SECRET: SECRET}, "fields": {SECRET: SECRET}, **GONE},
    "text": SECRET,
    "bytes": SECRET.encode(),
    "a list": [SECRET, GONE],
}
SECRET_SOURCES: dict[str, Any] = {
    "a key": {SECRET: SECRET},
    "text": SECRET,
    "broken JSON": f'[{{"object": "{SECRET}"}}, {{]',
    "no UTF-8": f'["{SECRET}'.encode() + b'\xff"]',
    "a long number": f'["{SECRET}", {"7" * 5000}]',
    "JSON text": json.dumps(SECRET),
    "grains that are text": {"grains": SECRET},
}


def all_of(error: BaseException) -> str:
    """Return whatever an error can print, with its causes and contexts, suppressed or not."""
    parts = ["".join(traceback.format_exception(error))]
    todo: list[BaseException | None] = [error]
    while todo:
        each = todo.pop()
        if each is not None:
            parts += [str(each), repr(each), repr(each.args), repr(vars(each))]
            if isinstance(each, ValidationError):
                parts += [repr(each.errors()), each.json()]
            todo += [each.__cause__, each.__context__]
    return "\n".join(parts)


@pytest.mark.parametrize("row", SECRET_ROWS.values(), ids=SECRET_ROWS)
def test_an_error_names_the_place_and_the_field_and_no_value(row: Any) -> None:
    doors: list[tuple[Any, Any]] = [
        (load_hits, [GOOD, row]),
        (ContextAssembler().format, [GOOD, row]),
        (ContextAssembler().format_each, [GOOD, row]),
        (lambda rows: asyncio.run(ContextAssembler().aformat(rows)), [GOOD, row]),
        (PassageMapper().hits, [Passage("x"), row]),
        (SearchHit.model_validate, row),
    ]
    if not isinstance(row, bytes):
        doors.append((load_hits, json.dumps([GOOD, row])))
    for door, given in doors:
        with pytest.raises((InputError, ValidationError)) as caught:
            door(given)
        assert SECRET not in all_of(caught.value)
        assert given is row or "1" in str(caught.value)


def test_the_error_of_a_row_says_where_it_is() -> None:
    with pytest.raises(ValidationError) as caught:
        ContextAssembler().format([GOOD, {"type": "fact"}])
    assert [(error["loc"], error["input"]) for error in caught.value.errors()] == [
        ((1, "fields"), None)
    ]
    assert "1.fields\n  fields is missing: give a JSON object" in str(caught.value)


def test_broken_json_of_one_hit_is_not_quoted() -> None:
    with pytest.raises(ValidationError) as caught:
        SearchHit.model_validate_json(f'{{"type": "{SECRET}"')
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("source", SECRET_SOURCES.values(), ids=SECRET_SOURCES)
def test_the_error_of_a_source_holds_no_value(source: Any) -> None:
    with pytest.raises(InputError) as caught:
        load_hits(source)
    assert SECRET not in all_of(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        *(json.dumps([GOOD, row]) for row in SECRET_ROWS.values() if not isinstance(row, bytes)),
        *(json.dumps(s) for s in SECRET_SOURCES.values() if isinstance(s, dict)),
        *(s for s in SECRET_SOURCES.values() if isinstance(s, str | bytes)),
    ],
)
def test_the_command_tells_no_value(
    content: str | bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.json"
    rows.write_bytes(content.encode() if isinstance(content, str) else content)
    assert SECRET not in refused([str(rows)], capfd)
