"""Choose a policy for a chat model."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBindingBase

from areev_context import FormatPolicy, InputError

__all__ = ["policy_for"]

_LOG = logging.getLogger(__name__)

# The first whose word stands in the names of the provider and the model: who serves a model locally
# says more than who trained it, and who trained it more than the cloud that serves it.
_PRESETS = {
    "local_small": ("ollama", "llamacpp", "llama.cpp", "gpt4all", "mlx"),
    "claude": ("anthropic", "claude"),
    "gemini": ("gemini", "google", "vertex"),
    "gpt4": ("openai", "azure", "gpt-"),
}


def policy_for(llm: Any, share: float = 0.25) -> FormatPolicy:
    """Return a policy for a chat model, and log in one line what was chosen and why.

    The preset depends on the names of the provider and of the model; for unknown names it is
    Markdown. The budget is a share of ``max_input_tokens`` of the model's profile; without a
    profile there is no budget.

    Args:
        llm: A chat model, or a runnable around one. No attribute of it makes this function raise.
        share: The part of the model's window that the context may take, above 0, up to 1.

    Raises:
        InputError: The share is out of range.
    """
    given: object = share
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= 1:
        raise InputError(f"share={share!r}: give a number above 0 and up to 1, as 0.25")
    named, window = _named(llm), _window(llm)
    preset = next((p for p, words in _PRESETS.items() if any(w in named for w in words)), None)
    budget = None if window is None else int(window * share)
    _LOG.info(
        "%s: %s, %s",
        named or type(llm).__name__,
        f"preset {preset}" if preset else "no preset of its own, so Markdown",
        "no budget: its window is unknown" if budget is None else f"budget {budget} of {window}",
    )
    return FormatPolicy.preset(preset or "gpt4", token_budget=budget)


def _named(llm: Any) -> str:
    """Return the names of the provider and the model, in lower case; empty where it has none."""
    try:
        params = _model(llm)._get_ls_params()  # what tracing calls it, in all of them
        names = [params.get(key) for key in ("ls_provider", "ls_model_name")]
        return " ".join(name for name in names if isinstance(name, str)).casefold()
    except Exception:  # no chat model, or one that cannot say
        return ""


def _window(llm: Any) -> int | None:
    try:
        profile = _model(llm).profile
        window = profile.get("max_input_tokens") if isinstance(profile, Mapping) else None
    except Exception:  # no chat model, or one that cannot say
        return None
    known = isinstance(window, int) and not isinstance(window, bool) and window > 0
    return window if known else None


def _model(llm: Any) -> Any:
    """Return the model inside of what LangChain wraps around one."""
    if isinstance(llm, RunnableBindingBase):
        return _model(llm.bound)
    return _model(llm.runnable) if isinstance(llm, RunnableWithFallbacks) else llm
