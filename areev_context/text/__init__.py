"""What strings are made of: their sentences and pauses, whatever the hits and the formats are."""
