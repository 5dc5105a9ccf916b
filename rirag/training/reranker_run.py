"""A whole training run of a cross-encoder: data, rounds, export, record."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rirag.training.checkpoints import Round, claim
from rirag.training.encoder_run import FLOAT32, WORK, describe
from rirag.training.examples import load_dataset
from rirag.training.export import RERANKER_CARD, export_reranker, model_size
from rirag.training.passage_table import PassageTable
from rirag.training.record import base_hash, file_hashes, write_record
from rirag.training.reranked_quality import RerankedQuality
from rirag.training.reranker_start import save_start
from rirag.training.reranker_trainer import RerankerTraining
from rirag.training.rounds import Clock, Report
from rirag.training.settings import RerankerSettings
from rirag.training.training_loop import Trained
from search.encoders.protocol import Encoder
from search.records import Passage
from search.rerankers.onnx import OnnxReranker

START, EXPORTED_FLOAT32 = "start", "float32-onnx"


@dataclass(frozen=True, slots=True)
class RerankerRequest:
    """What to train, on what, and where to put it."""

    base: str
    """Folder of a BERT encoder, as sentence-transformers saves it."""
    output: Path
    files: Sequence[Path]
    validation: Path
    auxiliary: Sequence[Path] = ()
    settings: RerankerSettings = field(default_factory=RerankerSettings)
    resume: bool = False
    max_minutes: float | None = None


@dataclass(frozen=True, slots=True)
class RerankerReport:
    """What a run gained, and what its export lost."""

    before: RerankedQuality
    rounds: tuple[RerankedQuality, ...]
    best_round: int
    """0: no round was better than an untrained head."""
    float32: RerankedQuality
    int8: RerankedQuality
    megabytes: float
    """Model and tokenizer of the export."""
    minutes: float

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)

    def to_table(self) -> str:
        """Return the figures as lines to read."""
        rows = [(f"round {number}", found) for number, found in enumerate(self.rounds, 1)]
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
        encoder: of the hybrid whose candidates the cross-encoder will sort.
        passages: of the index that the questions belong to.
        report: told each step.

    Raises:
        InputError: a file cannot be used, or the output folder holds another run.
        PausedError: the minutes are over; the same request with `resume` goes on.
    """
    table = PassageTable(passages)
    data = load_dataset(request.files, request.auxiliary, request.validation, table)
    report(describe(data))
    work = request.output / WORK
    started = _started(request, encoder)
    claim(work, started, request.resume)
    start = work / START
    if not (start / "config.json").exists():
        settings = request.settings
        save_start(Path(request.base), start, settings.layers, settings.seed)
    training = RerankerTraining(start, encoder, data, table, request.settings, work)
    trained = training.run(Clock.of(request.max_minutes), report)
    _save_float32(trained.checkpoint or start, request.output / FLOAT32)
    found = _exported(request, training, trained, report)
    rounds = [Round.of(work, number) for number in range(1, len(trained.rounds) + 1)]
    card = json.loads((request.output / RERANKER_CARD).read_text("utf-8"))
    write_record(request.output, started, data, rounds, found.to_json(), card["sha256"])
    return found


def _save_float32(checkpoint: Path, folder: Path) -> None:
    """Copy the weights without the optimiser's state."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in checkpoint.iterdir():
        if path.suffix in {".json", ".safetensors", ".txt"} and path.name != "trainer_state.json":
            shutil.copy2(path, folder / path.name)


def _exported(
    request: RerankerRequest,
    training: RerankerTraining,
    trained: Trained[RerankedQuality],
    report: Report,
) -> RerankerReport:
    """Export to int8, and measure what that costs against float32."""
    weights, name = request.output / FLOAT32, request.output.resolve().name
    measured = {}
    for folder, float32 in ((request.output / WORK / EXPORTED_FLOAT32, True),
                            (request.output, False)):  # fmt: skip
        report(f"exporting and measuring {'float32' if float32 else 'int8'}")
        export_reranker(weights, folder, name, float32=float32)
        reranker = OnnxReranker(str(folder))
        measured[float32] = training.measure_reranker(reranker, trained.chosen.weight)
    return RerankerReport(
        before=trained.before,
        rounds=trained.rounds,
        best_round=trained.best,
        float32=measured[True],
        int8=measured[False],
        megabytes=model_size(request.output) / 1e6,
        minutes=trained.minutes,
    )


def _started(request: RerankerRequest, encoder: Encoder) -> dict[str, Any]:
    return {
        "kind": "reranker",
        "base": base_hash(request.base),
        "encoder": encoder.revision,
        "settings": request.settings.to_json(),
        "data": file_hashes(request.files),
        "auxiliary": file_hashes(request.auxiliary),
        "validation": file_hashes([request.validation]),
    }
