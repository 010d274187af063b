"""The characters of a page: one file per format, and the code that formats share."""
