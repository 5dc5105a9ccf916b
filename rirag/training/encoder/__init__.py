"""Fine-tuning an encoder."""
