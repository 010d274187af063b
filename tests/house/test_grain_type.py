"""A grain type that is only its row works everywhere: mapper, formats, summaries, priority."""

import json

import pytest

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, SharedRenderer
from areev_context.extend import FORMATS, GRAIN_TYPES, GrainType
from areev_context.hits.hit import Grain
from areev_context.selection.priority import priority_of

ROW = GrainType("ticket", "tickets", ("title", "content"), 0.6, ("title", "body"), "body")
BODY, TITLE = "It never came. <Twice>", "Late"
WHOLE = {
    "sml": f'<ticket><field name="body">{BODY.replace("<", "&lt;")}</field>'
    f'<field name="title">{TITLE}</field></ticket>',
    "toon": f"{TITLE},{BODY}",
    "markdown": f"- {BODY} (title: {TITLE})",
    "plain_text": f"{BODY} (title: {TITLE})",
}
SHORT = {**WHOLE, "sml": f"<ticket>{BODY.replace('<', '&lt;')} (title: {TITLE})</ticket>"}


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GRAIN_TYPES, ROW.name, ROW)  # type: ignore[arg-type]  # a dict


def ticket(**fields: object) -> Grain:
    return Grain("ticket", fields, "a" * 64, 0)


@pytest.mark.parametrize("form", WHOLE)
def test_each_format_writes_the_grain_and_its_summary(form: str) -> None:
    policy = FormatPolicy(format=form, metadata="none")
    grain = ticket(title=TITLE, body=BODY)
    assert SharedRenderer("ticket").render(grain, policy) == WHOLE[form]
    assert SharedRenderer("ticket").render_summary(grain, policy) == SHORT[form]


def test_a_passage_of_the_type_fills_its_text_and_its_fields() -> None:
    about = {"grain_type": "ticket", "title": TITLE, "unlisted": 1}
    (hit,) = PassageMapper().hits([Passage(BODY, about)])
    assert (hit.grain_type, hit.fields) == ("ticket", {"title": TITLE, "body": BODY})
    assert priority_of("ticket", hit.fields, 0.0) == pytest.approx(0.65)
    for form in FORMATS:
        context = ContextAssembler().format([hit], FormatPolicy(format=form, group_by_type=True))
        assert "ickets" in context.text or "TICKETS" in context.text
    assert list(json.loads(context.text)) == ["tickets"]


def test_columns_are_fields_and_the_last_has_the_rest() -> None:
    policy = FormatPolicy(format="toon")
    rows = [
        {"grain_type": "ticket", "fields": {"title": 7, "body": "b", "more": [1]}},
        {"grain_type": "ticket", "fields": {"title": "no text", "confidence": 1}},
        {"grain_type": "ticket", "fields": {}, "hash": "f" * 64},
    ]
    text = ContextAssembler().format(rows, policy).text
    assert text.splitlines() == [
        "tickets[3]{title,content}:",
        '  7,"b (more: [1])"',
        '  no text,""',
        '  "","[ticket: ffffffff]"',
    ]


def test_columns_without_content_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = GrainType("note", "notes", ("title",))
    monkeypatch.setitem(GRAIN_TYPES, "note", bare)  # type: ignore[arg-type]
    rows = [{"grain_type": "note", "fields": {"title": "t", "content": "c"}}]
    text = ContextAssembler().format(rows, FormatPolicy(format="toon")).text
    assert text.splitlines() == ["notes[1]{title,content}:", "  t,c"]
