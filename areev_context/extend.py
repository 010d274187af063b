"""Names for extending the package: registries, allocators, closed sets of values, protocols.

Using the package needs only `areev_context`.
"""

from __future__ import annotations

from areev_context.budget.allocate import BudgetItem, allocate, allocate_with_diversity
from areev_context.formats.base import Format
from areev_context.formats.page import PageFormat
from areev_context.formats.registry import FORMATS
from areev_context.hits.grain_types import GRAIN_TYPES, GrainType
from areev_context.hits.hit import ConflictStatus, RecallSource, SupersessionStatus
from areev_context.layout.all_modes import MODES
from areev_context.layout.mode import Mode, Situation
from areev_context.layout.outline import Entry, Gap, Outline, Section, Update
from areev_context.policy import (
    PRESETS,
    Allocator,
    MetadataLevel,
    Ordering,
    OutputFormat,
    PolicyOptions,
)
from areev_context.protocols import DecisionBackend, GrainRenderer
from areev_context.selection.advice import DecisionProvenance
from areev_context.selection.item import Allocation
from areev_context.tokens import TokenCounter

__all__ = [
    "FORMATS",
    "GRAIN_TYPES",
    "MODES",
    "PRESETS",
    "Allocation",
    "Allocator",
    "BudgetItem",
    "ConflictStatus",
    "DecisionBackend",
    "DecisionProvenance",
    "Entry",
    "Format",
    "Gap",
    "GrainRenderer",
    "GrainType",
    "MetadataLevel",
    "Mode",
    "Ordering",
    "Outline",
    "OutputFormat",
    "PageFormat",
    "PolicyOptions",
    "RecallSource",
    "Section",
    "Situation",
    "SupersessionStatus",
    "TokenCounter",
    "Update",
    "allocate",
    "allocate_with_diversity",
]
