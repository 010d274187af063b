"""A runnable that packs documents into the text of a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypedDict, Unpack, cast, overload

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict, Field, SecretStr
from typing_extensions import TypeVar

from areev_context import (
    FormatPolicy,
    FormattedContext,
    InputError,
    PassageMapper,
    RenderingHints,
)
from areev_context.adapters import PackingOptions, in_thread
from langchain_areev_context.documents import finished_within, listed, passages_of
from langchain_areev_context.receipt import finished

__all__ = ["ContextRunnable"]

_DOCUMENTS = ("documents", "context")
_QUERY = ("query", "question", "input")


Packed = TypeVar("Packed", bound=str | FormattedContext, default=str)


class _Options(TypedDict, total=False):
    """The options of a `ContextRunnable` beside ``returns``, for type checkers."""

    policy: FormatPolicy
    token_budget: int | None
    mapper: PassageMapper
    counter: Any
    hints: RenderingHints | None
    signing_key: SecretStr | str | None
    decider: Any
    name: str | None


class ContextRunnable(
    PackingOptions,
    RunnableSerializable[Sequence[Document] | Mapping[str, Any], Packed],
    Generic[Packed],
):
    """Packs documents into one string for a prompt, within the budget if there is one.

    The input is a list of documents, or a mapping that has them under ``documents`` (or
    ``context``) and the query under ``query`` (or ``question``, or ``input``). If the documents are
    the complete, unchanged result of a `ContextCompressor`, they are not packed again, but
    documents that were marked retracted in the meantime are withheld, and of several that are over
    the budget together, those that the retriever ranked last are left out.

    Attributes:
        returns: ``text`` for the string, ``result`` for the whole `FormattedContext`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    returns: Literal["text", "result"] = Field(
        default="text", description="The string, or the whole result"
    )

    if TYPE_CHECKING:

        @overload
        def __init__(
            self: ContextRunnable[FormattedContext],
            *,
            returns: Literal["result"],
            **options: Unpack[_Options],
        ) -> None: ...
        @overload
        def __init__(
            self: ContextRunnable[str],
            *,
            returns: Literal["text"] = "text",
            **options: Unpack[_Options],
        ) -> None: ...
        @overload
        def __init__(
            self: ContextRunnable[str | FormattedContext],
            *,
            returns: Literal["text", "result"],
            **options: Unpack[_Options],
        ) -> None: ...
        def __init__(self, **options: Any) -> None: ...

    @property
    def OutputType(self) -> type[Any]:  # LangChain's name
        """The type of what is returned."""
        return str if self.returns == "text" else FormattedContext

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """Return True; a counter is code, so it is not serialized."""
        return True

    @property
    def lc_attributes(self) -> dict[str, Any]:
        """The options that can be serialized, as JSON values."""
        return self.model_dump(mode="json", include={"policy", "mapper", "hints"})

    def invoke(
        self,
        input: Sequence[Document] | Mapping[str, Any],
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Packed:
        """Return the context of the documents, which are not changed.

        Args:
            input: The documents, best first, or the mapping that has them.
            config: The configuration of the LangChain run.
            kwargs: ``token_budget`` replaces the budget for this call.

        Raises:
            InputError: The input has no list of documents, or packed documents are over the
                budget, or stand beside others.
            CounterError: The counter failed.
        """
        return self._call_with_config(self._packed, input, config, **kwargs)

    async def ainvoke(
        self,
        input: Sequence[Document] | Mapping[str, Any],
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Packed:
        """Do the same in threads, without blocking the event loop."""
        return await self._acall_with_config(self._apacked, input, config, **kwargs)

    def _packed(self, given: object, **called: Any) -> Packed:
        if called:
            return self._called(called)._packed(given)
        documents, query = _read(given)
        context = self._result(documents)
        if context is None:
            context = self._context(passages_of(documents), query).context
        return self._returned(context)

    async def _apacked(self, given: object, **called: Any) -> Packed:
        if called:
            return await self._called(called)._apacked(given)
        documents, query = _read(given)
        context = await in_thread(lambda: self._result(documents))
        if context is None:
            context = (await self._acontext(passages_of(documents), query)).context
        return self._returned(context)

    def _returned(self, context: FormattedContext) -> Packed:
        return cast("Packed", context.text if self.returns == "text" else context)

    def _called(self, options: Mapping[str, Any]) -> Self:
        """Return the runnable with the options of one call, which are checked as any others."""
        unknown = ", ".join(sorted(options.keys() - {"token_budget"}))
        if unknown:
            raise InputError(f"a call takes no {unknown}: give token_budget, or with_config")
        return type(self)(**{**dict(self), **options})

    def _result(self, documents: list[Document]) -> FormattedContext | None:
        """Return the result that these documents already are, where it fits."""
        packed = finished_within(self, documents)
        return None if packed is None else finished(packed)


def _read(given: object) -> tuple[list[Document], str | None]:
    if not isinstance(given, Mapping):
        return listed(given), None
    key = next((key for key in _DOCUMENTS if key in given), None)
    if key is None:
        raise InputError(
            f"the input has the keys {', '.join(map(str, given)) or 'none'}: give the documents "
            "under documents or context, and the query under query, question or input"
        )
    return listed(given[key]), _query(given)


def _query(given: Mapping[str, Any]) -> str | None:
    """Return the first query that says something; a message is what its text says."""
    found = {name: given[name] for name in _QUERY if given.get(name) is not None}
    texts = [str(q.text) if isinstance(q, BaseMessage) else q for q in found.values()]
    texts_given = [text for text in texts if isinstance(text, str)]
    if found and not texts_given:
        name, query = next(iter(found.items()))
        raise InputError(f"{name} is of type {type(query).__name__}: give a string or a message")
    return next((text for text in texts_given if text.strip()), None)
