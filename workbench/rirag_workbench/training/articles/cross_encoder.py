"""The cross-encoder of Licari et al., section 2.2.1: binary cross-entropy over article pairs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rirag_workbench.evaluation.articles.questions import ArticleQuestion
from rirag_workbench.training.articles.pairs import ArticlePair, PairSettings, article_pairs
from rirag_workbench.training.articles.ranker import fold_by_words
from rirag_workbench.training.data.trained_on import RECORD_FILE
from rirag_workbench.training.runs.checkpoints import write_json
from rirag_workbench.training.runs.record import base_hash, file_hashes, machine, versions
from rirag_workbench.training.weights.base_models import loading
from search.articles.act import Act
from search.errors import InputError
from search.models.encoders.protocol import Encoder

DEVELOPMENT_FOLD = 0
"""Questions of this fold choose the checkpoint: a fifth, as the paper's 2,354 of 12,533 pairs."""


@dataclass(frozen=True, slots=True)
class CrossEncoderSettings:
    """What the paper gives; batch size and learning rate, which it does not, are those of the
    scripts it names (FlagEmbedding's rerankers)."""

    epochs: int = 4
    warmup: float = 0.1
    """Share of all steps in which the learning rate rises."""
    evaluation_steps: int = 800
    """The checkpoint with the best F1 of the development pairs is kept."""
    batch_size: int = 8
    learning_rate: float = 6e-5
    max_tokens: int = 512
    seed: int = 17
    pairs: PairSettings = field(default_factory=PairSettings)


def train_cross_encoder(
    act: Act,
    questions: Sequence[ArticleQuestion],
    encoder: Encoder,
    base: str,
    output: Path,
    report: Callable[[str], None],
    settings: CrossEncoderSettings | None = None,
    source: Path | None = None,
) -> dict[str, Any]:
    """Fine-tune, keep the best checkpoint, and write it with its record.

    Args:
        act: whose articles are ranked.
        questions: Q&As about it.
        encoder: by whose ranks negatives are drawn.
        base: sequence classifier to start from, a folder or a name.
        output: folder to write; must not exist, or be empty.
        report: called with each step.
        settings: of the training; None: the paper's.
        source: file of the Q&As, for the record.

    Returns:
        `f1` of the development pairs, `steps`, and how many `pairs` were trained on.

    Raises:
        InputError: the folder holds something, or no pair is left on one side.
        ModelError: the base cannot be loaded.
    """
    settings = settings or CrossEncoderSettings()
    if output.exists() and any(output.iterdir()):
        raise InputError("the folder is not empty; choose a new one.", output, code="training.data")
    model = _load(base, settings)
    pairs = list(article_pairs(questions, act, encoder, settings.pairs))
    held = {one.qa_id for one in questions if fold_by_words(one) == DEVELOPMENT_FOLD}
    training = [pair for pair in pairs if pair.qa_id not in held]
    development = [pair for pair in pairs if pair.qa_id in held]
    if not training or not development:
        raise InputError(
            "too few Q&As: none is left for training, or for choosing a checkpoint.",
            code="training.data",
        )
    report(f"{len(training):,} pairs for training, {len(development):,} for validation")
    trainer = _trainer(model, act, training, development, output, settings)
    trainer.train()
    model.save_pretrained(str(output))
    shutil.rmtree(output / "checkpoints", ignore_errors=True)
    scores = [entry["eval_f1"] for entry in trainer.state.log_history if "eval_f1" in entry]
    found = {"f1": max(scores), "steps": trainer.state.global_step, "pairs": len(training)}
    write_json(
        output / RECORD_FILE,
        {
            "base": base_hash(base),
            "settings": asdict(settings),
            "data": [] if source is None else file_hashes([source]),
            "auxiliary": [],
            "act": act.number,
            "version": act.version,
            "report": found,
            "versions": versions(),
            "machine": machine(),
        },
    )
    return found


def _load(base: str, settings: CrossEncoderSettings) -> Any:
    from sentence_transformers import CrossEncoder

    from rirag_workbench.training.runs.training import device

    with loading(base, "a cross-encoder"):
        return CrossEncoder(base, num_labels=1, max_length=settings.max_tokens, device=device())


def _trainer(
    model: Any,
    act: Act,
    training: Sequence[ArticlePair],
    development: Sequence[ArticlePair],
    output: Path,
    settings: CrossEncoderSettings,
) -> Any:
    from datasets import Dataset as Table
    from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss

    from rirag_workbench.training.reranker.cross_encoder import RerankerTrainer

    columns = {
        "sentence_A": [pair.question for pair in training],
        "sentence_B": [act.articles[pair.article].text for pair in training],
        "label": [float(pair.relevant) for pair in training],
    }
    return RerankerTrainer(
        model=model,
        args=_arguments(output, len(training), settings),
        train_dataset=Table.from_dict(columns),
        loss=BinaryCrossEntropyLoss(model),
        evaluator=_evaluator(act, development),
    )


def _arguments(output: Path, pairs: int, settings: CrossEncoderSettings) -> Any:
    import torch
    from sentence_transformers import CrossEncoderTrainingArguments

    steps = max(1, -(-pairs // settings.batch_size)) * settings.epochs
    every = min(settings.evaluation_steps, steps)
    return CrossEncoderTrainingArguments(
        output_dir=str(output / "checkpoints"),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        warmup_steps=round(settings.warmup * steps),
        eval_strategy="steps",
        eval_steps=every,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=1,
        load_best_model_at_end=True,
        metric_for_best_model="eval_f1",
        greater_is_better=True,
        seed=settings.seed,
        use_cpu=not torch.cuda.is_available(),
        disable_tqdm=True,
        report_to="none",
    )


def _evaluator(act: Act, development: Sequence[ArticlePair]) -> Any:
    from sentence_transformers.cross_encoder.evaluation import CrossEncoderClassificationEvaluator

    return CrossEncoderClassificationEvaluator(
        sentence_pairs=[[one.question, act.articles[one.article].text] for one in development],
        labels=[int(one.relevant) for one in development],
        show_progress_bar=False,
        write_csv=False,
    )
