"""A chat that remembers: the engine keeps what was said and learnt, the context is what fits.

Each turn recalls what is known of the customer and the last turns of the conversation, packs both
for the model, and writes the new turn back. The move supersedes the old address: the next context
tells of the change in one line, and a question about the present no longer meets the old one.
Install: `pip install 'areev-context[engine]'`.
"""

import json
import tempfile
from pathlib import Path

import areev

from areev_context import ContextAssembler, FormatPolicy, load_hits

CUSTOMER, SESSION = "Ada Rossi", "chat-1"
CHAT = [  # what she writes, and what the model answers: it has learnt its lines
    ("I moved. Please send order 4471 to 3 Mill Lane, Basel.", "Done, the carrier redirects it."),
    ("Did the move reach you?", "Yes, it did."),
    ("What is my current address?", "3 Mill Lane, Basel."),
]
ASSEMBLER, POLICY = ContextAssembler(), FormatPolicy.claude(token_budget=400)


def dated(minute: int, **fields: str) -> str:
    """Return the fields of a grain as the engine takes them."""
    return json.dumps({**fields, "created_at": 1_770_000_000_000 + 60_000 * minute})


def recall(memory: areev.Areev, message: str) -> str:
    """Return what the model gets to read before it answers."""
    about = f'RECALL * WHERE subject = "{CUSTOMER}" LIMIT 50 WITH superseded'
    hits = load_hits(memory.cal(about)) + load_hits(memory.thread_tail(SESSION, 6))
    return ASSEMBLER.format(hits, POLICY, query=message).text


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        memory = areev.Areev(str(Path(folder) / "desk.db"), ns="desk")
        known = {"subject": CUSTOMER, "relation": "ships to"}
        old = memory.add("fact", dated(0, **known, object="Via Po 12, Turin"))
        memory.add("fact", dated(0, subject=CUSTOMER, relation="prefers", object="e-mail"))
        for minute, (message, answer) in enumerate(CHAT, start=1):
            print(f"user: {message}\n{recall(memory, message)}\nassistant: {answer}\n")
            for role, text in (("user", message), ("assistant", answer)):
                turn = dated(minute, role=role, content=text, session_id=SESSION)
                memory.add("event", turn)
            if "I moved" in message:  # in a real chat, a tool that the model calls
                memory.supersede(old, "fact", dated(minute, **known, object="3 Mill Lane, Basel"))
        del memory  # closes the file


if __name__ == "__main__":
    main()
