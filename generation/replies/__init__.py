"""Turn the reply of a model into an answer: filters over a stream, and the
draft.

It calls no model.
"""
