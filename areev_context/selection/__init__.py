"""What may be shown: trust, duplicates, updates, limits, priority."""
