"""A result as HTML: a whole page, or a fragment whose styles do not affect the page around it.

A page loads nothing. It runs no script but one of the package, where it is given one. Every text of
a hit is escaped by `line`.
"""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import blake2b, sha256
from importlib.resources import files

from areev_context.inspect.view import Share, ShareKind, Span, View
from areev_context.outcome import HitOutcome
from areev_context.selection.screening import Reason
from areev_context.text.clean import clean

__all__ = ["bar", "colours_of", "fragment", "legend", "line", "page", "picture", "tone", "what"]

_COLOURS = 12

_TONES = {
    Reason.FULL: "shown",
    Reason.UPDATE: "shown",
    Reason.SUMMARY: "short",
    Reason.CUT: "short",
    Reason.TRIMMED: "short",
    Reason.WITHHELD: "hidden",
    Reason.EXCLUDED_TYPE: "hidden",
}

_LOADS = "default-src 'none'; style-src 'unsafe-inline'"

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{loads}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; }}
{style}</style>
</head>
<body>
<main class="areev-context page">
{body}
</main>
{script}</body>
</html>
"""


@cache
def _style() -> str:
    return files("areev_context.inspect").joinpath("page.css").read_text(encoding="utf-8")


def line(text: str) -> str:
    """Escape a text for an element or for a quoted attribute."""
    return html.escape(clean(text)[0])


def page(title: str, body: str, *, style: str = "", script: str = "") -> str:
    """Return a whole page.

    Args:
        title: Plain text.
        body: HTML.
        style: More CSS.
        script: JavaScript of the package; the page allows it by its hash, and no other script.
    """
    loads = _LOADS
    if script:
        digest = b64encode(sha256(script.encode()).digest()).decode()
        loads, script = f"{loads}; script-src 'sha256-{digest}'", f"<script>{script}</script>\n"
    return _PAGE.format(
        title=line(title), style=_style() + style, body=body, loads=loads, script=script
    )


def fragment(body: str) -> str:
    """Return the body as a fragment for another page; its styles affect nothing else there."""
    return f'<div class="areev-context">\n<style>\n{_style()}</style>\n{body}\n</div>'


def tone(reason: Reason) -> str:
    """Return the CSS class that colors a reason."""
    return _TONES.get(reason, "left")


def colours_of(names: Iterable[str]) -> dict[str, str]:
    """Return section -> CSS class of its color, in order of first appearance."""
    return {name: f"s{n % _COLOURS}" for n, name in enumerate(dict.fromkeys(names))}


def _class(share: Share, colours: Mapping[str, str]) -> str:
    return colours[share.name] if share.kind is ShareKind.SECTION else share.kind


def bar(room: Sequence[Share], colours: Mapping[str, str], *, width: float = 1.0) -> str:
    """Return a bar that shows the shares of the budget.

    Args:
        room: The shares, in order; shares of 0 tokens are not drawn.
        colours: Section -> CSS class of its color.
        width: The width of the bar, as a share of the line, 0..1.
    """
    drawn = [share for share in room if share.tokens]
    described = ", ".join(f"{share.name} {share.tokens}" for share in drawn)
    parts = (
        f'<i class="{_class(share, colours)}" style="flex:{share.tokens}" '
        f'title="{line(share.name)}: {share.tokens} tokens"></i>'
        for share in drawn
    )
    return (
        f'<div class="bar" role="img" aria-label="{line(described)}" style="width:{width:.2%}">'
        f"{''.join(parts)}</div>"
    )


def legend(room: Sequence[Share], colours: Mapping[str, str]) -> str:
    """Return the legend of a bar: the name and the tokens of each share."""
    items = (
        f'<li><i class="dot {_class(share, colours)}"></i>{line(share.name)} '
        f"<b>{share.tokens:,}</b></li>"
        for share in room
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def picture(
    about: str,
    counts: Sequence[tuple[str, str]],
    room: Sequence[Share],
    view: View,
    outcomes: Sequence[HitOutcome],
) -> str:
    """Return a context as HTML: counts, the bar of shares, the text by hits, and every hit.

    Args:
        about: One line about the whole context.
        counts: Names and values of the counts, in order.
        room: The shares of the budget.
        view: The text by hits, and the whole text of hits that are not shown whole.
        outcomes: One per hit.
    """
    colours = colours_of(span.section for span in view.spans if span.section)
    drawing = _Drawing(view.spans, outcomes, colours)
    terms = (f"<div><dt>{line(name)}</dt><dd>{line(value)}</dd></div>" for name, value in counts)
    rows = "\n".join(drawing.row(outcome, view.wholes) for outcome in outcomes)
    return f"""\
<div class="title" role="heading" aria-level="1">Context</div>
<p class="about">{line(about)}</p>
<dl class="counts">{"".join(terms)}</dl>
{bar(room, colours)}
{legend(room, colours)}
<div class="halves two">
<section>
<div class="head" role="heading" aria-level="2">What the model reads</div>
<div class="scroll" tabindex="0"><pre class="text">
{drawing.text()}</pre></div>
</section>
<section>
<div class="head" role="heading" aria-level="2">What became of each hit</div>
<div class="scroll" tabindex="0"><table class="hits">
<thead><tr>{_HEADS}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
</section>
</div>"""


_HEADS = "".join(
    f'<th scope="col"{own}>{name}</th>'
    for name, own in (
        ("#", ' class="n"'),
        ("hit", ""),
        ("allocation", ""),
        ("reason", ""),
        ("shown", ' class="n"'),
        ("whole", ' class="n"'),
        ("priority", ' class="n"'),
    )
)


class _Drawing:
    """The ties between the text and the hits of one context.

    Its names are its own on any page: a notebook shows many contexts on one.
    """

    def __init__(
        self, spans: Sequence[Span], outcomes: Sequence[HitOutcome], colours: Mapping[str, str]
    ) -> None:
        self._spans = spans
        self._colours = colours
        self._known = {outcome.index: outcome for outcome in outcomes}
        self._first: dict[int, int] = {}  # the span that says a hit, by the hit's place
        for n, span in enumerate(spans):
            for index in span.indexes:
                self._first.setdefault(index, n)
        described = repr((spans, outcomes)).encode(errors="replace")
        self._key = f"c{blake2b(described, digest_size=4).hexdigest()}"

    def text(self) -> str:
        """Return the text, each entry a link to its hit."""
        return "".join(self._line_of(n, span) for n, span in enumerate(self._spans))

    def _line_of(self, n: int, span: Span) -> str:
        hits = [self._known[index] for index in span.indexes if index in self._known]
        if not hits:
            return line(span.text)
        tip = "; ".join(map(_described, hits))
        return (
            f'<a id="{self._key}e{n}" class="{self._colours[span.section]}" '
            f'href="#{self._key}h{hits[0].index}" title="{line(tip)}">{line(span.text)}</a>'
        )

    def row(self, outcome: HitOutcome, wholes: Mapping[int, str]) -> str:
        """Return the row of a hit, a link to its entry where it has one."""
        span = self._first.get(outcome.index)
        colour = "" if span is None else f' class="{self._colours[self._spans[span].section]}"'
        number = str(outcome.index)
        if span is not None:
            number = f'<a href="#{self._key}e{span}">{number}</a>'
        return (
            f'<tr id="{self._key}h{outcome.index}"{colour}><td class="n">{number}</td>'
            f'<td class="what">{what(outcome, wholes.get(outcome.index, ""))}</td>'
            f"<td>{outcome.allocation or '–'}</td>"
            f'<td class="reason {tone(outcome.reason)}">{outcome.reason}</td>'
            f'<td class="n" data-of="shown">{_or_none(outcome.tokens)}</td>'
            f'<td class="n" data-of="whole">{_or_none(outcome.full_tokens)}</td>'
            f'<td class="n" data-of="priority">{_priority(outcome)}</td></tr>'
        )


def what(outcome: HitOutcome, whole: str = "") -> str:
    """Return the HTML of a hit: its number, label and type; it unfolds to `whole`.

    A withheld hit has none of them.
    """
    if outcome.grain_type is None:
        return "<small>not to be seen</small>"
    number = "" if outcome.number is None else f"<small>[{outcome.number}]</small> "
    label = f"{number}{line(outcome.label or '')} <small>{line(outcome.grain_type)}</small>"
    if not whole:
        return label
    return f"<details><summary>{label}</summary><pre>\n{line(whole)}</pre></details>"


def _described(outcome: HitOutcome) -> str:
    return (
        f"hit {outcome.index}: {outcome.reason}, {_or_none(outcome.tokens)} of "
        f"{_or_none(outcome.full_tokens)} tokens, priority {_priority(outcome)}"
    )


def _or_none(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _priority(outcome: HitOutcome) -> str:
    return "–" if outcome.priority is None else f"{outcome.priority:.3f}"
