"""How the tests show the parts of a text, and what must hold of the parts of any text."""

from areev_context.text.parts import Part, parts_of


def picture(text: str, title: str = "") -> list[tuple[str, str, tuple[int, ...]]]:
    """The parts as (kind, text, needs); a kind ends in `!` where its part is never shown alone."""
    return [
        (f"{part.kind}{'' if part.alone else '!'}", text[part.start : part.end], part.needs)
        for part in parts_of(text, title)
    ]


def kinds(text: str, title: str = "") -> list[str]:
    return [kind for kind, _, _ in picture(text, title)]


def closed(parts: tuple[Part, ...], index: int) -> list[int]:
    """A part and all that must be shown with it."""
    found: set[int] = set()
    waiting = [index]
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += parts[place].needs
    return sorted(found)


def shown(text: str, words: str, title: str = "") -> str:
    """The one part that holds these words with all it needs, a line `…` where parts are missing."""
    parts = parts_of(text, title)
    (index,) = (n for n, part in enumerate(parts) if words in text[part.start : part.end])
    chosen = closed(parts, index)
    pieces = []
    for place, before in zip(chosen, [-1, *chosen], strict=False):
        part = parts[place]
        pieces += [] if place == before + 1 or before < 0 else ["…\n"]
        pieces.append(text[part.start : part.end])
    return "".join(pieces)


def assert_parts(text: str) -> tuple[Part, ...]:
    parts = parts_of(text)
    assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])][: len(parts)]
    assert (parts[-1].end if parts else 0) == len(text)
    for index, part in enumerate(parts):
        assert part.start < part.end
        assert all(0 <= other < len(parts) for other in (*part.needs, *part.context))
        assert text[part.start : part.start + part.indent].strip(" \t\n\r>") == "" or part.indent
        assert index not in part.needs
    assert_no_cycle(parts)
    return parts


def assert_no_cycle(parts: tuple[Part, ...]) -> None:
    done: set[int] = set()
    for start in range(len(parts)):
        path: set[int] = set()
        waiting = [(start, False)]
        while waiting:
            place, left = waiting.pop()
            if left:
                path.discard(place)
                done.add(place)
            elif place not in done:
                assert place not in path, f"part {place} needs itself"
                path.add(place)
                waiting.append((place, True))
                waiting += [(other, False) for other in parts[place].needs]
