"""What comes in: hits, their grain types and fields, and the doors that read them."""
