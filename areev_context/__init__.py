"""Turn the hits of a recall into one context string for a model.

::

    from areev_context import ContextAssembler, FormatPolicy, load_hits

    ctx = ContextAssembler().format(load_hits(rows), FormatPolicy.claude(token_budget=800))
    print(ctx.text)
    print(ctx.report())

`areev_context.extend` has what extensions of the package need, `areev_context.decide` has the
deciders, and `areev_context.tokens` has the counters of tokens.
"""

from __future__ import annotations

from areev_context._version import __version__ as __version__
from areev_context.assembler import ContextAssembler
from areev_context.budget_sweep import Sweep, sweep
from areev_context.citations import citation_instructions, cited_numbers
from areev_context.comparison import Comparison, compare
from areev_context.errors import (
    AreevContextError,
    CounterError,
    DecisionError,
    InputError,
    RendererError,
)
from areev_context.formats.registry import escape
from areev_context.formats.renderers import SharedRenderer
from areev_context.hits.anything import hits_of
from areev_context.hits.hit import Grain, SearchHit
from areev_context.hits.load import load_hits
from areev_context.hits.passages import Passage, PassageMapper
from areev_context.outcome import HitOutcome
from areev_context.policy import (
    DecidePolicy,
    FormatPolicy,
    GrainOverride,
    GrainTypeDiversity,
    RenderingHints,
)
from areev_context.result import FormattedContext, FormattedEntries, FormattedEntry
from areev_context.selection.screening import Reason
from areev_context.sources import Citations, Source, cited_sources

__all__ = [
    "AreevContextError",
    "Citations",
    "Comparison",
    "ContextAssembler",
    "CounterError",
    "DecidePolicy",
    "DecisionError",
    "FormatPolicy",
    "FormattedContext",
    "FormattedEntries",
    "FormattedEntry",
    "Grain",
    "GrainOverride",
    "GrainTypeDiversity",
    "HitOutcome",
    "InputError",
    "Passage",
    "PassageMapper",
    "Reason",
    "RendererError",
    "RenderingHints",
    "SearchHit",
    "SharedRenderer",
    "Source",
    "Sweep",
    "citation_instructions",
    "cited_numbers",
    "cited_sources",
    "compare",
    "escape",
    "hits_of",
    "load_hits",
    "sweep",
]
