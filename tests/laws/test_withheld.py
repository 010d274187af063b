"""Law 5 whole: what is withheld or excluded is as if it had never been retrieved.

However retraction is spelled and wherever it stands, in rows and in passages, and whatever the hits
of one recall have to do with each other.
"""

import enum
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from areev_context import (
    ContextAssembler,
    FormattedContext,
    GrainOverride,
    Passage,
    PassageMapper,
    Reason,
    SearchHit,
    load_hits,
)
from laws import strategies
from laws.strategies import SECRET, Asked, asked
from laws.test_laws import law

Row = dict[str, Any]
_GONE = (Reason.WITHHELD, Reason.EXCLUDED_TYPE)

# --- spellings --------------------------------------------------------------------------------

_UNSEEN = "\u00ad\u034f\u061c\u115f\u180b\u180e\u200b\u2060\u2065\u2066\u202e\u2800\ufe0f\ufeff"
_UNSEEN += "\U000e0001\U000e0100\u3164\ufffc\x00\x85\u0336"
_AROUND = st.text(st.sampled_from(" .,:;!?\"'()[]{}<>*`\n\u00a0\u3000«»“”"), max_size=3)


@st.composite
def _spelled(draw: st.DrawFn) -> str:
    """One of the two words in any letter case, with characters in it that are not seen."""
    word = draw(st.sampled_from(["retracted", "rejected"]))
    case = draw(st.sampled_from([str.lower, str.upper, str.title, str.swapcase]))
    letters = [case(letter) if draw(st.booleans()) else letter for letter in word]
    if draw(st.booleans()):
        letters = [chr(ord(letter) + 0xFEE0) for letter in letters]  # full width
    place = draw(st.integers(0, len(letters)))
    letters.insert(place, draw(st.text(st.sampled_from(_UNSEEN), max_size=2)))
    return "".join(letters)


_qualified = st.sampled_from([
    "{}", "Status.{}", "Status/{}", "<Status.{}: 0>", "STATUS_{}", "urn:trust:{}", "{}: by admin",
    "{}, contested", "not verified, {}", "contested|{}", '{{"status": "{}"}}', "{} (2024)",
])  # fmt: skip
_denied = st.sampled_from([
    "not {}", "not_{}", "NOT-{}", "un{}", "non{}", "never been {}", "{}: false", "{} = no",
    '{{"{}": false}}', "no longer {}", "isn't {}", "{}ly", "neither {} nor rejected",
])  # fmt: skip
_texts = st.builds(
    lambda form, word, before, after: f"{before}{form.format(word)}{after}",
    _qualified, _spelled(), _AROUND, _AROUND,
)  # fmt: skip
_denying = st.builds(
    lambda form, word: form.format(word),
    _denied,
    st.sampled_from(["retracted", "Retracted", "RETRACTED", "rejected"]),
)


def _member(name: str, value: Any) -> enum.Enum:
    return next(iter(enum.Enum("Status", [(name, value)])))


def _contained(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    inner = st.one_of(
        texts,
        texts.map(lambda text: text.encode(errors="surrogatepass")),
        texts.map(lambda text: _member("A", text)),
        st.sampled_from(["RETRACTED", "Rejected"]).map(lambda name: _member(name, 3)),
    )
    wrap = [
        lambda value: [value],
        lambda value: ("verified", value),
        lambda value: {"value": value},
        lambda value: {"by": None, "status": {"value": value}},
        lambda value: {"retracted": True, "value": "verified"},
    ]
    return st.one_of(inner, st.builds(lambda how, value: how(value), st.sampled_from(wrap), inner))


_stating = _contained(_texts)
_harmless = st.one_of(
    _denying,
    st.builds(lambda text: {"value": [text]}, _denying),
    st.sampled_from([
        None, "", b"", "verified", "contested", True, 7, [], {}, {"retracted": False},
        {"rejected": None}, {"retracted": "no"}, {"not_retracted": True}, _member("VERIFIED", 1),
    ]),
)  # fmt: skip
_keys = st.sampled_from([
    "verification_status", "vstatus", "verification_status\x00", "\ufeffvstatus", "VStatus",
    "verificationStatus",
])  # fmt: skip
_places = st.sampled_from([
    (), ("context",), ("metadata",), ("fields",), ("fields", "context"), ("fields", "metadata"),
    ("fields", "context\x00"), ("metadata", "context"),
])  # fmt: skip


def _with(source: Row, place: tuple[str, ...], key: str, value: Any) -> Row:
    """Return a row with a statement at a place; what stands beside it stays."""
    if not place:
        return {**source, key: value}
    inner = source.get(place[0])
    inner = inner if isinstance(inner, dict) else {}
    return {**source, place[0]: _with(inner, place[1:], key, value)}


_statement = st.tuples(_places, _keys, _stating)
_noise = st.lists(st.tuples(_places, _keys, _harmless), max_size=2)


def _stated(row: Row, stated: Any, noise: list[Any]) -> Row:
    for place, key, value in noise:
        if not stated or (place, key) != stated[:2]:
            row = _with(row, place, key, value)
    return _with(row, *stated) if stated else row


@law(st.tuples(strategies.rows(), _statement, _noise))
def test_5_retraction_counts_wherever_it_stands(drawn: tuple[Row, Any, list[Any]]) -> None:
    row = _stated(*drawn)
    for hits in ([row], load_hits([row]), [SearchHit.model_validate(row)]):
        context = ContextAssembler().format(hits)
        assert (context.text, context.withheld_count) == ("", 1)
    passage = Passage("text", row)
    for again in (PassageMapper().hits([passage]), PassageMapper(shown=("a",)).hits([passage])):
        assert ContextAssembler().format(again).withheld_count == 1


@law(st.tuples(strategies.rows(), _noise))
def test_5_what_is_no_retraction_withholds_nothing(drawn: tuple[Row, list[Any]]) -> None:
    row, noise = drawn
    row = {**row, "fields": {k: v for k, v in row["fields"].items() if k not in _OF_TRUST}}
    context = ContextAssembler().format([_stated(row, None, noise)])
    assert context.withheld_count == 0
    passage = Passage("text", _stated({}, None, noise))
    assert ContextAssembler().format(PassageMapper().hits([passage])).withheld_count == 0


_OF_TRUST = ("verification_status", "context", "metadata")

# --- as if never retrieved --------------------------------------------------------------------

_TYPES = ("fact", "event", "document", "tool", "state")
_NAMES = st.sampled_from([None, "h0", "h1", "h2", "h3"])
_few_texts = st.sampled_from(["alpha one two", "alpha  one two", "alpha one three", "beta"])
_some = st.sampled_from([None, None, None, "retracted", "Status.REJECTED", "contested"])


_rows = st.builds(
    lambda kind, text, own, newer, status: _stated(
        {
            "grain_type": kind,
            "hash": own,
            "superseded_by_hash": newer[0],
            "fields": {"subject": "s", "object": text, "content": text, "superseded_by": newer[1]},
        },
        status,
        [],
    ),
    st.sampled_from(_TYPES), _few_texts, _NAMES, st.tuples(_NAMES, _NAMES),
    st.one_of(st.none(), st.tuples(_places, st.just("verification_status"), _some)),
)  # fmt: skip
_passages = st.builds(
    lambda kind, text, own, newer, status, score: Passage(
        text,
        {"grain_type": kind, "superseded_by": newer, "verification_status": status},
        score=score,
        id=own,
    ),
    st.sampled_from(_TYPES), _few_texts, _NAMES, _NAMES, _some,
    st.sampled_from([None, 0.1, 0.2, 0.5, 0.9, 1, 7, -1, float("nan"), "x"]),
)  # fmt: skip
_excluded = st.sets(st.sampled_from(_TYPES), max_size=2)


def _excluding(how: Asked, types: set[str]) -> Asked:
    out = {**how.policy.grain_overrides, **dict.fromkeys(types, GrainOverride(include=False))}
    return replace(how, policy=how.policy.replace(grain_overrides=out))


def _formatted(hits: list[SearchHit], how: Asked) -> FormattedContext:
    return ContextAssembler().format(hits, how.policy, how.hints)


def _same_without(whole: FormattedContext, left: list[int], less: FormattedContext) -> None:
    counts = {"outcomes": (), "sources": (), "withheld_count": 0}
    assert whole.model_copy(update=counts) == less.model_copy(update=counts)
    place_of = {index: place for place, index in enumerate(left)}
    placed = [replace(source, index=place_of[source.index or 0]) for source in whole.sources]
    assert placed == list(less.sources)
    moved = [replace(whole.outcomes[place], index=n) for n, place in enumerate(left)]
    assert moved == list(less.outcomes)


def _left(whole: FormattedContext) -> list[int]:
    return [o.index for o in whole.outcomes if o.reason not in _GONE]


@law(
    st.tuples(asked(include_retracted=False), _excluded, st.lists(_rows, max_size=6)),
    times=2,
)
def test_5_rows_as_if_never_retrieved(drawn: tuple[Asked, set[str], list[Row]]) -> None:
    how, rows = _excluding(drawn[0], drawn[1]), drawn[2]
    whole = _formatted(load_hits(rows), how)
    left = _left(whole)
    for place, row in enumerate(rows):
        assert (place in left) <= ("RETR" not in repr(row).upper() and "REJ" not in repr(row))
    _same_without(whole, left, _formatted(load_hits([rows[n] for n in left]), how))
    half = len(rows) // 2  # two recalls side by side know nothing of each other
    halves = [*load_hits(rows[:half]), *load_hits(rows[half:])]
    whole = _formatted(halves, how)
    left = _left(whole)
    parts = [[rows[n] for n in left if n < half], [rows[n] for n in left if n >= half]]
    less = [hit for part in parts for hit in load_hits(part)]
    _same_without(whole, left, _formatted(less, how))


@law(
    st.tuples(
        asked(include_retracted=False),
        _excluded,
        st.lists(_passages, max_size=6),
        st.booleans(),
    ),
    times=2,
)
def test_5_passages_as_if_never_retrieved(
    drawn: tuple[Asked, set[str], list[Passage], bool],
) -> None:
    how, passages = _excluding(drawn[0], drawn[1]), drawn[2]
    mapper = PassageMapper(higher_is_better=drawn[3])
    whole = _formatted(mapper.hits(passages), how)
    left = _left(whole)
    for place, passage in enumerate(passages):
        stated = passage.metadata["verification_status"]
        assert (place in left) <= (stated in (None, "contested"))
    _same_without(whole, left, _formatted(mapper.hits([passages[n] for n in left]), how))


@law(st.tuples(st.lists(strategies.rows(), min_size=1, max_size=4), st.data()))
def test_5_a_copy_of_what_is_retracted_shows_nothing(drawn: tuple[list[Row], Any]) -> None:
    """A row beside a copy of itself that holds a secret too and says that it is retracted."""
    rows, data = drawn
    place = data.draw(st.integers(0, len(rows) - 1))
    row = {**rows[place], "fields": {**rows[place]["fields"], "object": SECRET, "content": SECRET}}
    if data.draw(st.booleans()):
        row.pop("hash", None)
    copied = _stated(row, data.draw(_statement), [])
    rows = [*rows[:place], row, *rows[place + 1 :]]
    rows.insert(data.draw(st.integers(0, len(rows))), copied)
    for hits in (rows, load_hits(rows)):
        context = ContextAssembler().format(hits)
        assert SECRET not in context.text + context.report()
        assert context.withheld_count >= 2
