"""The input: hits, their grain types and fields, and the functions that read them."""
