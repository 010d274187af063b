"""A decider: a scoring function says which hits answer the question, whatever words they use.

The search put the article on invoices first. The decider knows better: its relevance takes the
place
of the search's score, and as it is calibrated, what it calls off-topic is left out. Here synonyms
stand in for a cross-encoder; a program, the engine or a model can be a decider too.
Install: `pip install areev-context`.
"""

import json
import re
from pathlib import Path

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper
from areev_context.decide import ScoreDecider

ARTICLES = json.loads((Path(__file__).parent / "data" / "help.json").read_text(encoding="utf-8"))
FOUND = ("invoices", "plus", "warranty", "refund-late", "returns")  # in the order of the search
QUESTION = "I want my money back for the order. How, and when?"
MEANS = {"money": {"refund", "money"}, "back": {"return", "back"}}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def score(query: str, texts: list[str]) -> list[float]:
    """Return the share of what the query means that each text speaks of, 0..1."""
    meant = [also for word, also in MEANS.items() if word in words(query)]
    return [sum(bool(also & words(text)) for also in meant) / len(meant) for text in texts]


def main() -> None:
    by_id = {each["id"]: each for each in ARTICLES}
    found = [Passage(by_id[name]["text"], by_id[name], id=name) for name in FOUND]
    hits = PassageMapper(shown=("title",)).hits(found)
    policy = FormatPolicy.gpt4(token_budget=200)

    without = ContextAssembler().format(hits, policy, query=QUESTION)
    decider = ScoreDecider(score, calibrated=True, name="synonyms")
    decided = ContextAssembler(decider=decider).format(hits, policy, query=QUESTION)
    print(f"Without a decider:\n{without.text}\n\nWith one:\n{decided.text}\n\n{decided.report()}")
    if decided.decision is not None:  # None where the decider failed or was late: nothing changes
        print(f"calibrated: {decided.decision.calibrated}")


if __name__ == "__main__":
    main()
