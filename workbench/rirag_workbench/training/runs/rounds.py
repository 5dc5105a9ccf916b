"""What a trainer of the library is given: batches, validation, checkpoints and reports."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from sentence_transformers.base.evaluation import BaseEvaluator
from sentence_transformers.base.sampler import DefaultBatchSampler
from torch import Tensor, nn
from transformers import TrainerCallback

from rirag_workbench.training.runs.rows import Row

TEXTS_AT_ONCE = {"cpu": 16, "cuda": 256}
"""Texts of similar length that are computed together."""


class ByLength(nn.Module):  # type: ignore[misc]
    """Computes texts of similar length together, each group cut to its longest.

    The losses of the library pad all texts of a batch to the longest, which costs a CPU a third
    more. The results are the same.
    """

    def __init__(self, model: nn.Module, output: str) -> None:
        """Take a model of sentence-transformers, and the name of what it returns of each text."""
        super().__init__()
        self.model = model
        self._output = output

    def __getattr__(self, name: str) -> Any:
        """Return what the losses ask of a model, such as its tokenizer."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("model"), name)

    def forward(self, features: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the outputs of texts, given their token ids, segments and mask."""
        tokens = {
            name: features[name]
            for name in ("input_ids", "attention_mask", "token_type_ids")
            if name in features
        }
        lengths = tokens["attention_mask"].sum(dim=1)
        order = torch.argsort(lengths, stable=True)
        parts = []
        for some in order.split(TEXTS_AT_ONCE.get(order.device.type, TEXTS_AT_ONCE["cuda"])):
            longest = int(lengths[some].max())
            group = {name: values[some, :longest] for name, values in tokens.items()}
            parts.append(self.model(group)[self._output])
        return {self._output: torch.cat(parts)[torch.argsort(order)]}


CHECKPOINT_MINUTES = 3.0
"""What a `kill -9` may cost. Writing a checkpoint of a small encoder takes a second."""

Report = Callable[[str], None]
"""Takes one line of progress."""


class AnswersApart(DefaultBatchSampler):  # type: ignore[misc]
    """Batches in which no row has a passage that is known to answer the question of another.

    The losses take each passage of a batch for a negative of all other rows. The last batches of an
    epoch are filled with what is left. `BatchSamplers.NO_DUPLICATES` of the library knows only the
    positive of the row itself, and yields fewer batches than it promises, after which the trainer
    resumes an epoch at the wrong place.
    """

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the batches of the current epoch, as seed and epoch decide."""
        self.generator.manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self.sampler), generator=self.generator).tolist()
        left = dict.fromkeys(order)
        for _ in range(len(self)):
            batch = self._apart(left)
            if len(batch) < self.batch_size:
                batch += [key for key in left if key not in batch][: self.batch_size - len(batch)]
            for key in batch:
                del left[key]
            yield batch

    def _apart(self, left: dict[int, None]) -> list[int]:
        batch: list[int] = []
        passages: set[int] = set()
        answers: set[int] = set()
        for key in left:
            row: Row = self.sampler.rows[key]
            if passages.isdisjoint(row.known) and answers.isdisjoint(row.passages):
                batch.append(key)
                passages.update(row.passages)
                answers.update(row.known)
            if len(batch) == self.batch_size:
                break
        return batch


class Validation(BaseEvaluator):  # type: ignore[misc]
    """Measures a model on the validation questions."""

    def __init__(self, measure: Callable[[], Any]) -> None:
        """Take what returns the quality of the model as it is; see `training.Quality`."""
        super().__init__()
        self._measure = measure

    def __call__(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Return the objective, by which rounds are compared, and the whole quality."""
        quality = self._measure()
        return {"objective": quality.objective, "quality": quality.to_json()}


class Supervisor(TrainerCallback):  # type: ignore[misc]
    """Has checkpoints written by the clock, and reports the progress."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._saved = time.monotonic()

    def on_step_end(self, _args: Any, state: Any, control: Any, **_: Any) -> None:
        """Decide whether to save, which does not change what is learned.

        At the end of an epoch the library itself saves, after validation. From a checkpoint that
        was written before, it would go on without validation.
        """
        due = time.monotonic() - self._saved >= 60 * CHECKPOINT_MINUTES
        if due and not float(state.epoch).is_integer():
            control.should_save = True
            self._saved = time.monotonic()

    def on_log(self, _args: Any, state: Any, _control: Any, logs: dict[str, Any], **_: Any) -> None:
        """Report a loss."""
        if "loss" in logs:
            place = f"step {state.global_step:,} of {state.max_steps:,}"
            self._report(f"round {math.ceil(state.epoch)}: {place}, loss {logs['loss']:.3f}")

    def on_evaluate(
        self, _args: Any, state: Any, _control: Any, metrics: dict[str, Any], **_: Any
    ) -> None:
        """Have the rounds beat what training starts from."""
        if state.global_step == 0:
            state.best_metric = metrics["eval_objective"]


class WithoutCard:
    """Keeps a trainer of the library from choosing examples for a model card nobody reads."""

    def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
        """Add none."""
