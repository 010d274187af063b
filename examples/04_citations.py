"""Citations: every entry has a number, and the numbers of an answer lead back to their sources.

`numbered=True` gives the entries their numbers, `cited_numbers` reads them out of what the model
answered, and `ctx.sources` says what each stands for. A number that no entry has, which a model
may well make up, stands out. Install: `pip install areev-context`.
"""

import json
from pathlib import Path

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, cited_numbers
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

    print(f"{ctx.text}\n\n{QUESTION}\n{ANSWER}\n")
    sources = {source.number: source for source in ctx.sources}
    cited = cited_numbers(ANSWER)
    for number in cited:
        source = sources.get(number)
        description = f"{source.title} (help/{source.id})" if source else "is no source: made up"
        print(f"[{number}] {description}")
    unused = [source.title for source in ctx.sources if source.number not in cited]
    print(f"shown, but not cited: {', '.join(unused)}")


if __name__ == "__main__":
    main()
