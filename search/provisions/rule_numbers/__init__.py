"""Rules that a text names by number: finding the numbers, and the passages that have them."""
