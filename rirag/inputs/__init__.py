"""Files that a user gives beside the sources: answered questions, answers, examples, prompts.

It reads and checks; it opens no index.
"""
