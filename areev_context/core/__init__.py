"""Nouns and arithmetic: what a hit is, what it costs, which hits stay."""
