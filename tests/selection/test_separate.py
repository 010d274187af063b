"""Entries apart: `format_each`, one text a hit."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from areev_context import (
    ContextAssembler,
    FormattedEntries,
    FormattedEntry,
    InputError,
    Reason,
    SearchHit,
)
from areev_context.extend import MetadataLevel
from areev_context.formats.registry import FORMATS
from areev_context.policy import FormatPolicy
from areev_context.tokens import estimate_tokens
from laws.strategies import Case, cases

SEPARABLE = [name for name, row in FORMATS.items() if row.shortens]
ONE_DOCUMENT = [name for name in FORMATS if name not in SEPARABLE]


def fact(place: str, status: str, **row: str) -> SearchHit:
    fields = {"subject": "john", "relation": "works at", "object": place}
    return SearchHit.model_validate(
        {"grain_type": "fact", "fields": fields, "supersession_status": status, **row}
    )


HITS = [
    fact("Globex", "current", hash="new"),
    fact("Acme", "superseded", hash="old", superseded_by_hash="new"),
    SearchHit(grain_type="goal", hash="goal", fields={"description": "move to Basel"}),
]


def made(policy: FormatPolicy) -> FormattedEntries:
    return ContextAssembler().format_each(HITS, policy)


def test_a_text_a_hit_without_sections_or_updates() -> None:
    policy = FormatPolicy.gpt4(group_by_type=True, query_text="what happened when, in order?")
    assert made(policy).entries == (
        FormattedEntry(0, "- [CURRENT] **john** works at Globex"),
        FormattedEntry(1, "- [OUTDATED] **john** works at Acme"),
        FormattedEntry(2, "- move to Basel"),
    )


def test_numbers_run_through_the_entries() -> None:
    assert [entry.text for entry in made(FormatPolicy.claude(numbered=True)).entries] == [
        '[CURRENT] <fact id="1">john works at Globex</fact>',
        '[OUTDATED] <fact id="2">john works at Acme</fact>',
        '<goal id="3" state="active" priority="medium">move to Basel</goal>',
    ]


def test_a_replaced_hit_without_a_mark_would_pass_for_true() -> None:
    shown = made(FormatPolicy.gpt4(metadata=MetadataLevel.NONE))
    assert [entry.index for entry in shown.entries] == [0, 2]
    assert shown.context.outcomes[1].reason is Reason.SUPERSEDED


def test_a_title_of_two_lines_is_one_in_a_summary() -> None:
    document = {"content": "Long. " * 400, "title": "two\nlines", "source": "a\nb"}
    hits = [SearchHit(grain_type="document", fields=document)]
    squeezed = {"token_budget": 500, "grain_type_diversity": None, "allocation": "reference"}
    for policy in (FormatPolicy.gpt4(**squeezed), FormatPolicy.local_small(**squeezed)):
        (entry,) = ContextAssembler().format_each(hits, policy).entries
        assert entry.text.replace("*", "").removeprefix("- ") == "two lines (a b): Long."


def test_nothing_shown_is_no_entry() -> None:
    nothing = ContextAssembler().format_each([])
    assert nothing.entries == ()
    assert nothing.context.text == ""


@pytest.mark.parametrize("name", ONE_DOCUMENT)
def test_one_document_of_all_hits_is_not_divided(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is one document of all hits: give one of sml, "):
        made(FormatPolicy(format=name))


@pytest.mark.parametrize("counter", [None, estimate_tokens])
@settings(derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_the_entries_make_the_context(counter: object, case: Case) -> None:
    if case.policy.format not in SEPARABLE:
        case = replace(case, policy=case.policy.replace(format=SEPARABLE[len(case.hits) % 3]))
    assembler = ContextAssembler(counter=counter)
    shown = assembler.format_each(case.hits, case.policy, case.hints)
    entries, context = shown.entries, shown.context
    assert "\n\n".join(entry.text for entry in entries) == context.text
    assert [context.outcomes[entry.index].tokens is not None for entry in entries] == (
        [True] * context.included_count
    )
    assert not any(outcome.reason is Reason.UPDATE for outcome in context.outcomes)
    if counter is not None and case.policy.token_budget is not None:
        assert context.tokens <= case.policy.token_budget
