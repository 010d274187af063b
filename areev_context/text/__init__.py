"""Strings that know nothing of hits: cleaning, sentences, words, dates, JSON values."""
