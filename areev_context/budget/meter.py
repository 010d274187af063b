"""Count the tokens of a draft: of its pieces, headings and whole pages, each counted once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from areev_context.budget.draft import Draft
from areev_context.layout.outline import Entry, Outline, Update
from areev_context.selection.item import Allocation
from areev_context.tokens import Counter

__all__ = ["UPDATES", "TokenMeter"]

UPDATES = "knowledge_updates"
"""The section of every knowledge update."""


class TokenMeter:
    """Counts the tokens of one draft; it makes no plan and no order.

    A slot is a hit of the body or an update. Slots are numbered: the hits of the body in their
    order, then the updates.

    Args:
        draft: The draft.
        count: The application's counter of tokens.
        entity_line: Whether pages show the line of entities, where the mode has one.
    """

    def __init__(self, draft: Draft, count: Counter, *, entity_line: bool = True) -> None:
        self.draft = draft
        self.count = count
        self._entity_line = entity_line
        self._size = len(draft.selection.body)
        self._shortened: Mapping[int, Callable[[int], Entry]] = {}
        self._entries: dict[tuple[int, Allocation], Entry] = {}
        self._pieces: dict[tuple[int, Allocation], int] = {}
        self._headings: dict[Hashable, int] = {}
        self._sections: dict[int, Hashable] = {}
        self._tokens: dict[str, int] = {}
        self._wholes: dict[tuple[Allocation, ...], int] = {}

    def showing(self, shortened: Mapping[int, Callable[[int], Entry]]) -> TokenMeter:
        """Return a meter of the same draft in which some hits have another summary.

        Args:
            shortened: Slot -> a function that makes the entry of its summary.
        """
        other = TokenMeter(self.draft, self.count, entity_line=self._entity_line)
        other._shortened = {**self._shortened, **shortened}
        summary = Allocation.SUMMARY
        other._entries = {
            key: entry
            for key, entry in self._entries.items()
            if key[1] is not summary or key[0] not in shortened
        }
        other._pieces = {
            key: n
            for key, n in self._pieces.items()
            if key[1] is not summary or key[0] not in shortened
        }
        other._headings, other._sections = self._headings, self._sections
        other._tokens = self._tokens
        return other

    def section(self, slot: int) -> Hashable:
        """Return a key of a slot's section: the headings around it, and the head it shares."""
        if slot >= self._size:
            return UPDATES
        if slot not in self._sections:
            alone = self.draft.alone(Entry(self.draft.selection.body[slot], Allocation.FULL, None))
            pieces = self.draft.format.pieces(alone)
            headings = tuple(text for node, text in pieces if node is None)
            self._sections[slot] = (*headings, self.draft.selection.body[slot].talk)
        return self._sections[slot]

    def entry(self, slot: int, form: Allocation) -> Entry:
        """Return the entry of a hit of the body, full or summary."""
        key = (slot, form)
        if key not in self._entries:
            if form is Allocation.SUMMARY and slot in self._shortened:
                self._entries[key] = self._shortened[slot](slot)
            else:
                self._entries[key] = self.draft.entry(self.draft.selection.body[slot], form)
        return self._entries[key]

    def text(self, slot: int, form: Allocation) -> str:
        """Return the entry's text without its number, mark or ordinal."""
        return self.draft.text_of(self.entry(slot, form))

    def outline(self, forms: Sequence[Allocation]) -> Outline:
        """Return the page that shows each slot in its form."""
        shown = [slot for slot, form in enumerate(forms) if form is not Allocation.OMIT]
        return self.draft.outline(
            [self.entry(slot, forms[slot]) for slot in shown if slot < self._size],
            [self.draft.updates[slot - self._size] for slot in shown if slot >= self._size],
            entity_line=self._entity_line,
        )

    def tokens(self, text: str) -> int:
        """Return the tokens of a text."""
        if text not in self._tokens:
            self._tokens[text] = self.count(text)
        return self._tokens[text]

    def piece(self, slot: int, form: Allocation) -> int:
        """Return the tokens of a slot's text in a form, without headings."""
        key = (slot, form)
        if key not in self._pieces:
            if slot < self._size:
                self._pieces[key] = self.tokens(self.text(slot, form))
            else:
                self._pieces[key] = max(1, self._alone(slot) - self.heading(slot))
        return self._pieces[key]

    def heading(self, slot: int) -> int:
        """Return the tokens of the headings around a slot."""
        section = self.section(slot)
        if section not in self._headings:
            if slot < self._size:
                cost = self._alone(slot) - self.piece(slot, Allocation.FULL)
            else:
                cost = self._written(self.draft.alone(_NO_UPDATE))
            self._headings[section] = max(0, cost)
        return self._headings[section]

    def headings(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of all headings on the page that shows each slot in its form."""
        pieces = self.draft.format.pieces(self.outline(forms))
        return sum(self.tokens(text) for node, text in pieces if node is None and text.strip())

    def whole(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of the page that shows each slot in its form; 0 if nothing is shown."""
        if all(form is Allocation.OMIT for form in forms):
            return 0
        key = tuple(forms)
        if key not in self._wholes:
            self._wholes[key] = self.count(self.draft.format.write(self.outline(key)))
        return self._wholes[key]

    def _alone(self, slot: int) -> int:
        at = slot - self._size
        node = self.entry(slot, Allocation.FULL) if at < 0 else self.draft.updates[at]
        return self._written(self.draft.alone(node))

    def _written(self, outline: Outline) -> int:
        return self.tokens(self.draft.format.write(outline))


_NO_UPDATE = Update(-1, -1, "", None, "", "", "")
