"""Count tokens: the estimator, and counters made from tokenizers and models."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Mapping, Sized
from typing import Any

from areev_context.errors import CounterError, InputError
from areev_context.policy import LARGEST, MetadataLevel
from areev_context.text.foreign import shown

__all__ = [
    "Counter",
    "TokenCounter",
    "budget_for",
    "counter_from",
    "estimate_grain",
    "estimate_summary",
    "estimate_tokens",
    "tiktoken_counter",
]

TokenCounter = Callable[[str], int]
"""A callable that returns the number of tokens of a text: a whole number, 0 or more."""

_OVERHEAD = {MetadataLevel.NONE: 0, MetadataLevel.MINIMAL: 30, MetadataLevel.FULL: 80}


def estimate_tokens(text: str) -> int:
    """Return the estimated tokens of a text: its UTF-8 length in bytes, divided by four."""
    return len(text) // 4 if text.isascii() else len(text.encode()) // 4


def estimate_grain(fields: Mapping[str, Any], level: MetadataLevel) -> int:
    """Return the estimated tokens of a grain shown whole, at least 1 (the reference's rule)."""
    total = _OVERHEAD[level]
    for name, value in fields.items():
        size = len(value) if value.__class__ is str and value.isascii() else _size(value)
        total += (len(name) if name.isascii() else len(name.encode())) + size + 4
    return max(1, total // 4)


def estimate_summary(whole: int) -> int:
    """Return the estimated tokens of a grain's summary: a third of the whole, at least 1."""
    return max(1, whole // 3)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _size(value: Any) -> int:
    if isinstance(value, str):
        return _bytes(value)
    if value is None or value is True:
        return 4
    if value is False:
        return 5
    if isinstance(value, list):
        return sum(_size(item) + 2 for item in value)
    if isinstance(value, dict):
        return sum(_bytes(name) + _size(item) + 4 for name, item in value.items())
    return len(repr(value))


class Counter:
    """A counter of the application, with its name; the empty text has 0 tokens.

    Attributes:
        name: Its name in reports and errors.
    """

    def __init__(self, count: TokenCounter, *, most: int = LARGEST) -> None:
        self._count = count
        self._most = most
        self.name = name_of(count)

    def up_to(self, most: int) -> Counter:
        """Return the same counter with a limit: a larger count becomes `most`."""
        return Counter(self._count, most=most)

    def __call__(self, text: str) -> int:
        """Return the tokens of a text.

        Raises:
            CounterError: The counter raised, or returned no whole number from 0 up, or one of
                over 600 digits.
        """
        if not text:
            return 0
        try:
            tokens: object = _whole(self._count(text))
        except Exception as error:
            raise self._refusal(f"raised {type(error).__name__}: {error}") from error
        if type(tokens) is not int or not 0 <= tokens < LARGEST:
            raise self._refusal(f"returned {shown(tokens)}; give a whole number, 0 or more")
        return min(tokens, self._most)

    def _refusal(self, what: str) -> CounterError:
        return CounterError(f"the token counter {self.name} {what}", counter=self.name)


def _whole(tokens: Any) -> object:
    """Return a whole number of another library's as one of Python's; all else as it is."""
    if type(tokens) is bool or not hasattr(type(tokens), "__index__"):
        return tokens
    return int.__index__(operator.index(tokens))


def name_of(count: TokenCounter) -> str:
    """Return the ``name`` of a counter, else the name of its function, else of its type."""
    for attribute in ("name", "__name__"):
        name = getattr(count, attribute, None)
        if isinstance(name, str) and name and name != "<lambda>":
            return name
    return type(count).__name__


class _Named:
    """A counter that says what it is."""

    def __init__(self, name: str, encode: Callable[[str], Any]) -> None:
        self.name = name
        self._encode = encode

    def __call__(self, text: str) -> int:
        return _length(self._encode(text))

    def __repr__(self) -> str:
        return f"<token counter {self.name}>"


def _length(tokens: Any) -> int:
    """Return a number as it is, of anything else how many tokens it holds."""
    if hasattr(type(tokens), "__index__") and not hasattr(type(tokens), "__len__"):
        return tokens  # type: ignore[no-any-return]  # a number, also another library's
    if hasattr(tokens, "overflowing"):  # of Hugging Face's bare tokenizers, set to cut or to pad
        return sum(sum(part.attention_mask) for part in (tokens, *tokens.overflowing))
    if not isinstance(tokens, Sized) or isinstance(tokens, str | bytes | Mapping):
        raise TypeError(f"gave a {type(tokens).__name__}, no number and no list of tokens")
    if len(getattr(tokens, "shape", (0,))) != 1 or _is_batch(tokens):
        raise TypeError(f"gave a {type(tokens).__name__} of lists, no list of tokens")
    return len(tokens)


def _is_batch(tokens: Sized) -> bool:
    return isinstance(tokens, list | tuple) and any(isinstance(t, list | tuple) for t in tokens)


def tiktoken_counter(encoding: str = "o200k_base") -> TokenCounter:
    """Return a counter with a tiktoken encoding; text like a special token counts as plain text.

    Needs the extra ``tiktoken``. The vocabulary is read from the folder in the environment variable
    ``TIKTOKEN_CACHE_DIR``; tiktoken downloads a vocabulary that is not there.

    Args:
        encoding: A name that tiktoken knows, such as ``o200k_base`` or ``cl100k_base``.

    Raises:
        CounterError: tiktoken is not installed, does not know the name, or cannot load the
            vocabulary.
    """
    try:
        import tiktoken  # noqa: PLC0415  # an extra: only those who ask for it pay for it
    except ImportError as error:
        raise CounterError(
            "tiktoken is not installed: pip install 'areev-context[tiktoken]'", counter=encoding
        ) from error
    if encoding not in tiktoken.list_encoding_names():
        known = ", ".join(sorted(tiktoken.list_encoding_names()))
        raise CounterError(f"tiktoken has no encoding {encoding!r}: give {known}", counter=encoding)
    try:
        found = tiktoken.get_encoding(encoding)
    except Exception as error:  # whatever a download can raise
        raise CounterError(
            f"the vocabulary of {encoding} cannot be had ({type(error).__name__}: {error}): set "
            "TIKTOKEN_CACHE_DIR to a folder that holds it, filled once where there is a network",
            counter=encoding,
        ) from error
    return _Named(encoding, found.encode_ordinary)


def counter_from(source: Any) -> TokenCounter:
    """Return a counter made from a tokenizer, a model, or a function.

    Args:
        source: A callable from text to a number or to a list of tokens, such as LlamaIndex's
            ``Settings.tokenizer``; a tokenizer of Hugging Face, tiktoken or Mistral; any other
            object with ``encode``; a LangChain model with its own tokenizer (``get_token_ids``
            overridden, or ``custom_get_token_ids`` set). Special tokens that an encoder would add
            are not counted. Text that looks like a special token counts as plain text, if the
            tokenizer has an option for this.

    Raises:
        CounterError: The source cannot count, or it is a LangChain model whose default would
            download the tokenizer of another model.
    """
    if hasattr(source, "get_num_tokens") and hasattr(source, "get_token_ids"):
        model = _unbound(source)
        return _Named(name_of(model), _of_model(model))
    source = _ordinary(source)
    encode = getattr(source, "encode", None)
    named = isinstance(source, str)  # has an encode of its own, which counts nothing
    if callable(encode) and not named:
        return _Named(name_of(source), _of_tokenizer(source, encode))
    if callable(source):
        return _Named(name_of(source), _of_tokenizer(source, source))
    raise CounterError(
        f"nothing to count tokens with in a {type(source).__name__}: give a callable from text "
        "to a number, or an object with encode; tiktoken_counter takes the name of an encoding",
        counter=type(source).__name__,
    )


def _ordinary(source: Any) -> Any:
    """Return tiktoken's encoding in place of its method: that one raises on special tokens."""
    bound = source.func if isinstance(source, functools.partial) else source
    owner = getattr(bound, "__self__", None)
    return owner if hasattr(owner, "encode_ordinary") else source


def _of_tokenizer(source: Any, encode: Callable[..., Any]) -> Callable[[str], Any]:
    ordinary = getattr(source, "encode_ordinary", None)
    if callable(ordinary):
        return ordinary  # type: ignore[no-any-return]  # a callable: it was just asked
    options = _parameters(encode)
    if "add_special_tokens" in options:
        return functools.partial(encode, add_special_tokens=False)
    if {"bos", "eos"} <= options:
        return functools.partial(encode, bos=False, eos=False)
    return encode


def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # a function of C that does not tell
        return frozenset()


def _unbound(model: Any) -> Any:
    """Return the model itself of one that LangChain bound arguments to."""
    inner = getattr(model, "bound", None)
    return model if inner is None else _unbound(inner)


def _of_model(model: Any) -> Callable[[str], Any]:
    method = "get_token_ids"
    base = next((c for c in type(model).__mro__ if c.__name__ == "BaseLanguageModel"), None)
    own = base is None or getattr(type(model), method) is not getattr(base, method)
    if own or getattr(model, "custom_get_token_ids", None) is not None:
        return model.get_token_ids  # type: ignore[no-any-return]  # a callable of the model
    name = type(model).__name__
    raise CounterError(
        f"{name} has no tokenizer of its own, and LangChain's default would download GPT-2's: "
        "set custom_get_token_ids, or give counter_from the tokenizer",
        counter=name,
    )


def budget_for(window: int, reserve_output: int = 0, reserve_prompt: int = 0) -> int:
    """Return the tokens that a model's window leaves for the context, 0 or more.

    Args:
        window: The model's window, in tokens.
        reserve_output: Tokens to reserve for the model's answer.
        reserve_prompt: Tokens to reserve for the rest of the prompt.

    Raises:
        InputError: One is no whole number from 0 up, or the reserved tokens exceed the window.
    """
    named = {
        "window": window,
        "reserve_output": reserve_output,
        "reserve_prompt": reserve_prompt,
    }
    listed = ", ".join(f"{name}={shown(value)}" for name, value in named.items())
    if not all(map(_is_count, named.values())):
        raise InputError(f"{listed}: give whole numbers of tokens, 0 or more")
    left = window - reserve_output - reserve_prompt
    if left < 0:
        raise InputError(f"{listed}: the reserves pass the window by {shown(-left)} tokens")
    return left


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0
