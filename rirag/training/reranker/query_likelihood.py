"""Fine-tuning a language model to ask the questions that its passages answer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rirag.training.data.examples import Dataset
from rirag.training.reranker.reranked_quality import RerankedQuality
from rirag.training.reranker.trainer import RerankerTraining
from rirag.training.runs.loop import device, model_options
from rirag.training.runs.rounds import Report
from rirag.training.runs.rows import Row
from rirag.training.runs.settings import RerankerSettings, TrainingSettings
from rirag.training.weights.base_models import loading
from search.errors import ModelError
from search.models.encoders.torch_models import hide_weight_loading_bar
from search.models.rerankers.query_likelihood import Reading, question_likelihoods

FROZEN = 1 / 3
"""Share of the layers, from the first, that stay as they are, and so do the words: a step takes a
third less time, and the model has learned to read long ago."""
GGUF = ".gguf"


class QueryLikelihoodTraining(RerankerTraining):
    """One run of a causal language model, over the questions that each passage answers.

    Its loss is the cross-entropy of the question's tokens; there are no negatives.
    """

    mining = "drawing a passage for each question"
    rerank_count = 10
    most_questions = 200
    """A language model takes a hundred times as long for a passage as a small cross-encoder."""

    export = None

    @staticmethod
    def save_start(base: Path, folder: Path, settings: RerankerSettings) -> None:  # noqa: ARG004 - the base's argument
        """Write the language model in float32, whatever precision it was published in.

        Raises:
            ModelError: the base cannot be loaded, or is another kind of model.
        """
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        hide_weight_loading_bar()
        packed = base.suffix == GGUF
        place = str(base.parent if packed else base)
        more = {"gguf_file": base.name} if packed else {}
        with loading(base, "a language model"):
            tokenizer = AutoTokenizer.from_pretrained(place, **more)
            loaded = AutoModelForCausalLM.from_pretrained(place, dtype=torch.float32, **more)
        if not hasattr(loaded.base_model, "layers"):  # of which `load` freezes some
            raise ModelError(f"{base} is no causal language model, so give another base.")
        # A model of its own, since one that was unpacked from 4 bits may not be saved.
        model = AutoModelForCausalLM.from_config(type(loaded.config)(**_plain(loaded.config)))
        model.load_state_dict(loaded.state_dict())
        model.save_pretrained(str(folder))
        tokenizer.save_pretrained(str(folder))

    @staticmethod
    def load(folder: Path) -> Any:
        """Load a language model of which only the upper layers learn; its tokenizer beside it."""
        from transformers import AutoModelForCausalLM

        hide_weight_loading_bar()
        model = AutoModelForCausalLM.from_pretrained(str(folder), **model_options()).to(device())
        layers = model.base_model.layers
        frozen = [model.get_input_embeddings(), *layers[: int(len(layers) * FROZEN)]]
        for module in frozen:
            module.requires_grad_(False)
        return model

    def prepare(self, start: Path) -> None:
        """Load the tokenizer."""
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(str(start))
        self._reading = Reading(tokenizer, self.settings.max_tokens)

    def mined_rows(self, seed: int) -> list[Row]:
        """Return a row for each question, with one of its passages."""
        draw = random.Random(seed)  # noqa: S311 - a draw of training data, no secret
        return [
            Row(one.question, draw.choice(one.positives), negatives=(), known=())
            for one in self._data.examples
        ]

    @staticmethod
    def steps(data: Dataset, settings: TrainingSettings) -> int:
        """Return how many steps a round has, of one row a question."""
        return len(data.examples) // settings.batch_size

    def trainer(self, rows: Sequence[Row], report: Report) -> dict[str, Any]:  # noqa: ARG002 - the base's argument
        """Return what `run_round` needs."""
        from transformers import TrainingArguments

        from rirag.training.reranker.question_loss import QuestionTrainer, padded

        texts = self._table.texts
        return {
            "trainer_class": QuestionTrainer,
            "arguments_class": TrainingArguments,
            "train_dataset": [
                {
                    "read": self._reading.passage(texts[row.positive]),
                    "asked": self._reading.question(row.question),
                }
                for row in rows
            ],
            "data_collator": padded,
        }

    def measure(self) -> RerankedQuality:
        """Measure the model as it is, in the precision that search reads it in."""
        import torch

        self._read = deepcopy(self.model).to(torch.bfloat16).eval()
        try:
            return super().measure()
        finally:
            del self._read

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the log-probabilities of a question after passages, shape (passages,)."""
        return question_likelihoods(self._read, self._reading, question, passages)


def _plain(config: Any) -> dict[str, Any]:
    """Return a configuration without how its weights were packed."""
    described: dict[str, Any] = config.to_dict()
    return {name: value for name, value in described.items() if name != "quantization_config"}
