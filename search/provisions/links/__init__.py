"""What passages cite, what cites them, and the terms that they define."""
