"""A component that packs documents into the text of a prompt."""

# No annotations of the future: Haystack 2 reads the types of inputs as they are.

from collections.abc import Iterator, Mapping
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.utils import deserialize_callable, serialize_callable

from areev_context import (
    FormatPolicy,
    FormattedContext,
    InputError,
    Passage,
    PassageMapper,
    RenderingHints,
)
from areev_context.adapters import CounterOption, PackingOptions
from areev_context.extend import DecisionBackend

__all__ = ["ContextPacker"]

_FUNCTION = "function"  # the key of a counter that is a function, in a stored component


@component
class ContextPacker:
    """Packs documents into one string for a prompt, within the budget if there is one.

    Its outputs are ``prompt_context``, the text, and ``receipt``, the whole result as JSON:
    ``FormattedContext(**receipt)`` finds what an answer cites, and says what became of each
    document. Only text is packed: a document with a blob alone is left out. The metadata that are
    shown are those of the mapper; no others reach the text.

    A component in YAML has its options as data. A counter that is a function has to be a function
    of a module. A decider is not stored.

    Args:
        policy: The format of the text, and its budget; None = `FormatPolicy()`.
        token_budget: Replaces the policy's budget, 0 or more tokens; None = the policy's.
        mapper: Says which metadata are shown; None = `PassageMapper()`.
        counter: Counts tokens, so that a budget is a ceiling; anything that
            `areev_context.tokens.counter_from` accepts. None = estimates.
        hints: What the caller knows about every query; None = nothing.
        decider: Answers questions about the query and the documents; None = there is none.

    Raises:
        pydantic.ValidationError: An option is of the wrong kind.
    """

    def __init__(
        self,
        policy: FormatPolicy | Mapping[str, Any] | None = None,
        *,
        token_budget: int | None = None,
        mapper: PassageMapper | Mapping[str, Any] | None = None,
        counter: CounterOption = None,
        hints: RenderingHints | Mapping[str, Any] | None = None,
        decider: DecisionBackend | None = None,
    ) -> None:
        given = {
            "policy": policy, "mapper": mapper, "token_budget": token_budget, "counter": counter,
            "hints": hints, "decider": decider,
        }  # fmt: skip
        options = {name: value for name, value in given.items() if value is not None}
        self._packing = PackingOptions.model_validate(options)

    def to_dict(self) -> dict[str, Any]:
        """Return the component as data, for a pipeline in YAML.

        Raises:
            InputError: The counter is neither a name nor a function of a module.
        """
        data = self._packing.model_dump(mode="json", exclude={"counter"})
        counter = _stored(self._packing.counter)
        stored: dict[str, Any] = default_to_dict(self, **data, counter=counter)
        return stored

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "ContextPacker":
        """Return the component that `to_dict` wrote."""
        parameters = dict(data.get("init_parameters", {}))
        counter = parameters.get("counter")
        if isinstance(counter, Mapping):
            parameters["counter"] = deserialize_callable(counter[_FUNCTION])
        found: ContextPacker = default_from_dict(cls, {**data, "init_parameters": parameters})
        return found

    @component.output_types(prompt_context=str, receipt=dict[str, Any])
    def run(
        self, documents: list[Document], query: str | None = None, token_budget: int | None = None
    ) -> dict[str, Any]:
        """Return the context of documents, which are not changed.

        Args:
            documents: The documents, best first.
            query: The question; a blank one or None leaves that of the policy.
            token_budget: Replaces the budget for this call; None = that of the component.

        Returns:
            ``prompt_context``, empty if nothing is shown, and ``receipt``.

        Raises:
            InputError: A document is none.
            CounterError: The counter failed.
        """
        packing = self._called(token_budget)
        return _output(packing._context(_passages(documents), query).context)

    @component.output_types(prompt_context=str, receipt=dict[str, Any])
    async def run_async(
        self, documents: list[Document], query: str | None = None, token_budget: int | None = None
    ) -> dict[str, Any]:
        """Do the same in threads, without blocking the event loop."""
        packing = self._called(token_budget)
        return _output((await packing._acontext(_passages(documents), query)).context)

    def _called(self, token_budget: int | None) -> PackingOptions:
        if token_budget is None:
            return self._packing
        return PackingOptions.model_validate({**dict(self._packing), "token_budget": token_budget})


def _passages(documents: list[Document]) -> Iterator[Passage]:
    for place, found in enumerate(documents):
        given: object = found
        if not isinstance(given, Document):
            kind = type(given).__name__
            raise InputError(f"document {place} is of type {kind}: give a Document", row=place)
        yield Passage(given.content, given.meta, given.score, given.id)


def _output(context: FormattedContext) -> dict[str, Any]:
    text = context.text if context.included_count else ""
    return {"prompt_context": text, "receipt": context.model_dump(mode="json")}


def _stored(counter: Any) -> str | dict[str, str] | None:
    if counter is None or isinstance(counter, str):
        return counter
    try:
        return {_FUNCTION: serialize_callable(counter)}
    except Exception as error:
        why = f"a counter of type {type(counter).__name__} cannot be stored: {error}"
    raise InputError(f"{why}; give the name of a model, or a function of a module")
