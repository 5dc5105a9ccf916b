"""Fine-tuning an encoder to compare question and passage word by word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rirag.training.reranker.layers import keep_layers
from rirag.training.reranker.trainer import RerankerTraining
from rirag.training.runs.loop import device, model_options, text_columns
from rirag.training.runs.rounds import Report
from rirag.training.runs.rows import Row
from rirag.training.runs.settings import RerankerSettings
from rirag.training.weights.base_models import loading
from rirag.training.weights.export import export_late_interaction


class LateInteractionTraining(RerankerTraining):
    """One run of an encoder whose tokens are compared."""

    export = staticmethod(export_late_interaction)

    @staticmethod
    def save_start(base: Path, folder: Path, settings: RerankerSettings) -> None:
        """Write the encoder, or some of its layers.

        Raises:
            ModelError: the base cannot be loaded.
        """
        from sentence_transformers import SentenceTransformer

        with loading(base, "an encoder"):
            model = SentenceTransformer(str(base), device="cpu")
        keep_layers(model[0].auto_model, settings.layers)
        model.save(str(folder))

    @staticmethod
    def load(folder: Path) -> Any:
        """Load an encoder."""
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(folder), device=device(), model_kwargs=model_options())

    def trainer(self, rows: Sequence[Row], report: Report) -> dict[str, Any]:  # noqa: ARG002 - the base's argument
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

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean best cosines of passages with a question, shape (passages,)."""
        import torch

        from rirag.training.reranker.late_interaction_loss import late_interaction, token_vectors

        with torch.no_grad(), self.precision():
            vectors, words = token_vectors(
                self.model, [self.model.preprocess([question, *passages])]
            )
            found = late_interaction(vectors[:1], words[:1], vectors[1:], words[1:])
        scores: NDArray[np.float32] = found[0].cpu().numpy()
        return scores
