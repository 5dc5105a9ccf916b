"""What each component of search is worth: it is taken away, and the same questions asked again."""
