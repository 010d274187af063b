"""The awkward values as what a retriever returns, and pictures that show whether it was changed."""

from typing import Any

from pydantic import BaseModel

from areev_context import Passage
from awkward import DATES, SIZES, TEXTS, TOON_STRINGS
from laws.strategies import KNOWN, METADATA_GROUPS, SCORE_GROUPS, SHORT

QUERY = "when did the note move to Basel?"


def _texts(texts: list[str]) -> list[Passage]:
    return [Passage(text, {"title": text, "page": n}, id=f"t{n}") for n, text in enumerate(texts)]


def _metadata(group: dict[Any, Any]) -> list[Passage]:
    """Return passages that hold odd metadata as they are, under a shown key, and in a grain."""
    return [
        Passage("c", group, id="m0"),
        Passage("d", {"title": group, "source": group, "created_at": group}, id="m1"),
        *(Passage("e", {**group, "grain_type": kind, "title": "t"}, id=kind) for kind in KNOWN),
    ]


PASSAGES: dict[str, list[Passage]] = {
    "texts": _texts(SHORT),
    "strings": _texts(TOON_STRINGS),
    "huge": [Passage(TEXTS["huge"], {"title": "t"}, id="h")],
    "sizes": [Passage("word " * size, {"page": size}, id=f"s{size}") for size in SIZES],
    "dates": [Passage(f"d{n}", {"created_at": day}, id=f"d{n}") for n, day in enumerate(DATES)],
    "updates": [
        Passage("It is in Basel.", {"superseded_by": "u2", "grain_type": "fact"}, id="u1"),
        Passage("It is in Turin.", {"grain_type": "fact"}, id="u2"),
        Passage("An old page.", {"superseded_by": "u4"}, id="u3"),
        Passage("A new page.", {"supersession_status": "current"}, id="u4"),
        Passage("Round", {"superseded_by": "u6"}, id="u5"),
        Passage("and round.", {"superseded_by": "u5"}, id="u6"),
        Passage("NOT TO BE SEEN", {"verification_status": "Retracted"}, id="u7"),
        Passage("NOR THIS", {"context": {"vstatus": "rejected"}}, id="u8"),
    ],
    **{
        f"scores: {name}": [Passage(f"s{n}", {}, score, f"s{n}") for n, score in enumerate(group)]
        for name, group in SCORE_GROUPS.items()
    },
    **{f"metadata: {name}": _metadata(group) for name, group in METADATA_GROUPS.items()},
    "nothing": [],
}


def picture(value: Any) -> Any:
    """Return a picture of a value that stays equal only while nothing in it is changed."""
    if isinstance(value, BaseModel):
        return (type(value), picture(value.__dict__))
    if isinstance(value, dict):
        return [(id(key), picture(part)) for key, part in value.items()]
    if isinstance(value, list | tuple):
        return (type(value), [picture(part) for part in value])
    if isinstance(value, set):
        return (type(value), sorted(map(id, value)))
    return id(value)
