"""Strings that know nothing of hits: cleaning, words, dates, JSON values."""
