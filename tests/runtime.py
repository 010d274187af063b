"""What the library consists of, and what comes along without extras; all by import name."""

from importlib.util import find_spec

OURS = "areev_context"
INTEGRATIONS = {
    "haystack_areev_context": "haystack",
    "langchain_areev_context": "langchain_core",
    "llama_index.postprocessor.areev_context": "llama_index.core",
}
"""The framework that each integration is for."""
THIRD_PARTY = {
    "annotated_types",
    "pydantic",
    "pydantic_core",
    "toon_format",
    "typing_extensions",
    "typing_inspection",
}


def installed(module: str) -> bool:
    """Return whether a module can be imported, without the seconds that importing it takes."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even what it is inside of
        return False
