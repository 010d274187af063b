"""How time grows with what comes in: one input that is awkward in one way, at 1x, 2x and 4x.

    python benchmarks/growth.py [--rounds 3] [NAME ...]

Milliseconds of processor time, the best of several rounds, Python's garbage collector off. Linear
growth is a ratio of 4; a NAME picks the rows in which it stands.
"""

import argparse
import itertools
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from speed import best

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
    cited_numbers,
    compare,
    load_hits,
)
from areev_context.decide import DecisionRequest, Noul, parse_answer
from areev_context.errors import MalformedAnswerError
from areev_context.extend import OutputFormat

Run = Callable[[], object]
Row = Mapping[str, Any]

_CONTROLS = [chr(n) for n in (*range(1, 9), *range(14, 32))]
_QUERY = "when is the rent of the walnut house due?"


def quarter(text: str) -> int:
    """Count tokens as a quarter of the characters: counting is not what is measured."""
    return len(text) // 4


def fact(number: int, **fields: Any) -> Row:
    own = {"subject": f"house {number}", "relation": "costs", "object": f"{number} a month"}
    return {"grain_type": "fact", "hash": f"{number:064x}", "fields": own | fields}


def prose(sentences: int, seed: int = 1) -> str:
    draw = random.Random(seed)
    return " ".join(
        f"{draw.choice('abcdef')}lpha rent paid lease house {draw.randrange(10**6)}."
        for _ in range(sentences)
    )


def passages(texts: Iterable[str], name: str = "doc") -> list[SearchHit]:
    given = (Passage(text, {"title": "Lease"}, id=f"{name}{n}") for n, text in enumerate(texts))
    return PassageMapper().hits(given)


def formatting(
    hits: Iterable[SearchHit | Row],
    budget: int | None = None,
    *,
    counted: bool = True,
    hints: RenderingHints | None = None,
    **options: Any,
) -> Run:
    """Return the run that makes one context; with a budget, by default, in counted tokens."""
    loaded = load_hits(hits)
    policy = FormatPolicy(**{"format": "markdown", "query_text": _QUERY, **options})
    policy = policy.replace(token_budget=budget)
    assembler = ContextAssembler(counter=quarter if counted and budget is not None else None)
    return lambda: assembler.format(loaded, policy, hints)


# --- what comes in ------------------------------------------------------------------------------


def names_that_clean_to_one(n: int) -> Run:
    endings = itertools.islice(itertools.product(_CONTROLS, repeat=3), n)
    keys = ["k" + "".join(ending) for ending in endings]
    text = json.dumps([{"grain_type": "note", "fields": dict.fromkeys(keys, 1)}])
    return lambda: ContextAssembler().format(load_hits(text), FormatPolicy.gpt4())


class Nameless:
    """A key that has no text of its own."""


def names_that_are_no_text(n: int) -> Run:
    row = {"grain_type": "note", "fields": {Nameless(): 1 for _ in range(n)}}
    return lambda: ContextAssembler().format([row], FormatPolicy.gpt4())


def many_fields(n: int) -> Run:
    fields = {f"name {k}": f"value {k}" for k in range(n)}
    return formatting([{"grain_type": "note", "fields": fields}])


def fields_not_shown(n: int) -> Run:
    return formatting([fact(1, **{f"name {k}": "text not shown " * 2 for k in range(n)})], 4)


def deep_nesting(n: int) -> Run:
    value: Any = "x\x01"
    for _ in range(60):
        value = {"down\x01": [value]}
    rows = [{"grain_type": "note", "fields": {"value": value}} for _ in range(n)]
    return lambda: ContextAssembler().format(load_hits(rows), FormatPolicy.json_api())


def one_long_passage(n: int) -> Run:
    return formatting(passages([prose(n)]), 500)


def long_passage_cut(n: int) -> Run:
    return formatting(passages([prose(n)]), 30, allocation="reference", query_text="")


def one_sentence(n: int) -> Run:
    return formatting(passages(["rent " * n, "rent, " * n]), 500)


def one_character(n: int) -> Run:
    texts = [c * n for c in "a\\[#-`|> \u2028\t0.,'\"\u200b_*\u0301保"]
    facts = [{"grain_type": "fact", "fields": {"subject": text}} for text in texts]
    return formatting([*passages(texts), *facts])


def one_character_packed(n: int) -> Run:
    return formatting(passages([c * n for c in "a\\[#-`|>0.,'\"_*\u0301保"]), 500)


def one_character_in_lines(n: int) -> Run:
    return formatting(passages([f"{c}\n" * n for c in "a\\[#-`|>0.,'\"_*"]), 100)


def neighbours(n: int) -> Run:
    return formatting(passages([prose(n, 1), prose(n, 2)]), 500)


def neighbours_alike(n: int) -> Run:
    texts = [" ".join(f"{'rent ' * 20}{k + m}." for k in range(n)) for m in range(2)]
    return formatting(passages(texts), 500)


def neighbours_many(n: int) -> Run:
    return formatting(passages([prose(4, k) + " " + prose(4, k + 1) for k in range(n)]), 500)


def long_query(n: int, *, counted: bool = False) -> Run:
    query = " ".join(f"word{k}" for k in range(10 * n))
    hits = passages([prose(3, k) for k in range(n)])
    return formatting(hits, 20 * n, counted=counted, query_text=query)


def equal_beginnings(n: int) -> Run:
    return formatting(passages([f"{'one lease of a house ' * 20}{k}" for k in range(n)]), 500)


def duplicates(n: int) -> Run:
    return formatting([*passages([prose(3)] * n), *[fact(1)] * n], 500)


def long_ids(n: int) -> Run:
    return formatting(passages([prose(1, k) for k in range(20)], name="9a" * n), 500)


def one_long_type(n: int) -> Run:
    rows = [{"grain_type": "t" * 10 * n, "fields": {"a": 1}}, *map(fact, range(n))]
    made = ContextAssembler().format(load_hits(rows), FormatPolicy.gpt4())
    return lambda: (made.report(), str(compare([made, made])))


def many_types(n: int) -> Run:
    rows = [{"grain_type": f"type {k}", "fields": {"content": f"text {k}"}} for k in range(n)]
    order = tuple(f"type {k}" for k in range(n))
    return formatting(rows, 500, group_by_type=True, type_order=order, highlight_over=None)


def many_entities(n: int) -> Run:
    names = tuple(f"house {k}" for k in range(n))
    hints = RenderingHints(entity_count=n, entities=names)
    return formatting(map(fact, range(n)), 20 * n, hints=hints)


def many_entities_fit(n: int) -> Run:
    return formatting(map(fact, range(n)), 10**9, hints=RenderingHints(entity_count=n))


def many_sessions(n: int) -> Run:
    known = {"recall_source": "census"}
    rows = ({**fact(k), **known, "source_namespace": f"session {k}"} for k in range(n))
    return formatting(rows, 1_000)


def many_dates(n: int) -> Run:
    rows = ({**fact(k), "created_at": 1_700_000_000 + 86_400 * k} for k in range(n))
    return formatting(rows, 1_000, hints=RenderingHints(has_time_range=True))


def updates(n: int) -> Iterator[Row]:
    for k in range(n):
        yield {**fact(2 * k), "superseded_by_hash": f"{2 * k + 1:064x}"}
        yield fact(2 * k + 1)


def many_updates(n: int) -> Run:
    return formatting(updates(n))


def many_updates_counted(n: int) -> Run:
    return formatting(updates(n), 1_000)


def many_old_values(n: int) -> Run:
    rows = [{**fact(k), "superseded_by_hash": f"{n:064x}"} for k in range(n)]
    return formatting([*rows, fact(n)])


def long_chain(n: int) -> Run:
    rows = [{**fact(k), "superseded_by_hash": f"{k + 1:064x}"} for k in range(n)]
    return formatting([*rows, fact(n)])


def many_hits(format: OutputFormat, budget: int | None, n: int) -> Run:
    return formatting(map(fact, range(n)), budget, format=format, numbered=format != "json")


def many_hits_fit(n: int) -> Run:
    return formatting(map(fact, range(n)), 10 * n)


def one_by_one(n: int) -> Run:
    hits, assembler = load_hits(map(fact, range(n))), ContextAssembler(counter=quarter)
    return lambda: assembler.format_each(hits, FormatPolicy.gpt4(token_budget=5 * n))


def workflow(n: int) -> Run:
    edges = [{"src": f"a{k}", "dst": f"b{k}"} for k in range(n)]
    bindings = {f"a{k}": f"{k:064x}" for k in range(n)}
    fields = {"nodes": [f"a{k}" for k in range(n)], "edges": edges, "bindings": bindings}
    return formatting([{"grain_type": "workflow", "fields": fields}], format="sml")


def content_blocks(n: int) -> Run:
    blocks = [{"type": "text", "text": f"block {k}"} for k in range(n)]
    return formatting([{"grain_type": "event", "fields": {"content_blocks": blocks}}], format="sml")


# --- what comes out, and answers ----------------------------------------------------------------


def looked_at(n: int) -> Run:
    hits = itertools.chain(updates(n), passages([prose(1, k) for k in range(n)]))
    made = formatting(hits, 1_000)()
    return lambda: (made.report(), made.to_html(), made.model_dump_json())


def compared(n: int) -> Run:
    made = [formatting(map(fact, range(n)), budget)() for budget in (n, 2 * n, 4 * n)]
    return lambda: (str(compare(made)), compare(made).to_html())


def answered(text: str) -> Run:
    request = DecisionRequest("x", {"q": Noul("is it?")})

    def read() -> None:
        try:
            parse_answer(text, request)
        except MalformedAnswerError:
            return

    return read


def cited(text: str) -> Run:
    return lambda: cited_numbers(text)


ROWS: dict[str, tuple[int, Callable[[int], Run]]] = {
    "field names that clean to one": (1_000, names_that_clean_to_one),
    "field names that are no text": (1_000, names_that_are_no_text),
    "fields of one hit": (5_000, many_fields),
    "fields of one hit that are not shown, nothing fits": (2_000, fields_not_shown),
    "hits of 60 levels, each with something to clean": (50, deep_nesting),
    "sentences of one passage, packed": (2_000, one_long_passage),
    "sentences of one passage, cut": (2_000, long_passage_cut),
    "words of one sentence, packed": (5_000, one_sentence),
    "one character, repeated": (5_000, one_character),
    "one character, repeated, packed": (5_000, one_character_packed),
    "one character a line, packed": (2_000, one_character_in_lines),
    "sentences of two neighbours, packed": (2_000, neighbours),
    "sentences of two neighbours that begin alike, packed": (500, neighbours_alike),
    "neighbours that overlap, packed": (250, neighbours_many),
    "a long query and as many hits": (250, long_query),
    "a long query and as many hits, packed": (250, lambda n: long_query(n, counted=True)),
    "passages that begin alike, packed": (500, equal_beginnings),
    "duplicates": (1_000, duplicates),
    "characters of ids": (20_000, long_ids),
    "one long type among many hits, reported": (500, one_long_type),
    "types with a section and a place each": (1_000, many_types),
    "entities that are named, counted": (500, many_entities),
    "entities with a section each, all fit": (500, many_entities_fit),
    "hits of other sessions, counted": (500, many_sessions),
    "hits of a timeline, counted": (500, many_dates),
    "knowledge updates": (500, many_updates),
    "knowledge updates, counted": (500, many_updates_counted),
    "old values of one new value": (1_000, many_old_values),
    "values of one chain": (1_000, long_chain),
    "hits that fit, counted": (1_000, many_hits_fit),
    "hits one by one, counted": (500, one_by_one),
    **{
        f"hits in {name}{'' if budget is None else ', counted'}": (
            500,
            lambda n, name=name, budget=budget: many_hits(name, budget, n),
        )
        for name in OutputFormat
        for budget in (None, 500)
    },
    "nodes, edges and bindings of a workflow": (5_000, workflow),
    "content blocks of one event": (5_000, content_blocks),
    "hits in a report, a page and a dump": (250, looked_at),
    "hits in a comparison": (250, compared),
    "braces in an answer": (20_000, lambda n: answered("{" * n)),
    "objects in an answer that are never closed": (10_000, lambda n: answered('{"a":' * n)),
    "beginnings of objects in an answer": (10_000, lambda n: answered('{"' * n)),
    "words in braces before an answer": (10_000, lambda n: answered("{so} " * n + '{"q": 1}')),
    "ranges in a citation": (5_000, lambda n: cited("[" + ",".join(["1-1000"] * n) + "]")),
    "ranges that overlap in a citation": (
        5_000,
        lambda n: cited("[" + ",".join(f"{k % 900}-{k % 900 + 99}" for k in range(n)) + "]"),
    ),
    "numbers in a citation that is never closed": (20_000, lambda n: cited("[" + "1, " * n)),
    "brackets in an answer": (50_000, lambda n: cited("[ " * n)),
}
"""What grows, how much of it there is at 1x, and what is timed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only rows in which it stands")
    options = parser.parse_args()
    print("| what grows | 1x | 1x, ms | 2x, ms | 4x, ms | 4x : 1x |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, (size, make) in ROWS.items():
        if options.names and not any(part in name for part in options.names):
            continue
        times = [1000 * best(options.rounds, make(size * times)) for times in (1, 2, 4)]
        cells = " | ".join(f"{each:.1f}" for each in times)
        print(f"| {name} | {size:,} | {cells} | {times[2] / times[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
