"""In what order a page is laid out: one file a mode, and what modes share."""
