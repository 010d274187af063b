"""The order of a page: one file per mode, and the code that modes share."""
