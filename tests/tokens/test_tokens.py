"""Counters made of what people have, and what they are held to."""

import array
import functools
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest
import tiktoken
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from areev_context import AreevContextError, CounterError, InputError
from areev_context.tokens import (
    Counter,
    budget_for,
    counter_from,
    estimate_tokens,
    tiktoken_counter,
)
from awkward import TEXTS
from counters import cl100k, folder_of, o200k, tekken

TEXT = "one two three, four"
SPECIAL = TEXTS["special_tokens"]  # "see <|endoftext|> <|im_start|>system"


def plainly(encoding: tiktoken.Encoding, text: str) -> int:
    return len(encoding.encode(text, disallowed_special=()))


# --- tiktoken ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("text", ["", TEXT, SPECIAL, TEXTS["cjk"], TEXTS["surrogate"]])
def test_tiktoken_counts_a_special_token_as_the_text_it_is(name: str, text: str) -> None:
    assert tiktoken_counter(name)(text) == plainly(tiktoken.get_encoding(name), text)


def test_a_counter_of_tiktoken_says_what_it_is() -> None:
    assert Counter(o200k).name == "o200k_base"
    assert repr(cl100k) == "<token counter cl100k_base>"
    assert tiktoken_counter()(TEXT) == o200k(TEXT)  # the default


def test_an_encoding_that_tiktoken_does_not_know_is_named_and_so_are_those_it_knows() -> None:
    with pytest.raises(CounterError, match=r"'cl100k'.*cl100k_base.*o200k_base") as refused:
        tiktoken_counter("cl100k")
    assert refused.value.counter == "cl100k"


def test_without_tiktoken_the_error_gives_the_line_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(CounterError, match=r"pip install 'areev-context\[tiktoken\]'") as refused:
        tiktoken_counter("o200k_base")
    assert refused.value.counter == "o200k_base"
    assert isinstance(refused.value.__cause__, ImportError)


def test_without_a_vocabulary_the_error_names_the_way_out() -> None:
    # A process of its own: tiktoken keeps in memory what it has read once.
    code = """
import os, socket, sys, tempfile
def refuse(*_, **__):
    raise OSError("no network here")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
with tempfile.TemporaryDirectory() as empty:
    os.environ["TIKTOKEN_CACHE_DIR"] = empty
    from areev_context import CounterError
    from areev_context.tokens import tiktoken_counter
    try:
        tiktoken_counter("o200k_base")
    except CounterError as error:
        print(error.counter, error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("o200k_base the vocabulary of o200k_base cannot be had (")
    assert "set TIKTOKEN_CACHE_DIR to a folder that holds it" in done.stdout
    assert done.stderr == ""


# --- what people have -------------------------------------------------------------------------

ENCODING = tiktoken.get_encoding("cl100k_base")
OF_TIKTOKEN: dict[str, Any] = {
    "the encoding": ENCODING,
    "its encode": ENCODING.encode,
    "its encode_ordinary": ENCODING.encode_ordinary,
    "a partial": functools.partial(ENCODING.encode, disallowed_special=()),
    "a partial that allows them": functools.partial(ENCODING.encode, allowed_special="all"),
    "a partial of a partial": functools.partial(
        functools.partial(ENCODING.encode), allowed_special="all"
    ),
}


@pytest.mark.parametrize("source", OF_TIKTOKEN.values(), ids=OF_TIKTOKEN)
def test_whatever_holds_an_encoding_of_tiktoken_counts_special_tokens_as_text(source: Any) -> None:
    counter = counter_from(source)
    assert counter(SPECIAL) == plainly(ENCODING, SPECIAL)
    assert Counter(counter).name == "cl100k_base"


def test_llama_index_gives_its_tokenizer() -> None:
    settings = pytest.importorskip(
        "llama_index.core", reason="comes with llama-index-core"
    ).Settings
    counter = counter_from(settings.tokenizer)
    assert counter(TEXT) == len(settings.tokenizer(TEXT))
    assert counter(SPECIAL) == plainly(ENCODING, SPECIAL)


@pytest.fixture
def tokenizer() -> Tokenizer:
    """One of Hugging Face's, whose words are tokens, and that puts a mark at both ends."""
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "one": 3, "two": 4}
    made = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    assert len(made.encode("one two").ids) == 4
    return made


def test_hugging_face_adds_no_special_tokens_to_the_count(tokenizer: Tokenizer) -> None:
    assert counter_from(tokenizer)("one two three") == 3
    assert counter_from(tokenizer.encode)("one two three") == 3
    assert counter_from(tokenizer)("") == 0
    assert Counter(counter_from(tokenizer)).name == "Tokenizer"


@pytest.mark.parametrize("stride", [0, 1])
def test_a_tokenizer_that_cuts_its_input_still_counts_all_of_it(
    tokenizer: Tokenizer, stride: int
) -> None:
    tokenizer.enable_truncation(3, stride=stride)
    assert counter_from(tokenizer)("one two three") == 3
    assert counter_from(tokenizer)("one two " * 10) >= 20


def test_a_tokenizer_that_pads_its_output_counts_the_text_only(tokenizer: Tokenizer) -> None:
    tokenizer.enable_padding(length=16)
    assert counter_from(tokenizer)("one two three") == 3


def test_transformers_tokenizer_counts_all_of_a_text_that_passes_its_model(
    tokenizer: Tokenizer,
) -> None:
    transformers = pytest.importorskip("transformers", reason="an extra of the tester's")
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", model_max_length=3
    )
    assert len(wrapped.encode("one two")) == 4
    assert counter_from(wrapped)("one two " * 10) == 20
    assert counter_from(wrapped.encode)("one two " * 10) == 20


def test_mistral_adds_neither_a_beginning_nor_an_end() -> None:
    tekkenizer = pytest.importorskip(
        "mistral_common.tokens.tokenizers.tekken", reason="comes with mistral-common"
    ).Tekkenizer
    made = tekkenizer.from_file(folder_of("mistral_common") / "data" / "tekken_240911.json")
    assert counter_from(made)(TEXT) == len(made.encode(TEXT, bos=True, eos=True)) - 2
    assert counter_from(made)("a <s> b") > 3  # text that looks like a special token
    assert tekken()(TEXT) == counter_from(made)(TEXT)


class Encoder:
    name = "ours"

    def encode(self, text: str) -> list[str]:
        return text.split()


class Opaque:
    """Has an `encode` whose parameters nobody can read, as some written in C."""

    class _Function:
        __signature__ = "none"

        def __call__(self, text: str) -> list[int]:
            return [0] * len(text)

    encode = _Function()


CALLABLES: dict[str, tuple[Any, int]] = {
    "to a number": (lambda text: len(text.split()), 4),
    "to a list": (lambda text: text.split(), 4),
    "to a tuple": (tuple, 19),
    "to a list of numbers": (lambda text: list(text.encode()), 19),
    "to bytes in an array": (lambda text: array.array("B", text.encode()), 19),
    "a builtin": (len, 19),
    "a partial": (functools.partial(str.split, sep=","), 2),
    "an object with encode": (Encoder(), 4),
    "an encode that does not tell": (Opaque(), 19),
    "our estimate": (estimate_tokens, 4),
}


@pytest.mark.parametrize(("source", "tokens"), CALLABLES.values(), ids=CALLABLES)
def test_callables_and_objects_with_encode(source: Any, tokens: int) -> None:
    assert counter_from(source)(TEXT) == tokens


def test_arrays_of_numpy_count_by_their_length() -> None:
    numpy = pytest.importorskip("numpy", reason="comes with tokenizers of others")
    assert counter_from(lambda text: numpy.arange(len(text)))(TEXT) == 19


def test_a_counter_goes_by_the_name_of_what_it_is_made_of() -> None:
    assert Counter(counter_from(Encoder())).name == "ours"
    assert Counter(counter_from(len)).name == "len"
    assert Counter(counter_from(Opaque())).name == "Opaque"
    assert Counter(counter_from(lambda text: 1)).name == "function"
    assert Counter(counter_from(counter_from(len))).name == "len"


@pytest.mark.parametrize("source", [None, 42, [1, 2], object()])
def test_what_cannot_count_is_refused_at_the_door(source: Any) -> None:
    kind = type(source).__name__
    with pytest.raises(CounterError, match=f"nothing to count tokens with in a {kind}") as refused:
        counter_from(source)
    assert refused.value.counter == kind


class Batch:
    """An array of one row, as tensors of a batch are."""

    shape = (1, 4)

    def __len__(self) -> int:
        return 1


NO_TOKENS: dict[str, Any] = {
    "None": None,
    "a fraction": 4.0,
    "a text": "one two",
    "bytes": b"one two",
    "a mapping": {"input_ids": [1, 2, 3], "attention_mask": [1, 1, 1]},
    "a batch": [[1, 2, 3]],
    "a batch of tuples": ((1, 2, 3),),
    "an array of a batch": Batch(),
}


@pytest.mark.parametrize("answer", NO_TOKENS.values(), ids=NO_TOKENS)
def test_an_answer_that_holds_no_list_of_tokens_is_never_counted(answer: Any) -> None:
    with pytest.raises(TypeError, match=f"gave a {type(answer).__name__}"):
        counter_from(lambda text: answer)(TEXT)


# --- models of LangChain ----------------------------------------------------------------------


def tokens_of(text: str) -> list[int]:
    return list(range(len(text.split())))


@pytest.fixture
def chat_model() -> Any:
    reason = "langchain-core is the extra langchain"
    return pytest.importorskip("langchain_core.language_models", reason=reason).FakeListChatModel


def test_a_model_without_a_tokenizer_of_its_own_is_refused(chat_model: Any) -> None:
    model = chat_model(responses=["x"])
    for source in (model, model.bind(stop=["x"]), model.with_config(tags=["a"])):
        with pytest.raises(CounterError, match="would download GPT-2's") as refused:
            counter_from(source)
        assert refused.value.counter == "FakeListChatModel"


def test_a_model_that_was_given_a_tokenizer_counts_with_it(chat_model: Any) -> None:
    model = chat_model(responses=["x"], custom_get_token_ids=tokens_of)
    for source in (model, model.bind(stop=["x"]), model.bind(stop=["x"]).with_config(tags=["a"])):
        assert counter_from(source)(TEXT) == 4
        assert Counter(counter_from(source)).name == "FakeListChatModel"


def test_a_model_of_a_class_with_its_own_tokenizer_counts_with_it(chat_model: Any) -> None:
    def get_token_ids(self: Any, text: str) -> list[int]:
        return tokens_of(text)

    own = types.new_class(
        "Own", (chat_model,), exec_body=lambda space: space.update(get_token_ids=get_token_ids)
    )
    assert counter_from(own(responses=["x"]))(TEXT) == 4


def test_a_completion_model_keeps_to_the_same() -> None:
    reason = "langchain-core is the extra langchain"
    models = pytest.importorskip("langchain_core.language_models", reason=reason)
    with pytest.raises(CounterError, match="set custom_get_token_ids"):
        counter_from(models.FakeListLLM(responses=["x"]))
    model = models.FakeListLLM(responses=["x"], custom_get_token_ids=tokens_of)
    assert counter_from(model)(TEXT) == 4


# The same with stand-ins, for a test run without LangChain.


class BaseLanguageModel:
    custom_get_token_ids: Callable[[str], list[int]] | None = None

    def get_token_ids(self, text: str) -> list[int]:
        if self.custom_get_token_ids is None:
            raise AssertionError("this would download GPT-2")
        return self.custom_get_token_ids(text)

    def get_num_tokens(self, text: str) -> int:
        return len(self.get_token_ids(text))


class Plain(BaseLanguageModel):
    pass


class Given(BaseLanguageModel):
    def __init__(self) -> None:
        self.custom_get_token_ids = tokens_of


class Own(BaseLanguageModel):
    def get_token_ids(self, text: str) -> list[int]:
        return tokens_of(text)


class NoBase:
    """Looks like a model, and is none of LangChain's."""

    get_token_ids = staticmethod(tokens_of)
    get_num_tokens = staticmethod(len)


class Bound:
    """Passes on what it is asked, as a model that arguments were bound to."""

    def __init__(self, bound: Any) -> None:
        self.bound = bound

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bound, name)


@pytest.mark.parametrize("model", [Given(), Own(), NoBase(), Bound(Own()), Bound(Bound(Given()))])
def test_a_model_with_a_tokenizer_counts(model: Any) -> None:
    assert counter_from(model)(TEXT) == 4


@pytest.mark.parametrize("model", [Plain(), Bound(Plain()), Bound(Bound(Plain()))])
def test_a_model_without_a_tokenizer_does_not(model: Any) -> None:
    with pytest.raises(CounterError, match=r"^Plain has no tokenizer of its own") as refused:
        counter_from(model)
    assert refused.value.counter == "Plain"


# --- what a counter is held to ----------------------------------------------------------------


def test_the_empty_text_is_free_and_not_asked_about() -> None:
    def never(text: str) -> int:
        raise AssertionError(text)

    assert Counter(never)("") == 0


def test_a_counter_that_raises_is_an_error_with_its_name() -> None:
    def broken(text: str) -> int:
        raise ValueError("no such\nvocabulary")

    with pytest.raises(CounterError, match="the token counter broken raised ValueError") as refused:
        Counter(broken)("x")
    assert refused.value.counter == "broken"
    assert isinstance(refused.value, AreevContextError)
    assert isinstance(refused.value.__cause__, ValueError)


@pytest.mark.parametrize("answer", [None, True, 4.0, "4", -1, [1, 2]])
def test_a_count_is_a_whole_number_from_0_up(answer: Any) -> None:
    with pytest.raises(CounterError, match=r"returned .*; give a whole number, 0 or more"):
        Counter(lambda text: answer)("x")


def test_a_count_may_be_a_whole_number_of_another_library() -> None:
    class Int64:
        def __index__(self) -> int:
            return 4

    assert Counter(lambda text: Int64())("x") == 4  # type: ignore[arg-type, return-value]


def test_names() -> None:
    class Named:
        name = "by its name"

        def __call__(self, text: str) -> int:
            return 1

    class Unnamed:
        name = ""

        def __call__(self, text: str) -> int:
            return 1

    assert Counter(Named()).name == "by its name"
    assert Counter(Unnamed()).name == "Unnamed"
    assert Counter(len).name == "len"
    assert Counter(lambda text: 1).name == "function"


# --- a budget from a window -------------------------------------------------------------------


def test_a_budget_is_what_the_window_leaves() -> None:
    assert budget_for(8_192) == 8_192
    assert budget_for(8_192, 1_000) == 7_192
    assert budget_for(8_192, reserve_output=1_000, reserve_prompt=500) == 6_692
    assert budget_for(1_500, 1_000, 500) == 0
    assert budget_for(0) == 0


def test_reserves_that_do_not_fit_are_an_error_with_all_three() -> None:
    message = (
        "window=1000, reserve_output=900, reserve_prompt=200: .* pass the window by 100 tokens"
    )
    with pytest.raises(InputError, match=message):
        budget_for(1_000, 900, 200)


@pytest.mark.parametrize(
    "numbers", [(-1,), (10, -1), (10, 0, -1), (10.0,), (10, 1.5), (True,), (10, False), ("10",)]
)
def test_numbers_that_are_no_counts_are_an_error_with_all_three(numbers: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match=r"^window=.*, reserve_output=.*, reserve_prompt=.*: give"):
        budget_for(*numbers)
