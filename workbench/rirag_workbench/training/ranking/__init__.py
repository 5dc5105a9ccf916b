"""The hybrid ranking inside a training run: retrievers, hard negatives, figures.

It knows nothing of the model that is trained.
"""
