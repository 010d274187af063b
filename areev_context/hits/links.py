"""Relations between the hits of one recall: replaced values, successors, comparable scores.

A recall is read before it is known which of its hits a policy excludes. So each hit stores the
relations of its recall, without any text. If a hit is excluded, the relations are computed again
as if the recall had never found it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Self

from areev_context.hits.copies import withheld_places
from areev_context.hits.fields import text
from areev_context.hits.hit import SearchHit, SupersessionStatus, finite

__all__ = ["linked", "unused_scores", "without"]

_RECALL = "_recall"  # stands in a hit as a cached property does: equality and dumps pass it by


class _Member(NamedTuple):
    """What one hit of a recall says of itself.

    Attributes:
        grain_type: Its type.
        hash: Its hash.
        name: The id by which others may name it; None = by its hash alone.
        newer: The successor that it names, by hash or id.
        newer_in_fields: The one that its fields name, by hash, read where it names none.
        status: What it says of its being replaced.
        score: Its score as the retriever has it; None is unknown.
    """

    grain_type: str
    hash: str
    name: str | None
    newer: str | None
    newer_in_fields: str
    status: SupersessionStatus | None
    score: float | None


class _Given(NamedTuple):
    """What a hit owes to the others of its recall; names are those of a hit's attributes."""

    superseded_by_hash: str | None
    supersession_status: SupersessionStatus | None
    score: float | None


@dataclass(frozen=True, slots=True, eq=False)
class _Recall:
    """The hits of a recall that were not withheld, by place.

    Attributes:
        members: The hits.
        higher_is_better: What a score says; None = the scores are left as they are.
    """

    members: Mapping[int, _Member]
    higher_is_better: bool | None

    def __deepcopy__(self, memo: object) -> Self:
        return self  # hits that are copied one by one are of one recall still

    def given(self, gone: Collection[int] = ()) -> dict[int, _Given]:
        """Return what each hit owes to the others, but for those that are gone."""
        members = {n: member for n, member in self.members.items() if n not in gone}
        hash_of = _hash_of(members)
        place_of: dict[str, int] = {}
        for n, member in members.items():
            place_of.setdefault(member.hash, n)
        own = {n: hash_of.get(each.newer or "", each.newer) for n, each in members.items()}
        newer = {
            n: name
            for n, each in members.items()
            if (name := own[n] or each.newer_in_fields) and name != each.hash
        }
        replacing = {place_of[name] for name in newer.values() if name in place_of} - set(newer)
        scores = self._scores(members)
        return {
            n: _Given(
                newer.get(n, own[n]), _status(each, n in newer, n in replacing), scores.get(n)
            )
            for n, each in members.items()
        }

    def _scores(self, members: Mapping[int, _Member]) -> dict[int, float | None]:
        """Return the scores where they can be compared, else none: the rank decides."""
        if self.higher_is_better is None:
            return {}
        scores = {n: each.score for n, each in members.items()}
        if _why_unused(scores.values(), higher_is_better=self.higher_is_better) is not None:
            return {}
        if not self.higher_is_better:
            scores = {n: None if score is None else 1.0 - score for n, score in scores.items()}
        return scores

    def unused(self, places: Iterable[int]) -> str | None:
        """Return why the scores of these hits are not used; None where they are, or for none."""
        if self.higher_is_better is None:
            return None
        scores = [self.members[place].score for place in places]
        return _why_unused(scores, higher_is_better=self.higher_is_better)


def _why_unused(scores: Iterable[float | None], *, higher_is_better: bool) -> str | None:
    known = [score for score in scores if score is not None]
    if not all(0.0 <= score <= 1.0 for score in known):
        return "outside of 0..1"
    falling = known if higher_is_better else known[::-1]
    return None if all(before >= after for before, after in pairwise(falling)) else "not falling"


def _hash_of(members: Mapping[int, _Member]) -> dict[str, str]:
    """Return the hash of the first hit of each name."""
    hash_of: dict[str, str] = {}
    for member in members.values():
        if member.name is not None:
            hash_of.setdefault(member.name, member.hash)
    return hash_of


def _status(member: _Member, superseded: bool, replaces: bool) -> SupersessionStatus | None:
    if member.status is not None or not (superseded or replaces):
        return member.status
    return SupersessionStatus.SUPERSEDED if superseded else SupersessionStatus.CURRENT


def linked(
    hits: Sequence[SearchHit],
    *,
    named: bool = False,
    scores: Sequence[Any] = (),
    higher_is_better: bool = True,
) -> list[SearchHit]:
    """Return the hits of a recall with the status of replaced hits and of their successors.

    A status that a hit has itself does not change. A hit that names a successor is superseded, even
    if the successor is not among the hits or is withheld. Retracted hits and their copies do not
    change the status of others, get no status, and their scores are not used.

    Args:
        hits: The hits.
        named: Whether a hit may name its successor by id, not only by hash.
        scores: One score of any type per hit; empty = the hits have their own scores.
        higher_is_better: False for distances.
    """
    withheld = withheld_places(hits)
    numbers = [finite(score) for score in scores] or [None] * len(hits)
    members = {
        n: _member(hit, numbers[n], named) for n, hit in enumerate(hits) if n not in withheld
    }
    recall = _Recall(members, higher_is_better if scores else None)
    bound = _bound(members, any(number is not None for number in numbers))
    if not bound:
        return list(hits)
    given, hash_of = recall.given(), _hash_of(members)
    return [
        _made(hit, given[n], {_RECALL: (recall, n)}, scored=bool(scores))
        if n in bound
        else _renamed(hit, hash_of)
        for n, hit in enumerate(hits)
    ]


def _renamed(hit: SearchHit, hash_of: Mapping[str, str]) -> SearchHit:
    """Return a hit that takes no part with the hash of what it names, for whoever shows it."""
    newer = hash_of.get(hit.superseded_by_hash or "")
    return hit if newer is None else hit.model_copy(update={"superseded_by_hash": newer})


def _member(hit: SearchHit, score: float | None, named: bool) -> _Member:
    return _Member(
        hit.grain_type,
        hit.hash,
        hit.id if named else None,
        hit.superseded_by_hash,
        text(hit.fields, "superseded_by"),
        hit.supersession_status,
        score,
    )


def _bound(members: Mapping[int, _Member], scored: bool) -> Collection[int]:
    """Return the places of hits that another of the recall may have to do with."""
    if scored:
        return members
    names = {name for each in members.values() for name in (each.newer, each.newer_in_fields)}
    names -= {None, ""}
    names |= {each.hash for each in members.values() if each.name in names}
    return {
        n
        for n, each in members.items()
        if each.newer or each.newer_in_fields or each.hash in names or each.name in names
    }


def _made(hit: SearchHit, given: _Given, more: Mapping[str, Any], *, scored: bool) -> SearchHit:
    newer, status, score = given
    update = dict(more)
    if newer != hit.superseded_by_hash:
        update["superseded_by_hash"] = newer
    if status is not hit.supersession_status:
        update["supersession_status"] = status
    if scored and score is not None:
        update["score"] = score
    return hit.model_copy(update=update)


def unused_scores(hits: Iterable[SearchHit]) -> str | None:
    """Return why the scores of a recall were not used, in words; None if no recall has any such.

    Scores of a reranker are always used, and those of hits that are not given say nothing.

    Args:
        hits: The hits that are not withheld, in the order of their recall.
    """
    recalls: dict[int, tuple[_Recall, list[int]]] = {}
    for hit in hits:
        found = _recall_of(hit)
        if found is not None:
            recalls.setdefault(id(found[0]), (found[0], []))[1].append(found[1])
    reasons = (recall.unused(places) for recall, places in recalls.values())
    return next((why for why in reasons if why is not None), None)


def _recall_of(hit: SearchHit) -> tuple[_Recall, int] | None:
    return None if hit.relevance is not None else hit.__dict__.get(_RECALL)


def without(
    hits: Sequence[SearchHit], gone: Iterable[int], excludes: Callable[[str], bool]
) -> dict[int, SearchHit]:
    """Return, by index, the hits that change if their recall had never found some of its hits.

    Args:
        hits: Hits of one recall, of several, or of none.
        gone: Indexes of the hits to treat as never found.
        excludes: Whether to treat all hits of a grain type as never found, in `hits` or not.
    """
    of = {n: hit.__dict__[_RECALL] for n, hit in enumerate(hits) if _RECALL in hit.__dict__}
    lost: dict[int, set[int]] = {}
    for n in gone:
        if n in of:
            recall, place = of[n]
            lost.setdefault(id(recall), set()).add(place)
    recalls: dict[int, _Recall] = {id(recall): recall for recall, _ in of.values()}
    anew: dict[int, tuple[dict[int, _Given], dict[int, _Given]]] = {}
    for key, recall in recalls.items():
        left_out = lost.get(key, set())
        left_out |= {n for n, each in recall.members.items() if excludes(each.grain_type)}
        if left_out:
            anew[key] = recall.given(), recall.given(left_out)
    out = {}
    for n, (recall, place) in of.items():
        before, after = anew.get(id(recall), ({}, {}))
        if place in after:
            out[n] = _changed(hits[n], before[place], after[place])
    return out


def _changed(hit: SearchHit, before: _Given, after: _Given) -> SearchHit:
    """Return the hit with what its recall gave it given anew; what was set since stays."""
    update = {
        name: value
        for name, value in after._asdict().items()
        if value != getattr(before, name) == getattr(hit, name)
    }
    return hit.model_copy(update=update) if update else hit
