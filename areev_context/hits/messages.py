"""Messages of a chat, recognized by their shape: their text, and the tools that they call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from areev_context.hits.contents import (
    call_text,
    content_text,
    is_call,
    name_of_call,
    without_calls,
)
from areev_context.text.foreign import field, first_of, listed, named
from areev_context.text.json_values import plain

__all__ = ["is_message", "message_of", "tools_called"]

_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "function": "tool"}
_SPEAKERS = frozenset({"user", "assistant", "system", "tool", "developer", "chat"})


def message_of(item: Any, tools: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the text of a message, and its other data under the names of a grain's fields.

    A tool's message is a tool result; any other message is an event. Its text includes the names
    and the arguments of the tools that it calls.

    Args:
        item: The message.
        tools: The names of the tools that were called, by the ids of the calls.
    """
    role = _role(item)
    text = _text(item)
    if role != "tool":
        return text, {"grain_type": "event", "role": role, "content": text, "tool_calls": None}
    called = str(plain(field(item, "tool_call_id")))
    name = field(item, "name") or tools.get(called, "tool")
    known = {"grain_type": "tool", "tool_name": name, "tool_content": text}
    return text, {**known, "is_error": True} if field(item, "status") == "error" else known


def _role(item: Any) -> str:
    found = first_of(item, "role", "type")
    name = str(plain(found)).rpartition(".")[2]
    return _ROLES.get(name, name)


def tools_called(messages: Iterable[Any]) -> dict[str, str]:
    """Return id of a call -> name of the tool, for all tool calls in the messages."""
    return {
        str(plain(first_of(call, "id", "call_id"))): name_of_call(call)
        for message in messages
        if is_message(message)
        for call in (*filter(is_call, listed(field(message, "content"))), *_calls(message))
    }


def _calls(item: Any) -> list[Any]:
    """Return the calls of tools that stand beside the content of a message."""
    legacy = field(item, "function_call")
    return listed(field(item, "tool_calls")) or ([] if legacy is None else [legacy])


def _text(item: Any) -> str:
    """Return the text of a message's content, and the calls that do not stand in it."""
    calls = _calls(item)
    content = content_text(without_calls(field(item, "content"), calls))
    return "\n".join(filter(None, [content, *map(call_text, calls)]))


def is_message(item: Any) -> bool:
    """Return whether an item has the role of a chat message, and a content or tool calls."""
    if first_of(item, "role", "type") is None or _role(item) not in _SPEAKERS:
        return False
    if "content" in named(item) or field(item, "content") is not None:
        return True
    return first_of(item, "tool_calls", "function_call") is not None
