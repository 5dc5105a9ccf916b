"""One training run: negatives are mined, and the library's trainer trains and validates.

Every state that matters is on disk: a run that was killed continues from its last checkpoint and
ends with the same weights.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from datasets import Dataset as Table
from transformers import EarlyStoppingCallback, PrinterCallback, TrainerState

from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.examples import Dataset
from rirag_workbench.training.data.pairs import PassageTable
from rirag_workbench.training.runs.quality import Quality
from rirag_workbench.training.runs.record import STATE, altered_refused, last_checkpoint
from rirag_workbench.training.runs.rounds import AnswersApart, Report, Supervisor, Validation
from rirag_workbench.training.runs.rows import Row, load_rows, save_rows
from rirag_workbench.training.runs.settings import TrainingSettings
from rirag_workbench.training.runs.teacher import taught
from search.errors import ModelError

LOG_STEPS = 10
ROWS = "rows.jsonl"
CHECKPOINTS_KEPT = 2
"""That of the best round, and the last."""


@dataclass(frozen=True)
class Trained:
    """What a finished run found."""

    before: Quality
    rounds: tuple[Quality, ...]
    best: int
    """Number of the best round; 0: what it started from was never beaten."""
    curve: tuple[dict[str, Any], ...]
    """Round, step, loss and learning rate, now and then."""

    @property
    def chosen(self) -> Quality:
        """Quality of the best round."""
        return self.rounds[self.best - 1] if self.best else self.before


class Training(ABC):
    """One run: a model, its settings, and the folder of its rows and checkpoints."""

    trainer_class: Any
    """A trainer of sentence-transformers."""
    mining = "mining hard negatives"
    """What is said while the rows are made."""

    def __init__(
        self, model: Any, data: Dataset, table: PassageTable, settings: TrainingSettings, work: Path
    ) -> None:
        """Set up a run."""
        self.model = model
        self.settings = settings
        self.work = work
        self._data = data
        self._table = table

    @abstractmethod
    def measure(self) -> Quality:
        """Measure the model as it is on the validation questions."""

    @abstractmethod
    def mined_rows(self) -> list[Row]:
        """Return the rows, with negatives that the model as it is finds hard."""

    @abstractmethod
    def columns(self, row: Row) -> dict[str, Any]:
        """Return a row as the loss takes it."""

    @abstractmethod
    def loss(self) -> torch.nn.Module:
        """Return the loss."""

    def run(self, report: Report) -> Trained:
        """Train all rounds, or what is left of them, and load the weights of the best."""
        start = self.weights()
        checkpoint = last_checkpoint(self.work)
        trainer = self._trainer(checkpoint, report)
        trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
        trained = self._trained(trainer.state.log_history)
        if not trained.best:
            self.take(start)
        return trained

    def weights(self) -> dict[str, torch.Tensor]:
        """Return a copy of the weights as they are."""
        return {name: tensor.clone() for name, tensor in self.model.state_dict().items()}

    def take(self, weights: Mapping[str, Any]) -> None:
        """Take over weights, as `state_dict` of the model gives them."""
        self.model.load_state_dict(weights)

    def precision(self) -> AbstractContextManager[Any]:
        """Return the context to compute in: bfloat16 if the settings say so."""
        if not self.settings.bf16:
            return nullcontext()
        context: AbstractContextManager[Any] = torch.autocast(device(), torch.bfloat16)
        return context

    def _trainer(self, checkpoint: Path | None, report: Report) -> Any:
        settings = self.settings
        arguments = self.trainer_class.training_args_class(
            output_dir=str(self.work.resolve()),
            num_train_epochs=_epochs(checkpoint, settings.epochs),
            per_device_train_batch_size=settings.batch_size,
            batch_sampler=AnswersApart,
            dataloader_drop_last=True,
            learning_rate=settings.learning_rate,
            weight_decay=settings.weight_decay,
            warmup_steps=settings.warmup,
            seed=settings.seed,
            bf16=settings.bf16,
            use_cpu=device() == "cpu",
            eval_strategy="epoch",
            eval_on_start=checkpoint is None,
            save_strategy="epoch",
            save_total_limit=CHECKPOINTS_KEPT,
            load_best_model_at_end=True,
            metric_for_best_model="objective",
            greater_is_better=True,
            restore_callback_states_from_checkpoint=True,
            logging_steps=LOG_STEPS,
            disable_tqdm=True,
            report_to="none",
        )

        def validate() -> Quality:
            return self._validate(trainer.state, report)

        trainer = self.trainer_class(
            model=self.model,
            args=arguments,
            train_dataset=self._rows(report),
            loss=self.loss(),
            evaluator=Validation(validate),
            callbacks=[EarlyStoppingCallback(settings.patience), Supervisor(report)],
        )
        trainer.remove_callback(PrinterCallback)
        return trainer

    def _rows(self, report: Report) -> Table:
        """Return what is trained on, made once for all resumptions."""
        path, settings = self.work / ROWS, self.settings
        if not path.exists():
            report(self.mining)
            rows = self.mined_rows()
            if len(rows) < settings.batch_size:
                raise unusable("training.data/no-negatives", count=len(rows))
            if settings.teacher:
                rows = taught(settings.teacher, rows, self._table.texts, report)
            save_rows(rows, path)
        rows = load_rows(path)
        report(f"{len(rows):,} rows")
        table = Table.from_list([self.columns(row) for row in rows])
        table.rows = rows  # for `AnswersApart`
        self.model.max_seq_length = settings.max_tokens
        return table

    def _validate(self, state: TrainerState, report: Report) -> Quality:
        number = math.ceil(state.epoch or 0)
        if not _finite(self.model):
            raise ModelError(
                f"round {number} ended with weights that are not numbers: the "
                f"learning rate of {self.settings.learning_rate:g} is too high; start "
                "again with a lower --lr and another --output."
            )
        quality = self.measure()
        self.model.max_seq_length = self.settings.max_tokens
        report(f"{f'round {number}' if number else 'before'}: {quality}")
        return quality

    def _trained(self, log: Sequence[Mapping[str, Any]]) -> Trained:
        with altered_refused(self.work):
            found = [
                Quality.from_json(entry["eval_quality"]) for entry in log if "eval_quality" in entry
            ]
            curve = [
                {
                    "round": math.ceil(entry["epoch"]),
                    "step": entry["step"],
                    "loss": entry["loss"],
                    "rate": entry["learning_rate"],
                }
                for entry in log
                if "loss" in entry
            ]
            best = int(np.argmax([quality.objective for quality in found]))
        return Trained(found[0], tuple(found[1:]), best, tuple(curve))


def device() -> str:
    """Return what torch computes on here."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def model_options() -> dict[str, Any]:
    """Return how a model is loaded to be trained here.

    On a CPU the fused attention of torch takes three times as long for its gradients in bfloat16
    as plain matrix products: 2.5 s of a step of 112 texts, and 1.1 s without it.
    """
    return {"attn_implementation": "eager"} if device() == "cpu" else {}


def _finite(model: Any) -> bool:
    """Return whether all weights of a model are numbers."""
    return all(bool(torch.isfinite(one).all()) for one in model.parameters())


def _epochs(checkpoint: Path | None, epochs: int) -> int:
    """Return how many epochs a run has: no more than it has done if it was stopped early.

    The library does not remember, when it resumes, that it stopped.
    """
    if checkpoint is None:
        return epochs
    with altered_refused(checkpoint / STATE):
        state = TrainerState.load_from_json(str(checkpoint / STATE))
        stopped = state.stateful_callbacks["TrainerControl"]["args"]["should_training_stop"]
        return math.ceil(state.epoch) if stopped else epochs
