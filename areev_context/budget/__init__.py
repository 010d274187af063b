"""How much of each hit is shown: what is shown of a passage within a budget."""
