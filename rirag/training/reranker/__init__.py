"""Fine-tuning a cross-encoder."""
