"""Policies and hints: what to show, and in which format. They are data, and dump to JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypedDict, Unpack

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from areev_context.errors import InputError
from areev_context.text.clean import clean
from areev_context.text.dates import zone_of

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
    """The format of the text."""

    SML = "sml"
    TOON = "toon"
    MARKDOWN = "markdown"
    PLAIN_TEXT = "plain_text"
    JSON = "json"


class MetadataLevel(StrEnum):
    """The metadata that an entry shows: none, confidence and date, or all."""

    NONE = "none"
    MINIMAL = "minimal"
    FULL = "full"


class Ordering(StrEnum):
    """The order of entries; every ordering is stable.

    ``as_given`` is the input order. ``by_relevance`` is an older name of it, and still works.
    ``reading``: one source after the other, by the best hit of each, and each as it reads.
    ``edges``: the best hits first and last, the weakest in the middle: 1, 3, 5, … 6, 4, 2.
    ``stable``: by source and position, whatever the rank, so that one set of hits gives one text,
    as the prompt caches of providers need it.
    """

    AS_GIVEN = "as_given"
    BY_RELEVANCE = "as_given"  # the older name of the same member
    CHRONOLOGICAL = "chronological"
    REVERSE_CHRONOLOGICAL = "reverse_chronological"
    BY_ENTITY = "by_entity"
    READING = "reading"
    EDGES = "edges"
    STABLE = "stable"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return cls.AS_GIVEN if value == "by_relevance" else None


class Allocator(StrEnum):
    """The rule that spends a budget: the best known rule for the input, or the reference's rule.

    With ``reference`` the lines are those of the reference engine too: texts that the metadata
    level full adds to other lines are left out.
    """

    AUTO = "auto"
    REFERENCE = "reference"


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _option(default: Any, description: str, **limits: Any) -> Any:
    return Field(default=default, description=description, **limits)


LARGEST = 10**600
"""Counts and budgets are below this, so that Python can always print them and their sums."""


def _printable(number: int) -> int:
    if number >= LARGEST:
        raise PydanticCustomError("too_large", "Input should have at most 600 digits")
    return number


_Count = Annotated[int, Field(strict=True, ge=0), AfterValidator(_printable)]


class GrainOverride(_Data):
    """A rule for one grain type.

    Attributes:
        include: False excludes the type: its hits are withheld.
        max_count: The most hits of the type to show, the first ones, 0 or more; None = no limit.
    """

    include: bool = _option(True, "Whether hits of the type may be shown")
    max_count: _Count | None = _option(
        None, "The most hits of the type to show, 0 or more; none means no limit"
    )


class GrainTypeDiversity(_Data):
    """Room in a budget that is reserved for each grain type.

    Attributes:
        min_per_type: The number of entries of each type to reserve room for, 1..10.
        max_reservation_pct: The largest share of the budget to reserve, 0.05..0.50.
    """

    min_per_type: int = _option(
        1, "The number of entries of each type to reserve room for", strict=True, ge=1, le=10
    )
    max_reservation_pct: float = _option(
        0.30, "The largest share of the budget to reserve", ge=0.05, le=0.50
    )


class DecidePolicy(_Data):
    """Which questions a decider is asked, and what its answers may do.

    Attributes:
        intent: Whether to ask what the query wants: a timeline, the current state, or neither.
        disclosure: Whether to ask how relevant each hit is, and whether it must stay verbatim.
        drop_below: A hit with a calibrated relevance below this is omitted, 0..1.
        full_above: A hit whose calibrated need to stay verbatim is at least this is shown whole if
            it fits, 0..1.
        deadline_ms: The deadline of all requests of one assembly, in milliseconds; None = 2 000.
    """

    intent: bool = _option(True, "Whether to ask what the query wants")
    disclosure: bool = _option(True, "Whether to ask how much of each hit the query needs")
    drop_below: float = _option(
        0.10, "A hit with a calibrated relevance below this is omitted", ge=0, le=1
    )
    full_above: float = _option(
        0.50, "From this calibrated need on, a hit is shown whole if it fits", ge=0, le=1
    )
    deadline_ms: Annotated[int, Field(strict=True, gt=0)] | None = _option(
        None, "The deadline of all requests, in milliseconds; none means 2,000"
    )


class PolicyOptions(TypedDict, total=False):
    """The options of a `FormatPolicy`, for its constructor, its presets and `replace`.

    `FormatPolicy` describes each option. An option with a set of values accepts a member of the
    enum or its string.
    """

    format: OutputFormat | Literal["sml", "toon", "markdown", "plain_text", "json"]
    metadata: MetadataLevel | Literal["none", "minimal", "full"]
    ordering: (
        Ordering
        | Literal["as_given", "by_relevance", "chronological", "reverse_chronological"]
        | Literal["by_entity", "reading", "edges", "stable"]
    )
    group_by_type: bool
    type_order: Sequence[str]
    token_budget: int | None
    grain_overrides: Mapping[str, GrainOverride]
    query_text: str | None
    grain_type_diversity: GrainTypeDiversity | None
    include_retracted: bool
    decide: DecidePolicy | None
    dates: bool | None
    numbered: bool
    first_number: int
    highlight_over: int | None
    allocation: Allocator | Literal["auto", "reference"]
    shorten: bool
    join: bool
    pinned: Sequence[str]
    shares: Mapping[str, float]
    share_by: Literal["type", "source"]


class FormatPolicy(_Data):
    """How to turn hits into one context string: frozen data; an unknown option is an error.

    The presets `claude`, `gpt4`, `gemini`, `local_small` and `json_api` take the same keywords.
    No preset sets a budget: that is for the caller.

    Attributes:
        format: The format of the text.
        metadata: The metadata that an entry shows beside its content.
        ordering: The order of entries, unless a mode has its own.
        group_by_type: One section per grain type instead of a flat list.
        type_order: The order of these sections; other types follow in the standard order.
        token_budget: The budget in tokens, a whole number from 0 up; None = no limit.
        grain_overrides: Grain type -> the rule for it.
        query_text: The user's question. It selects the parts and sentences that a budget shows, and
            hides old values if it asks for the current one. The ``query`` of a call replaces it.
        grain_type_diversity: Room in the budget that is reserved for each type; None = none.
        include_retracted: Whether to show hits whose grain was retracted or rejected.
        decide: What a decider is asked and may change; None = the defaults. It has an effect only
            if the assembler has a decider.
        dates: Whether every entry shows its date, in every format; None = where the format usually
            does: documents in all of them, other types in SML, Markdown and in events of TOON.
        numbered: Whether every shown entry gets a number, 1..n in reading order.
        first_number: The number of the first entry, 0..99,999,999: several contexts of one
            conversation go on where the last one ended.
        highlight_over: With more hits than this the five best come first; None = never.
        allocation: The rule that spends the budget.
        shorten: Whether an entry may be shown in part; False = entries are whole or left out, under
            every rule.
        join: Whether passages of one source, and turns of one session and day, become one entry in
            reading order: one head, one number, what they share once. Passages need a known place
            in their source. JSON, TOON and timelines join nothing, nor does the reference's rule.
        pinned: The grain types that are pinned, as a hit with ``pinned`` is: shown whole, first, in
            a section of their own, and paid for first; of too many for the budget the best ones.
        shares: Grain type, or source, -> the largest share of the budget, above 0 to 1, that its
            hits may take while others could use the room. Applies to ``allocation="auto"``.
        share_by: What the names of `shares` are: grain types, or sources as a `Source` names them;
            then ``*`` is every source that is not named.
    """

    format: OutputFormat = _option(OutputFormat.PLAIN_TEXT, "The format of the text")
    metadata: MetadataLevel = _option(
        MetadataLevel.MINIMAL, "The metadata that an entry shows beside its content"
    )
    ordering: Ordering = _option(
        Ordering.AS_GIVEN, "The order of entries, unless a mode has its own"
    )
    group_by_type: bool = _option(False, "One section per grain type instead of a flat list")
    type_order: tuple[_Words, ...] = _option((), "The order of the sections of types")
    token_budget: _Count | None = _option(
        None, "The budget in tokens, 0 or more; none means no limit"
    )
    grain_overrides: dict[_Words, GrainOverride] = _option({}, "Rules for grain types")
    query_text: _Words | None = _option(None, "The user's question")
    grain_type_diversity: GrainTypeDiversity | None = _option(
        GrainTypeDiversity(), "Room in the budget that is reserved for each grain type"
    )
    include_retracted: bool = _option(
        False, "Whether to show hits whose grain was retracted or rejected"
    )
    decide: DecidePolicy | None = _option(None, "What a decider is asked and may change")
    dates: bool | None = _option(None, "Whether every entry shows its date; none means the usual")
    numbered: bool = _option(False, "Whether every shown entry gets a number, in reading order")
    first_number: Annotated[int, Field(strict=True, ge=0, le=99_999_999)] = _option(
        1, "The number of the first entry"
    )
    highlight_over: _Count | None = _option(10, "With more hits than this the five best come first")
    allocation: Allocator = _option(Allocator.AUTO, "The rule that spends the budget")
    shorten: bool = _option(True, "Whether an entry may be shown in part")
    join: bool = _option(True, "Whether passages of one source become one entry")
    pinned: tuple[_Words, ...] = _option((), "The grain types that are shown whole, and first")
    shares: dict[_Words, Annotated[float, Field(gt=0, le=1)]] = _option(
        {}, "The largest share of the budget that a grain type, or a source, may take"
    )
    share_by: Literal["type", "source"] = _option(
        "type", "What the names of shares are: grain types or sources"
    )

    if TYPE_CHECKING:  # pydantic writes it; checkers read the options as they are documented

        def __init__(self, **options: Unpack[PolicyOptions]) -> None: ...

    def replace(self, **changes: Unpack[PolicyOptions]) -> Self:
        """Return a copy with some options changed; the new values are validated."""
        return type(self).model_validate({**dict(self), **changes})

    def asked(self, query: str | None) -> Self:
        """Return the policy with this query; a blank query or None changes nothing."""
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


def _known_zone(name: str | None) -> str | None:
    if name is not None and zone_of(name) is None:
        raise PydanticCustomError(
            "unknown_zone", "Input should be the name of a time zone, such as Europe/Zurich"
        )
    return name


class HintOptions(TypedDict, total=False):
    """The options of `RenderingHints`."""

    entity_count: int | None
    entities: Sequence[str] | None
    has_temporal_expr: bool
    has_time_range: bool
    query_text: str | None
    zone: str | None


class RenderingHints(_Data):
    """What the caller already knows about the query; the hints choose the mode.

    Attributes:
        entity_count: The number of entities that the query is about, 0 or more; if it is set, the
            page has one section per entity.
        entities: Their names, for the line above the sections; None = the names in the hits.
        has_temporal_expr: Whether the query has an expression of time; then a timeline is shown.
        has_time_range: Whether the query has a range of time; then a timeline is shown.
        zone: The name of a time zone, as ``Europe/Zurich``, that all dates are shown in; None =
            each in the zone that it was stated in.
        query_text: The query, which is searched for phrases that ask for an order in time. The
            ``query`` of a call replaces it.
    """

    entity_count: _Count | None = _option(None, "The number of entities that the query is about")
    entities: tuple[_Words, ...] | None = _option(None, "The names of these entities")
    has_temporal_expr: bool = _option(False, "Whether the query has an expression of time")
    has_time_range: bool = _option(False, "Whether the query has a range of time")
    query_text: _Words | None = _option(None, "The query, searched for phrases of time")
    zone: Annotated[str | None, AfterValidator(_known_zone)] = _option(
        None, "The time zone in which all dates are shown"
    )

    if TYPE_CHECKING:  # pydantic writes it

        def __init__(self, **options: Unpack[HintOptions]) -> None: ...

    def asked(self, query: str | None) -> Self:
        """Return the hints with this query; a blank query or None changes nothing."""
        if query is None or not query.strip():
            return self
        return type(self).model_validate({**dict(self), "query_text": query})
