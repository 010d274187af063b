"""Comparing policies: the same hits under several, side by side.

Which preset, and how many tokens? `compare` shows for every hit what became of it under each
policy, and what each costs; with the name of a file it writes the same as a page with a bar for
each: `python examples/10_compare_policies.py page.html`. Install: `pip install areev-context`.
"""

import sys
from pathlib import Path

from areev_context import ContextAssembler, FormatPolicy, compare, load_hits
from areev_context.tokens import estimate_tokens

RECALL = (Path(__file__).parent / "search-order.json").read_text(encoding="utf-8")
QUESTION = "Where is order 4471 now?"
POLICIES = {
    "claude 250": FormatPolicy.claude(token_budget=250),
    "gpt4 250": FormatPolicy.gpt4(token_budget=250),
    "gpt4 120": FormatPolicy.gpt4(token_budget=120),
    "local 120": FormatPolicy.local_small(token_budget=120),
}


def main() -> None:
    hits = load_hits(RECALL)
    assembler = ContextAssembler(counter=estimate_tokens)
    contexts = [assembler.format(hits, each, query=QUESTION) for each in POLICIES.values()]
    compared = compare(contexts, names=list(POLICIES))
    print(compared)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(compared.to_html(), encoding="utf-8")


if __name__ == "__main__":
    main()
