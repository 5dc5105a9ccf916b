"""A whole training run of an encoder: data, rounds, blending, export, record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rirag_workbench.training.encoder.question_training import QuestionTraining
from rirag_workbench.training.encoder.retrieval_quality import RetrievalQuality
from rirag_workbench.training.encoder.trainer import EncoderTraining
from rirag_workbench.training.runs.checkpoints import released_if_refused
from rirag_workbench.training.runs.rounds import Report
from rirag_workbench.training.runs.run import Request, Run
from rirag_workbench.training.runs.settings import EncoderSettings
from rirag_workbench.training.runs.training import Trained
from rirag_workbench.training.weights.export import export_encoder, model_size
from search.json_form import Record
from search.models.encoders.model_folder import ENCODER_CARD
from search.models.encoders.onnx import OnnxEncoder
from search.records import Passage

SHARES = (1.0, 0.75, 0.5)
"""Shares of the trained weights that are tried; the best on validation is kept."""


@dataclass(frozen=True, slots=True)
class EncoderRequest(Request):
    """What to train, on what, and where to put it; the base is a sentence-transformers model."""

    settings: EncoderSettings = field(default_factory=EncoderSettings)
    shares: Sequence[float] = SHARES


@dataclass(frozen=True, slots=True)
class EncoderReport(Record):
    """What a run gained, and what its export lost."""

    before: RetrievalQuality
    rounds: tuple[RetrievalQuality, ...]
    best_round: int
    """0: no round was better than the base."""
    share: float
    """Of the trained weights in the result."""
    float32: RetrievalQuality
    int8: RetrievalQuality
    megabytes: float
    """Model and tokenizer of the export."""
    minutes: float

    def to_table(self) -> str:
        """Return the figures as lines to read."""
        rows = [("before", self.before)]
        rows += [(f"round {number}", found) for number, found in enumerate(self.rounds, 1)]
        rows += [("float32", self.float32), ("int8", self.int8)]
        head = f"{'':10} {'dense R@10 / AP@10':>20} {'hybrid':>18} {'alpha':>6} {'seen':>18}"
        lines = [f"{head} {'unseen':>18}"]
        for name, found in rows:
            lines.append(
                f"{name:10} {found.dense!s:>20} {found.hybrid!s:>18} {found.alpha:6.1f} "
                f"{found.seen or '-'!s:>18} {found.unseen or '-'!s:>18}"
            )
        lines.append(
            f"weights: round {self.best_round}, {self.share:.0%} of them trained; "
            f"{self.megabytes:.1f} MB; {self.minutes:.0f} minutes of training"
        )
        return "\n".join(lines)


def train_encoder(
    request: EncoderRequest, passages: Iterable[Passage], report: Report
) -> EncoderReport:
    """Train, choose, export and measure.

    Args:
        request: what is asked for.
        passages: of the index that the questions belong to.
        report: called with each step.

    Raises:
        InputError: a file or the teacher cannot be used, or the output folder holds another run.
    """
    run = Run.begin("encoder", request, passages, report)
    with released_if_refused(run.work):
        kind = QuestionTraining if request.settings.questions_only else EncoderTraining
        training = kind(request.base, run.data, run.table, request.settings, run.work)
    base = training.weights()
    trained = training.run(report)
    share = _choose_share(request.shares, base, training, trained, report)
    training.model.save(str(run.weights), create_model_card=False)
    alpha = trained.chosen.alpha
    float32, int8 = run.export(
        export_encoder,
        lambda folder: training.measure_encoder(OnnxEncoder(folder), alpha),
        report,
    )
    found = EncoderReport(
        before=trained.before,
        rounds=trained.rounds,
        best_round=trained.best,
        share=share,
        float32=float32,
        int8=int8,
        megabytes=model_size(request.output) / 1e6,
        minutes=trained.minutes,
    )
    run.record(trained.curve, found.to_json(), ENCODER_CARD)
    return found


def _choose_share(
    shares: Sequence[float],
    base: Mapping[str, Any],
    training: EncoderTraining,
    trained: Trained[RetrievalQuality],
    report: Report,
) -> float:
    """Load the blend of base and best round that validates best; return its trained share."""
    if not trained.best:
        return 0.0
    best = training.weights()
    objective = {1.0: trained.chosen.objective}
    for share in shares:
        if share not in objective:
            training.take(_blend(base, best, share))
            quality = training.measure()
            report(f"{share:.0%} trained weights: hybrid {quality.hybrid}, unseen {quality.unseen}")
            objective[share] = quality.objective
    chosen = max(shares, key=lambda share: objective[share])
    training.take(_blend(base, best, chosen))
    return chosen


def _blend(base: Mapping[str, Any], trained: Mapping[str, Any], share: float) -> dict[str, Any]:
    """Return `share` of the trained tensors plus the rest of the base's.

    The mean of both models' weights often keeps the gain in the new field and the base's quality
    elsewhere (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models", section 3). Tensors
    that are not floating-point numbers, such as position ids, are the trained ones.
    """
    return {
        name: tensor if not tensor.is_floating_point() else share * tensor
        + (1 - share) * base[name].to(tensor.device)
        for name, tensor in trained.items()
    }  # fmt: skip
