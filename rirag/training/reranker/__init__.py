"""Fine-tuning a reranker."""
