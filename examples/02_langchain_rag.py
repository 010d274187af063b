"""A RAG chain in LangChain: one runnable between the retriever and the prompt.

The retriever finds eight articles of a shop's help centre, far more than the model should read;
`ContextRunnable` packs them into 90 tokens, the sentences that answer the question first. Retriever
and model are small stand-ins: put your own in their place.
Install: `pip install 'areev-context[langchain]'`.
"""

import json
import re
from pathlib import Path

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough

from areev_context import FormatPolicy
from langchain_areev_context import ContextRunnable

ARTICLES = json.loads((Path(__file__).parent / "data" / "help.json").read_text(encoding="utf-8"))
QUESTION = "How long does a refund take to reach my card?"


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))


class HelpCentre(BaseRetriever):
    """Finds the articles that share the most words with the question."""

    documents: list[Document]
    k: int = 8

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        asked = words(query)
        return sorted(self.documents, key=lambda d: -len(asked & words(d.page_content)))[: self.k]


def main() -> None:
    documents = [Document(each.pop("text"), metadata=each) for each in ARTICLES]
    retriever, asked = HelpCentre(documents=documents), RunnablePassthrough[str]()
    pack = ContextRunnable(policy=FormatPolicy.gpt4(token_budget=90))
    prompt = ChatPromptTemplate.from_template("Answer from this:\n\n{context}\n\n{question}")
    llm = FakeListChatModel(responses=["Three to five working days after we scan the parcel."])

    ask = {"context": {"documents": retriever, "query": asked} | pack, "question": asked} | prompt
    messages = ask.invoke(QUESTION).to_messages()  # ask | llm is the whole chain
    whole = sum(len(document.page_content) for document in retriever.invoke(QUESTION))
    print(f"The retriever found {whole} characters; the model reads {len(messages[0].content)}:\n")
    print(messages[0].content)
    print(f"\n{llm.invoke(messages).content}")


if __name__ == "__main__":
    main()
