"""Recall hits in, one model-ready context string out.

::

    from areev_context import ContextAssembler, FormatPolicy, load_hits

    ctx = ContextAssembler().format(load_hits(rows), FormatPolicy.claude(token_budget=800))
    print(ctx.text)
    print(ctx.report())
"""

from __future__ import annotations

from areev_context._version import __version__ as __version__
from areev_context.assembly import ContextAssembler
from areev_context.citations import cited_numbers
from areev_context.comparison import Comparison, compare
from areev_context.core.budget import (
    Allocation,
    BudgetItem,
    allocate,
    allocate_with_diversity,
)
from areev_context.core.counter import TokenCounter
from areev_context.core.errors import (
    AreevContextError,
    CounterError,
    DecisionError,
    InputError,
    RendererError,
)
from areev_context.core.grains import (
    GRAIN_TYPES,
    ConflictStatus,
    Grain,
    GrainType,
    RecallSource,
    SearchHit,
    SupersessionStatus,
)
from areev_context.core.outcome import HitOutcome, Source
from areev_context.core.policy import (
    PRESETS,
    Allocator,
    DecidePolicy,
    FormatPolicy,
    GrainOverride,
    GrainTypeDiversity,
    MetadataLevel,
    Ordering,
    OutputFormat,
    RenderingHints,
)
from areev_context.core.screen import Reason
from areev_context.core.seams import DecisionBackend, GrainRenderer
from areev_context.core.verdict import DecisionProvenance
from areev_context.formats import escape
from areev_context.passages import Passage, PassageMapper
from areev_context.renderers import SharedRenderer
from areev_context.result import FormattedContext, FormattedEntries, FormattedEntry
from areev_context.rows import load_hits

__all__ = [
    "GRAIN_TYPES",
    "PRESETS",
    "Allocation",
    "Allocator",
    "AreevContextError",
    "BudgetItem",
    "Comparison",
    "ConflictStatus",
    "ContextAssembler",
    "CounterError",
    "DecidePolicy",
    "DecisionBackend",
    "DecisionError",
    "DecisionProvenance",
    "FormatPolicy",
    "FormattedContext",
    "FormattedEntries",
    "FormattedEntry",
    "Grain",
    "GrainOverride",
    "GrainRenderer",
    "GrainType",
    "GrainTypeDiversity",
    "HitOutcome",
    "InputError",
    "MetadataLevel",
    "Ordering",
    "OutputFormat",
    "Passage",
    "PassageMapper",
    "Reason",
    "RecallSource",
    "RendererError",
    "RenderingHints",
    "SearchHit",
    "SharedRenderer",
    "Source",
    "SupersessionStatus",
    "TokenCounter",
    "allocate",
    "allocate_with_diversity",
    "cited_numbers",
    "compare",
    "escape",
    "load_hits",
]
