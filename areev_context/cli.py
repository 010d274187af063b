"""The command ``areev-context``: rows in, one context string out."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import NoReturn, TextIO

from pydantic import ValidationError

from areev_context._version import __version__
from areev_context.assembler import ContextAssembler
from areev_context.budget_sweep import Sweep, sweep
from areev_context.errors import AreevContextError, InputError
from areev_context.hits.anything import hits_of, knows
from areev_context.hits.hit import SearchHit
from areev_context.hits.load import load_hits
from areev_context.hits.source import rows_in
from areev_context.policy import (
    PRESETS,
    FormatPolicy,
    MetadataLevel,
    Ordering,
    OutputFormat,
    RenderingHints,
)
from areev_context.result import FormattedContext
from areev_context.text.foreign import shown
from areev_context.tokens import tiktoken_counter

__all__ = ["main"]

_EPILOG = """\
examples:
  areev-context recall.json --preset claude --budget 800 --query "where does john work now?"
  areev-context - --format toon --counter o200k_base --report < rows.json
  areev-context recall.json --preset claude --against gpt4 --sweep 200:4000 > sweep.html
"""


# What a terminal would obey, or show elsewhere than it stands: controls, among them those of the
# direction of writing, separators of lines, halves of characters.
_CONTROLS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LONGEST_LINE = 1_000  # characters of an error


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are those of the command, and which prints as the command does."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (--help lists the options)")

    def _print_message(self, message: str, file: object = None) -> None:
        _print(message.rstrip("\n"), sys.stdout, "output")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="areev-context",
        description="Turn recall results into one model-ready context string.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--version", action="version", version=f"%(prog)s {__version__}")
    add(
        "rows",
        metavar="FILE",
        help="JSON or JSON Lines of rows, passages, memories or messages; - reads standard input",
    )
    add("--preset", choices=list(PRESETS), help="start from the options for a model")
    add("--format", choices=_names(OutputFormat), help="the shape of the text")
    add(
        "--metadata",
        choices=[str(name) for name in MetadataLevel],
        help="how much beside its content a grain shows",
    )
    add(
        "--ordering",
        choices=[name.lower() for name in Ordering.__members__],  # the older name too
        help="the order of entries; by_relevance is an older name of as_given",
    )
    add("--group-by-type", action=argparse.BooleanOptionalAction, help="one section per grain type")
    add("--budget", metavar="TOKENS", help="at most so many tokens, a whole number from 0 up")
    add("--counter", metavar="NAME", help="count tokens with this encoding of tiktoken")
    add("--query", metavar="TEXT", help="what the reader asked")
    add("--numbered", action="store_true", help="give every entry its number")
    add("--include-retracted", action="store_true", help="show what was retracted")
    _add_views(parser)
    return parser


def _add_views(parser: argparse.ArgumentParser) -> None:
    """Add the options that show a context, or many, from inside."""
    add = parser.add_argument
    add("--report", action="store_true", help="print what became of each hit, on standard error")
    add("--html", metavar="FILE", help="write a page that shows the context from inside")
    add(
        "--sweep",
        metavar="LOW:HIGH",
        help="make a page with a slider over 40 budgets, on standard output; with --html in its "
        "file, and a table on standard output",
    )
    add("--against", choices=list(PRESETS), help="with --sweep: a second preset beside the first")


def _names(choices: type[StrEnum]) -> list[str]:
    return [str(choice) for choice in choices]  # argparse shows a member of an enum as code


def _budget(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"-?\d{1,600}", text, re.ASCII):
        raise InputError(
            f"--budget is {shown(text)}: give a whole number of tokens, 0 or more, "
            "of at most 600 digits"
        )
    return int(text)


def _ends(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,18}):(\d{1,18})", text, re.ASCII)
    if found is None:
        raise InputError(
            f"--sweep is {shown(text)}: give the lowest and the highest budget in whole tokens, "
            "as in 200:4000"
        )
    return int(found[1]), int(found[2])


def _policy(options: argparse.Namespace) -> FormatPolicy:
    named = {
        "format": options.format,
        "metadata": options.metadata,
        "ordering": options.ordering,
        "group_by_type": options.group_by_type,
        "token_budget": _budget(options.budget),
        "query_text": options.query,
        "numbered": options.numbered or None,
        "include_retracted": options.include_retracted or None,
    }
    given = {name: value for name, value in named.items() if value is not None}
    return FormatPolicy.preset(options.preset, **given) if options.preset else FormatPolicy(**given)


def _read(name: str) -> bytes:
    if name == "-" and sys.stdin is None:
        raise InputError("standard input is closed: give a file, or pipe the rows in")
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {_why(error)}") from error


def _write(name: str, page: str) -> None:
    try:
        Path(name).write_text(page, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {_why(error)}") from error


def _why(error: Exception) -> str:
    """Return why the system refused; a name that no file can have is a ValueError."""
    return str(getattr(error, "strerror", None) or error)


def _hits(data: bytes) -> list[SearchHit]:
    """Return the hits of a file of rows, passages, memories or messages."""
    found = rows_in(data)
    if knows(found):
        return hits_of(found)
    return load_hits(data if isinstance(found, str) else found)  # it names what is wrong


def _assembler(options: argparse.Namespace) -> ContextAssembler:
    return ContextAssembler(counter=tiktoken_counter(options.counter) if options.counter else None)


def _run(options: argparse.Namespace) -> FormattedContext:
    policy = _policy(options)
    hits = _hits(_read(options.rows))
    hints = RenderingHints(query_text=options.query)
    return _assembler(options).format(hits, policy, hints)


def _swept(options: argparse.Namespace) -> Sweep:
    for name in ("budget", "report"):
        if getattr(options, name):
            raise InputError(f"--{name} says nothing about many budgets: leave it out, or --sweep")
    first = options.preset or str(_policy(options).format)
    other, names = None, [first]
    if options.against is not None:
        second = argparse.Namespace(**{**vars(options), "preset": options.against, "format": None})
        other, names = _policy(second), [first, options.against]
    return sweep(
        _hits(_read(options.rows)),
        _policy(options),
        budgets=_ends(options.sweep),
        query=options.query or "",
        against=other,
        assembler=_assembler(options),
        names=names,
    )


def _print_sweep(options: argparse.Namespace) -> None:
    made = _swept(options)
    if options.html is None:
        _print(made.html().rstrip("\n"), sys.stdout, "output")
        return
    _write(options.html, made.html())
    _print(_visible(str(made)), sys.stdout, "output")


def _print_context(options: argparse.Namespace) -> None:
    if options.against is not None:
        raise InputError("--against needs --sweep: give both, as in --sweep 200:4000")
    context = _run(options)
    if options.html is not None:
        _write(options.html, context.to_html())
    _print(context.text, sys.stdout, "output")
    if options.report:
        _print(_visible(context.report()), sys.stderr, "error")


def _one_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        return f"{name}: {first['msg']}, not {shown(first['input'])}"
    return str(error)


def _visible(text: str) -> str:
    """Return a text as a terminal may be given it: its controls spelled out, but line feeds."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: The words after the command's name; None = those of the process.

    Returns:
        0 for success. 2 if the input cannot be read: then nothing is printed on standard output.
        2 also if standard output or standard error is closed or full. One line on standard error
        names the reason, if it can be written. A reader that closed the pipe is no error.
    """
    try:
        options = _parser().parse_args(arguments)
        show = _print_context if options.sweep is None else _print_sweep
        show(options)
    except (AreevContextError, ValidationError) as error:
        return _refused(_one_line(error))
    except OSError as error:
        return _refused(f"cannot write: {_why(error)}")
    return 0


def _refused(why: str) -> int:
    line = _visible(" ".join(why.split()))
    line = line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
    with contextlib.suppress(OSError, InputError):  # nowhere to say it
        _print(f"areev-context: {line}", sys.stderr, "error")
    return 2


def _print(text: str, stream: TextIO | None, name: str) -> None:
    """Write text as UTF-8, whatever the terminal's encoding; a closed pipe ends it quietly."""
    if not text:
        return
    if stream is None:
        raise InputError(f"standard {name} is closed: nowhere to write to")
    try:
        stream.flush()
        left = memoryview(f"{text}\n".encode())
        while left:  # where Python does not buffer, the system takes as much as it can
            left = left[stream.buffer.write(left) or 0 :]
        stream.buffer.flush()
    except OSError as error:
        _give_up(stream)
        if not isinstance(error, BrokenPipeError):
            raise


def _give_up(stream: TextIO) -> None:
    """Let what a stream could not write go nowhere: Python tries once more when it ends."""
    with contextlib.suppress(OSError, AttributeError):  # no stream of the system
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
