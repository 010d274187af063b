"""Where sentences end in eleven languages: a case is a line with `|` before each new sentence.

`english_public.txt` has the 52 rules that are quoted in public for English, in their order.
"""

import re
from pathlib import Path

ESCAPES = {r"\n": "\n", r"\r": "\r", r"\u00a0": "\u00a0", r"\u202f": "\u202f", r"\\": "\\"}

# The public rules that do not hold, by their number, and why.
BROKEN = {
    42: "lines without marks: rules 40 and 41, and every text that is wrapped by hand, want a"
    " single line break to be a blank; lists are told from prose before sentences are looked for",
}


def cases(language: str) -> list[str]:
    lines = (Path(__file__).parent / "golden" / f"{language}.txt").read_text("utf-8").splitlines()
    return [re.sub(r"\\(?:u....|.)", lambda m: ESCAPES[m[0]], line) for line in lines]


LANGUAGES = sorted(file.stem for file in (Path(__file__).parent / "golden").glob("*.txt"))
