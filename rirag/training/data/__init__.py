"""What models are trained on: questions with their passages, and what keeps them apart."""
