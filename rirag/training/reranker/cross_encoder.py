"""Fine-tuning a cross-encoder: an encoder's layers below a head that knows nothing yet."""

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
from rirag.training.weights.export import export_reranker


class CrossEncoderTraining(RerankerTraining):
    """One run of a sequence classifier with one output, over question and passage at once."""

    export = staticmethod(export_reranker)

    @staticmethod
    def save_start(base: Path, folder: Path, settings: RerankerSettings) -> None:
        """Write the encoder's layers, and a head of random weights.

        Raises:
            ModelError: the base cannot be loaded.
        """
        from transformers import AutoModelForSequenceClassification, AutoTokenizer, set_seed

        set_seed(settings.seed)
        with loading(base, "a cross-encoder"):
            model = AutoModelForSequenceClassification.from_pretrained(str(base), num_labels=1)
            tokenizer = AutoTokenizer.from_pretrained(str(base))
        keep_layers(model.base_model, settings.layers)
        model.save_pretrained(str(folder))
        tokenizer.save_pretrained(str(folder))

    @staticmethod
    def load(folder: Path) -> Any:
        """Load a cross-encoder."""
        from sentence_transformers import CrossEncoder
        from torch.nn import Identity

        return CrossEncoder(
            str(folder), device=device(), activation_fn=Identity(), model_kwargs=model_options()
        )

    def trainer(self, rows: Sequence[Row], report: Report) -> dict[str, Any]:
        """Return what `run_round` needs."""
        from datasets import Dataset as Table
        from sentence_transformers import CrossEncoderTrainer, CrossEncoderTrainingArguments

        from rirag.training.reranker.listwise_loss import ListwiseLoss

        self.model.max_seq_length = self.settings.max_tokens
        wanted = self.teacher.wanted(rows, self._table.texts, report)
        return {
            "trainer_class": CrossEncoderTrainer,
            "arguments_class": CrossEncoderTrainingArguments,
            "train_dataset": Table.from_dict(text_columns(rows, self._table.texts)),
            "loss": ListwiseLoss(self.model, wanted),
        }

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the logits of passages for a question, shape (passages,)."""
        import torch

        from rirag.training.reranker.listwise_loss import score_by_length

        pairs = [(question, passage) for passage in passages]
        with torch.no_grad(), self.precision():
            scores: NDArray[np.float32] = score_by_length(self.model, pairs).float().cpu().numpy()
        return scores
