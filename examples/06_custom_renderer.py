"""A renderer of your own: what a type of grain says, in one line, in every format.

The shop's memory holds tickets, a type the library does not know: it would list their fields. A
subclass of `SharedRenderer` says them as the desk does, keeps the internal note to itself, and lets
a budget take the urgent ones first. `escape` makes a customer's words safe in any format.
Install: `pip install areev-context`.
"""

from areev_context import ContextAssembler, FormatPolicy, Grain, SearchHit, SharedRenderer, escape
from areev_context.extend import OutputFormat

ROWS = [
    {"grain_type": "ticket", "fields": {"number": number, "state": state, "text": text, **more}}
    for number, state, text, more in (
        (4471, "open", "Bookshelf arrived with a dent.", {"note": "second one this month"}),
        (4480, "urgent", "The lamp hums & gets hot <really hot>!", {}),
        (4390, "closed", "Invoice without VAT number.", {"note": "asked twice"}),
    )
]


class Ticket(SharedRenderer):
    """Says a ticket: its number, its state and the customer's words."""

    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        names = ("number", "state", "text")
        number, state, text = (escape(str(grain.fields[n]), policy.format) for n in names)
        if policy.format is OutputFormat.SML:
            return f"<ticket>#{number} ({state}): {text}</ticket>"
        if policy.format is OutputFormat.MARKDOWN:
            return f"- #{number} ({state}): {text}"
        return f"#{number} ({state}): {text}"

    def context_priority(self, grain: Grain, hit: SearchHit) -> float:
        """Return 0..1: what a budget is spent on first."""
        return {"urgent": 1.0, "open": 0.7}.get(grain.fields["state"], 0.2)


def main() -> None:
    assembler = ContextAssembler(renderers=[Ticket("ticket")])
    for policy in (FormatPolicy.claude(), FormatPolicy.gpt4(), FormatPolicy.local_small()):
        ctx = assembler.format(ROWS, policy)
        print(f"{policy.format}:\n{ctx.text}\n")
    tight = assembler.format(ROWS, FormatPolicy.gpt4(token_budget=25))
    print(f"within 25 tokens:\n{tight.text}\n\n{tight.report()}")


if __name__ == "__main__":
    main()
