"""The command ``areev-context``: rows in, one context string out."""

from __future__ import annotations

import argparse
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
from areev_context.errors import AreevContextError, InputError
from areev_context.hits.load import load_hits
from areev_context.policy import (
    PRESETS,
    FormatPolicy,
    MetadataLevel,
    Ordering,
    OutputFormat,
    RenderingHints,
)
from areev_context.result import FormattedContext
from areev_context.tokens import tiktoken_counter

__all__ = ["main"]

_EPILOG = """\
examples:
  areev-context recall.json --preset claude --budget 800 --query "where does john work now?"
  areev-context - --format toon --counter o200k_base --report < rows.json
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors take one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (--help lists the options)\n")


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
        help='a JSON list of rows, or {"grains": [...]}; - reads standard input',
    )
    add("--preset", choices=list(PRESETS), help="start from the options for a model")
    add("--format", choices=_names(OutputFormat), help="the shape of the text")
    add(
        "--metadata",
        choices=[str(name) for name in MetadataLevel],
        help="how much beside its content a grain shows",
    )
    add("--ordering", choices=_names(Ordering), help="the order of entries")
    add("--group-by-type", action=argparse.BooleanOptionalAction, help="one section per grain type")
    add("--budget", metavar="TOKENS", help="room in tokens, a whole number from 0 up")
    add("--counter", metavar="NAME", help="count tokens with this encoding of tiktoken")
    add("--query", metavar="TEXT", help="what the reader asked")
    add("--numbered", action="store_true", help="give every entry its number")
    add("--include-retracted", action="store_true", help="show what was retracted")
    add("--report", action="store_true", help="print what became of each hit, on standard error")
    add("--html", metavar="FILE", help="write a page that shows the context from inside")
    return parser


def _names(choices: type[StrEnum]) -> list[str]:
    return [str(choice) for choice in choices]  # argparse shows a member of an enum as code


def _budget(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"-?\d+", text, re.ASCII):
        raise InputError(f"--budget is {text!r}: give a whole number of tokens, 0 or more")
    return int(text)


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
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error


def _write(name: str, page: str) -> None:
    try:
        Path(name).write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from error


def _run(options: argparse.Namespace) -> FormattedContext:
    policy = _policy(options)
    hits = load_hits(_read(options.rows))
    counter = tiktoken_counter(options.counter) if options.counter else None
    hints = RenderingHints(query_text=options.query)
    return ContextAssembler(counter=counter).format(hits, policy, hints)


def _one_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        return f"{name}: {first['msg']}, not {first['input']!r}"
    return " ".join(str(error).split())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: The words after the command's name; None = those of the process.

    Returns:
        0, or 2 where the input cannot be read: one line on standard error says why, and nothing
        is printed on standard output.
    """
    options = _parser().parse_args(arguments)
    try:
        context = _run(options)
        if options.html is not None:
            _write(options.html, context.to_html())
        _print(context.text, sys.stdout, "output")
        if options.report:
            _print(context.report(), sys.stderr, "error")
    except (AreevContextError, ValidationError) as error:
        return _refused(_one_line(error))
    except OSError as error:
        return _refused(f"cannot write: {error.strerror or error}")
    return 0


def _refused(why: str) -> int:
    if sys.stderr is not None:  # print would fall back on standard output
        print(f"areev-context: {why}", file=sys.stderr)
    return 2


def _print(text: str, stream: TextIO | None, name: str) -> None:
    """Write text as UTF-8, whatever the terminal's encoding; a closed pipe ends it quietly."""
    if not text:
        return
    if stream is None:
        raise InputError(f"standard {name} is closed: nowhere to write to")
    stream.flush()
    try:
        stream.buffer.write(f"{text}\n".encode())
        stream.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
