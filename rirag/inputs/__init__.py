"""Read the files of a user besides sources: answered questions, answers, examples, prompts.

It reads and checks; it opens no index.
"""
