"""The loop that all models are trained in: mine, train, validate, round after round.

Every state that matters is on disk: a run that was killed continues from its last checkpoint and
ends with the same weights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from rirag.training.data.examples import Dataset
from rirag.training.runs.checkpoints import RESULT, Round, altered_refused
from rirag.training.runs.rounds import Optimisation, Report, run_round
from rirag.training.runs.rows import Row, load_rows, save_rows, steps_of_round
from rirag.training.runs.settings import TrainingSettings
from rirag.training.runs.teacher import Teacher
from search.errors import ModelError


class Quality(Protocol):
    """What validation found of one state of a model."""

    @property
    def objective(self) -> float:
        """What is maximised."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        ...

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Self:
        """Return what `to_json` made a record of."""
        ...


Found = TypeVar("Found", bound=Quality)


@dataclass(frozen=True)
class Trained(Generic[Found]):
    """What a finished run found."""

    before: Found
    rounds: tuple[Found, ...]
    best: int
    """Number of the best round; 0: what it started from was never beaten."""
    checkpoint: Path | None
    """Weights of the best round, as the library saves them; None: those it started from."""
    minutes: float
    """Spent on the steps of all rounds, over all resumptions."""

    @property
    def chosen(self) -> Found:
        """Quality of the best round."""
        return self.rounds[self.best - 1] if self.best else self.before


class Training(ABC, Generic[Found]):
    """One run: a model, its settings, and the folder of its rounds and checkpoints."""

    quality_class: type[Found]
    """What `measure` returns."""
    mining = "mining hard negatives"
    """What is said while the rows of a round are made."""

    def __init__(
        self,
        model: Any,
        data: Dataset,
        settings: TrainingSettings,
        work: Path,
    ) -> None:
        self.model = model
        self._data = data
        self.settings = settings
        self.work = work
        self.teacher = Teacher.of(settings.teacher, work)

    @abstractmethod
    def measure(self) -> Found:
        """Measure the model as it is on the validation questions."""

    @abstractmethod
    def mined_rows(self, seed: int) -> list[Row]:
        """Return the rows of a round, with negatives that the model as it is finds hard."""

    @staticmethod
    def steps(data: Dataset, settings: TrainingSettings) -> int:
        """Return how many steps a round has."""
        return steps_of_round(data, settings)

    @abstractmethod
    def trainer(self, rows: Sequence[Row], report: Report) -> dict[str, Any]:
        """Return what `run_round` needs: classes of trainer and arguments, data and loss."""

    @abstractmethod
    def weights_in(self, checkpoint: Path) -> Mapping[str, Any]:
        """Return the weights that lie in a checkpoint."""

    def take(self, weights: Mapping[str, Any]) -> None:
        """Take over weights, as `state_dict` of the model gives them."""
        self.model.load_state_dict(weights)

    def run(self, report: Report) -> Trained[Found]:
        """Train all rounds, or what is left of them.

        Raises:
            ModelError: a round ended in weights that are not numbers.
        """
        results = [self._finish(Round.of(self.work, 0), report)]
        optimisation: Optimisation | None = None
        for number in range(1, self.settings.epochs + 1):
            this = Round.of(self.work, number)
            if this.result() is None:
                optimisation = optimisation or self._take_up(number)
                self._train(this, optimisation, report)
            results.append(self._finish(this, report))
            if _stale(results, self.settings.patience):
                break
        return self._trained(results)

    def keep(self, this: Round) -> None:
        """Keep on disk what was computed while a round was measured."""

    def recall(self, this: Round) -> None:
        """Take over what `keep` kept at the end of a round."""

    def precision(self) -> AbstractContextManager[Any]:
        """Return the context to compute in: bfloat16 if the settings say so."""
        if not self.settings.bf16:
            return nullcontext()
        import torch

        context: AbstractContextManager[Any] = torch.autocast(device(), torch.bfloat16)
        return context

    def _train(self, this: Round, optimisation: Optimisation, report: Report) -> None:
        if not this.rows.exists():
            report(f"round {this.number}: {self.mining}")
            save_rows(self.mined_rows(self.settings.seed + this.number), this.rows)
        rows = load_rows(this.rows)
        report(f"round {this.number}: {len(rows):,} rows")
        self.model.train()
        needed = self.trainer(rows, report)
        run_round(this, optimisation, self.settings, report, model=self.model, **needed)
        if not _finite(self.model):
            raise ModelError(
                f"round {this.number} ended with weights that are not numbers: the "
                f"learning rate of {self.settings.learning_rate:g} is too high; start "
                "again with a lower --lr and another --output."
            )

    def _take_up(self, number: int) -> Optimisation:
        """Return the optimiser as it was at the end of the round before, and load its weights."""
        steps = self.settings.epochs * self.steps(self._data, self.settings)
        optimisation = Optimisation.of(self.model, self.settings, steps)
        before = Round.of(self.work, number - 1)
        checkpoint = before.checkpoint()
        if checkpoint is not None:
            self.take(self.weights_in(checkpoint))
            optimisation.restore(checkpoint)
        self.recall(before)
        return optimisation

    def _finish(self, this: Round, report: Report) -> Found:
        result = this.result()
        if result is None:
            quality = self.measure()
            self.keep(this)
            this.finish(quality.to_json())
            name = f"round {this.number}" if this.number else "before"
            report(f"{name}: {quality}, after {this.minutes():.1f} min")
            return quality
        with altered_refused(this.folder / RESULT):
            return self.quality_class.from_json(result)

    def _trained(self, results: Sequence[Found]) -> Trained[Found]:
        best = max(range(len(results)), key=lambda number: results[number].objective)
        rounds = [Round.of(self.work, number) for number in range(1, len(results))]
        checkpoint = rounds[best - 1].checkpoint() if best else None
        minutes = sum(one.minutes() for one in rounds)
        return Trained(results[0], tuple(results[1:]), best, checkpoint, minutes)


def device() -> str:
    """Return what torch computes on here."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def model_options() -> dict[str, Any]:
    """Return how a model is loaded to be trained here.

    On a CPU the fused attention of torch takes three times as long for its gradients in bfloat16
    as plain matrix products: 2.5 s of a step of 112 texts, and 1.1 s without it.
    """
    return {"attn_implementation": "eager"} if device() == "cpu" else {}


def text_columns(rows: Sequence[Row], texts: Sequence[str]) -> dict[str, list[Any]]:
    """Return rows as columns of texts; the label of a row is its number."""
    columns: dict[str, list[Any]] = {
        "question": [row.question for row in rows],
        "positive": [texts[row.positive] for row in rows],
    }
    for place in range(len(rows[0].negatives) if rows else 0):
        columns[f"negative_{place + 1}"] = [texts[row.negatives[place]] for row in rows]
    columns["label"] = list(range(len(rows)))
    return columns


def _finite(model: Any) -> bool:
    """Return whether all weights of a model are numbers."""
    import torch

    return all(bool(torch.isfinite(one).all()) for one in model.parameters())


def _stale(results: Sequence[Quality], patience: int) -> bool:
    """Return whether the last `patience` rounds brought nothing."""
    objectives = [quality.objective for quality in results]
    best = objectives.index(max(objectives))
    return len(objectives) - 1 - best >= patience
