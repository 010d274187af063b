"""How many random examples a law gets: the profile says, by ``AREEV_PROFILE``.

``quick`` is for the minute between two changes, ``test`` guards a change, ``nightly`` takes hours.
"""

import os

PROFILE = os.environ.get("AREEV_PROFILE", "test")
_SHARE = {"quick": 0.1, "test": 0.5, "nightly": 10.0}


def examples(most: int) -> int:
    """Return the examples of a law in this profile, where 10 % of `most` are enough to be quick."""
    return max(10, round(most * _SHARE[PROFILE]))
