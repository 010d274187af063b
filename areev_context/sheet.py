"""The counts of one draft: what pieces, headings and whole texts cost, each counted once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from areev_context.answers import PassagePacking, splits
from areev_context.core.budget import Allocation
from areev_context.core.counter import Counter
from areev_context.core.outline import Entry, Node, Outline, Section, SectionKind, Update
from areev_context.core.plan import REASONS, Decision, Plan
from areev_context.core.policy import Allocator
from areev_context.core.screen import Reason
from areev_context.core.select import allocations, floor
from areev_context.core.settle import Unit, fill, settle
from areev_context.draft import Draft

__all__ = ["Sheet"]

_Title = tuple[Hashable, ...]


class Sheet:
    """The counts of one draft, each taken once: it answers what `settle` asks."""

    def __init__(self, draft: Draft, count: Counter, *, roster: bool) -> None:
        self.draft = draft
        self.count = count
        self.roster = roster
        self.body = draft.selection.body
        self.tabled = draft.written.tables and draft.mode.name != "timeline"
        self._entries: dict[tuple[int, Allocation], Entry] = {}
        self._pieces: dict[tuple[int, Allocation], int] = {}
        self._headings: dict[Hashable, int] = {}
        self._framed: dict[Hashable, int] = {}
        self._wholes: dict[tuple[Allocation, ...], int] = {}
        shortens = draft.shortens
        self.units = [Unit(self._section(n), shortens) for n in range(len(self.body))]
        self.units += [Unit(SectionKind.UPDATES, False)] * len(draft.updates)
        self.floor: frozenset[int] = frozenset()
        self.trimmed: frozenset[int] = frozenset()
        self.order: list[int] = list(range(len(self.units)))
        self.wish: list[Allocation] = []
        self._packing: PassagePacking | None = None
        self._texts: frozenset[int] = frozenset()

    def plan_within(self, budget: int) -> tuple[Allocation, ...]:
        """Return a plan that keeps the budget, from the rule that the policy allows."""
        weighed = [
            candidate._replace(tokens=max(1, self.piece(unit, Allocation.FULL)))
            for unit, candidate in enumerate(self.body)
        ]
        self.floor = floor(weighed, self.draft.policy, self.draft.mode.pools)
        if self._answers_apply() and self._take_answers(budget):
            return self._filled(budget)
        pools, shortens = self.draft.mode.pools, self.draft.shortens
        forms = allocations(weighed, self.draft.policy, pools, summaries=shortens)
        self.wish = [*forms, *[Allocation.FULL] * len(self.draft.updates)]
        self.order = self._order()
        return settle(self.units, self.order, self.wish, budget, self)

    def _answers_apply(self) -> bool:
        draft = self.draft
        return (
            draft.policy.allocation is Allocator.AUTO
            and draft.written.summary is not None
            and any(splits(candidate, draft.voice.renderers) for candidate in self.body)
        )

    def _take_answers(self, budget: int) -> bool:
        """Start from the rule for passages and turns, where it finds a plan."""
        hosted, updates = self.draft.voice.renderers, [Allocation.FULL] * len(self.draft.updates)
        texts = frozenset(n for n, c in enumerate(self.body) if splits(c, hosted))

        def count(forms: Sequence[Allocation], parts: Mapping[int, Entry]) -> int:
            for unit, entry in parts.items():
                self._entries[unit, Allocation.SUMMARY] = entry
            shown = [*forms, *updates]
            return self.count(self.draft.written.write(self.outline(shown)))

        wholes = [
            (self.piece(n, Allocation.FULL), self.draft.text_of(self.entry(n, Allocation.FULL)))
            for n in range(len(self.body))
        ]
        packing = PassagePacking(self.draft, wholes, self.floor - texts, budget)
        answer = packing.answer(count)
        for unit in texts:
            self._entries.pop((unit, Allocation.SUMMARY), None)
        self._packing, self._texts = packing, texts
        if answer is None:
            return False
        self._entries |= {(n, Allocation.SUMMARY): entry for n, entry in answer.parts.items()}
        self.units = [
            unit._replace(least=packing.least[n]) if n in texts else unit
            for n, unit in enumerate(self.units)
        ]
        self.floor -= texts
        self.wish = [*answer.forms, *updates]
        self.order = [*range(len(self.body), len(self.units)), *packing.order]
        self.trimmed = answer.trimmed
        self._wholes[tuple(self.wish)] = answer.tokens
        return True

    def _filled(self, budget: int) -> tuple[Allocation, ...]:
        """Return the wish with the room it leaves used, for whole entries before summaries."""
        wholes = [
            unit if form is Allocation.SUMMARY else unit._replace(shortens=False)
            for unit, form in zip(self.units, self.wish, strict=True)
        ]
        plan, room = tuple(self.wish), budget - self.whole(self.wish)
        longer = [unit for unit in self.order if self._grows_within(unit, plan[unit], room)]
        if longer:  # no other can grow, whatever it costs to join
            plan = fill(wholes, longer, plan, budget, self)
            room = budget - self.whole(plan)
        shorter = [
            unit
            for unit in self.order
            if plan[unit] is Allocation.OMIT
            and self.units[unit].shortens
            and self.units[unit].least <= room
        ]
        return fill(self.units, shorter, plan, budget, self) if shorter else plan

    def _grows_within(self, unit: int, form: Allocation, room: int) -> bool:
        """Return whether a unit that is not shown whole adds no more than so many tokens so."""
        if form is Allocation.FULL:
            return False
        now = 0 if form is Allocation.OMIT else self.piece(unit, form)
        return self.piece(unit, Allocation.FULL) - now <= room

    def _order(self) -> list[int]:
        """Return the units, first what is to stay longest: the floor per type, then priority."""
        ranks = [
            (unit not in self.floor, -round(candidate.priority, 6))
            for unit, candidate in enumerate(self.body)
        ]
        for pair in self.draft.selection.pairs:
            best = max(self.draft.voice.measure(kept)[0] for kept in (pair.old, pair.new))
            ranks.append((True, -round(best, 6)))
        return sorted(range(len(ranks)), key=ranks.__getitem__)

    def _section(self, unit: int) -> Hashable:
        """Return what tells the section of a hit from others: the titles above it."""
        candidate = self.body[unit]
        alone = self.draft.alone(Entry(candidate, Allocation.FULL, None))
        return tuple(title for title, _ in self._frames(alone.nodes))

    def entry(self, unit: int, form: Allocation) -> Entry:
        """Return a hit of the body in a form, its text said once."""
        key = (unit, form)
        if key not in self._entries:
            if form is Allocation.SUMMARY and self._packing is not None and unit in self._texts:
                self._entries[key] = self._packing.summary(unit)
            else:
                self._entries[key] = self.draft.entry(self.body[unit], form)
        return self._entries[key]

    def outline(self, forms: Sequence[Allocation]) -> Outline:
        """Return the page of a plan."""
        shown = [unit for unit, form in enumerate(forms) if form is not Allocation.OMIT]
        size = len(self.body)
        return self.draft.outline(
            [self.entry(unit, forms[unit]) for unit in shown if unit < size],
            [self.draft.updates[unit - size] for unit in shown if unit >= size],
            roster=self.roster,
        )

    def whole(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of a plan's whole text; a page that shows nothing is free."""
        if all(form is Allocation.OMIT for form in forms):
            return 0
        plan = tuple(forms)
        if plan not in self._wholes:
            self._wholes[plan] = self.count(self.draft.written.write(self.outline(plan)))
        return self._wholes[plan]

    def piece(self, unit: int, form: Allocation) -> int:
        """Return the tokens of a unit's own text."""
        key = (unit, form)
        if key not in self._pieces:
            if unit < len(self.body):
                self._pieces[key] = self.tokens_of(self.entry(unit, form))
            else:
                self._pieces[key] = max(1, self._alone(unit) - self.heading(unit))
        return self._pieces[key]

    def tokens_of(self, entry: Entry) -> int:
        """Return the tokens of an entry's own text."""
        return self.count(self.draft.text_of(entry))

    def heading(self, unit: int) -> int:
        """Return the tokens of what stands about the units of a section."""
        section = self.units[unit].section
        if section not in self._headings:
            if unit < len(self.body):
                cost = self._alone(unit) - self.piece(unit, Allocation.FULL)
            else:
                cost = self.count(self.draft.written.write(self.draft.alone(_NO_UPDATE)))
            self._headings[section] = max(0, cost)
        return self._headings[section]

    def headings(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of all headings on the page of a plan."""
        frames = dict(self._frames(self.outline(forms).nodes))
        return sum(self._frame(title[-1], node) for title, node in frames.items())

    def _frames(self, nodes: Iterable[Node], above: _Title = ()) -> Iterator[tuple[_Title, Node]]:
        """Yield what puts a heading above entries, with its title and those above that.

        It is a section; in a format of tables it is an entry, as the first row of its type.
        """
        for node in nodes:
            if isinstance(node, Section):
                title = (*above, (node.kind, node.name))
                if not self.tabled:
                    yield title, node
                yield from self._frames(node.nodes, title)
            elif isinstance(node, Entry) and self.tabled:
                yield (*above, node.candidate.kept.grain.grain_type), node

    def _frame(self, name: Hashable, node: Node) -> int:
        """Return the tokens of an empty section, or of what a table has beside a row."""
        if name not in self._framed:
            empty = replace(node, nodes=()) if isinstance(node, Section) else node
            own = self.tokens_of(node) if isinstance(node, Entry) else self._written(())
            self._framed[name] = max(0, self._written((empty,)) - own)
        return self._framed[name]

    def _written(self, nodes: tuple[Node, ...]) -> int:
        return self.count(self.draft.written.write(Outline(nodes, self.draft.policy.group_by_type)))

    def _alone(self, unit: int) -> int:
        at = unit - len(self.body)
        node = self.entry(unit, Allocation.FULL) if at < 0 else self.draft.updates[at]
        return self.count(self.draft.written.write(self.draft.alone(node)))

    def plan(self, forms: Sequence[Allocation]) -> Plan:
        """Return the plan of these forms with the counts of its pieces."""
        body = [self._decision(unit, forms[unit]) for unit in range(len(self.body))]
        return Plan(tuple(body), tuple(f is not Allocation.OMIT for f in forms[len(body) :]))

    def _decision(self, unit: int, form: Allocation) -> Decision:
        whole = self.piece(unit, Allocation.FULL)
        if form is Allocation.OMIT:
            floored = unit in self.floor
            return Decision(form, Reason.FLOOR_UNAFFORDABLE if floored else REASONS[form], whole, 0)
        cut = form is Allocation.SUMMARY and unit in self.trimmed
        return Decision(
            form, Reason.TRIMMED if cut else REASONS[form], whole, self.piece(unit, form)
        )


_NO_UPDATE = Update(-1, -1, "", None, "", "", "")
