"""The hybrid ranking inside a training run: legs, hard negatives, figures."""
