"""The text of contents that are no string: blocks of a message, calls of tools, JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from areev_context.text.foreign import field, first_of, is_list, is_mapping, is_text, listed
from areev_context.text.json_text import compact, read_json
from areev_context.text.json_values import plain

__all__ = [
    "arguments_of", "call_text", "content_text", "is_call", "is_result", "name_of_call",
    "result_of", "value_text", "without_calls",
]  # fmt: skip

_TEXT_KINDS = frozenset({
    "text", "input_text", "output_text", "summary_text", "reasoning_text", "text-plain",
    "thinking", "reasoning", "refusal",
})  # fmt: skip
_TEXT_KEYS = ("text", "thinking", "reasoning", "refusal", "transcript", "summary", "value")
_CALLS = frozenset({
    "tool_use", "tool_call", "function_call", "server_tool_use", "server_tool_call",
    "mcp_tool_use", "custom_tool_call", "invalid_tool_call",
})  # fmt: skip
_RESULTS = frozenset({
    "tool_result", "function_call_output", "server_tool_result", "mcp_tool_result",
    "custom_tool_call_output",
})  # fmt: skip
_NAMED = {
    "image": "image", "image_url": "image", "input_image": "image", "output_image": "image",
    "image_file": "image", "audio": "audio", "input_audio": "audio", "output_audio": "audio",
    "video": "video", "video_url": "video", "file": "file", "input_file": "file",
    "document": "file",
}  # fmt: skip
"""Kinds of blocks that are no text, and what they are called where they stand in a text."""
_MEDIA_KEYS = {
    kind: ("text",) if name == "file" else ("transcript",) for kind, name in _NAMED.items()
}
"""Where those may have a text nevertheless."""
_KINDS = _TEXT_KINDS | _CALLS | _RESULTS | frozenset(_NAMED)
_NAMES = ("filename", "file_name", "name", "title")
_AROUND_NAMES = ("file", "metadata", "extras")
_DEPTH = 16


def content_text(content: Any, depth: int = _DEPTH) -> str:
    """Return the text of a message's content, or of a tool's result; never raises.

    The texts of a list of blocks stand on lines of their own. A block that is no text is named,
    ``[image]`` or ``[file name.pdf]``; a call of a tool is its name and its arguments. A value
    that has no blocks is compact JSON; None is the empty string.

    Args:
        content: A string, a list of blocks and strings, one block, or any other value.
        depth: How many levels of blocks in blocks are read.
    """
    if content is None:
        return ""
    if is_text(content):
        return str.__str__(content)
    if not depth:
        return compact(plain(content))
    if _is_block(content):
        return _block_text(content, depth - 1)
    found = listed(content)
    if is_list(content) and (all(map(is_text, found)) or any(map(_is_block, found))):
        return "\n".join(filter(None, (_block_text(each, depth - 1) for each in found)))
    return compact(plain(content))


def value_text(value: Any) -> str:
    """Return the text of a value: of a list of blocks its text, of any other its compact JSON."""
    if is_text(value):
        return str.__str__(value)
    blocks = listed(value) if is_list(value) else [value]
    if any(map(_is_block, blocks)) and (len(blocks) > 1 or not _is_media(blocks[0])):
        return content_text(value)
    return "" if value is None else compact(plain(value))


def _kind(block: Any) -> str:
    found = None if is_text(block) else field(block, "type")
    return str.__str__(found) if is_text(found) else ""


def _is_block(value: Any) -> bool:
    return _kind(value) in _KINDS


def _is_media(value: Any) -> bool:
    return _kind(value) in _NAMED


def is_call(block: Any) -> bool:
    """Return whether a block of a content is a call of a tool."""
    return _kind(block) in _CALLS


def is_result(block: Any) -> bool:
    """Return whether a block of a content is the result of a tool."""
    return _kind(block) in _RESULTS


def result_of(block: Any) -> Any:
    """Return the content of the block of a tool's result."""
    return first_of(block, "content", "output")


def _block_text(block: Any, depth: int) -> str:
    if is_text(block):
        return str.__str__(block)
    if is_call(block):
        return call_text(block)
    if is_result(block):
        return content_text(result_of(block), depth)
    text = first_of(block, *_MEDIA_KEYS.get(_kind(block), _TEXT_KEYS))
    if text is not None:
        return content_text(_inner_text(text), depth)
    source = field(block, "source")
    if field(source, "type") in ("text", "content"):  # a document that is in the message itself
        return content_text(first_of(source, "data", "content"), depth)
    kind = _kind(block)
    if not kind:
        return content_text(block, depth)
    shown, name = _NAMED.get(kind, kind), _file_name(block)
    return f"[{shown} {name}]" if name else f"[{shown}]"


def _inner_text(text: Any) -> Any:
    """Return the text in an object around a text and its annotations."""
    value = field(text, "value") if is_mapping(text) else None
    return text if value is None else value


def _file_name(block: Any) -> str:
    for item in (block, *(field(block, name) for name in _AROUND_NAMES)):
        found = first_of(item, *_NAMES)
        if is_text(found):
            return str.__str__(found)
    return ""


def without_calls(content: Any, calls: Sequence[Any]) -> Any:
    """Return a content without the blocks that repeat one of these calls, by its id or its text."""
    if not calls or not is_list(content):
        return content
    known = {_identifier(call) for call in calls} | {call_text(call) for call in calls}
    return [
        block
        for block in listed(content)
        if not is_call(block) or known.isdisjoint((_identifier(block), call_text(block)))
    ]


def _identifier(call: Any) -> str:
    found = first_of(call, "id", "call_id")
    return call_text(call) if found is None else str(plain(found))


def call_text(call: Any) -> str:
    """Return a call of a tool: its name, and its arguments as compact JSON in parentheses."""
    return f"{name_of_call(call)}({compact(arguments_of(call))})"


def name_of_call(call: Any) -> str:
    """Return the name of the tool that a call names; ``tool`` if it names none."""
    found = plain(first_of(_function(call), "name", "tool_name"))
    return found if isinstance(found, str) and found else "tool"


def arguments_of(call: Any) -> Any:
    """Return the arguments of a call as a JSON value; text that is no JSON is left as text."""
    found = plain(first_of(_function(call), "args", "arguments", "input"))
    if isinstance(found, str):
        try:
            return plain(read_json(found)) if found.strip() else {}
        except (ValueError, RecursionError):
            return found
    return {} if found is None else found


def _function(call: Any) -> Any:
    """Return the object that names the tool and its arguments: OpenAI's calls have it inside."""
    function = field(call, "function")
    return call if function is None or is_text(function) else function
