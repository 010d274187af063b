"""Count tokens: the estimator, and counters made from tokenizers, models, clients and names."""

from areev_context.tokens.approximate import approximate_counter
from areev_context.tokens.counter import BatchCounter, Counter, TokenCounter
from areev_context.tokens.estimates import (
    budget_for,
    estimate_grain,
    estimate_summary,
    estimate_tokens,
)
from areev_context.tokens.tokenizers import counter_from, tiktoken_counter

__all__ = [
    "BatchCounter",
    "Counter",
    "TokenCounter",
    "approximate_counter",
    "budget_for",
    "counter_from",
    "estimate_grain",
    "estimate_summary",
    "estimate_tokens",
    "tiktoken_counter",
]
