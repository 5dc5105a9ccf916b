"""What every training run is made of: settings, rounds, checkpoints, record."""
