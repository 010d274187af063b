"""A host's renderers: their texts in every format, their weights, and what they may get wrong."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from areev_context import (
    AreevContextError,
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    Grain,
    InputError,
    RendererError,
    RenderingHints,
    SearchHit,
    SharedRenderer,
    escape,
)
from areev_context.extend import GrainRenderer

Row = dict[str, Any]
TICKET: Row = {
    "grain_type": "ticket",
    "hash": "a1",
    "created_at": "2024-03-02T00:00:00Z",
    "fields": {"title": "Lamp <broken>", "number": 17},
}
SQUEEZED: Row = {"token_budget": 10, "grain_type_diversity": None, "allocation": "reference"}
FACT: Row = {
    "grain_type": "fact",
    "hash": "a2",
    "created_at": "2024-03-04T00:00:00Z",
    "fields": {"subject": "ada", "relation": "owns", "object": "a lamp"},
}


class Tickets(SharedRenderer):
    """Overrides one method; the others are the built-in ones."""

    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        title = escape(str(grain.fields["title"]), policy.format)
        match policy.format:
            case "sml":
                return f"<ticket>{title}</ticket>"
            case "markdown":
                return f"- Ticket {title}"
            case "json":
                return json.dumps({"ticket": grain.fields["title"]})
        return f"Ticket {title}"


class Stamps:
    """A renderer of one's own that inherits nothing; it answers with the text it was given."""

    grain_type = "ticket"

    def __init__(self, text: str = "whole", *, tokens: int = 10, priority: float = 0.5) -> None:
        self.text, self.tokens, self.priority = text, tokens, priority

    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        return self.text

    def render_summary(self, grain: Grain, policy: FormatPolicy) -> str:
        return "short"

    def token_estimate(self, grain: Grain, policy: FormatPolicy) -> int:
        return self.tokens

    def context_priority(self, grain: Grain, hit: SearchHit) -> float:
        return self.priority


def made(
    renderer: GrainRenderer, *rows: Row, hints: Row | None = None, **options: Any
) -> FormattedContext:
    assembler = ContextAssembler(renderers=[renderer])
    return assembler.format(rows, FormatPolicy(**options), RenderingHints(**(hints or {})))


WHOLE = {
    "sml": "<ticket>Lamp &lt;broken></ticket>",
    "markdown": "- Ticket Lamp <broken>",
    "plain_text": "Ticket Lamp <broken>",
    "json": '[{"ticket":"Lamp <broken>"}]',
    "toon": "tickets[1]{content}:\n  Ticket Lamp <broken>",
}


@pytest.mark.parametrize(("form", "text"), WHOLE.items())
def test_one_method_overridden(form: str, text: str) -> None:
    assert made(Tickets("ticket"), TICKET, format=form).text == text


@pytest.mark.parametrize("form", ["sml", "markdown", "plain_text"])
def test_what_a_render_leaves_out_stays_out_of_the_summary_and_the_report(form: str) -> None:
    squeezed = {**SQUEEZED, "metadata": "none"}
    context = made(Tickets("ticket"), TICKET, format=form, **squeezed)
    assert context.outcomes[0].reason == "summary"
    assert context.text == WHOLE[form]
    assert "17" not in context.model_dump_json() + context.report()


def test_a_summary_of_ones_own_is_the_summary() -> None:
    class Short(Tickets):
        def render_summary(self, grain: Grain, policy: FormatPolicy) -> str:
            return "short"

    squeezed = {**SQUEEZED, "metadata": "none"}
    assert made(Short("ticket"), TICKET, format="markdown", **squeezed).text == "short"


@pytest.mark.parametrize("form", WHOLE)
def test_a_shared_renderer_says_what_the_format_says(form: str) -> None:
    policy = FormatPolicy(format=form)
    plain = ContextAssembler().format([TICKET, FACT], policy)
    shared = ContextAssembler([SharedRenderer("ticket"), SharedRenderer("fact")])
    assert shared.format([TICKET, FACT], policy).text == plain.text
    assert shared.format([TICKET, FACT], policy).outcomes == plain.outcomes


@pytest.mark.parametrize("form", ["json", "toon"])
def test_a_format_without_summaries_gives_the_whole(form: str) -> None:
    grain = SearchHit.model_validate(FACT).grain
    policy, renderer = FormatPolicy(format=form), SharedRenderer("fact")
    assert renderer.render_summary(grain, policy) == renderer.render(grain, policy)


def test_a_shared_renderer_weighs_without_a_score() -> None:
    hit = SearchHit.model_validate(FACT)
    assert SharedRenderer("fact").context_priority(hit.grain, hit) == pytest.approx(0.75)
    scored = hit.model_copy(update={"score": 1.0})
    assert SharedRenderer("fact").context_priority(hit.grain, scored) == pytest.approx(0.90)


def test_a_renderer_of_a_known_type_replaces_the_built_in_one() -> None:
    renderer = Stamps("a stamp")
    renderer.grain_type = "fact"
    assert made(renderer, TICKET, FACT).text == "number: 17, title: Lamp <broken>\na stamp"


def test_the_summary_of_the_host_is_shown() -> None:
    context = made(Stamps(tokens=10), TICKET, **SQUEEZED)
    assert context.text == "short"
    assert context.outcomes[0].tokens == 3


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ('{"b": 1, "a": [2]}', '{"a":[2],"b":1}'),
        ("[1, 2]", '{"text":"[1, 2]"}'),
        ("bare words", '{"text":"bare words"}'),
        ("", '{"text":""}'),
    ],
)
def test_in_json_the_host_gives_an_object_or_a_text(answer: str, shown: str) -> None:
    assert made(Stamps(answer), TICKET, format="json").text == f"[{shown}]"


def test_in_json_our_keys_are_added_to_the_object_of_the_host() -> None:
    row = {**TICKET, "recall_source": "census", "conflict_status": "outdated"}
    text = made(Stamps('{"a": 1, "id": "theirs"}'), row, format="json", numbered=True).text
    assert text == (
        '[{"a":1,"conflict_status":"outdated","id":1,"recall_source":"census",'
        '"source_session":"unknown"}]'
    )


def test_in_toon_the_text_of_the_host_is_one_column() -> None:
    rows = [TICKET, FACT]
    assert made(Stamps("a, b"), *rows, format="toon").text.splitlines()[:2] == [
        "tickets[1]{content}:",
        '  "a, b"',
    ]
    timeline = made(Stamps("a, b"), *rows, format="toon", hints={"has_time_range": True})
    assert timeline.text.splitlines()[:2] == [
        "timeline[2]{date,type,content,gap}:",
        '  2024-03-02,ticket,"a, b",null',
    ]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("<t>one</t>", '<t id="1" session="s">one</t>'),
        ("no tag", '<grain id="1" session="s">no tag</grain>'),
        ("<3 lamps", '<grain id="1" session="s"><3 lamps</grain>'),
    ],
)
def test_in_sml_our_attributes_go_into_the_tag_of_the_host(answer: str, shown: str) -> None:
    row = {**TICKET, "recall_source": "census", "source_namespace": "s"}
    context = made(Stamps(answer), row, format="sml", numbered=True)
    assert context.text == f"<census_results>\n{shown}\n</census_results>"


@pytest.mark.parametrize("answer", ["- a ticket", "a ticket"])
def test_in_markdown_a_mark_stands_after_the_bullet(answer: str) -> None:
    row = {**TICKET, "conflict_status": "outdated"}
    context = made(Stamps(answer), row, format="markdown", numbered=True)
    assert context.text == "- [1] [OUTDATED] a ticket"


def test_the_text_of_the_host_is_cleaned() -> None:
    assert made(Stamps("a\x00b\r\nc \ud800"), TICKET).text == "ab\nc \ufffd"


def test_the_host_says_what_matters() -> None:
    rows = [FACT, TICKET]
    tight = {**SQUEEZED, "token_budget": 30, "metadata": "none"}
    forms = [o.allocation for o in made(Stamps(priority=1.0), *rows, **tight).outcomes]
    assert forms == ["full", "full"]
    forms = [o.allocation for o in made(Stamps(priority=1.0, tokens=20), *rows, **tight).outcomes]
    assert forms == ["summary", "full"]


@pytest.mark.parametrize(("given", "taken"), [(-3, 0.0), (7, 1.0), (0, 0.0), (0.25, 0.25)])
def test_a_priority_is_brought_into_its_range(given: float, taken: float) -> None:
    assert made(Stamps(priority=given), TICKET).outcomes[0].priority == taken


@pytest.mark.parametrize("tokens", [0, -5])
def test_an_entry_costs_one_token_at_least(tokens: int) -> None:
    assert made(Stamps(tokens=tokens), TICKET).outcomes[0].full_tokens == 1


def test_the_host_sees_the_place_where_a_score_is_unknown_and_the_query_of_the_hints() -> None:
    seen: list[tuple[float | None, str | None]] = []

    class Watching(SharedRenderer):
        def context_priority(self, grain: Grain, hit: SearchHit) -> float:
            seen.append((hit.score, None))
            return 0.5

        def render(self, grain: Grain, policy: FormatPolicy) -> str:
            seen.append((None, policy.query_text))
            return ""

    made(Watching("ticket"), FACT, TICKET, hints={"query_text": "which ticket?"})
    assert seen == [(0.5, None), (None, "which ticket?")]
    seen.clear()
    made(Watching("ticket"), TICKET, query_text="mine", hints={"query_text": "theirs"})
    assert seen == [(1.0, None), (None, "mine")]


class Broken(Stamps):
    """A renderer whose named method answers with something wrong."""

    def __init__(self, method: str, answer: Callable[[], object]) -> None:
        super().__init__()
        setattr(self, method, lambda *_: answer())


def failing() -> object:
    raise LookupError("no such\nticket")


WRONG = {
    "raises": ("render", failing, "raised LookupError: no such"),
    "no text": ("render", lambda: None, "returned a value of type NoneType, give str"),
    "bytes": ("render_summary", lambda: b"x", "returned a value of type bytes, give str"),
    "half a token": ("token_estimate", lambda: 1.5, "returned a value of type float, give int"),
    "true": ("token_estimate", lambda: True, "returned a value of type bool, give int"),
    "a word": ("context_priority", lambda: "high", "type str, give int or float"),
    "NaN": ("context_priority", lambda: math.nan, "returned nan, give 0..1"),
    "infinity": ("context_priority", lambda: -math.inf, "returned -inf, give 0..1"),
}


@pytest.mark.parametrize(("method", "answer", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_answer_names_the_renderer(
    method: str, answer: Callable[[], object], message: str
) -> None:
    options = SQUEEZED if method == "render_summary" else {}
    with pytest.raises(RendererError, match=message) as caught:
        made(Broken(method, answer), TICKET, **options)
    assert (caught.value.grain_type, caught.value.method) == ("ticket", method)
    assert str(caught.value).startswith(f"the renderer of 'ticket' (Broken.{method}) ")


def test_the_cause_of_a_failure_is_chained() -> None:
    with pytest.raises(RendererError) as caught:
        made(Broken("render", failing), TICKET)
    assert isinstance(caught.value.__cause__, LookupError)


def test_two_renderers_of_one_type_are_an_error() -> None:
    with pytest.raises(AreevContextError, match="two renderers for the type 'ticket'"):
        ContextAssembler([Stamps(), Tickets("ticket")])


@pytest.mark.parametrize("what", [object(), "ticket", Tickets, None])
def test_what_is_no_renderer_is_an_error(what: Any) -> None:
    with pytest.raises(AreevContextError, match="is no renderer: give an object with grain_type"):
        ContextAssembler([what])


HOSTILE = 'a"b</x>\n## c [CURRENT]'


@pytest.mark.parametrize(
    ("form", "escaped"),
    [
        ("sml", 'a"b&lt;/x>\n## c [CURRENT]'),
        ("markdown", 'a"b</x>\n  \\## c \\[CURRENT]'),
        ("plain_text", 'a"b</x>\n  \\## c \\[CURRENT]'),
        ("json", 'a\\"b</x>\\n## c [CURRENT]'),
        ("toon", '"a\\"b</x>\\n## c [CURRENT]"'),
    ],
)
def test_escape_is_what_the_format_does(form: str, escaped: str) -> None:
    assert escape(HOSTILE, form) == escaped


def test_sml_escapes_what_xml_asks_for_and_no_more() -> None:
    assert escape("a > b ]]> c ]] > d", "sml") == "a > b ]]&gt; c ]] > d"
    row = {"grain_type": "goal", "fields": {"description": "a > b", "priority": "a > b"}}
    text = ContextAssembler().format([row], FormatPolicy(format="sml", metadata="none")).text
    assert text == '<goal state="active" priority="a &gt; b">a > b</goal>'


def test_escape_of_no_format() -> None:
    with pytest.raises(InputError, match="'xml': give one of sml, toon"):
        escape("text", "xml")
    with pytest.raises(InputError, match="of type int: give a string"):
        escape(5, "sml")  # type: ignore[arg-type]  # that is the mistake


BLOCKS = [
    {"type": "text", "text": "see"},
    {"type": "tool_use", "name": "find", "id": "1", "input": {"b": 1, "a": "<"}},
    {"type": "tool_result", "tool_use_id": "1", "content": {"ok": True}, "is_error": True},
    {"type": "tool_use"},
    {"type": "tool_result", "content": "done"},
    {"type": "image", "text": "hidden"},
    "also",
]
EDGES = [
    {"src": "a", "dst": "b", "cond": "c", "max_cycles": 2},
    *[{"src": "a", "dst": "b", "cond": 1, "max_cycles": True}] * 11,
    {"src": "x", "dst": "y"},  # past the twelve that are shown
    {"src": "a", "dst": 7},
    "odd",
]
# (type, fields, format) -> the grain whole; what the conformance cases leave out.
GRAINS: list[tuple[str, Row, str, str]] = [
    # the shapes that Markdown looks for, in their order
    ("ticket", {"subject": "a", "relation": "b", "object": "c", "name": "n"}, "markdown",
     "- **a** b c (name: n)"),
    ("ticket", {"content": "c", "relation": "r", "subject": "s"}, "markdown",
     "- **r**: c (subject: s)"),
    ("ticket", {"tool_name": "t", "body": "b", "name": "n"}, "markdown",
     "- **t** returned: b (name: n)"),
    ("ticket", {"tool_name": "t", "is_error": True}, "markdown", "- **t** failed"),
    ("ticket", {"tool_name": "t", "is_error": "yes"}, "markdown",
     "- **t** returned (is_error: yes)"),
    ("ticket", {"name": "n", "description": "d", "subject": "s", "": "x"}, "markdown",
     "- **n** — d (: x, subject: s)"),
    ("ticket", {"name": "n", "proficiency": 0.8, "practice_count": "3", "a": ""}, "markdown",
     "- **n** (proficiency 0.80, practised 0×) (a: , practice_count: 3)"),
    ("ticket", {"name": "n", "proficiency": 0.8, "practice_count": 3}, "markdown",
     "- **n** (proficiency 0.80, practised 3×)"),
    ("ticket", {"subject": "s", "body": "b"}, "markdown", "- **s**: b"),
    ("ticket", {"subject": "s", "body": "b", "goal_state": "active"}, "markdown",
     "- **s**: b (active)"),
    ("ticket", {"subject": "s", "body": "b", "goal_state": "g", "progress": 0.125}, "markdown",
     "- **s**: b (g, 12% done)"),
    ("ticket", {"subject": "s", "body": "b", "goal_state": "g", "progress": 0.375}, "markdown",
     "- **s**: b (g, 38% done)"),
    ("ticket", {"relation": "r", "description": "d"}, "markdown", "- **r**: d"),
    ("ticket", {"description": "d"}, "markdown", "- d"),
    ("ticket", {"subject": "s", "goal_state": "active"}, "markdown",
     "- **s** (goal_state: active)"),
    ("ticket", {}, "markdown", "- [ticket: 01234567]"),
    ("ticket", {"b": 1, "a": [None, "x"], "type": "t", "confidence": 1, "observer_id": "o"},
     "markdown", '- a: [null,"x"], b: 1'),
    # an unknown type in plain text
    ("ticket", {"relation": "r", "content": "c"}, "plain_text", " r  (content: c)"),
    ("ticket", {"subject": "s", "object": 5}, "plain_text", "s   (object: 5)"),
    ("ticket", {"content": "c", "a": 1}, "plain_text", "c (a: 1)"),
    ("ticket", {"b": "x", "a": True, "namespace": "n"}, "plain_text", "a: true, b: x"),
    ("ticket", {}, "plain_text", "[ticket: 01234567]"),
    ("ticket", {}, "sml", '<grain type="ticket"></grain>'),
    # a fact of which parts are missing, or hidden by its shape
    ("fact", {"subject": "a", "object": "c"}, "markdown", "- **a** c"),
    ("fact", {"subject": "a", "relation": "b"}, "markdown", "- **a** b"),
    ("fact", {"relation": "b", "object": "c"}, "markdown", "- object: c, relation: b"),
    ("fact", {"subject": "a", "relation": "b", "content": "t"}, "markdown", "- **a** b t"),
    ("fact", {"object": "c", "content": "t"}, "markdown", "- c"),
    ("fact", {"subject": "a", "name": "n"}, "markdown", "- **a**"),
    ("fact", {"subject": "a", "content": "t"}, "markdown", "- **a**: t"),
    # a grain with nothing to show
    ("fact", {}, "markdown", "- ? ? ?"),
    ("goal", {}, "markdown", "- [medium/active] ?"),
    ("tool", {}, "markdown", "- unknown [OK]"),
    ("skill", {}, "plain_text", "?"),
    ("trigger", {}, "plain_text", "trigger"),
    ("observation", {"observer_id": "cam"}, "markdown", "- cam"),
    ("observation", {"observer_id": "cam", "confidence": 0.5}, "markdown", "-  *(0.50)*"),
    # an observation without a subject, or without anything
    ("observation", {"object": "o"}, "markdown", "- o"),
    ("observation", {"object": "o", "content": "c"}, "markdown", "- c"),
    ("observation", {"subject": "s", "content": "c"}, "markdown", "- **s**: c"),
    ("observation", {"object": "o"}, "plain_text", "o"),
    ("observation", {"observer_id": "cam"}, "plain_text", "cam"),
    ("observation", {}, "plain_text", "?"),
    # a tool without a name; a failed one
    ("tool", {"tool_content": "c"}, "markdown", "- c"),
    ("tool", {"tool_content": "c"}, "plain_text", "unknown [OK]: c"),
    ("tool", {"tool_name": "t", "is_error": True, "error": "e", "tool_content": "c"}, "markdown",
     "- **t** failed: e"),
    ("tool", {"tool_name": "t", "is_error": True, "error": "e"}, "toon", "t,fail,e"),
    ("tool", {"tool_name": "t", "duration_ms": 5}, "sml",
     '<tool tool="t" status="ok"> (5ms)</tool>'),
    # an event that speaks in blocks
    ("event", {"content": " ", "content_blocks": BLOCKS}, "plain_text",
     'see find({"a":"<","b":1}) {"ok":true} ({}) done [image] also'),
    ("event", {"content_blocks": BLOCKS, "role": "bot"}, "markdown",
     '- **bot**: see find({"a":"<","b":1}) {"ok":true} ({}) done [image] also'),
    ("event", {"content": "said", "content_blocks": BLOCKS}, "plain_text", "said"),
    ("event", {"content": "said", "content_blocks": BLOCKS[:3]}, "sml",
     '<event><text>see</text><tool_use name="find" id="1"><args format="json">'
     '{"a":"&lt;","b":1}</args></tool_use><tool_result tool_use_id="1" is_error="true">'
     '{"ok":true}</tool_result></event>'),
    ("event", {"content_blocks": BLOCKS[3:5]}, "sml",
     '<event><tool_use name="" id=""><args format="json">{}</args></tool_use>'
     '<tool_result tool_use_id="" is_error="false">done</tool_result></event>'),
    ("event", {"content": "said", "content_blocks": BLOCKS[5:]}, "sml",
     "<event><text>[image]</text><text>also</text></event>"),
    ("event", {"content": "said", "content_blocks": "text"}, "sml", "<event>said</event>"),
    # a skill of which parts are missing
    ("skill", {"name": "n", "domain": "x"}, "plain_text", "n [x]"),
    ("skill", {"domain": "x", "description": "d"}, "plain_text", "[x]: d"),
    ("skill", {"description": "d"}, "plain_text", "d"),
    # how a workflow hangs together
    ("workflow", {"trigger": "t", "edges": EDGES[:1]}, "toon", 't,"a -> b [when c] [max 2x]"'),
    ("workflow", {"trigger": "t", "edges": EDGES, "nodes": ["a"]}, "plain_text",
     "t (on: t): a -> b [when c] [max 2x]; " + "a -> b [when 1]; " * 11 + "… +3 more"),
    ("workflow", {"name": "n", "nodes": ["a", 7, "b"]}, "markdown",
     "- **n** (on: workflow): a, 7, b"),
    ("workflow", {}, "toon", '"","0 nodes, 0 edges"'),
    ("workflow", {"bindings": {"b": "2", "a": "1", "c": 3}}, "sml",
     '<workflow trigger="workflow" nodes="0" edges="0" bindings="a=1, b=2, c=3"></workflow>'),
    # a conclusion with its method, or what stands for it
    ("reasoning", {"conclusion": "c", "inference_method": "m", "premises": ["p"]}, "markdown",
     "- c (m)"),
    ("reasoning", {"inference_method": "m", "premises": ["p", "q"]}, "markdown",
     "- Reasoning (m) (2 premises)"),
    ("reasoning", {"conclusion": ""}, "markdown", "- Reasoning (0 premises)"),
    # a document of which little is known
    ("document", {"content": "text", "title": "t", "url": "u"}, "toon", '"",t,u,text'),
    ("document", {"content": "text", "page": 3}, "plain_text", "(page 3): text"),
]  # fmt: skip


@pytest.mark.parametrize(("grain_type", "fields", "form", "text"), GRAINS)
def test_one_grain_whole(grain_type: str, fields: Row, form: str, text: str) -> None:
    grain = Grain(grain_type, fields, "0123456789abcdef", 0)
    assert SharedRenderer(grain_type).render(grain, FormatPolicy(format=form)) == text


# The same at the level full: what the page "complete" leaves out.
AT_FULL: list[tuple[str, Row, str, str]] = [
    ("fact", {"relation": "b", "object": "c"}, "markdown", "- b c"),
    ("goal", {"description": "d", "criteria": "c", "goal_state": "g", "priority": "p",
              "progress": 0.4}, "markdown",
     "- d (criteria: c) (state: g) (priority: p) (40% done)"),
    ("goal", {"description": "d", "goal_state": "g", "progress": 0.4}, "markdown", "- d"),
    ("goal", {"description": "d", "criteria": "c"}, "plain_text",
     "[medium/active] d (criteria: c)"),
    ("goal", {"description": "d", "content": "t"}, "markdown", "- t (description: d)"),
    ("goal", {"subject": "s", "progress": 0.4}, "sml",
     '<goal state="active" priority="medium" subject="s" progress="40% done">?</goal>'),
    ("goal", {"progress": 0.4}, "sml", '<goal state="active" priority="medium">?</goal>'),
    ("skill", {"name": "n", "domain": "x", "practice_count": 7}, "markdown",
     "- **n** [x] (practised 7×)"),
    ("skill", {"name": "n", "practice_count": 7}, "markdown", "- **n**"),
    ("skill", {"practice_count": 7}, "plain_text", "? (practised 7×)"),
    ("skill", {"name": "n", "proficiency": 0.8}, "plain_text",
     "n (proficiency 0.80, practised 0×)"),
    ("skill", {"name": "n", "proficiency": 0.8}, "sml", '<skill name="n"></skill>'),
    ("observation", {"object": "o", "content": "c"}, "markdown", "- c (object: o)"),
    ("observation", {"object": "c", "content": "c"}, "markdown", "- c"),
    ("observation", {"subject": "s", "object": "o", "content": "c"}, "plain_text",
     "s: o (content: c)"),
    ("observation", {"subject": "s", "object": "o", "content": "c"}, "sml",
     '<observation observer="?">s: o</observation>'),
    ("observation", {"observer_id": "o", "tags": ["t"]}, "markdown", "- o"),
    ("tool", {"is_error": True, "error": "e", "content": "c"}, "markdown", "- c (error: e)"),
    ("tool", {"tool_name": "t", "error": "e"}, "plain_text", "t [OK] (error: e)"),
    ("tool", {"tool_name": "t", "error": "e", "duration_ms": 5}, "sml",
     '<tool tool="t" status="ok"> (5ms)<error>e</error></tool>'),
    ("consensus", {"threshold": 3}, "plain_text", "Consensus"),
    ("trigger", {"scope": "s", "description": "d", "cron": "c"}, "markdown",
     "- trigger: d (s) (cron: c)"),
    ("trigger", {}, "sml", "<trigger>trigger</trigger>"),
    ("reasoning", {"inference_method": "m"}, "sml",
     '<reasoning inference_method="m"></reasoning>'),
    ("reasoning", {}, "sml", "<reasoning>reasoning</reasoning>"),
    ("ticket", {}, "sml", '<grain type="ticket">[ticket: ]</grain>'),
]  # fmt: skip


@pytest.mark.parametrize(("grain_type", "fields", "form", "text"), AT_FULL)
def test_one_grain_at_full(grain_type: str, fields: Row, form: str, text: str) -> None:
    grain = Grain(grain_type, fields, "", 0)
    policy = FormatPolicy(format=form, metadata="full")
    assert SharedRenderer(grain_type).render(grain, policy) == text


SUMMARIES: list[tuple[str, Row, str, str]] = [
    ("ticket", {"subject": "a\nb", "object": "c"}, "plain_text", "a b  c"),
    ("ticket", {"subject": "a", "object": "c"}, "markdown", "- a  c"),
    ("ticket", {"a": "<"}, "sml", '<grain type="ticket">a: &lt;</grain>'),
    ("event", {"role": "bot", "content": "x" * 81}, "plain_text", "x" * 77 + "…"),
    ("event", {"content": "x" * 80}, "markdown", "- " + "x" * 80),
    ("fact", {"subject": "a", "confidence": 0.5}, "sml", "<fact>a ? ?</fact>"),
    ("trigger", {"kind": "cron"}, "plain_text", "[cron]"),
]


@pytest.mark.parametrize(("grain_type", "fields", "form", "text"), SUMMARIES)
def test_one_grain_in_one_line(grain_type: str, fields: Row, form: str, text: str) -> None:
    grain = Grain(grain_type, fields, "0123456789abcdef", 1_700_000_000)
    policy = FormatPolicy(format=form)
    assert SharedRenderer(grain_type).render_summary(grain, policy) == text


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ('{"a": NaN}', {"a": None}),
        ('{"a": "\\ud800"}', {"a": "\N{REPLACEMENT CHARACTER}"}),
        ("[" * 200_000, {"text": "[" * 200_000}),
    ],
    ids=["nan", "surrogate", "deep"],
)
def test_the_json_of_a_host_is_made_valid(answer: str, shown: object) -> None:
    class Odd(SharedRenderer):
        def render(self, grain: Grain, policy: FormatPolicy) -> str:
            return answer

    rows = [{"grain_type": "fact", "fields": {}}]
    context = ContextAssembler([Odd("fact")]).format(rows, FormatPolicy(format="json"))
    assert json.loads(context.text) == [shown]
