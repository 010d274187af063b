"""Functions on strings: cleaning, sentences, parts, words, dates, JSON values."""
