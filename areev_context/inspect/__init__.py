"""Inspect a context: the report, the view, and its HTML page."""
