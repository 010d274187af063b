"""The one old name that `areev_context.decide` still answers to."""

import pytest

from areev_context import decide


def test_the_old_name_of_parse_answer_is_parse_answer() -> None:
    assert getattr(decide, "read_" + "spoken") is decide.parse_answer


def test_no_other_name_is_found() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(decide, "noth" + "ing")
