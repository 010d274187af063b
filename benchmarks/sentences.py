"""Golden rules and microseconds of three splitters of sentences: ours, sentencex and pysbd.

Run it with `python benchmarks/sentences.py`, after `pip install sentencex pysbd` for their columns.
"""

import importlib
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from areev_context.text.sentences import sentence_spans
from text.golden import cases

Splitter = Callable[[str, str], list[str]]  # of a text, and of the code of its language

LANGUAGES = {
    "english_public": "en",
    "english": "en",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "russian": "ru",
    "chinese": "zh",
    "japanese": "ja",
    "arabic": "ar",
    "hindi": "hi",
    "thai": "th",
}
PROSE = """\
The keeper of the lighthouse wrote a line in his book every evening. Most of the lines are about
the weather, a few about ships, and one (in the spring of 1911) about a whale. He had been a
sailor for twenty years before he came to the rock, and his father had been one before him. Nobody
had asked him to keep a book. When the light was changed to gas, Mr. Hale came from the city with
two men and a crate of tools; they stayed for nine days and ate everything there was. "The light
is better now," says the line for the tenth day. "The company was worse." After that he bought a
goat. The goat is in the book more often than the ships are. In winter the boat could not land for
weeks, and he read what he had: an almanac, a Bible, and the first volume of a novel whose second
volume he never saw. What happened to the people in it? He made up his own end, wrote it down over
three nights in January, and crossed it out again. It is still possible to read most of it.
"""
ROUNDS = 60


def ours(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def theirs() -> dict[str, Splitter | None]:
    found: dict[str, Splitter | None] = {"sentencex": None, "pysbd": None}
    try:
        sentencex: Any = importlib.import_module("sentencex")
        found["sentencex"] = lambda text, language: list(sentencex.segment(language, text))
    except ImportError:
        pass
    try:
        pysbd: Any = importlib.import_module("pysbd")
        found["pysbd"] = lambda text, language: list(
            pysbd.Segmenter(language=language, clean=False).segment(text)
        )
    except ImportError:
        pass
    return found


def passed(splitter: Splitter | None, language: str, file: str) -> str:
    if splitter is None:
        return "-"
    holding = 0
    for case in cases(file):
        expected = [part.strip() for part in case.split("|")]
        try:
            parts = [part.strip() for part in splitter(case.replace("|", ""), language)]
        except ValueError:  # pysbd does not know the language
            return "none"
        holding += [part for part in parts if part] == [part for part in expected if part]
    return f"{holding} of {len(cases(file))}"


def microseconds(splitter: Splitter | None, texts: list[str], rounds: int) -> str:
    if splitter is None:
        return "-"
    times = []
    for _ in range(rounds):
        started = time.process_time()
        for text in texts:
            splitter(text, "en")
        times.append(time.process_time() - started)
    kilobytes = sum(len(text.encode()) for text in texts) / 1000
    best, median = min(times), statistics.median(times)
    return f"{best * 1e6 / kilobytes:,.1f} ({median * 1e6 / kilobytes:,.1f})"


def main() -> None:
    splitters: dict[str, Splitter | None] = {"ours": ours, **theirs()}
    print("| golden rules |", " | ".join(splitters), "|")
    print("| --- |", " | ".join("---:" for _ in splitters), "|")
    for file, language in LANGUAGES.items():
        row = [passed(splitter, language, file) for splitter in splitters.values()]
        print(f"| {file.replace('_', ', ')} |", " | ".join(row), "|")
    prose = re.sub(r"\s+", " ", PROSE)
    texts = {
        "50 passages of 1,000 characters": ([prose] * 50, ROUNDS),
        "one line of 10 kB": ([prose * 10], ROUNDS),
        "one line of 100 kB": ([prose * 100], 5),
        "one line of 100 kB, curly quotes": ([prose.replace('"', "”") * 100], 5),
        "one line of 1 MB": ([prose * 1000], 2),
    }
    print("\n| microseconds a kB, best (median) |", " | ".join(splitters), "|")
    print("| --- |", " | ".join("---:" for _ in splitters), "|")
    for name, (some, rounds) in texts.items():
        row = []
        for own, splitter in splitters.items():
            slow = own == "pysbd"  # seconds a text
            too_long = slow and max(map(len, some)) > 20_000
            row.append("-" if too_long else microseconds(splitter, some, 2 if slow else rounds))
        print(f"| {name} |", " | ".join(row), "|")


if __name__ == "__main__":
    main()
