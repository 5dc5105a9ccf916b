"""What rirag asks of a language model, and the client that asks it.

It knows prompts and replies as text, and nothing of passages or answers.
"""
