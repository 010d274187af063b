"""Recall hits in, one model-ready context string out.

::

    from areev_context import ContextAssembler, FormatPolicy, load_hits

    ctx = ContextAssembler().format(load_hits(rows), FormatPolicy.claude(token_budget=800))
    print(ctx.text)
    print(ctx.report())
"""

from __future__ import annotations

from areev_context._version import __version__ as __version__
from areev_context.assembler import ContextAssembler
from areev_context.budget.allocate import BudgetItem, allocate, allocate_with_diversity
from areev_context.citations import cited_numbers
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
from areev_context.hits.hit import (
    GRAIN_TYPES,
    ConflictStatus,
    Grain,
    GrainType,
    RecallSource,
    SearchHit,
    SupersessionStatus,
)
from areev_context.hits.load import load_hits
from areev_context.hits.passages import Passage, PassageMapper
from areev_context.outcome import HitOutcome, Source
from areev_context.policy import (
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
from areev_context.protocols import DecisionBackend, GrainRenderer
from areev_context.result import FormattedContext, FormattedEntries, FormattedEntry
from areev_context.selection.advice import DecisionProvenance
from areev_context.selection.item import Allocation
from areev_context.selection.screening import Reason
from areev_context.tokens import TokenCounter

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
