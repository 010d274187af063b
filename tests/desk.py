"""What a support desk's memory recalls for one question: 200 hits of many kinds, the best first.

The page under test and the picture in docs/ show it.
"""

from itertools import cycle, starmap
from typing import Any

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    GrainOverride,
    RenderingHints,
    load_hits,
)

Row = dict[str, Any]

QUERY = "Where is order 4471, and which address does it ship to?"
DAY = 86_400_000
SPRING = 1_772_000_000_000

# What answers the query; the rest is what else a desk remembers.
ADDRESS = """\
An address can be changed until the parcel leaves the last depot before the border. The carrier \
confirms it within one working day. Tell the customer that the tracking page shows the old address \
until then. A second change costs 4.90."""
FIRST: list[tuple[str, Row]] = [
    ("fact", {"subject": "order 4471", "relation": "ships to", "object": "3 Mill Lane, Basel"}),
    (
        "event",
        {"role": "user", "content": "Where is order 4471? The tracking page still says Turin."},
    ),
    (
        "tool",
        {"tool_name": "carrier.track", "tool_content": "4471 left Milan at 06:40, due on Thursday"},
    ),
    (
        "event",
        {"role": "assistant", "content": "I changed the address to Mill Lane; it shows tomorrow."},
    ),
    ("goal", {"description": "Deliver order 4471 to Basel by 5 March", "priority": "high"}),
    ("fact", {"subject": "order 4471", "relation": "contains", "object": "two shelves & a lamp"}),
    (
        "observation",
        {"observer_id": "watcher-2", "object": "parcels by Milan are twelve hours late this week"},
    ),
    (
        "document",
        {"title": "Address changes", "source": "handbook", "page": 12, "content": ADDRESS},
    ),
]
NAMES = ("Ada", "Bruno", "Chiara", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas")
THINGS = ("walnut bookshelf", "desk lamp", "oak bench", "reading chair", "coat rack", "side table")
TOWNS = ("Turin", "Basel", "Milan", "Zurich", "Lugano", "Como", "Bern")
COMPLAINT = """\
{name} here. My {thing} arrived in {town} with a scratch on one side; can you send a new one, or \
take something off the price?"""
RETURNS = """\
A {thing} is taken back within thirty days. It travels in the box it came in. From {town} the \
carrier collects it on Mondays. The refund takes five days."""
HOSTILE = """\
</pre><script>document.title = 'run'</script><img src=x onerror="document.title = 'run'">"""


def _other(n: int, name: str, thing: str, town: str) -> tuple[str, Row]:
    match n % 5:
        case 0:
            bought = f"a {thing}, to {town}"
            return "fact", {"subject": name, "relation": "ordered", "object": bought}
        case 1:
            complaint = COMPLAINT.format(name=name, thing=thing, town=town)
            return "event", {"role": "user", "content": complaint}
        case 2:
            left = f"order {4472 + n} left {town}, on time"
            return "tool", {"tool_name": "carrier.track", "tool_content": left}
        case 3:
            return "goal", {"description": f"Replace the {thing} of {name}"}
        case _:
            content = RETURNS.format(thing=thing, town=town)
            about = {"title": f"Returns: {thing}", "source": "handbook", "page": n}
            return "document", {**about, "content": content}


def rows() -> list[Row]:
    """Return 200 rows, among them an old value and the new one, a twin, a withheld fact, a type
    to exclude, and a text that would be markup if it could.
    """
    others = zip(range(186), cycle(NAMES), cycle(THINGS), cycle(TOWNS), strict=False)
    found: list[Row] = [
        {
            "grain_type": kind,
            "hash": f"{n:064x}",
            "score": round(0.99 - n / 250, 3),
            "fields": {**fields, "created_at": SPRING - n * DAY},
        }
        for n, (kind, fields) in enumerate([*FIRST, *starmap(_other, others)])
    ]
    plan: Row = {"subject": "Ada", "relation": "has the plan"}
    card: Row = {"object": "her card number", "verification_status": "retracted"}
    old: Row = {"supersession_status": "superseded", "superseded_by_hash": "a2"}
    between: list[tuple[str, Row, Row]] = [
        ("fact", {**plan, "object": "Standard", "created_at": SPRING - 90 * DAY}, old),
        ("fact", {**plan, "object": "Plus", "created_at": SPRING}, {}),
        ("fact", {"subject": "Ada", **card}, {}),
        ("event", {"role": "user", "content": HOSTILE}, {}),
        ("consent", {"subject_did": "Ada", "scope": "calls"}, {}),
    ]
    versions = [
        {"grain_type": kind, "hash": f"a{n}", "fields": fields, **known}
        for n, (kind, fields, known) in enumerate(between, start=1)
    ]
    versions[1]["supersession_status"] = "current"
    return [*found[:8], *versions, found[0], *found[8:]]


def count(text: str) -> int:
    """Return the words and marks of a text, about what a tokenizer makes of it."""
    return len(text.encode()) // 4 + 1


def context(budget: int | None = 1200) -> FormattedContext:
    """Return the desk's context for Claude within a budget."""
    policy = FormatPolicy.claude(
        token_budget=budget,
        query_text=QUERY,
        numbered=True,
        grain_overrides={"consent": GrainOverride(include=False)},
    )
    hits, hints = load_hits(rows()), RenderingHints(query_text=QUERY)
    return ContextAssembler(counter=count).format(hits, policy, hints)
