"""A budget from the model's window: what it leaves once the answer and the prompt have their room.

`budget_for` takes the answer and the rest of the prompt off the window; with a counter the context
never costs more than what is left, so that the whole prompt fits, for a small model as for a large
one. Tokens are estimated here; `counter_from(tokenizer)` or `tiktoken_counter("o200k_base")` counts
them. For a LangChain model, `policy_for(llm)` chooses a preset and a share of its window.
Install: `pip install areev-context`.
"""

from pathlib import Path

from areev_context import ContextAssembler, FormatPolicy, load_hits
from areev_context.tokens import budget_for, estimate_tokens

RECALL = (Path(__file__).parent / "cal-everything.json").read_text(encoding="utf-8")
QUESTION = "Will order 4471 be in Basel before 5 December?"
PROMPT = "You work at the desk of a furniture shop. Answer from this alone:\n\n{}\n\n{}"
ANSWER = 100  # tokens kept for the answer
WINDOWS = {"tiny": 256, "small": 512, "medium": 1024, "large": 8192}


def main() -> None:
    count = estimate_tokens
    hits = load_hits(RECALL)
    assembler = ContextAssembler(counter=count)
    texts: dict[str, str] = {}
    prompt = count(PROMPT.format("", QUESTION))
    print(f"{'model':8}{'window':>8}{'budget':>8}{'context':>9}{'shown':>10}{'all in all':>12}")
    for model, window in WINDOWS.items():
        budget = budget_for(window, reserve_output=ANSWER, reserve_prompt=prompt)
        policy = FormatPolicy.local_small(token_budget=budget)
        ctx = assembler.format(hits, policy, query=QUESTION)
        total = count(PROMPT.format(ctx.text, QUESTION)) + ANSWER
        shown = f"{ctx.included_count} of {len(hits)}"
        print(f"{model:8}{window:8}{budget:8}{ctx.tokens:9}{shown:>10}{total:12}")
        texts[model] = ctx.text
    print(f"\nWhat the tiny model reads:\n{texts['tiny']}")


if __name__ == "__main__":
    main()
