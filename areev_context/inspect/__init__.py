"""Looking inside a context: the report, the view and its page."""
