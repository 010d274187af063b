"""Messages of a chat, recognized by their shape: their text, and the tools that they call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from areev_context.text.foreign import field, first_of, is_list, is_text, listed, named
from areev_context.text.json_text import compact
from areev_context.text.json_values import plain

__all__ = ["is_message", "message_of", "tools_called"]

_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "function": "tool"}
_SPEAKERS = frozenset({"user", "assistant", "system", "tool", "developer", "chat"})
_NAMES = {"image": "image", "image_url": "image", "input_image": "image", "audio": "audio",
          "input_audio": "audio", "video": "video", "file": "file", "input_file": "file",
          "document": "file"}  # fmt: skip


def message_of(item: Any, tools: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the text of a message, and what else is known of it, under the names of a grain.

    A tool's message is a tool result; any other is an event. Calls of tools are part of its text:
    their names and arguments.

    Args:
        item: The message.
        tools: The names of the tools that were called, by the ids of the calls.
    """
    role = _role(item)
    text = "\n".join(filter(None, [_blocks(field(item, "content")), *_calls(item)]))
    if role != "tool":
        return text, {"grain_type": "event", "role": role, "content": text}
    called = str(plain(field(item, "tool_call_id")))
    name = field(item, "name") or tools.get(called, "tool")
    known = {"grain_type": "tool", "tool_name": name, "tool_content": text}
    return text, {**known, "is_error": True} if field(item, "status") == "error" else known


def _role(item: Any) -> str:
    found = first_of(item, "role", "type")
    name = str(plain(found)).rpartition(".")[2]
    return _ROLES.get(name, name)


def _blocks(content: Any) -> str:
    """Return the text of a message's content; what is no text is named."""
    if content is None:
        return ""
    if is_text(content):
        return str.__str__(content)
    if not is_list(content):
        return compact(plain(content))
    return "\n".join(filter(None, map(_block, listed(content))))


def _block(block: Any) -> str:
    if is_text(block):
        return str.__str__(block)
    text = first_of(block, "text", "thinking", "refusal")
    if text is not None:
        return _blocks(text)
    kind = str(plain(field(block, "type")))
    if kind in ("tool_use", "tool_call", "function_call"):
        return ""  # the calls of a message say it
    if kind == "tool_result":
        return _blocks(field(block, "content"))
    name = first_of(block, "filename", "file_name", "name")
    shown = _NAMES.get(kind, kind)
    return f"[{shown} {name}]" if is_text(name) else f"[{shown}]"


def tools_called(messages: Iterable[Any]) -> dict[str, str]:
    """Return the names of the tools that messages call, by the ids of the calls."""
    return {
        str(plain(field(call, "id"))): _tool(call)
        for message in messages
        if is_message(message)
        for call in _called(message)
    }


def _called(item: Any) -> list[Any]:
    """Return the calls of a message."""
    calls = field(item, "tool_calls")
    blocks = listed(field(item, "content"))
    return listed(calls) or [each for each in blocks if field(each, "type") == "tool_use"]


def _tool(call: Any) -> str:
    function = field(call, "function")
    return str(plain(field(call if function is None else function, "name") or "tool"))


def _calls(item: Any) -> Iterator[str]:
    """Yield the calls of a message: the name of the tool and its arguments."""
    for call in _called(item):
        function = field(call, "function")
        of = call if function is None else function
        arguments = first_of(of, "args", "arguments", "input")
        shown = str.__str__(arguments) if is_text(arguments) else compact(plain(arguments or {}))
        yield f"{_tool(call)}({shown})"


def is_message(item: Any) -> bool:
    """Return whether an item has a role of a chat, and a content or calls of tools."""
    if first_of(item, "role", "type") is None or _role(item) not in _SPEAKERS:
        return False
    if "content" in named(item) or field(item, "content") is not None:
        return True
    return field(item, "tool_calls") is not None
