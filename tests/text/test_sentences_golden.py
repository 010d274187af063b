"""Sentences end where a reader of the language would end them."""

from collections.abc import Callable

import pytest

from areev_context.text.sentences import sentence_spans
from text.golden import BROKEN, LANGUAGES, cases

OWN = [language for language in LANGUAGES if language != "english_public"]


def marked(text: str) -> str:
    return "|".join(text[start:end] for start, end in sentence_spans(text))


@pytest.mark.parametrize("case", [case for language in OWN for case in cases(language)])
def test_sentences_end_as_a_reader_ends_them(case: str) -> None:
    assert marked(case.replace("|", "")) == case


def test_the_public_rules_of_english_hold_but_for_those_named() -> None:
    rules = dict(enumerate(cases("english_public"), 1))
    assert len(rules) == 52
    assert {n for n, rule in rules.items() if marked(rule.replace("|", "")) != rule} == set(BROKEN)


@pytest.mark.parametrize("language", OWN)
def test_each_language_has_its_cases(language: str) -> None:
    assert len(set(cases(language))) >= 20


@pytest.mark.parametrize("change", [lambda t: t.replace(" ", "\n"), lambda t: f"\n {t}\n\n\n"])
@pytest.mark.parametrize("language", ["english", "german", "french", "russian"])
def test_a_line_break_is_a_blank(language: str, change: Callable[[str], str]) -> None:
    for case in cases(language):
        if "\n" not in case and "- " not in case:
            found = "".join(marked(change(case.replace("|", ""))).split())
            assert found == "".join(case.split())
