"""Count a text as a message, for counters of messages and of clients of model services."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from areev_context.text.foreign import field, is_mapping

__all__ = ["client_counter", "counts_messages", "number_in"]

_TOTALS = ("input_tokens", "total_tokens", "prompt_tokens", "token_count", "count")


def counts_messages(function: Callable[..., Any]) -> bool:
    """Return whether a function takes messages: its first parameter, or a required one, says so."""
    taken = list(_parameters(function).values())
    required = {each.name for each in taken if each.default is inspect.Parameter.empty}
    return bool(taken) and (taken[0].name == "messages" or "messages" in required)


def number_in(counted: Any) -> Any:
    """Return the number in an answer such as ``{"input_tokens": 5}``; anything else as it is."""
    if not is_mapping(counted) and hasattr(type(counted), "__index__"):
        return counted
    found = next((n for name in _TOTALS if (n := field(counted, name)) is not None), None)
    return counted if found is None else found


class MessageCounter:
    """Counts a text as the content of one message of the user.

    What a message costs beside its content is counted with every text, so that a budget stays a
    ceiling for texts that are sent as messages.
    """

    def __init__(self, count: Callable[..., Any]) -> None:
        self._count = count
        self._makes: Callable[[str], Any] | None = None

    def __call__(self, text: str) -> Any:
        if self._makes is not None:
            return number_in(self._asked(self._makes(text)))
        try:
            found = number_in(self._asked(_as_mapping(text)))
            self._makes = _as_mapping
        except (TypeError, AttributeError, ValueError, NotImplementedError):
            found = number_in(self._asked(_as_object(text)))  # it takes LangChain's messages only
            self._makes = _as_object
        return found

    def _asked(self, message: Any) -> Any:
        try:
            return self._count([message])
        except TypeError as error:
            if "messages" not in str(error) and "positional" not in str(error):
                raise
        return self._count(messages=[message])  # a parameter by name only


def _as_mapping(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _as_object(text: str) -> Any:
    """Return the message as LangChain has it, if the program uses LangChain."""
    messages = sys.modules.get("langchain_core.messages")
    if messages is None:
        raise TypeError("the counter takes no message with role and content")
    return messages.HumanMessage(content=text)


class ClientCounter:
    """Asks a service for the tokens of a text, one request a text, so it asks for few.

    Attributes:
        name: Its name in reports and errors.
        batch_size: 1.
    """

    batch_size = 1

    def __init__(self, name: str, ask: Callable[[str], Any]) -> None:
        self.name = name
        self._ask = ask

    def count_all(self, texts: Sequence[str], /) -> list[Any]:
        """Return the tokens of each text."""
        return [number_in(self._ask(text)) for text in texts]

    def __call__(self, text: str) -> int:
        return int(self.count_all([text])[0])

    def __repr__(self) -> str:
        return f"<token counter {self.name}>"


def client_counter(source: Any, model: str | None) -> ClientCounter | None:
    """Return the counter of a client of Anthropic or Google; None if the source is none.

    Args:
        source: A client, or its method, with or without arguments bound to it.
        model: The name of the model to count for, where the source does not have it.

    Raises:
        ValueError: The source needs the name of a model.
    """
    method, takes = _method_of(source)
    if method is None:
        return None
    name = model or _model_in(source)
    if name is None and "model" in _parameters(method):
        raise ValueError(f"{type(source).__name__} counts for a model: give its name as model=")
    given: Mapping[str, Any] = {} if model is None else {"model": model}

    def ask(text: str) -> Any:
        content = [_as_mapping(text)] if takes == "messages" else text
        return method(**{**given, takes: content})

    return ClientCounter(name or type(source).__name__, ask)


def _method_of(source: Any) -> tuple[Callable[..., Any] | None, str]:
    """Return the method of a client that counts, and the name of its parameter for the text."""
    for owner in ("messages", "models"):
        method = getattr(getattr(source, owner, None), "count_tokens", None)
        if callable(method) and not isinstance(source, str):
            return method, _takes(method)
    if callable(source) and _name_in(source) == "count_tokens":
        parameters = _parameters(source).keys()
        if parameters & {"messages", "contents"} and parameters & {"model", "contents"}:
            return source, _takes(source)
    return None, ""


def _takes(method: Callable[..., Any]) -> str:
    return "contents" if "contents" in _parameters(method) else "messages"


def _name_in(function: Any) -> str:
    inner = function.func if isinstance(function, functools.partial) else function
    return str(getattr(inner, "__name__", ""))


def _model_in(source: Any) -> str | None:
    bound = source.keywords.get("model") if isinstance(source, functools.partial) else None
    name = bound or field(source, "model_name")
    return name if isinstance(name, str) else None


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # a function of C that has no signature
        return {}
