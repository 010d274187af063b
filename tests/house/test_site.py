"""The documentation site builds without a warning and without a network, and tells of all names."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from runtime import INTEGRATIONS, installed

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DOORS = ["areev_context", "areev_context.tokens", "areev_context.decide", *INTEGRATIONS]

FETCHED = re.compile(r'<(?:script|img|iframe)[^>]* src="?(\w+:)?//|<link[^>]* href="?https?://')

# mkdocs as its command runs it, in a process that may open no connection
BUILD = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise RuntimeError(f"{event} {arguments}")
sys.addaudithook(refuse)
from mkdocs.__main__ import cli
cli(["build", "--strict", "--site-dir", sys.argv[1]])
"""


def test_the_site_builds_and_a_reader_fetches_nothing_from_elsewhere(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUILD, tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))  # and one for what is not found
    assert [page.name for page in pages if FETCHED.search(page.read_text())] == []


@pytest.mark.parametrize("door", DOORS)
def test_every_public_name_is_in_the_api(door: str) -> None:
    if door in INTEGRATIONS and not installed(INTEGRATIONS[door]):
        pytest.skip(f"{INTEGRATIONS[door]} is not installed")
    pages = "".join(page.read_text() for page in (DOCS / "api").glob("*.md"))
    documented = re.findall(r"^::: \S+\.(\w+)$", pages, re.MULTILINE)
    assert set(importlib.import_module(door).__all__) <= set(documented)
