"""The receipt of a context is made when it is first read, once, and before anything can miss it."""

import copy
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy, FormattedContext, load_hits
from areev_context.lazy_fields import LazyFields

ROWS = [
    {"type": "document", "fields": {"content": f"Step {n}.", "title": f"Guide {n}"}}
    for n in range(5)
]


def context() -> FormattedContext:
    return ContextAssembler().format(load_hits(ROWS), FormatPolicy(numbered=True))


unchecked = ContextAssembler.format  # before the suite puts its checker around it


def is_complete(found: FormattedContext) -> bool:
    return {"outcomes", "sources"} <= vars(found).keys()


def test_nobody_who_reads_the_text_waits_for_the_receipt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()  # else the checker of the suite has read it
    monkeypatch.setattr(ContextAssembler, "format", unchecked)
    found = context()
    assert found.text
    assert found.tokens
    assert found.included_count == 5
    assert not is_complete(found)
    assert [source.title for source in found.sources] == [f"Guide {n}" for n in range(5)]
    assert is_complete(found)


WAYS: dict[str, Callable[[FormattedContext], Any]] = {
    "outcomes": lambda c: c.outcomes,
    "equality": lambda c: c == context(),
    "equality from the other side": lambda c: context().completed() == c,
    "hash": hash,
    "repr": repr,
    "iteration": dict,
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "model_copy": lambda c: c.model_copy(update={"text": ""}),
    "deep model_copy": lambda c: c.model_copy(deep=True),
    "pickle": pickle.dumps,
    "model_dump": lambda c: c.model_dump(),
    "model_dump_json": lambda c: c.model_dump_json(),
    "report": lambda c: c.report(),
    "to_html": lambda c: c.to_html(),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_whatever_looks_at_all_fields_finds_them(way: Callable[[FormattedContext], Any]) -> None:
    found = context()
    made = way(found)
    assert is_complete(found)
    if isinstance(made, FormattedContext):
        assert (made.outcomes, made.sources) == (found.outcomes, found.sources)


@pytest.mark.parametrize(
    "back",
    [
        lambda c: pickle.loads(pickle.dumps(c)),
        lambda c: FormattedContext.model_validate(c.model_dump()),
        lambda c: FormattedContext.model_validate_json(c.model_dump_json()),
        copy.deepcopy,
        lambda c: FormattedContext(**dict(c)),
    ],
)
def test_what_comes_back_is_equal(back: Callable[[FormattedContext], FormattedContext]) -> None:
    found = context()
    again = back(found)
    assert again == found == context()
    assert hash(again) == hash(found)
    assert repr(again) == repr(found)
    assert again.report() == found.report()


def test_fields_stay_in_their_order() -> None:
    names = list(FormattedContext.model_fields)
    assert list(vars(context().completed())) == names
    dumped = list(context().model_dump())
    assert dumped == [name for name in names if name in dumped]


def test_the_receipt_reads_the_hits_as_they_were() -> None:
    hits = load_hits(ROWS)
    found = ContextAssembler().format(hits)
    for hit in hits:
        hit.fields["title"] = "something else"
    assert [source.title for source in found.sources] == [f"Guide {n}" for n in range(5)]


class Late(LazyFields):
    """A model with a slow field."""

    LAZY = frozenset({"slow"})
    quick: int
    slow: object


def test_many_threads_make_it_once() -> None:
    calls, found = [], []

    def make() -> dict[str, object]:
        calls.append(1)
        time.sleep(0.05)
        return {"slow": object()}

    model = Late.lazily(make, quick=1)
    threads = [threading.Thread(target=lambda: found.append(model.slow)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


def test_what_fails_is_tried_again() -> None:
    answers = [ValueError("no"), None]

    def make() -> dict[str, object]:
        answer = answers.pop(0)
        if answer is not None:
            raise answer
        return {"slow": 2}

    model = Late.lazily(make, quick=1)
    with pytest.raises(ValueError, match="no"):
        _ = model.slow
    assert model.slow == 2


def test_other_attributes_are_missing_as_ever() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = context().nothing  # type: ignore[attr-defined]
    assert context() != "text"
