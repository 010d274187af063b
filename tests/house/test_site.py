"""The documentation site builds without a warning and without a network, and tells of all names."""

import importlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from browser import CHROMIUM, Browser
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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, which is built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_a_reader_fetches_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))  # and one for what is not found
    assert [page.name for page in pages if FETCHED.search(page.read_text())] == []


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with Browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        running = Thread(target=server.serve_forever)
        running.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        running.join()


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that logs nothing."""

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def found(browser: Browser, words: str) -> list[str]:
    """Type words into the search of the page that is open, and return the pages it finds."""
    browser.value("document.querySelector('.md-search__input').focus()")
    meta = "document.querySelector('.md-search-result__meta').innerText"
    awaited(browser, f"{meta} === 'Type to start searching'")
    browser.ask("Input.insertText", text=words)
    links = "[...document.querySelectorAll('.md-search-result__item a')].map(a => a.href)"
    awaited(browser, f"{links}.length")
    return [str(link).partition("#")[0] for link in browser.value(links)]


def awaited(browser: Browser, expression: str) -> None:
    """Wait until an expression is true in the page."""
    end = time.monotonic() + 20
    while not browser.value(expression):
        assert time.monotonic() < end, expression
        time.sleep(0.1)


@pytest.mark.parametrize("page", ["index.html", "migrate/trim-messages.html"])
@pytest.mark.parametrize("way", ["disk", "server"])
def test_the_search_finds(way: str, page: str, site: Path, served: str, browser: Browser) -> None:
    root = site.as_uri() if way == "disk" else served
    browser.output.clear()
    browser.go(f"{root}/{page}")
    assert f"{root}/guides/trust.html" in found(browser, "retracted")
    assert browser.output == []


# What is wider than the place it has: the page itself, a table or a block of code.
SIDEWAYS = """[document.documentElement, ...document.querySelectorAll('article, article *')]
    .filter(e => e.scrollWidth > e.clientWidth + 1 && (e.tagName === 'HTML'
        || ['auto', 'scroll'].includes(getComputedStyle(e).overflowX)))
    .map(e => e.tagName + ': ' + e.textContent.trim().slice(0, 60))"""


def test_every_page_is_read_on_a_phone_without_moving_it_sideways(
    site: Path, served: str, browser: Browser
) -> None:
    wide = {}
    for page in sorted(site.rglob("*.html")):
        name = page.relative_to(site).as_posix()
        browser.go(f"{served}/{name}", width=390, height=844)
        if moved := browser.value(SIDEWAYS):
            wide[name] = moved
    assert wide == {}


@pytest.mark.parametrize("door", DOORS)
def test_every_public_name_is_in_the_api(door: str) -> None:
    if door in INTEGRATIONS and not installed(INTEGRATIONS[door]):
        pytest.skip(f"{INTEGRATIONS[door]} is not installed")
    pages = "".join(page.read_text() for page in (DOCS / "api").glob("*.md"))
    documented = re.findall(r"^::: \S+\.(\w+)$", pages, re.MULTILINE)
    assert set(importlib.import_module(door).__all__) <= set(documented)
