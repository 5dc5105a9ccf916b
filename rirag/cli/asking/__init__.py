"""What `rirag ask` and `rirag verify` share: context of a question, models, answer files.

It knows options and terminals; the work is done in the service.
"""
