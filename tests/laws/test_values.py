"""Any value in any field of any type is in the text, or the outcome names the field.

A field of text shows of a value what it shows of its text, in every format and at every level. A
field of another kind shows what it understands, and the outcome says which fields it does not.
"""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from amount import PROFILE, examples
from areev_context import ContextAssembler, FormatPolicy, FormattedContext
from areev_context.formats.registry import FORMATS
from areev_context.hits.grain_types import GRAIN_TYPES
from laws import tables

EXAMPLES = examples(200)
ROWS = 50 if PROFILE == "nightly" else 10
"""Rows an example: 1,000 in all guard a change, 100,000 are tried in a night."""


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _numeric(value: Any) -> bool:
    if isinstance(value, str):
        value = value.strip()
        digits = value.removeprefix("-").split(".")
        return len(digits) < 3 and all(d.isascii() and d.isdigit() and len(d) <= 15 for d in digits)
    return tables.number({"": value}, "") is not None


def _whole(value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return True
    return _numeric(value) and float(value).is_integer()


def _is_flag(value: Any) -> bool:
    shown = value.strip().lower() if isinstance(value, str) else _as_json(value)
    return shown in ("true", "false", "0", "1")


def _is_edge(edge: Any) -> bool:
    if not isinstance(edge, dict) or edge.get("src") is None or edge.get("dst") is None:
        return False
    return edge.get("max_cycles") is None or _whole(edge["max_cycles"])


CONTENTS = ("content", "body", "tool_content", "error")
OF_OTHER_KINDS: dict[str, Callable[[Any], bool]] = {
    "confidence": lambda v: tables.confidence({"confidence": v}) is not None,
    "progress": _numeric,
    "proficiency": _numeric,
    "duration_ms": lambda v: _whole(v) and int(float(v) if isinstance(v, str) else v) >= 0,
    "agreement_count": _whole,
    "dissent_count": _whole,
    "practice_count": _whole,
    "is_error": _is_flag,
    "is_withdrawal": _is_flag,
    "threshold": lambda v: isinstance(v, str),
    "premises": lambda v: isinstance(v, list),
    "nodes": lambda v: isinstance(v, list),
    "bindings": lambda v: isinstance(v, dict),
    "context": lambda v: isinstance(v, dict),
    "edges": lambda v: isinstance(v, list) and all(map(_is_edge, v)),
    "summary": lambda v: isinstance(v, dict) and (not v or isinstance(v.get("args"), dict)),
    "content_blocks": lambda v: (
        isinstance(v, list) and all(isinstance(each, str | dict) for each in v)
    ),
    "tool_calls": lambda v: (
        isinstance(v, dict) or (isinstance(v, list) and all(isinstance(each, dict) for each in v))
    ),
}
"""Which values a field that is no text understands."""

_SHAPES = ("subject", "relation", "object", "content", "description", "name")
FIELDS = [
    (kind, name)
    for kind, row in GRAIN_TYPES.items()
    for name in dict.fromkeys((*row.fields, *(_SHAPES if kind != "document" else ()),
                               "confidence"))
]  # fmt: skip


def text_of(name: str, value: Any) -> str:
    """Return the text of a value that has no blocks."""
    if isinstance(value, str):
        return value
    if name in CONTENTS and isinstance(value, list) and all(isinstance(v, str) for v in value):
        return "\n".join(filter(None, value))
    return _as_json(value)


_strings = st.one_of(
    st.sampled_from(["", " ", "high", "35%", "0.9", "12", "true", "-3", "1.5", "a b", "é", "x\ny"]),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8),
)
_scalars = st.one_of(
    st.booleans(), st.integers(-(10**6), 10**6), st.sampled_from([0, 1, 35, 100, 101, 10**400]),
    st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 100), _strings,
)  # fmt: skip
_keys = st.one_of(
    st.sampled_from(["label", "args", "src", "dst", "cond", "max_cycles", "name", "id"]), _strings
)
values = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(st.one_of(st.none(), inner), max_size=3),
        st.dictionaries(_keys, st.one_of(st.none(), inner), max_size=3),
    ),
    max_leaves=6,
)
rows = st.tuples(st.sampled_from(FIELDS), values, st.booleans())
policies = st.builds(
    FormatPolicy,
    format=st.sampled_from(list(FORMATS)),
    metadata=st.sampled_from(["none", "minimal", "full"]),
)


def formatted(kind: str, fields: dict[str, Any], policy: FormatPolicy) -> FormattedContext:
    row = {"grain_type": kind, "fields": fields, "hash": "0" * 64}
    return ContextAssembler().format([row], policy)


@settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
@given(st.lists(rows, min_size=ROWS, max_size=ROWS), policies)
def test_a_value_is_shown_or_its_field_is_named(
    drawn: list[tuple[tuple[str, str], Any, bool]], policy: FormatPolicy
) -> None:
    for (kind, name), value, among_others in drawn:
        others = {"subject": "s", "content": "c", "name": "n"} if among_others else {}
        fields = {**others, name: value}
        context = formatted(kind, fields, policy)
        (outcome,) = context.outcomes
        understood = OF_OTHER_KINDS.get(name)
        assert (name in outcome.unread) == (understood is not None and not understood(value))
        assert set(outcome.unread) <= {name}
        if policy.format == "json":
            _is_in_json(context, kind, name, value)
        elif understood is None:
            text = {**fields, name: text_of(name, value)}
            assert context.text == formatted(kind, text, policy).text


def _is_in_json(context: FormattedContext, kind: str, name: str, value: Any) -> None:
    for grain in json.loads(context.text):
        if name == "confidence" and name not in context.outcomes[0].unread:
            assert grain["fields"][name] == tables.confidence({name: value})
        else:
            assert grain["fields"][name] == value
