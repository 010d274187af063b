"""Citations: every entry has a number, and the numbers of an answer lead back to their sources.

`numbered=True` gives the entries their numbers, `citation_instructions` says how to cite, and
`ctx.cited` finds the sources of an answer. A number that no entry has, which a model may well make
up, stands out. Install: `pip install areev-context`.
"""

import json
from pathlib import Path

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    citation_instructions,
)
from areev_context.tokens import estimate_tokens

ARTICLES = json.loads((Path(__file__).parent / "data" / "help.json").read_text(encoding="utf-8"))
QUESTION = "My lamp came with a broken foot and the wrong plug. What now?"
ANSWER = (
    "Send us two pictures within seven days and we replace the part [1]. The plug is no trouble: "
    "we send the right cable [2]. Both are free of charge [1, 4]."
)


def main() -> None:
    passages = [Passage(each.pop("text"), each, id=each["id"]) for each in ARTICLES]
    wanted = [p for p in passages if p.id in {"damaged", "plugs", "warranty"}]  # a retriever's work
    policy = FormatPolicy.gpt4(token_budget=230, numbered=True)
    assembler = ContextAssembler(counter=estimate_tokens)
    ctx = assembler.format(PassageMapper().hits(wanted), policy, query=QUESTION)

    print(f"{ctx.text}\n\n{citation_instructions(policy)}\n\n{QUESTION}\n{ANSWER}\n")
    cited, unknown = ctx.cited(ANSWER)
    for source in cited:
        print(f"[{source.number}] {source.title} (help/{source.id})")
    for number in unknown:
        print(f"[{number}] is no source: made up")
    unused = [source.title for source in ctx.sources if source not in cited]
    print(f"shown, but not cited: {', '.join(unused)}")


if __name__ == "__main__":
    main()
