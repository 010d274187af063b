"""In what characters a page is written: one file a format, and what formats share."""
