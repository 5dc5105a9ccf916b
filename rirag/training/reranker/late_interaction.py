"""Fine-tuning an encoder to compare question and passage word by word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rirag.training.reranker.trainer import RerankerTraining
from rirag.training.runs.loop import device, model_options, text_columns
from rirag.training.runs.rows import Row


class LateInteractionTraining(RerankerTraining):
    """One run of an encoder whose tokens are compared, with the same candidates."""

    def trainer(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return what `run_round` needs."""
        from datasets import Dataset as Table
        from sentence_transformers import (
            SentenceTransformerTrainer,
            SentenceTransformerTrainingArguments,
        )

        from rirag.training.reranker.late_interaction_loss import LateInteractionLoss

        self.model.max_seq_length = self.settings.max_tokens
        return {
            "trainer_class": SentenceTransformerTrainer,
            "arguments_class": SentenceTransformerTrainingArguments,
            "train_dataset": Table.from_dict(text_columns(rows, self._table.texts)),
            "loss": LateInteractionLoss(self.model, rows),
        }

    @staticmethod
    def load(folder: Path) -> Any:
        """Load an encoder."""
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(folder), device=device(), model_kwargs=model_options())

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import torch

        from rirag.training.reranker.late_interaction_loss import late_interaction, token_vectors

        if not pairs:
            return np.zeros(0, dtype=np.float32)
        texts = [pairs[0][0], *(passage for _, passage in pairs)]
        with torch.no_grad(), self.precision():
            vectors, words = token_vectors(self.model, [self.model.preprocess(texts)])
            found = late_interaction(vectors[:1], words[:1], vectors[1:], words[1:])
        scores: NDArray[np.float32] = found[0].cpu().numpy()
        return scores
