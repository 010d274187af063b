"""TOON for an agent's tool: the rows a tool returns, as tables that cost fewer tokens than JSON.

The model asks for `lookup_customer`; the tool answers with what the memory has on record, one table
for each type of grain. The budget is a ceiling here, whole rows only, and retracted rows are
withheld. The model's request is a stand-in; the loop is the same with any provider's tool calls.
Install: `pip install areev-context`.
"""

import json
from pathlib import Path
from typing import Any

from areev_context import ContextAssembler, FormatPolicy, load_hits
from areev_context.extend import OutputFormat
from areev_context.tokens import estimate_tokens

RECALL = (Path(__file__).parent / "cal-everything.json").read_text(encoding="utf-8")
CALLS = [  # what the model sends
    {"name": "lookup_customer", "arguments": '{"topic": "fact", "at_most": 230}'},
    {"name": "lookup_customer", "arguments": '{"topic": "tool", "at_most": 230}'},
]
ASSEMBLER = ContextAssembler(counter=estimate_tokens)


def lookup_customer(topic: str, at_most: int, format: OutputFormat = OutputFormat.TOON) -> str:
    """Return what is on record of a topic: fact, event, goal or tool."""
    rows = [hit for hit in load_hits(RECALL) if hit.grain_type == topic]
    return ASSEMBLER.format(rows, FormatPolicy(format=format, token_budget=at_most)).text


TOOLS = {"lookup_customer": lookup_customer}


def answer(call: dict[str, Any]) -> str:
    """Return the content of the message that goes back to the model."""
    return TOOLS[call["name"]](**json.loads(call["arguments"]))


def main() -> None:
    for call in CALLS:
        print(f"{call['name']}({call['arguments']})\n{answer(call)}\n")
    print("The facts in each format, in tokens:")
    for format in OutputFormat:
        print(f"{format:12}{estimate_tokens(lookup_customer('fact', 10_000, format)):5}")


if __name__ == "__main__":
    main()
