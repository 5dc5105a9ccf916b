"""A whole training run of a reranker: data, rounds, export, record."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rirag_workbench.training.reranker.cross_encoder import CrossEncoderTraining
from rirag_workbench.training.reranker.reranked_quality import RerankedQuality
from rirag_workbench.training.runs.checkpoints import released_if_refused
from rirag_workbench.training.runs.rounds import Report
from rirag_workbench.training.runs.run import Request, Run
from rirag_workbench.training.runs.settings import RerankerSettings
from rirag_workbench.training.weights.export import export_reranker, model_size
from search.json_form import Record
from search.models.encoders.model_folder import RERANKER_CARD
from search.models.encoders.protocol import Encoder
from search.models.rerankers import load_reranker
from search.records import Passage

START = "start"


@dataclass(frozen=True, slots=True)
class RerankerRequest(Request):
    """What to train, on what, and where to put it.

    The base is a BERT encoder as sentence-transformers saves it, or a cross-encoder.
    """

    settings: RerankerSettings = field(default_factory=RerankerSettings)


@dataclass(frozen=True, slots=True)
class RerankerReport(Record):
    """What a run gained, and what its export lost."""

    before: RerankedQuality
    rounds: tuple[RerankedQuality, ...]
    best_round: int
    """0: no round was better than an untrained head."""
    float32: RerankedQuality
    int8: RerankedQuality
    megabytes: float
    """Model and tokenizer, as search loads them."""
    minutes: float

    def to_table(self) -> str:
        """Return the figures as lines to read."""
        rows = [("before", self.before)]
        rows += [(f"round {number}", found) for number, found in enumerate(self.rounds, 1)]
        rows += [("float32", self.float32), ("int8", self.int8)]
        lines = [
            f"{'':10} {'reranked R@10 / AP@10':>22} {'weight':>7} {'alone':>18} {'seen':>18} "
            f"{'unseen':>18}",
            f"{'fused':10} {self.before.fused!s:>22} {0:7.1f}",
        ]
        for name, found in rows:
            lines.append(
                f"{name:10} {found.reranked!s:>22} {found.weight:7.1f} {found.alone!s:>18} "
                f"{found.seen or '-'!s:>18} {found.unseen or '-'!s:>18}"
            )
        lines.append(
            f"weights: round {self.best_round}; {self.megabytes:.1f} MB; "
            f"{self.minutes:.0f} minutes of training"
        )
        return "\n".join(lines)


def train_reranker(
    request: RerankerRequest, encoder: Encoder, passages: Iterable[Passage], report: Report
) -> RerankerReport:
    """Train, choose, export and measure.

    Args:
        request: what is asked for.
        encoder: of the hybrid whose candidates the reranker will sort.
        passages: of the index that the questions belong to.
        report: called with each step.

    Raises:
        InputError: a file or the teacher cannot be used, or the output folder holds another run.
    """
    settings = request.settings
    run = Run.begin("reranker", request, passages, report, encoder=encoder.revision)
    start = run.work / START
    if not start.exists():
        with released_if_refused(run.work):
            _save_start(request, start)
    training = CrossEncoderTraining(start, encoder, run.data, run.table, settings, run.work)
    trained = training.run(report)
    training.model.save_pretrained(str(run.weights), create_model_card=False)
    weight = trained.chosen.weight
    float32, int8 = run.export(
        export_reranker,
        lambda folder: training.measure_reranker(load_reranker(str(folder)), weight),
        report,
    )
    found = RerankerReport(
        before=trained.before,
        rounds=trained.rounds,
        best_round=trained.best,
        float32=float32,
        int8=int8,
        megabytes=model_size(request.output) / 1e6,
        minutes=trained.minutes,
    )
    run.record(trained.curve, found.to_json(), RERANKER_CARD)
    return found


def _save_start(request: RerankerRequest, start: Path) -> None:
    """Write the reranker to start from; what is there under its name is whole."""
    partial = start.with_name(f"{start.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    CrossEncoderTraining.save_start(Path(request.base), partial, request.settings)
    partial.rename(start)
