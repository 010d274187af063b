"""Every option carries a description, which the screens of the frameworks show."""

import importlib

import pytest
from pydantic import BaseModel

from areev_context import (
    DecidePolicy,
    FormatPolicy,
    GrainOverride,
    GrainTypeDiversity,
    RenderingHints,
)
from areev_context.adapters import PackingOptions
from runtime import INTEGRATIONS, installed

MODELS: list[type[BaseModel]] = [
    DecidePolicy,
    FormatPolicy,
    GrainOverride,
    GrainTypeDiversity,
    PackingOptions,
    RenderingHints,
]
PACKERS: list[type[BaseModel]] = [
    value
    for name, framework in INTEGRATIONS.items()
    if installed(framework)
    for value in vars(importlib.import_module(name)).values()
    if isinstance(value, type) and issubclass(value, PackingOptions)
]


def own_options(model: type[BaseModel]) -> set[str]:
    """Return the options that our classes declare: a framework's base has others beside them."""
    ours = [base for base in model.__mro__ if issubclass(base, PackingOptions)] or [model]
    return {name for base in ours for name in base.__annotations__} & set(model.model_fields)


@pytest.mark.parametrize("model", [*MODELS, *PACKERS], ids=lambda model: model.__name__)
def test_every_option_says_what_it_is(model: type[BaseModel]) -> None:
    stated = {name: model.model_fields[name].description for name in own_options(model)}
    assert stated
    assert {name for name, text in stated.items() if not (text or "").strip()} == set()


@pytest.mark.parametrize("model", [FormatPolicy, RenderingHints, GrainOverride])
def test_the_schema_of_a_policy_carries_the_descriptions(model: type[BaseModel]) -> None:
    schema = model.model_json_schema()["properties"]
    assert {name for name, row in schema.items() if "description" not in row} == set()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_descriptions_and_docstring_name_the_same_options(model: type[BaseModel]) -> None:
    doc = (model.__doc__ or "").split("Attributes:", 1)[1]
    listed = [line.split(":")[0].strip() for line in doc.splitlines() if line[:8].isspace()]
    assert set(model.model_fields) <= set(listed)
