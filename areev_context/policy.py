"""What to show and in what shape: data only, so that it dumps to JSON and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypedDict, Unpack

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from areev_context.errors import InputError
from areev_context.text.clean import clean

__all__ = [
    "LARGEST",
    "PRESETS",
    "Allocator",
    "DecidePolicy",
    "FormatPolicy",
    "GrainOverride",
    "GrainTypeDiversity",
    "HintOptions",
    "MetadataLevel",
    "Ordering",
    "OutputFormat",
    "PolicyOptions",
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
    """The rule that spends a budget: the engine's, or the best one known for the input.

    ``reference`` is the engine's rule, and its lines: what the metadata level full adds to them
    elsewhere is left out.
    """

    AUTO = "auto"
    REFERENCE = "reference"


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


LARGEST = 10**600
"""Counts and budgets are below this, so that Python prints them, and sums of them, in any case."""


def _printable(number: int) -> int:
    if number >= LARGEST:
        raise PydanticCustomError("too_large", "Input should have at most 600 digits")
    return number


_Count = Annotated[int, Field(strict=True, ge=0), AfterValidator(_printable)]


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
    """Which questions a decider is asked, and what its answers may do.

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


class PolicyOptions(TypedDict, total=False):
    """The options of a `FormatPolicy`, as its constructor, presets and `replace` take them.

    What each means stands at `FormatPolicy`; a value set takes its member or its plain string.
    """

    format: OutputFormat | Literal["sml", "toon", "markdown", "plain_text", "json"]
    metadata: MetadataLevel | Literal["none", "minimal", "full"]
    ordering: (
        Ordering | Literal["by_relevance", "chronological", "reverse_chronological", "by_entity"]
    )
    group_by_type: bool
    type_order: Sequence[str]
    token_budget: int | None
    grain_overrides: Mapping[str, GrainOverride]
    query_text: str | None
    grain_type_diversity: GrainTypeDiversity | None
    include_retracted: bool
    decide: DecidePolicy | None
    numbered: bool
    highlight_over: int | None
    allocation: Allocator | Literal["auto", "reference"]
    shorten: bool


def _option(default: Any, description: str) -> Any:
    return Field(default=default, description=description)


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
            old values where it asks for the current one. The ``query`` of a call takes its place.
        grain_type_diversity: The wish that no type is crowded out; None switches it off.
        include_retracted: Show hits whose grain was retracted or rejected.
        decide: What a decider may do; None = the defaults, where the assembler has a decider.
        numbered: Give every entry shown its number, 1..n in reading order.
        highlight_over: With more hits than this the five best come first; None = never.
        allocation: The rule that spends the budget.
        shorten: Whether an entry may be shown in part; False shows whole entries only, whatever
            the rule.
    """

    format: OutputFormat = _option(OutputFormat.PLAIN_TEXT, "The shape of the text")
    metadata: MetadataLevel = _option(
        MetadataLevel.MINIMAL, "How much beside its content an entry shows"
    )
    ordering: Ordering = _option(
        Ordering.BY_RELEVANCE, "The order of entries where no mode has one of its own"
    )
    group_by_type: bool = _option(False, "One section per grain type instead of a flat list")
    type_order: tuple[_Words, ...] = _option((), "Order of the sections of types")
    token_budget: _Count | None = _option(None, "Room in tokens, 0 or more; none means no limit")
    grain_overrides: dict[_Words, GrainOverride] = _option({}, "Rules by grain type")
    query_text: _Words | None = _option(None, "What the reader asked")
    grain_type_diversity: GrainTypeDiversity | None = _option(
        GrainTypeDiversity(), "The wish that no grain type is crowded out"
    )
    include_retracted: bool = _option(False, "Show hits whose grain was retracted or rejected")
    decide: DecidePolicy | None = _option(None, "What a decider may do")
    numbered: bool = _option(False, "Give every entry shown its number, in reading order")
    highlight_over: _Count | None = _option(10, "With more hits than this the five best come first")
    allocation: Allocator = _option(Allocator.AUTO, "The rule that spends the budget")
    shorten: bool = _option(True, "Whether an entry may be shown in part")

    if TYPE_CHECKING:  # pydantic writes it; checkers read the options as they are documented

        def __init__(self, **options: Unpack[PolicyOptions]) -> None: ...

    def replace(self, **changes: Unpack[PolicyOptions]) -> Self:
        """Return a copy with some options changed; checks them as the constructor does."""
        return type(self).model_validate({**dict(self), **changes})

    def asked(self, query: str | None) -> Self:
        """Return the policy of one query; a blank query leaves the policy's own."""
        if query is None or not query.strip():
            return self
        return self.replace(query_text=query)

    @classmethod
    def preset(cls, name: str, **options: Unpack[PolicyOptions]) -> Self:
        """Return the preset of that name, a key of `PRESETS`, with some options changed.

        Raises:
            InputError: No preset has this name.
        """
        if name not in PRESETS:
            raise InputError(f"there is no preset {name!r}: give one of {', '.join(PRESETS)}")
        return cls.model_validate({**PRESETS[name], **options})

    @classmethod
    def claude(cls, **options: Unpack[PolicyOptions]) -> Self:
        """SML tags, confidence and date, grouped by type: for Claude."""
        return cls.preset("claude", **options)

    @classmethod
    def gpt4(cls, **options: Unpack[PolicyOptions]) -> Self:
        """Markdown, confidence and date: for GPT models."""
        return cls.preset("gpt4", **options)

    @classmethod
    def gemini(cls, **options: Unpack[PolicyOptions]) -> Self:
        """Markdown, confidence and date: for Gemini models."""
        return cls.preset("gemini", **options)

    @classmethod
    def local_small(cls, **options: Unpack[PolicyOptions]) -> Self:
        """Plain text without metadata: for small local models."""
        return cls.preset("local_small", **options)

    @classmethod
    def json_api(cls, **options: Unpack[PolicyOptions]) -> Self:
        """JSON with everything: for programs."""
        return cls.preset("json_api", **options)


_MARKDOWN: PolicyOptions = {"format": OutputFormat.MARKDOWN, "metadata": MetadataLevel.MINIMAL}

PRESETS: dict[str, PolicyOptions] = {
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


class HintOptions(TypedDict, total=False):
    """The options of `RenderingHints`."""

    entity_count: int | None
    entities: Sequence[str] | None
    has_temporal_expr: bool
    has_time_range: bool
    query_text: str | None


class RenderingHints(_Data):
    """What the caller already knows of the query; it chooses the mode.

    Attributes:
        entity_count: How many entities the query is about, 0 or more; set, it groups by entity.
        entities: Their names, for the line above the groups; None = those found in the hits.
        has_temporal_expr: The query has an expression of time: show a timeline.
        has_time_range: The query has a range of time: show a timeline.
        query_text: The query, searched for phrases that ask for an order in time. The ``query`` of
            a call takes its place.
    """

    entity_count: _Count | None = _option(None, "How many entities the query is about")
    entities: tuple[_Words, ...] | None = _option(None, "The names of these entities")
    has_temporal_expr: bool = _option(False, "The query has an expression of time")
    has_time_range: bool = _option(False, "The query has a range of time")
    query_text: _Words | None = _option(None, "The query, searched for phrases of time")

    if TYPE_CHECKING:  # pydantic writes it

        def __init__(self, **options: Unpack[HintOptions]) -> None: ...

    def asked(self, query: str | None) -> Self:
        """Return the hints of one query; a blank query leaves their own."""
        if query is None or not query.strip():
            return self
        return type(self).model_validate({**dict(self), "query_text": query})
