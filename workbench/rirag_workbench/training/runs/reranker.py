"""Fine-tune a cross-encoder on the candidates that it will have to sort."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sentence_transformers import CrossEncoder, CrossEncoderTrainer
from sentence_transformers.cross_encoder.losses import ListNetLoss

from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.examples import Dataset
from rirag_workbench.training.data.negatives import (
    Ranking,
    cosines,
    dense_ranking,
    fused_scores,
    lexical_rankings,
)
from rirag_workbench.training.data.pairs import PassageTable
from rirag_workbench.training.runs.quality import (
    Candidates,
    Quality,
    quality_of,
    reranked_quality,
)
from rirag_workbench.training.runs.rounds import ByLength, Report, WithoutCard
from rirag_workbench.training.runs.rows import Row, mined_rows
from rirag_workbench.training.runs.run import Request, Run, TrainingReport
from rirag_workbench.training.runs.settings import RerankerSettings
from rirag_workbench.training.runs.teacher import answer_shares, logarithms
from rirag_workbench.training.runs.training import Training, device, model_options
from rirag_workbench.training.weights.export import export_reranker
from rirag_workbench.training.weights.unpacking import loading
from search.models.encoders.model_folder import RERANKER_CARD
from search.models.encoders.protocol import Encoder, Vectors
from search.models.rerankers import load_reranker
from search.models.rerankers.protocol import Reranker
from search.records import Passage


def keep_layers(bert: Any, wanted: int | None) -> None:
    """Take layers out of a BERT model.

    Args:
        wanted: how many of its layers are kept; all if None.
    """
    if wanted is not None:
        total = bert.config.num_hidden_layers
        if wanted > total:
            raise unusable("training.option/layers", total=total, wanted=wanted)
        kept = kept_layers(total, wanted)
        stack = bert.encoder
        stack.layer = type(stack.layer)(stack.layer[number] for number in kept)
        bert.config.num_hidden_layers = len(kept)


def kept_layers(total: int, wanted: int) -> list[int]:
    """Return which layers are kept, evenly spaced, the first and the last among them."""
    if wanted == 1:
        return [total - 1]
    return [round(place * (total - 1) / (wanted - 1)) for place in range(wanted)]


START = "start"
"""Folder, in that of the run, with the reranker to start from."""
WHOLE_BATCH = -1
"""`ListNetLoss` hands all pairs of a batch to `ByLength`, which divides them."""
Score = Callable[[str, Sequence[str]], NDArray[np.float32]]
"""Question, passages → one score a passage."""


class RerankerTrainer(WithoutCard, CrossEncoderTrainer):  # type: ignore[misc]
    """The library's trainer of cross-encoders."""


class CrossEncoderTraining(Training):
    """One run of a sequence classifier with one output, over question and passage at once.

    Its candidates are those that an encoder and BM25 propose.
    """

    trainer_class = RerankerTrainer
    settings: RerankerSettings
    rerank_count = 20
    """Candidates of a question that validation has sorted."""

    def __init__(
        self,
        start: Path,
        encoder: Encoder,
        data: Dataset,
        table: PassageTable,
        settings: RerankerSettings,
        work: Path,
    ) -> None:
        """Load the model, and find the candidates."""
        super().__init__(self.load(start), data, table, settings, work)
        self._encoder = encoder
        self._questions = data.validation
        self._vectors = self._passages(work / "vectors.npy")
        self._candidates = self._validation_candidates()

    @staticmethod
    def save_start(base: Path, folder: Path, settings: RerankerSettings) -> None:
        """Write the encoder's layers, and a head of random weights."""
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
        return CrossEncoder(
            str(folder),
            device=device(),
            activation_fn=torch.nn.Identity(),
            model_kwargs=model_options(),
        )

    def columns(self, row: Row) -> dict[str, Any]:
        """Return a question, its list of passages, and their shares."""
        passages = [self._table.texts[key] for key in row.passages]
        label = logarithms(row.shares or answer_shares([row])[0])
        return {"question": row.question, "passages": passages, "label": label}

    def loss(self) -> torch.nn.Module:
        """Return ListNet's top-one loss (Cao et al. 2007): the softmax over a list."""
        return ListNetLoss(ByLength(self.model, "scores"), mini_batch_size=WHOLE_BATCH)

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the logits of passages for a question, shape (passages,)."""
        with self.precision():
            scores: NDArray[np.float32] = self.model.predict(
                [(question, passage) for passage in passages], show_progress_bar=False
            )
        return scores

    def measure(self) -> Quality:
        """Measure the model as it is on the validation questions."""
        return self._measured(self.scores)

    def measure_reranker(self, reranker: Reranker, weight: float) -> Quality:
        """Measure an exported reranker on the same candidates."""
        return self._measured(reranker.score, weight)

    def mined_rows(self) -> list[Row]:
        """Return the rows: negatives are what the hybrid ranks high."""
        encode = self._encoder.encode_questions
        return mined_rows(self._data, self._table, self._vectors, encode, self.settings)

    def _measured(self, score: Score, weight: float | None = None) -> Quality:
        questions, rows = self._questions, self._table.index_rows
        texts = [self._table.texts[key] for _, key in rows]
        scores = [
            score(question.question, [texts[row] for row in found.rows])
            if found.rows
            else np.zeros(0, np.float32)
            for question, found in zip(questions, self._candidates, strict=True)
        ]
        ids = [passage for passage, _ in rows]
        return reranked_quality(questions, self._candidates, scores, ids, weight)

    def _passages(self, path: Path) -> Vectors:
        """Encode all passages, once for all resumptions."""
        if not path.exists():
            vectors = self._encoder.encode_passages(self._table.texts).vectors
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(path, vectors)
        loaded: Vectors = np.load(path)
        return loaded

    def _validation_candidates(self) -> list[Candidates]:
        """Return the hybrid's best for each validation question, at its best lexical weight."""
        questions = self._questions
        rows = [key for _, key in self._table.index_rows]
        ids = [passage for passage, _ in self._table.index_rows]
        asked = [question.question for question in questions]
        lexical = lexical_rankings([self._table.texts[key] for key in rows], asked)
        vectors, passages = self._encoder.encode_questions(asked), self._vectors[rows]
        alpha = quality_of(questions, lexical, vectors, passages, ids).weight
        return [
            _best(retriever, dense_ranking(scores, range(len(rows))), alpha, self.rerank_count)
            for retriever, scores in zip(lexical, cosines(vectors, passages), strict=True)
        ]


def _best(lexical: Ranking, dense: Ranking, alpha: float, count: int) -> Candidates:
    fused = fused_scores(lexical, dense, alpha)
    best = sorted(fused, key=lambda row: -fused[row])[:count]
    return Candidates(tuple(best), tuple(fused[row] for row in best))


def train_reranker(
    request: Request[RerankerSettings],
    encoder: Encoder,
    passages: Iterable[Passage],
    report: Report,
) -> TrainingReport:
    """Train, choose, export and measure.

    Args:
        request: what is asked for; the base is a BERT encoder as sentence-transformers saves it, or
            a cross-encoder.
    """
    settings = request.settings
    run = Run.begin("reranker", request, passages, report, encoder=encoder.revision)
    start = run.work / START
    if not start.exists():
        # What is there under its name is whole.
        partial = start.with_name(f"{start.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        CrossEncoderTraining.save_start(Path(request.base), partial, settings)
        run.claim()
        partial.rename(start)
    training = CrossEncoderTraining(start, encoder, run.data, run.table, settings, run.work)
    trained = training.run(report)
    training.model.save_pretrained(str(run.weights), create_model_card=False)

    def measure(folder: Path) -> Quality:
        return training.measure_reranker(load_reranker(str(folder)), trained.chosen.weight)

    return run.finish(trained, export_reranker, measure, RERANKER_CARD, report)
