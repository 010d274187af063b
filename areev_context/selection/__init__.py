"""Select the hits that may be shown: trust, duplicates, updates, limits, priority."""
