"""Estimate tokens by the words and scripts of a text, for models without a public tokenizer.

The weights were fitted to counts of cl100k over passages in five languages; docs/guides/budgets.md
says how near they come.
"""

from __future__ import annotations

import math
import re

from areev_context.errors import CounterError
from areev_context.tokens.counter import TokenCounter

__all__ = ["FAMILIES", "approximate_counter", "approximate_tokens"]

FAMILIES = ("claude", "gemini", "llama", "mistral", "qwen", "deepseek")
"""The families of models whose texts are estimated; all by the same weights."""

_WORD = re.compile(r"[A-Za-z]+")
_PER_WORD, _PER_LETTER, _USUAL = 1.0, 0.15, 6  # letters beyond the usual cost more
_CLASSES = tuple(
    (re.compile(pattern), weight)
    for pattern, weight in (
        (r"\d{1,3}", 1.3),
        (r"[^\S\n]{2,}|\n+", 0.65),
        (r"[!-/:-@\[-`{-~]+", 0.85),
    )
)
_SCRIPTS = tuple(
    (re.compile(f"[{characters}]"), weight)
    for characters, weight in (
        ("\u0080-\u024f", 4.0),  # a language with accents has longer words and is rarer
        ("\u0250-\u052f", 0.8),
        ("\u0530-\u08ff", 1.0),
        ("\u0900-\u0dff", 1.25),
        ("\u0e00-\u0eff", 1.0),
        ("\u0f00-\u1fff", 1.5),
        ("\u2000-\u2fff", 1.6),
        ("\u3000-\u9fff\uf900-\ufaff\uff00-\uffef", 1.25),
        ("\ua000-\uabff", 2.0),
        ("\uac00-\ud7af", 1.3),
        ("\ud800-\uf8ff\ufb00-\ufeff", 2.0),
        ("\U00010000-\U0010ffff", 3.0),
    )
)


def approximate_tokens(text: str) -> float:
    """Return about the number of tokens of a text, without a margin."""
    letters = [len(word) for word in _WORD.findall(text)]
    total = _PER_WORD * len(letters)
    total += _PER_LETTER * sum([size - _USUAL for size in letters if size > _USUAL])
    total += sum([weight * len(of.findall(text)) for of, weight in _CLASSES])
    if not text.isascii():
        total += sum([weight * len(of.findall(text)) for of, weight in _SCRIPTS])
    return total


class _Approximate:
    """A counter that estimates, and says so in its name."""

    def __init__(self, family: str, margin: float) -> None:
        self.name = f"{family}, estimated"
        self._margin = margin

    def __call__(self, text: str) -> int:
        return math.ceil(self._margin * approximate_tokens(text))

    def __repr__(self) -> str:
        return f"<token counter {self.name}, margin {self._margin:g}>"


def approximate_counter(family: str, margin: float = 1.2) -> TokenCounter:
    """Return a counter that estimates the tokens of a model which has no public tokenizer.

    It needs no network and no vocabulary. A budget is a ceiling in its estimates; the margin makes
    it hold in the model's own tokens, too, for most texts.

    Args:
        family: ``claude``, ``gemini``, ``llama``, ``mistral``, ``qwen`` or ``deepseek``, or the
            name of a model that begins so.
        margin: The factor by which estimates are raised, from 1.0 up.

    Raises:
        CounterError: The family is unknown, or the margin is under 1 or no number.
    """
    known = next((name for name in FAMILIES if str(family).lower().startswith(name)), None)
    if known is None:
        raise CounterError(
            f"there is no estimate for {family!r}: give one of {', '.join(FAMILIES)}",
            counter=str(family),
        )
    if not 1.0 <= margin < math.inf:
        raise CounterError(f"margin={margin!r}: give a factor from 1.0 up", counter=known)
    return _Approximate(known, float(margin))
