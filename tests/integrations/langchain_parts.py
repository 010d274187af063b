"""What the tests of the LangChain integration share: documents, a retriever, a listening model."""

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import SimpleChatModel
from langchain_core.messages import BaseMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.schemas import Run
from pydantic import Field, PrivateAttr

from areev_context import Passage

QUERY = "when is the rent due?"
SECRET = "never-to-leave"


def lease() -> list[Document]:
    """Return three documents, best first, with metadata that must not leave."""
    found = [
        ("The notice period is three months, counted from the end of a month.", 4),
        ("Rent is due on the first of the month. It is paid by transfer.", 2),
        ("The deposit is three rents, paid into a blocked account.", 7),
    ]
    return [
        Document(text, id=f"d{page}", metadata={"title": "Lease", "page": page, "owner": SECRET})
        for text, page in found
    ]


def passages(documents: Sequence[Document]) -> list[Passage]:
    """Return documents as passages, told apart from the integration."""
    return [Passage(d.page_content, d.metadata, None, d.id) for d in documents]


class Fixed(BaseRetriever):
    """Finds what it was given."""

    documents: list[Document]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return list(self.documents)


class DocumentWithState(Document):
    """What filters of redundant documents hand on: a document with the state of their work."""

    state: dict[str, Any] = Field(default_factory=dict)


class Listener(SimpleChatModel):
    """A model that keeps the prompts it gets and answers each with one word."""

    _prompts: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "listener"

    @property
    def prompts(self) -> list[str]:
        return ["\n".join(str(message.content) for message in prompt) for prompt in self._prompts]

    def _call(self, messages: list[BaseMessage], *rest: Any, **named: Any) -> str:
        self._prompts.append(messages)
        return "answer"


class Runs(BaseTracer):
    """Keeps every finished tree of runs."""

    def __init__(self) -> None:
        super().__init__()
        self.roots: list[Run] = []

    def _persist_run(self, run: Run) -> None:
        self.roots.append(run)


def tree(run: Run) -> tuple[str, list[Any]]:
    """Return the names in a tree of runs."""
    return run.name, [tree(child) for child in run.child_runs]
