"""What is never to be shown: hits whose grain was retracted or rejected."""

from __future__ import annotations

import re

from areev_context.hits.hit import SearchHit
from areev_context.text.clean import clean

__all__ = ["is_retracted", "withholds"]

_WITHHELD = frozenset({"retracted", "rejected"})
_NO_WIDTH = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")


def is_retracted(hit: SearchHit) -> bool:
    """Return whether a hit's grain was retracted or rejected, in either shape it is said in.

    A list or an object that holds such a status says so too, and so does a qualified name, as
    ``Status.RETRACTED``: what may be withheld is.
    """
    if withholds(hit.fields.get("verification_status")):
        return True
    context = hit.fields.get("context")
    return context.__class__ is dict and withholds(context.get("vstatus"))


def withholds(status: object) -> bool:
    """Return whether a status, as a JSON value, says that a grain is never to be seen."""
    if status is None:
        return False
    if isinstance(status, str):
        said = _NO_WIDTH.sub("", clean(status)[0]).casefold()
        return said.replace(":", ".").rpartition(".")[2].strip() in _WITHHELD
    if isinstance(status, dict):
        status = list(status.values())
    return isinstance(status, list) and any(map(withholds, status))
