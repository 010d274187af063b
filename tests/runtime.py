"""What an installation of the library without extras brings along, by import name."""

OURS = "areev_context"
THIRD_PARTY = {
    "annotated_types",
    "pydantic",
    "pydantic_core",
    "toon_format",
    "typing_extensions",
    "typing_inspection",
}
