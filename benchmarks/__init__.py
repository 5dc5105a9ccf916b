"""What rirag costs and how well it searches: one command each, see README.md."""
