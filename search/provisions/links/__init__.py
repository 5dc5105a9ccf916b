"""What passages cite, what cites them, and the terms that they define.

It asks an engine by exact keys, and ranks nothing.
"""
