"""Strings that know nothing of hits: cleaning, sentences, parts, words, dates, JSON values."""
