"""A sweep over budgets as one HTML page: a slider, two curves, and the text at each budget."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from areev_context.inspect.html import line, page
from areev_context.text.clean import clean

__all__ = ["sweep_frame", "sweep_page"]

_HIGH = 1_000  # of a curve, in units of its own: the page stretches it
_COUNTS = ("tokens", "shown", "omitted", "withheld")


@cache
def _file(name: str) -> str:
    return files("areev_context.inspect").joinpath(name).read_text(encoding="utf-8")


def sweep_page(data: Mapping[str, Any], hits: int) -> str:
    """Return a sweep as a page that loads nothing; its script puts every text in as text.

    Args:
        data: The sweep as `Sweep.to_dict` returns it.
        hits: The number of hits of the input.
    """
    budgets: list[int] = data["budgets"]
    policies: list[Mapping[str, Any]] = data["policies"]
    middle = len(budgets) // 2
    title = f"{_counted(hits, 'hit')} at {_counted(len(budgets), 'budget')}"
    runs = "\n".join(_run(n, policy) for n, policy in enumerate(policies))
    body = f"""\
<div class="title" role="heading" aria-level="1">{title}</div>
<p class="about">Drag the slider, or use the arrow keys. What enters, grows, shrinks or leaves is
marked against the budget before.</p>
<noscript><p>This page needs JavaScript. It loads nothing.</p></noscript>
<div class="hold"><label for="budget">Budget: <output id="now" for="budget"></output> tokens</label>
<input id="budget" type="range" min="0" max="{len(budgets) - 1}" step="1" value="{middle}">
<div class="ends"><span>{budgets[0]:,}</span><span>{budgets[-1]:,}</span></div></div>
<div class="curves">{_curve("hits shown", "shown", data)}{_curve("tokens", "tokens", data)}</div>
<div class="runs{" two" if len(policies) > 1 else ""}">
{runs}
</div>
<script type="application/json" id="sweep">{_json(data)}</script>"""
    return page(title, body, style=_file("sweep.css"), script=_file("sweep.js"))


def sweep_frame(whole: str) -> str:
    """Return a page in a frame for a cell of a notebook; its script reaches nothing around it."""
    return (
        f'<iframe srcdoc="{html.escape(whole)}" sandbox="allow-scripts" title="sweep over budgets" '
        'style="width: 100%; height: 44rem; border: 0"></iframe>'
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _json(data: Mapping[str, Any]) -> str:
    """Return data for a script element, which ends at the first tag of its name."""
    dumped = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    escaped = dumped.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return clean(escaped)[0]


def _curve(caption: str, name: str, data: Mapping[str, Any]) -> str:
    """Return the curve of a count over the budgets, a line for each policy."""
    counts = [[stop[name] for stop in policy["stops"]] for policy in data["policies"]]
    highest = max(1, *(count for each in counts for count in each))
    lines = "".join(
        f'<polyline class="p{n}" points="{_points(data["budgets"], each, highest)}"/>'
        for n, each in enumerate(counts)
    )
    keys = ", ".join(_keys(data["policies"], name))
    return (
        f"<figure><figcaption>{caption}, 0 to {highest:,}: {keys}</figcaption>"
        f'<svg viewBox="0 -60 {_HIGH} {_HIGH + 120}" preserveAspectRatio="none" role="img" '
        f'aria-label="{caption} at each budget">{lines}'
        f'<line x1="0" x2="0" y1="-60" y2="{_HIGH + 60}"/></svg></figure>'
    )


def _keys(policies: Iterable[Mapping[str, Any]], name: str) -> Iterator[str]:
    for n, policy in enumerate(policies):
        value = f'<b id="{name}{n}"></b>'
        yield f'<i class="key p{n}"></i>{line(policy["name"])} {value}'


def _points(budgets: Sequence[int], counts: Sequence[int], highest: int) -> str:
    low, wide = budgets[0], budgets[-1] - budgets[0]
    if not wide:  # one budget is a level line
        budgets, counts, low, wide = (0, 1), (counts[0],) * 2, 0, 1
    return " ".join(
        f"{_HIGH * (budget - low) / wide:.0f},{_HIGH - _HIGH * count / highest:.0f}"
        for budget, count in zip(budgets, counts, strict=True)
    )


def _run(n: int, policy: Mapping[str, Any]) -> str:
    terms = "".join(f'<div><dt>{each}</dt><dd data-of="{each}"></dd></div>' for each in _COUNTS)
    name, form = line(policy["name"]), line(policy["format"])
    form = "" if form == name else f" <small>{form}</small>"
    return f"""\
<section id="p{n}" class="p{n}">
<div class="head" role="heading" aria-level="2"><i class="key p{n}"></i>{name}{form}</div>
<dl class="counts">{terms}</dl>
<div class="bar" data-of="bar" role="img"></div>
<ul class="legend" data-of="legend"></ul>
<div class="changed" data-of="changed" aria-live="polite"></div>
<ul class="changes" data-of="changes" tabindex="0" aria-label="entries that change"></ul>
<div class="scroll" tabindex="0"><pre class="text" data-of="text"></pre></div>
</section>"""
