"""How much of each hit is shown within a token budget."""
