"""Make counters of what applications have: tokenizers, models, clients, names."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import Any

from areev_context.errors import CounterError
from areev_context.tokens.approximate import FAMILIES
from areev_context.tokens.counter import BatchCounter, TokenCounter, name_of
from areev_context.tokens.message_counters import (
    ClientCounter,
    MessageCounter,
    client_counter,
    counts_messages,
)

__all__ = ["counter_from", "tiktoken_counter"]


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


def counter_from(source: Any, *, model: str | None = None) -> TokenCounter:
    """Return a counter made from a tokenizer, a model, a client, a function or a name.

    Special tokens that an encoder would add are not counted. Text that looks like a special token
    counts as plain text, if the tokenizer has an option for this.

    Args:
        source: One of these:

            - A callable from text to a number or to a list of tokens, such as LlamaIndex's
              ``Settings.tokenizer``; a tokenizer of Hugging Face, tiktoken or Mistral; any other
              object with ``encode``.
            - A counter of messages, such as LangChain's ``count_tokens_approximately``, seen by its
              parameter ``messages``: a text is counted as one message of the user.
            - A LangChain model that counts by itself: ``get_token_ids`` or
              ``get_num_tokens_from_messages`` overridden, or ``custom_get_token_ids`` set.
            - A client of Anthropic or Google, or its method ``count_tokens``. Each count is a
              request, so an assembly makes at most four.
            - An object with ``count_all``, see `BatchCounter`.
            - The name of an encoding of tiktoken, or of a model that tiktoken knows.
        model: The model that a client counts for; other sources do not need it.

    Raises:
        CounterError: The source cannot count; or it is a LangChain model whose default would
            download the tokenizer of another model; or a client without the name of a model.
    """
    if isinstance(source, str):
        return _of_name(source)
    if isinstance(source, BatchCounter):
        return source if callable(source) else _Batches(source)
    if hasattr(source, "get_num_tokens") and hasattr(source, "get_token_ids"):
        return _of_model(_unbound(source))
    try:
        client = client_counter(source, model)
    except ValueError as error:
        raise CounterError(str(error), counter=type(source).__name__) from error
    if client is not None:
        return client
    source = _ordinary(source)
    encode = getattr(source, "encode", None)
    if callable(encode):
        return _Named(name_of(source), _of_tokenizer(source, encode))
    if callable(source) and counts_messages(source):
        return _Named(name_of(source), MessageCounter(source))
    if callable(source):
        return _Named(name_of(source), _of_tokenizer(source, source))
    raise CounterError(
        f"nothing to count tokens with in a {type(source).__name__}: give a callable from text "
        "to a number, or an object with encode; tiktoken_counter takes the name of an encoding",
        counter=type(source).__name__,
    )


def _of_name(name: str) -> TokenCounter:
    """Return the counter of an encoding, or of a model, by its name."""
    if name.lower().startswith(FAMILIES):
        raise CounterError(
            f"there is no public tokenizer for {name!r}: approximate_counter({name!r}) estimates, "
            "and counter_from takes a client or a model that counts",
            counter=name,
        )
    try:
        import tiktoken  # noqa: PLC0415  # an extra: only those who ask for it pay for it
    except ImportError:
        return tiktoken_counter(name)  # says what to install
    if name in tiktoken.list_encoding_names():
        return tiktoken_counter(name)
    try:
        encoding = tiktoken.encoding_name_for_model(name)
    except KeyError:
        encoding = name  # nobody knows it, and the error names what is known
    return tiktoken_counter(encoding)


class _Batches:
    """A counter of batches that can also be called with one text."""

    def __init__(self, source: BatchCounter) -> None:
        self.name = name_of(source)
        self.batch_size: int | None = getattr(source, "batch_size", None)
        self._source = source

    def count_all(self, texts: Sequence[str], /) -> Sequence[int]:
        """Return the tokens of each text."""
        return self._source.count_all(texts)

    def __call__(self, text: str) -> int:
        return self.count_all([text])[0]

    def __repr__(self) -> str:
        return f"<token counter {self.name}>"


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


def _of_model(model: Any) -> TokenCounter:
    """Return the counter of a LangChain model: its tokenizer, else its count of messages."""
    base = next((c for c in type(model).__mro__ if c.__name__ == "BaseLanguageModel"), None)

    def overrides(method: str) -> bool:
        return base is None or getattr(type(model), method, None) is not getattr(base, method, None)

    if overrides("get_token_ids") or getattr(model, "custom_get_token_ids", None) is not None:
        return _Named(name_of(model), model.get_token_ids)
    if base is not None and overrides("get_num_tokens_from_messages"):
        return ClientCounter(name_of(model), MessageCounter(model.get_num_tokens_from_messages))
    name = type(model).__name__
    raise CounterError(
        f"{name} has no tokenizer of its own, and LangChain's default would download GPT-2's: "
        "set custom_get_token_ids, or give counter_from the tokenizer",
        counter=name,
    )
