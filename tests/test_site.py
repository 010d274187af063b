"""The documentation site builds without a warning and without a network, and tells of all names."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from runtime import INTEGRATIONS, installed

ROOT = Path(__file__).parents[1]
DOORS = ["areev_context", "areev_context.tokens", "areev_context.decide", *INTEGRATIONS]

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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_a_reader_fetches_nothing_from_elsewhere(site: Path) -> None:
    fetched = re.compile(r'<(?:script|img|iframe)[^>]* src="?(\w+:)?//|<link[^>]* href="?https?://')
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    assert [page.name for page in pages if fetched.search(page.read_text())] == []


@pytest.mark.parametrize("door", DOORS)
def test_every_public_name_is_in_the_api(door: str, site: Path) -> None:
    if door in INTEGRATIONS and not installed(INTEGRATIONS[door]):
        pytest.skip(f"{INTEGRATIONS[door]} is not installed")
    told = "".join(page.read_text() for page in (site / "api").glob("*.html"))
    ids = re.findall(r'<h\d id="?([\w.]+)', told)
    names = importlib.import_module(door).__all__
    assert set(names) <= {name.rpartition(".")[2] for name in ids}
