"""Every result of the suite goes through the checker, whichever test made it."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from amount import PROFILE, examples
from areev_context import ContextAssembler, FormatPolicy, FormattedContext
from checker import check
from runtime import INTEGRATIONS

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"  # LangGraph reads it when it is imported
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # a pipeline that runs reports to its makers

settings.register_profile(PROFILE, max_examples=examples(100))
settings.load_profile(PROFILE)

SLOW = frozenset({
    "test_site.py", "test_wheel.py", "test_notebooks.py", "test_page_in_browser.py",
    "test_engine.py", "test_recipes.py", "test_types.py", "test_growth.py", "test_sizes.py",
    "test_attacks.py", "test_awkward.py", "test_langchain_awkward.py", "test_llamaindex_awkward.py",
    "test_same.py", "test_frameworks.py", "test_program.py", "test_decide_deadline.py",
    "test_cli_streams.py", "test_examples.py", "test_ceiling.py", "test_sweep_in_browser.py",
})  # fmt: skip
"""Files of tests that take seconds: builds, other programs, every awkward value in every way."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name in SLOW:
            item.add_marker("slow")


def pytest_addoption(parser: pytest.Parser) -> None:
    description = "act as if no framework of the integrations were installed"
    parser.addoption("--without-frameworks", action="store_true", help=description)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--without-frameworks"):
        sys.modules.update(dict.fromkeys(INTEGRATIONS.values()))  # importing None fails


@pytest.fixture(autouse=True)
def _every_outcome_adds_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    plain, in_the_loop = ContextAssembler.format, ContextAssembler.aformat

    def checked(
        self: ContextAssembler, hits: Any, policy: Any = None, *rest: Any, **named: Any
    ) -> FormattedContext:
        hits = list(hits) if isinstance(hits, list | tuple) else hits
        context = plain(self, hits, policy, *rest, **named)
        if isinstance(hits, list):
            check(context, len(hits), FormatPolicy() if policy is None else policy)
        return context

    async def achecked(
        self: ContextAssembler, hits: Any, policy: Any = None, *rest: Any, **named: Any
    ) -> FormattedContext:
        context = await in_the_loop(self, hits, policy, *rest, **named)
        if isinstance(hits, list):
            check(context, len(hits), FormatPolicy() if policy is None else policy)
        return context

    monkeypatch.setattr(ContextAssembler, "format", checked)
    monkeypatch.setattr(ContextAssembler, "aformat", achecked)
    return
