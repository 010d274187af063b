"""Counters made of counters of messages, clients, names and batches."""

import functools
import json
import math
import socket
import socketserver
import threading
import time
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from areev_context import (
    AreevContextError,
    ContextAssembler,
    CounterError,
    FormatPolicy,
    Passage,
    PassageMapper,
)
from areev_context.tokens import (
    BatchCounter,
    Counter,
    approximate_counter,
    counter_from,
    estimate_tokens,
)
from awkward import TEXTS
from counters import cl100k

TEXT = "one two three, four"
CONTENT = "Rent is due on the first of the month. It is paid by transfer, never in cash. "


def hits(number: int = 200) -> Any:
    passages = [
        Passage(f"{CONTENT * (n % 5 + 1)} Clause {n}.", {"title": f"Lease {n}"})
        for n in range(number)
    ]
    return PassageMapper().hits(passages)


# --- messages ---------------------------------------------------------------------------------


def by_mapping(messages: list[dict[str, str]]) -> int:
    return sum(4 + estimate_tokens(message["content"]) for message in messages)


def by_name_only(*, messages: list[dict[str, str]], model: str = "m") -> dict[str, int]:
    return {"input_tokens": by_mapping(messages)}


def by_total(messages: list[dict[str, str]], tools: object = None) -> SimpleNamespace:
    return SimpleNamespace(total_tokens=by_mapping(messages))


@pytest.mark.parametrize("count", [by_mapping, by_name_only, by_total])
def test_a_counter_of_messages_counts_a_text_as_one_message(count: Any) -> None:
    assert counter_from(count)(TEXT) == 4 + estimate_tokens(TEXT)
    assert Counter(counter_from(count)).name == count.__name__


def test_langchains_counter_of_messages_counts() -> None:
    messages = pytest.importorskip("langchain_core.messages")
    count = counter_from(messages.utils.count_tokens_approximately)
    alone = messages.utils.count_tokens_approximately([messages.HumanMessage(TEXT)])
    assert count(TEXT) == alone
    objects = counter_from(lambda messages: sum(len(message.content) for message in messages))
    assert objects(TEXT) == len(TEXT)


def test_a_langchain_model_that_counts_messages_itself_counts() -> None:
    models = pytest.importorskip("langchain_core.language_models.fake_chat_models")

    class Own(models.FakeListChatModel):  # type: ignore[misc, name-defined]
        def get_num_tokens_from_messages(self, messages: Any, tools: Any = None) -> int:
            return sum(7 + len(message.content) for message in messages)

    count = counter_from(Own(responses=["a"]))
    assert count(TEXT) == 7 + len(TEXT)
    assert Counter(count).batch_size == 1  # it may ask a service


# --- clients ----------------------------------------------------------------------------------


class Anthropic:
    """A client as Anthropic's: ``client.messages.count_tokens``."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.messages = self

    def count_tokens(self, *, model: str, messages: list[dict[str, str]]) -> SimpleNamespace:
        self.requests.append({"model": model, "messages": messages})
        return SimpleNamespace(input_tokens=9 + cl100k(messages[0]["content"]))


class Gemini:
    """A client as Google's: ``client.models.count_tokens``."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.models = self

    def count_tokens(self, *, model: str, contents: str) -> SimpleNamespace:
        self.requests.append({"model": model, "contents": contents})
        return SimpleNamespace(total_tokens=cl100k(contents))


def test_clients_count_for_a_model() -> None:
    anthropic, gemini = Anthropic(), Gemini()
    assert counter_from(anthropic, model="claude-x")(TEXT) == 9 + cl100k(TEXT)
    assert counter_from(gemini, model="gemini-x")(TEXT) == cl100k(TEXT)
    assert anthropic.requests == [
        {"model": "claude-x", "messages": [{"role": "user", "content": TEXT}]}
    ]
    assert gemini.requests == [{"model": "gemini-x", "contents": TEXT}]
    method = functools.partial(anthropic.messages.count_tokens, model="claude-y")
    assert counter_from(method)(TEXT) == 9 + cl100k(TEXT)
    assert anthropic.requests[-1]["model"] == "claude-y"
    assert Counter(counter_from(method)).name == "claude-y"


@pytest.mark.parametrize("client", [Anthropic(), Gemini(), Anthropic().messages.count_tokens])
def test_a_client_without_a_model_is_refused_at_the_door(client: Any) -> None:
    with pytest.raises(CounterError, match="counts for a model: give its name as model="):
        counter_from(client)


@pytest.mark.parametrize("client", [Anthropic(), Gemini()])
@pytest.mark.parametrize("budget", [0, 1, 12, 60, 500, 4_000, 100_000])
def test_a_client_is_asked_four_times_at_most_and_its_budget_holds(
    client: Any, budget: int
) -> None:
    counter = counter_from(client, model="m")
    client.requests.clear()
    context = ContextAssembler(counter=counter).format(
        hits(), FormatPolicy.gpt4(token_budget=budget), query="when is rent due?"
    )
    assert len(client.requests) <= 4
    assert not context.text or counter(context.text) == context.tokens <= budget
    if 500 <= budget <= 4_000:
        assert context.tokens >= 0.85 * budget


# --- batches ----------------------------------------------------------------------------------


class Batches:
    """A counter of batches that notes how it was asked; each text costs more than cl100k says."""

    def __init__(self, factor: float = 1.0, batch_size: int | None = None) -> None:
        self.calls: list[int] = []
        self.factor = factor
        if batch_size is not None:
            self.batch_size = batch_size

    def count_all(self, texts: Sequence[str]) -> list[int]:
        self.calls.append(len(texts))
        return [math.ceil(self.factor * cl100k(text)) for text in texts]


def test_a_counter_of_batches_counts_one_text_too() -> None:
    counter = counter_from(Batches())
    assert isinstance(counter, BatchCounter)
    assert counter(TEXT) == cl100k(TEXT)
    assert Counter(counter).count_all(["", TEXT, ""]) == [0, cl100k(TEXT), 0]
    assert Counter(Batches())(TEXT) == cl100k(TEXT)
    assert repr(counter) == "<token counter Batches>"


@pytest.mark.parametrize("batch_size", [None, 1, 50, 1_000])
@pytest.mark.parametrize("factor", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("budget", [0, 1, 30, 300, 2_000, 1_000_000])
@pytest.mark.parametrize("preset", ["gpt4", "claude", "json_api"])
def test_few_calls_keep_the_budget(
    preset: str, budget: int, factor: float, batch_size: int | None
) -> None:
    counter = Batches(factor, batch_size)
    context = ContextAssembler(counter=counter).format(
        hits(60), FormatPolicy.preset(preset, token_budget=budget), query="when is rent due?"
    )
    assert len(counter.calls) <= 4
    assert batch_size is None or max(counter.calls) <= max(batch_size, 1)
    [tokens] = counter.count_all([context.text]) if context.text else [0]
    assert context.tokens == tokens <= budget
    if budget == 1_000_000:
        assert context.omitted_count == 0
    if budget == 2_000 and context.omitted_count and preset != "json_api":
        assert context.tokens > 0.85 * budget


def test_the_receipt_counts_what_it_shows() -> None:
    context = ContextAssembler(counter=Batches()).format(
        hits(60), FormatPolicy.gpt4(token_budget=600), query="when is rent due?"
    )
    lines = {o.index: o.tokens for o in context.outcomes if o.tokens}
    assert lines
    total = sum(tokens for tokens in lines.values() if tokens is not None)
    assert abs(total - context.tokens) <= 2 * len(lines)


class Wrong:
    """A counter of batches that returns something else than the counts."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def count_all(self, texts: Sequence[str]) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([], "returned 0 counts; give one for each of 1"),
        ([1, 2], "returned 2 counts; give one for each of 1"),
        (None, "raised TypeError"),
        ([-1], "returned -1; give a whole number"),
        ([1.5], "returned 1.5; give a whole number"),
        (ConnectionError("no route"), "raised ConnectionError: no route"),
    ],
)
def test_what_a_counter_of_batches_returns_is_checked(answer: Any, message: str) -> None:
    with pytest.raises(CounterError, match=message):
        Counter(Wrong(answer))(TEXT)


class Service(socketserver.StreamRequestHandler):
    """Answers lines of JSON: texts in, counts out, after fifty milliseconds."""

    def handle(self) -> None:
        for line in self.rfile:
            time.sleep(0.05)
            counts = [cl100k(text) for text in json.loads(line)]
            self.wfile.write(json.dumps(counts).encode() + b"\n")


@pytest.fixture
def service() -> Iterator[tuple[str, int]]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Service) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address  # type: ignore[misc]  # a pair, of this family
        server.shutdown()


class Remote:
    """A counter of batches behind a socket."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket = socket.create_connection(address)
        self.stream = self.socket.makefile("rw")
        self.calls = 0

    def count_all(self, texts: Sequence[str]) -> list[int]:
        self.calls += 1
        self.stream.write(json.dumps(list(texts)) + "\n")
        self.stream.flush()
        return json.loads(self.stream.readline())  # type: ignore[no-any-return]


def test_two_hundred_passages_by_a_service_take_four_calls(service: tuple[str, int]) -> None:
    remote = Remote(service)
    context = ContextAssembler(counter=remote).format(
        hits(200), FormatPolicy.claude(token_budget=1_024), query="when is rent due?"
    )
    remote.stream.close()
    remote.socket.close()
    assert remote.calls <= 4
    assert 900 <= cl100k(context.text) == context.tokens <= 1_024


# --- names and estimates ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("cl100k_base", "cl100k_base"), ("gpt-4", "cl100k_base"), ("gpt-4o-mini", "o200k_base")],
)
def test_a_name_is_an_encoding_or_a_model(name: str, encoding: str) -> None:
    assert Counter(counter_from(name)).name == encoding


def test_a_name_without_a_tokenizer_says_what_to_do() -> None:
    with pytest.raises(CounterError, match=r"approximate_counter\('claude-sonnet-4'\)"):
        counter_from("claude-sonnet-4")
    with pytest.raises(CounterError, match="tiktoken has no encoding 'nobody': give"):
        counter_from("nobody")


def test_an_estimate_says_that_it_is_one() -> None:
    counter = approximate_counter("claude-sonnet-4", margin=1.5)
    assert Counter(counter).name == "claude, estimated"
    assert repr(counter) == "<token counter claude, estimated, margin 1.5>"
    assert counter("") == 0


@pytest.mark.parametrize(
    "text", [CONTENT * 20, TEXTS["cjk"] * 20, "def f(x):\n    return x\n" * 20]
)
def test_an_estimate_is_near(text: str) -> None:
    plain = approximate_counter("claude", margin=1.0)(text)
    assert 0.7 * cl100k(text) <= plain <= 1.6 * cl100k(text)
    assert approximate_counter("claude")(text) >= cl100k(text)


@pytest.mark.parametrize("margin", [0.9, -1, math.nan, math.inf])
def test_a_margin_is_from_one_up(margin: float) -> None:
    with pytest.raises(CounterError, match="give a factor from 1"):
        approximate_counter("claude", margin=margin)


def test_a_family_is_a_known_one() -> None:
    with pytest.raises(CounterError, match="there is no estimate for 'gpt-4': give one of claude"):
        approximate_counter("gpt-4")


# --- one unit ---------------------------------------------------------------------------------


def test_a_report_has_one_unit() -> None:
    passages = [Passage("一二三四五六七八九十" * 20, {"title": "zh"})]
    found = PassageMapper().hits(passages)
    context = ContextAssembler(counter=cl100k).format(found)
    assert [outcome.tokens for outcome in context.outcomes] == [context.tokens]
    client = counter_from(Gemini(), model="m")
    estimated = ContextAssembler(counter=client).format(found)
    assert [outcome.tokens for outcome in estimated.outcomes] != [context.tokens]


def test_a_counter_of_another_kind_of_signature_counts_texts() -> None:
    assert counter_from(len)(TEXT) == len(TEXT)  # of C


def test_a_counter_of_messages_reports_its_own_failure() -> None:
    def fails(messages: list[Any]) -> int:
        raise TypeError("no network")

    with pytest.raises(CounterError, match="raised TypeError"):
        Counter(counter_from(fails))(TEXT)


def test_a_counter_that_counts_otherwise_each_time_leaves_an_empty_text() -> None:
    class Growing:
        calls = 0

        def count_all(self, texts: Sequence[str]) -> list[int]:
            self.calls += 1
            return [10**6 if self.calls > 1 else 5 for _ in texts]

    counter = Growing()
    context = ContextAssembler(counter=counter).format(hits(5), FormatPolicy.gpt4(token_budget=90))
    assert (context.text, context.tokens, counter.calls) == ("", 0, 4)


def test_a_number_of_another_library_that_fails_is_a_counters_failure() -> None:
    class Number:
        def __index__(self) -> int:
            raise OSError("gone")

    with pytest.raises(CounterError, match="raised OSError: gone"):
        Counter(lambda text: Number())(TEXT)  # type: ignore[arg-type, return-value]


def test_what_is_no_counter_is_refused_by_the_assembler() -> None:
    with pytest.raises(AreevContextError, match="counter is of type int"):
        ContextAssembler(counter=5)  # type: ignore[arg-type]
    with pytest.raises(AreevContextError, match="query is of type int"):
        ContextAssembler().format([], query=5)  # type: ignore[arg-type]
