"""What happens to the reply of a model before it is an answer: filters over a stream, and the
draft.

It calls no model.
"""
