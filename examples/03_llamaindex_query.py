"""A query engine in LlamaIndex: one postprocessor between the index and the model.

The index returns every article of a shop's help centre; `ContextPostprocessor` packs them into 120
tokens of LlamaIndex's own tokenizer. The node that the model reads carries the receipt, so that the
whole result, with its report, can be had back from the response. The model only repeats what it
reads. Install: `pip install 'areev-context[llamaindex]'`.
"""

import json
from pathlib import Path

from llama_index.core import Document, SummaryIndex
from llama_index.core.llms import MockLLM

from areev_context import FormatPolicy, FormattedContext
from llama_index.postprocessor.areev_context import ContextPostprocessor

ARTICLES = json.loads((Path(__file__).parent / "data" / "help.json").read_text(encoding="utf-8"))
QUESTION = "Can I still change the delivery address of my parcel?"


def main() -> None:
    documents = [Document(text=each.pop("text"), metadata=each) for each in ARTICLES]
    index = SummaryIndex.from_documents(documents)  # or any other index of yours
    pack = ContextPostprocessor(policy=FormatPolicy.claude(token_budget=120))
    engine = index.as_query_engine(MockLLM(), node_postprocessors=[pack])
    response = engine.query(QUESTION)
    (node,) = response.source_nodes
    print(f"{response}\n")
    print(FormattedContext(text=node.text, **node.metadata).report())


if __name__ == "__main__":
    main()
