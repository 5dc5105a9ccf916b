"""What models are trained on: questions with their passages, and what keeps sets apart.

It knows no model.
"""
