"""Fine-tuning an encoder by questions, their passages, and hard negatives of its own ranking."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
from sentence_transformers.base.losses.merged_forward import embed_columns
from sentence_transformers.sentence_transformer.losses import (
    DistillKLDivLoss,
    MultipleNegativesRankingLoss,
)
from sentence_transformers.util import pairwise_cos_sim
from torch import Tensor, nn

from rirag_workbench.training.data.examples import Dataset
from rirag_workbench.training.data.negatives import known_positives, lexical_rankings
from rirag_workbench.training.data.pairs import PassageTable
from rirag_workbench.training.runs.quality import Quality, quality_of
from rirag_workbench.training.runs.rounds import ByLength, Report, WithoutCard
from rirag_workbench.training.runs.rows import Row, examples_of_run, make_rows, mined_rows
from rirag_workbench.training.runs.run import Request, Run, TrainingReport
from rirag_workbench.training.runs.settings import EncoderSettings
from rirag_workbench.training.runs.teacher import logarithms
from rirag_workbench.training.runs.training import Trained, Training, device, model_options
from rirag_workbench.training.weights.export import export_encoder
from rirag_workbench.training.weights.unpacking import loading
from search.models.encoders.model_folder import ENCODER_CARD
from search.models.encoders.onnx import OnnxEncoder
from search.models.encoders.protocol import Encoder, Vectors
from search.records import Passage

EVALUATION_TOKENS = 256
"""Longest text when passages are encoded to mine and to validate between rounds: retrieval is as
good as with the 512 of search (see the shipped encoder's model card), and a third faster."""
TEXTS_AT_ONCE = 32


class EncoderTrainer(WithoutCard, SentenceTransformerTrainer):  # type: ignore[misc]
    """The library's trainer of encoders."""


class EncoderTraining(Training):
    """One run of an encoder, with the vectors of all passages as long as they are valid."""

    trainer_class = EncoderTrainer
    settings: EncoderSettings

    def __init__(
        self,
        base: str,
        data: Dataset,
        table: PassageTable,
        settings: EncoderSettings,
        work: Path,
    ) -> None:
        """Load the base model, a folder of sentence-transformers; see `Training`."""
        with loading(base, "an encoder"):
            model = SentenceTransformer(base, device=device(), model_kwargs=model_options())
        super().__init__(model, data, table, settings, work)
        self._vectors: Vectors | None = None
        texts = [table.texts[key] for _, key in table.index_rows]
        self._validation_rankings = lexical_rankings(texts, [q.question for q in data.validation])

    def measure(self) -> Quality:
        """Measure the model as it is on the validation questions."""
        self._vectors = None
        questions = self.encode([question.question for question in self._data.validation])
        return self._quality(questions, self._passages())

    def measure_encoder(self, encoder: Encoder, alpha: float) -> Quality:
        """Measure an exported encoder on the same questions."""
        questions = [question.question for question in self._data.validation]
        passages = encoder.encode_passages(self._table.texts[: self._table.indexed]).vectors
        return self._quality(encoder.encode_questions(questions), passages, alpha)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Encode texts much as search would, but in bfloat16 if the settings say so."""
        self.model.max_seq_length = EVALUATION_TOKENS
        with self.precision():
            vectors: Vectors = self.model.encode(
                list(texts),
                batch_size=TEXTS_AT_ONCE,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return vectors

    def mined_rows(self) -> list[Row]:
        """Return the rows, with negatives that the model as it is finds hard."""
        return mined_rows(self._data, self._table, self._passages(), self.encode, self.settings)

    def columns(self, row: Row) -> dict[str, Any]:
        """Return question, positive and negatives, with the shares if there is a teacher."""
        texts = self._table.texts
        negatives = {f"negative_{n}": texts[key] for n, key in enumerate(row.negatives, 1)}
        taught = {"label": logarithms(row.shares)} if row.shares else {}
        return {"question": row.question, "positive": texts[row.positive], **negatives, **taught}

    def loss(self) -> torch.nn.Module:
        """Return the softmax over the passages of a batch, or the loss with a teacher."""
        model, scale = ByLength(self.model, "sentence_embedding"), self.settings.scale
        if not self.settings.teacher:
            return MultipleNegativesRankingLoss(model, scale)
        return TaughtRankingLoss(model, scale)

    def _passages(self) -> Vectors:
        if self._vectors is None:
            self._vectors = self.encode(self._table.texts)
        return self._vectors

    def _quality(
        self, questions: Vectors, passages: Vectors, alpha: float | None = None
    ) -> Quality:
        return quality_of(
            self._data.validation,
            self._validation_rankings,
            questions,
            passages[[key for _, key in self._table.index_rows]],
            [passage for passage, _ in self._table.index_rows],
            alpha,
        )


RANKING_WEIGHT = 0.5
"""Of the softmax over the positives of the batch, beside the one over a row's own list."""


class TaughtRankingLoss(nn.Module):  # type: ignore[misc]
    """The teacher orders the passages of a row; the positives of other rows are negatives.

    What the teacher judges is no negative by itself: some of it may answer.
    """

    def __init__(self, model: nn.Module, scale: float) -> None:
        """Take the encoder and the factor of its cosines before each softmax."""
        super().__init__()
        self.model = model
        self._listwise = DistillKLDivLoss(model, lambda a, b: scale * pairwise_cos_sim(a, b))
        self._ranking = MultipleNegativesRankingLoss(model, scale)

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch.

        Args:
            labels: logarithms of the wanted shares, shape (rows, passages).
        """
        embeddings = embed_columns(self.model, sentence_features)
        listwise = self._listwise.compute_loss_from_embeddings(embeddings, labels)
        ranking = self._ranking.compute_loss_from_embeddings(embeddings[:2], labels)
        return listwise + RANKING_WEIGHT * ranking


ANCHORS = 6
"""Passages of each step that the model must encode as before: so it keeps what it knows of
language, and forgets less of other rulebooks."""
ANCHOR_WEIGHT = 20.0
"""Of their mean distance beside the loss of the questions."""
ANCHOR_CHARACTERS = range(30, 700)
"""Length of such passages: of longer ones training reads the beginning alone."""


class QuestionTraining(EncoderTraining):
    """A run in which a question is to be nearest to its answer among all passages at once."""

    mining = "drawing the questions"

    _fixed: Vectors

    def run(self, report: Report) -> Trained:
        """Encode all passages with the base, and train; see `Training.run`."""
        self._fixed = super()._passages()
        return super().run(report)

    def measure_encoder(self, encoder: Encoder, alpha: float) -> Quality:
        """Measure an exported model in the same way."""
        questions = [question.question for question in self._data.validation]
        return self._quality(encoder.encode_questions(questions), self._fixed, alpha)

    def mined_rows(self) -> list[Row]:
        """Return the rows: each question with each of its answers."""
        seed = self.settings.seed
        examples = examples_of_run(self._data, self.settings.auxiliary_share, seed)
        known = known_positives(self._data.trained_on)
        return make_rows(examples, [()] * len(examples), known, 0, seed)

    def columns(self, row: Row) -> dict[str, Any]:
        """Return the question, and the key of the passage that answers it."""
        return {"question": row.question, "label": row.positive}

    def _passages(self) -> Vectors:
        return self._fixed

    def loss(self) -> nn.Module:
        """Return the softmax over all passages."""
        model = ByLength(self.model, "sentence_embedding")
        return QuestionLoss(model, self._table.texts, torch.tensor(self._fixed), self.settings)


class QuestionLoss(nn.Module):  # type: ignore[misc]
    """Cross-entropy of the cosines of a question and all passages, and the pull of the anchors."""

    def __init__(
        self, model: Any, texts: Sequence[str], passages: Tensor, settings: EncoderSettings
    ) -> None:
        """Take the encoder, the passages and their vectors, shape (passages, dimension)."""
        super().__init__()
        self.model = model
        self._scale = settings.scale
        self._texts = texts
        self._short = [key for key, one in enumerate(texts) if len(one) in ANCHOR_CHARACTERS]
        self._draw = random.Random(settings.seed)  # noqa: S311 - a draw of training data
        self.register_buffer("_passages", passages, persistent=False)

    def forward(self, sentence_features: Iterable[dict[str, Tensor]], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch."""
        (features,) = sentence_features
        cosines = self._vectors(features) @ self._passages.T
        loss = nn.functional.cross_entropy(self._scale * cosines, labels)
        if not self._short:
            return loss
        keys = self._draw.sample(self._short, min(ANCHORS, len(self._short)))
        read = self.model.preprocess([self._texts[key] for key in keys])
        tokens = {k: one.to(cosines.device) for k, one in read.items() if isinstance(one, Tensor)}
        kept = (self._vectors(tokens) * self._passages[keys]).sum(1)
        return loss + ANCHOR_WEIGHT * (1 - kept).mean()

    def _vectors(self, features: dict[str, Tensor]) -> Tensor:
        found = self.model(features)["sentence_embedding"]
        return nn.functional.normalize(found, dim=1)


SHARES = (1.0, 0.75, 0.5)
"""Shares of the trained weights that are tried; the best on validation is kept."""


def train_encoder(
    request: Request[EncoderSettings],
    passages: Iterable[Passage],
    report: Report,
    shares: Sequence[float] = SHARES,
) -> TrainingReport:
    """Train, choose, export and measure.

    Args:
        request: what is asked for; the base is a sentence-transformers model.
    """
    run = Run.begin("encoder", request, passages, report)
    kind = QuestionTraining if request.settings.questions_only else EncoderTraining
    training = kind(request.base, run.data, run.table, request.settings, run.work)
    run.claim()
    base = training.weights()
    trained = training.run(report)
    share = _choose_share(shares, base, training, trained, report)
    training.model.max_seq_length = EVALUATION_TOKENS
    training.model.save(str(run.weights), create_model_card=False)

    def measure(folder: Path) -> Quality:
        return training.measure_encoder(OnnxEncoder(folder), trained.chosen.weight)

    return run.finish(trained, export_encoder, measure, ENCODER_CARD, report, share)


def _choose_share(
    shares: Sequence[float],
    base: Mapping[str, Any],
    training: EncoderTraining,
    trained: Trained,
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
            report(f"{share:.0%} trained weights: {quality}")
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
