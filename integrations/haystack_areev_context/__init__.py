"""Pack the documents of a Haystack pipeline into the context of a model.

::

    from areev_context import FormatPolicy
    from haystack_areev_context import ContextPacker

    pipeline.add_component("packer", ContextPacker(FormatPolicy.claude(token_budget=2000)))
    pipeline.connect("retriever.documents", "packer.documents")
    pipeline.connect("packer.prompt_context", "prompt_builder.context")
"""

from __future__ import annotations

try:
    import haystack as haystack
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "haystack-ai is not installed: pip install 'areev-context[haystack]'", name=error.name
    ) from error

try:
    from haystack.core.serialization import allow_deserialization_module
except ImportError:  # older versions load a pipeline with any component
    pass
else:
    allow_deserialization_module(__name__)  # so that a pipeline with a packer can be loaded

from haystack_areev_context.packer import ContextPacker

__all__ = ["ContextPacker"]
