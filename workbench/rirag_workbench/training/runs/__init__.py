"""What every training run is made of: settings, rounds, checkpoints, record.

It knows nothing of the model that is trained.
"""
