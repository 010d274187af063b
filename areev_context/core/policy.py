"""What to show and in what shape: data only, so that it dumps to JSON and back."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from areev_context.core.errors import InputError
from areev_context.core.text import clean

__all__ = [
    "PRESETS",
    "Allocator",
    "DecidePolicy",
    "FormatPolicy",
    "GrainOverride",
    "GrainTypeDiversity",
    "MetadataLevel",
    "Ordering",
    "OutputFormat",
    "RenderingHints",
]


def _cleaned(text: str) -> str:
    return clean(text)[0]


_Words = Annotated[str, AfterValidator(_cleaned)]  # what has no UTF-8 could not be dumped


class OutputFormat(StrEnum):
    """The shape of the text."""

    SML = "sml"
    TOON = "toon"
    MARKDOWN = "markdown"
    PLAIN_TEXT = "plain_text"
    JSON = "json"


class MetadataLevel(StrEnum):
    """How much beside its content a grain shows: nothing, confidence and date, or all of it."""

    NONE = "none"
    MINIMAL = "minimal"
    FULL = "full"


class Ordering(StrEnum):
    """The order of entries; every ordering is stable.

    ``by_relevance`` is the order in which the hits came.
    """

    BY_RELEVANCE = "by_relevance"
    CHRONOLOGICAL = "chronological"
    REVERSE_CHRONOLOGICAL = "reverse_chronological"
    BY_ENTITY = "by_entity"


class Allocator(StrEnum):
    """The rule that spends a budget: the reference's, or the best one known for the input."""

    AUTO = "auto"
    REFERENCE = "reference"


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


_Count = Annotated[int, Field(strict=True, ge=0)]


class GrainOverride(_Data):
    """A rule for one grain type.

    Attributes:
        include: False keeps the type out of everything.
        max_count: At most this many hits of the type, the first ones, 0 or more; None = no limit.
    """

    include: bool = True
    max_count: _Count | None = None


class GrainTypeDiversity(_Data):
    """A wish that no type is crowded out of a budget.

    Attributes:
        min_per_type: How many of each type to reserve room for, 1..10.
        max_reservation_pct: The share of the budget the reserved may take, 0.05..0.50.
    """

    min_per_type: Annotated[int, Field(strict=True, ge=1, le=10)] = 1
    max_reservation_pct: Annotated[float, Field(ge=0.05, le=0.50)] = 0.30


class DecidePolicy(_Data):
    """Which questions a judge is asked, and what its answers may do.

    Attributes:
        intent: Ask what the query wants (timeline, current state, general).
        disclosure: Ask how relevant each candidate is, and whether it must stay verbatim.
        drop_below: A calibrated relevance below this omits the hit, 0..1.
        full_above: A calibrated need for the verbatim text from here on prefers Full, 0..1.
        deadline_ms: One deadline for all calls of an assembly; None = 2 000.
    """

    intent: bool = True
    disclosure: bool = True
    drop_below: Annotated[float, Field(ge=0, le=1)] = 0.10
    full_above: Annotated[float, Field(ge=0, le=1)] = 0.50
    deadline_ms: Annotated[int, Field(strict=True, gt=0)] | None = None


class FormatPolicy(_Data):
    """How to turn hits into one context string; plain data, frozen, unknown options are an error.

    The presets `claude`, `gpt4`, `gemini`, `local_small` and `json_api` take the same keywords.
    None of them sets a budget: the caller owns it.

    Attributes:
        format: The shape of the text.
        metadata: How much beside its content a grain shows.
        ordering: The order of entries where no mode has one of its own.
        group_by_type: One section per grain type instead of a flat list.
        type_order: Order of those sections; types left out follow in the standard order.
        token_budget: Room in tokens, a whole number from 0 up; None = no limit.
        grain_overrides: Rules by grain type.
        query_text: What the reader asked; picks the sentences of a document's summary, and hides
            old values where it asks for the current one.
        grain_type_diversity: The wish that no type is crowded out; None switches it off.
        include_retracted: Show hits whose grain was retracted or rejected.
        decide: What a judge may do; None = the defaults, where the assembler has a judge.
        numbered: Give every entry shown its number, 1..n in reading order.
        highlight_over: With more hits than this the five best come first; None = never.
        allocation: The rule that spends the budget.
        shorten: Whether an entry may be shown in part; False shows whole entries only, whatever
            the rule.
    """

    format: OutputFormat = OutputFormat.PLAIN_TEXT
    metadata: MetadataLevel = MetadataLevel.MINIMAL
    ordering: Ordering = Ordering.BY_RELEVANCE
    group_by_type: bool = False
    type_order: tuple[_Words, ...] = ()
    token_budget: _Count | None = None
    grain_overrides: dict[_Words, GrainOverride] = {}
    query_text: _Words | None = None
    grain_type_diversity: GrainTypeDiversity | None = GrainTypeDiversity()
    include_retracted: bool = False
    decide: DecidePolicy | None = None
    numbered: bool = False
    highlight_over: _Count | None = 10
    allocation: Allocator = Allocator.AUTO
    shorten: bool = True

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some options changed; checks them as the constructor does."""
        return type(self).model_validate({**dict(self), **changes})

    @classmethod
    def preset(cls, name: str, **options: Any) -> Self:
        """Return the preset of that name, a key of `PRESETS`, with some options changed.

        Raises:
            InputError: No preset has this name.
        """
        if name not in PRESETS:
            raise InputError(f"there is no preset {name!r}: give one of {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **options})

    @classmethod
    def claude(cls, **options: Any) -> Self:
        """SML tags, confidence and date, grouped by type: for Claude."""
        return cls.preset("claude", **options)

    @classmethod
    def gpt4(cls, **options: Any) -> Self:
        """Markdown, confidence and date: for GPT models."""
        return cls.preset("gpt4", **options)

    @classmethod
    def gemini(cls, **options: Any) -> Self:
        """Markdown, confidence and date: for Gemini models."""
        return cls.preset("gemini", **options)

    @classmethod
    def local_small(cls, **options: Any) -> Self:
        """Plain text without metadata: for small local models."""
        return cls.preset("local_small", **options)

    @classmethod
    def json_api(cls, **options: Any) -> Self:
        """JSON with everything: for programs."""
        return cls.preset("json_api", **options)


_MARKDOWN = {"format": OutputFormat.MARKDOWN, "metadata": MetadataLevel.MINIMAL}

PRESETS: dict[str, dict[str, Any]] = {
    "claude": {
        "format": OutputFormat.SML,
        "metadata": MetadataLevel.MINIMAL,
        "group_by_type": True,
    },
    "gpt4": _MARKDOWN,
    "gemini": _MARKDOWN,
    "local_small": {"format": OutputFormat.PLAIN_TEXT, "metadata": MetadataLevel.NONE},
    "json_api": {"format": OutputFormat.JSON, "metadata": MetadataLevel.FULL},
}
"""The options each preset sets, by its name."""


class RenderingHints(_Data):
    """What the caller already knows of the query; it chooses the mode.

    Attributes:
        entity_count: How many entities the query is about, 0 or more; set, it groups by entity.
        entities: Their names, for the line above the groups; None = those found in the hits.
        has_temporal_expr: The query has an expression of time: show a timeline.
        has_time_range: The query has a range of time: show a timeline.
        query_text: The query, searched for phrases that ask for an order in time.
    """

    entity_count: _Count | None = None
    entities: tuple[_Words, ...] | None = None
    has_temporal_expr: bool = False
    has_time_range: bool = False
    query_text: _Words | None = None
