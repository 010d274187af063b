"""A batch: a file of tickets in, a file of contexts out, with a progress bar.

One JSON object a line in, one out, in the same order: results on standard output, the bar and what
went wrong on standard error, so that `python examples/09_batch_jsonl.py tickets.jsonl > out.jsonl`
does what it says. A line that cannot be read is told of and costs nothing but itself.
Install: `pip install areev-context tqdm`.
"""

import json
import sys
from pathlib import Path
from typing import Any

from areev_context import AreevContextError, ContextAssembler, FormatPolicy, load_hits
from areev_context.tokens import estimate_tokens

try:
    from tqdm import tqdm
except ModuleNotFoundError:
    sys.exit("tqdm is not installed: pip install tqdm")

TICKETS = Path(__file__).parent / "data" / "tickets.jsonl"
ASSEMBLER, POLICY = ContextAssembler(counter=estimate_tokens), FormatPolicy.gpt4(token_budget=80)


def packed(ticket: dict[str, Any]) -> dict[str, Any]:
    """Return what stands in the output for one line of the input."""
    ctx = ASSEMBLER.format(load_hits(ticket["hits"]), POLICY, query=ticket["question"])
    counts = {"shown": ctx.included_count, "omitted": ctx.omitted_count, "tokens": ctx.tokens}
    return {"ticket": ticket["ticket"], **counts, "context": ctx.text}


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else TICKETS
    lines = source.read_text(encoding="utf-8").splitlines()
    failed = 0
    for number, line in enumerate(tqdm(lines, desc="packing", unit="ticket"), start=1):
        try:
            print(json.dumps(packed(json.loads(line)), ensure_ascii=False))
        except (AreevContextError, LookupError, TypeError, ValueError) as error:
            failed += 1
            tqdm.write(f"line {number}: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"{len(lines) - failed} of {len(lines)} tickets packed", file=sys.stderr)


if __name__ == "__main__":
    main()
