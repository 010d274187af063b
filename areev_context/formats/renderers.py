"""Renderers write a grain: the application's renderer for its type, else the format itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from areev_context.errors import AreevContextError, RendererError
from areev_context.formats.base import Format
from areev_context.formats.labels import label_of, shortened
from areev_context.formats.registry import FORMATS
from areev_context.hits.hit import Grain, SearchHit, finite
from areev_context.hits.values import readable
from areev_context.policy import LARGEST, FormatPolicy, OutputFormat, RenderingHints
from areev_context.protocols import GrainRenderer
from areev_context.selection.item import Item
from areev_context.selection.priority import priority_of
from areev_context.text.clean import clean
from areev_context.text.foreign import shown
from areev_context.text.words import Query
from areev_context.tokens import estimate_grain

__all__ = ["Renderers", "SharedRenderer", "hosted_renderers", "with_query"]


class SharedRenderer:
    """The built-in renderer of a grain type; subclass it to change one method.

    Attributes:
        grain_type: The grain type that it renders; any string, known or not.
    """

    def __init__(self, grain_type: str) -> None:
        given: object = grain_type
        if not isinstance(given, str):
            raise AreevContextError(f"grain_type is {given!r}: give the name of a type")
        self.grain_type = grain_type

    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        """Return the grain whole, in the policy's format."""
        return FORMATS[policy.format].render(_readable(grain, policy), policy.metadata)

    def render_summary(self, grain: Grain, policy: FormatPolicy) -> str:
        """Return the grain in one line; in JSON and TOON, which have no summaries, whole.

        If a subclass overrides only `render`, the summary is the text of `render`, so that it
        shows nothing that `render` leaves out.
        """
        format = FORMATS[policy.format]
        if not format.shortens or type(self).render is not SharedRenderer.render:
            return self.render(grain, policy)
        return format.summary(readable(grain), policy.metadata, policy.query_text or "")

    def token_estimate(self, grain: Grain, policy: FormatPolicy) -> int:
        """Return the estimated tokens of the grain shown whole, 1 or more."""
        return estimate_grain(readable(grain).fields, policy.metadata)

    def context_priority(self, grain: Grain, hit: SearchHit) -> float:
        """Return the grain's priority, 0..1; an unknown score counts as 0."""
        return priority_of(grain.grain_type, readable(grain).fields, hit.score or 0.0)


@dataclass(frozen=True, slots=True)
class Renderers:
    """Writes the grains of one assembly, and estimates their priority and their tokens.

    Attributes:
        format: The format.
        policy: The policy; if it has no query, with the query of the hints.
        hosted: Grain type -> the application's renderer.
        scores: Index of a hit -> the score of a decider, 0..1, which replaces the recall's score.
    """

    format: Format
    policy: FormatPolicy
    hosted: Mapping[str, GrainRenderer]
    scores: Mapping[int, float] = field(default_factory=dict)

    def measure(self, item: Item) -> tuple[float, int]:
        """Return priority, 0..1, and estimated tokens shown whole, 1 or more."""
        grain = item.grain
        score = self.scores.get(item.index, item.score) if self.scores else item.score
        renderer = self.hosted.get(grain.grain_type) if self.hosted else None
        if renderer is None:
            return (
                priority_of(grain.grain_type, grain.fields, score),
                estimate_grain(grain.fields, self.policy.metadata),
            )
        scored = item.hit.model_copy(update={"score": score})
        grain = item.hit.grain
        priority = _asked(renderer, "context_priority", (int, float), grain, scored)
        tokens = _asked(renderer, "token_estimate", (int,), grain, self.policy)
        sure = finite(priority)
        if sure is None:
            raise _refusal(renderer, "context_priority", f"returned {shown(priority)}, give 0..1")
        if not tokens < LARGEST:
            raise _refusal(renderer, "token_estimate", f"returned {shown(tokens)}, give tokens")
        return min(1.0, max(0.0, sure)), max(1, int(tokens))

    def whole(self, item: Item) -> str | None:
        """Return the text of a hit shown whole; None if the format writes data instead."""
        text = self._host_text("render", item)
        return self.format.line(item.grain, self.policy.metadata) if text is None else text

    def summary(self, item: Item) -> str:
        """Return a hit in one line."""
        text = self._host_text("render_summary", item)
        if text is None:
            text = self._host_text("render", item)
        if text is not None:
            return text
        return self.format.summary(item.grain, self.policy.metadata, self.policy.query_text or "")

    def label(self, grain: Grain) -> str:
        """Return a label of the grain: a few words on one line.

        If the application renders the type, the label is the type and the hash, so that the report
        shows nothing that the renderer leaves out.
        """
        renderer = self.hosted.get(grain.grain_type)
        if renderer is None or _is_shared(renderer, "render"):
            return label_of(grain)
        return shortened(f"{grain.grain_type} {grain.hash[:8]}")

    def _host_text(self, method: str, item: Item) -> str | None:
        renderer = self.hosted.get(item.grain.grain_type) if self.hosted else None
        if renderer is None or _is_shared(renderer, method):
            return None
        grain = item.hit.grain  # with the values that it came in with
        return clean(_asked(renderer, method, (str,), grain, self.policy))[0]


def _readable(grain: Grain, policy: FormatPolicy) -> Grain:
    """Return a grain as the format of a policy reads it; JSON shows values as they are."""
    return grain if policy.format is OutputFormat.JSON else readable(grain)


def hosted_renderers(renderers: Iterable[GrainRenderer]) -> dict[str, GrainRenderer]:
    """Return the application's renderers by their grain types.

    Raises:
        AreevContextError: One is no renderer, or two have the same grain type.
    """
    if not isinstance(renderers, Iterable):
        raise AreevContextError(
            f"renderers is a {type(renderers).__name__}: give a list of renderers"
        )
    out: dict[str, GrainRenderer] = {}
    for renderer in renderers:
        if not isinstance(renderer, GrainRenderer):
            raise AreevContextError(
                f"{type(renderer).__name__} is no renderer: give an object with grain_type, "
                "render, render_summary, token_estimate and context_priority, "
                "for instance a subclass of SharedRenderer"
            )
        if renderer.grain_type in out:
            raise AreevContextError(f"two renderers for the type {renderer.grain_type!r}: give one")
        out[renderer.grain_type] = renderer
    return out


def with_query(policy: FormatPolicy, hints: RenderingHints) -> FormatPolicy:
    """Return the policy for renderers: if it has no query, with the query of the hints.

    Its query caches its words, so that it is split once for all hits.
    """
    query = policy.query_text if _is_asked(policy.query_text) else hints.query_text
    if not query or not _is_asked(query):
        return policy
    return policy.model_copy(update={"query_text": Query(query)})


def _is_asked(query: str | None) -> bool:
    return bool(query and query.strip())


def _is_shared(renderer: GrainRenderer, method: str) -> bool:
    return getattr(type(renderer), method, None) is getattr(SharedRenderer, method)


def _asked(renderer: GrainRenderer, method: str, kinds: tuple[type, ...], *args: object) -> Any:
    ask: Callable[..., Any] = getattr(renderer, method)
    try:
        answer = ask(*args)
    except Exception as error:
        raise _refusal(renderer, method, f"raised {type(error).__name__}: {error}") from error
    if not isinstance(answer, kinds) or isinstance(answer, bool):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        found = type(answer).__name__
        raise _refusal(renderer, method, f"returned a value of type {found}, give {wanted}")
    return answer


def _refusal(renderer: GrainRenderer, method: str, what: str) -> RendererError:
    grain_type = renderer.grain_type
    return RendererError(
        f"the renderer of {grain_type!r} ({type(renderer).__name__}.{method}) {what}",
        grain_type=grain_type,
        method=method,
    )
