"""Token counters the tests share: real vocabularies without a network, and counters to be feared.

Importing it names, for this process, the folder in which llama-index-core ships the vocabularies
of cl100k and o200k.
"""

import functools
import importlib.util
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from areev_context.tokens import TokenCounter, counter_from, tiktoken_counter


def folder_of(package: str) -> Path:
    """Return where a package is installed, without the seconds that importing it takes."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        pytest.skip(f"its vocabulary comes with {package}", allow_module_level=True)
    return Path(found.origin).parent


VOCABULARIES = folder_of("llama_index.core") / "_static" / "tiktoken_cache"
os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARIES)

cl100k = tiktoken_counter("cl100k_base")
o200k = tiktoken_counter("o200k_base")


@functools.cache
def tekken() -> TokenCounter:
    """Return a counter of Mistral's tekken; reading it takes seconds, so only who asks waits."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer  # noqa: PLC0415  # seconds too

    return counter_from(
        Tekkenizer.from_file(folder_of("mistral_common") / "data" / "tekken_240911.json")
    )


def mistral(text: str) -> int:
    return tekken()(text)


def characters(text: str) -> int:
    return len(text)


def words(text: str) -> int:
    return len(text.split())


def dear_joins(text: str) -> int:
    """Count words, and four for every line that follows another."""
    return len(text.split()) + 4 * text.count("\n")


def shared_words(text: str) -> int:
    """Count each word once: the whole costs less than its parts."""
    return len(set(text.split()))


def erratic(text: str) -> int:
    """Count without any order: a longer text may cost less."""
    return zlib.crc32(text.encode()) % 97


COUNTERS: dict[str, Callable[[str], int]] = {
    counter.__name__: counter for counter in (mistral, characters, words, dear_joins, shared_words)
} | {"cl100k_base": cl100k, "o200k_base": o200k}
"""Counters whose joins may cost more, nothing, or less than nothing."""
