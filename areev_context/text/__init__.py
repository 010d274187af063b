"""What a text is made of: sentences, and the parts of it that may be shown by themselves."""
