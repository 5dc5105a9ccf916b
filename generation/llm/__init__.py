"""Define what a language model must do, and call models on servers.

It knows prompts and replies as text, and nothing of passages or answers.
"""
