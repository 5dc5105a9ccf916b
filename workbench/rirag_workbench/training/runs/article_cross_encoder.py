"""The cross-encoder of Licari et al., section 2.2.1: binary cross-entropy over article pairs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rirag_workbench.evaluation.articles import LEFT_OUT, ArticleQuestion
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.held_out import fold_by_words, hash_number
from rirag_workbench.training.data.trained_on import RECORD_FILE
from rirag_workbench.training.runs.record import (
    base_hash,
    file_hashes,
    machine,
    versions,
    write_json,
)
from rirag_workbench.training.weights.unpacking import loading
from search.articles.act import Act
from search.articles.features import named_articles
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
    first_rank: int = 250
    """1-based rank by a bi-encoder from which negatives are drawn."""
    last_rank: int = 300
    negatives: int = 20
    """Of each question."""
    seed: int = 17


class ArticlePair(NamedTuple):
    """A question beside the text of an article."""

    qa_id: str
    question: str
    article: str
    relevant: bool


def article_pairs(
    questions: Iterable[ArticleQuestion], act: Act, encoder: Encoder, settings: CrossEncoderSettings
) -> Iterator[ArticlePair]:
    """Yield the pairs of each question: its positives, then negatives of a band of ranks.

    Positives are the articles of a Q&A, and those that question, background and answer name. A
    question that is about an article left out and no other is left out with it.
    """
    numbers = list(act.articles)
    if len(numbers) < settings.last_rank:
        raise unusable(
            "training.data/act-too-short",
            act=act.title,
            articles=len(numbers),
            first=settings.first_rank,
            last=settings.last_rank,
        )
    texts = {number: one.text for number, one in act.articles.items()}
    vectors = encoder.encode_passages(list(texts.values())).vectors
    for one in questions:
        asked = one.asked.text
        references = [*named_articles(asked, act), *named_articles(one.answer, act)]
        named = {*one.articles, *(number for found in references for number in found.articles)}
        positives = {number for number in named if number in act.places and number not in LEFT_OUT}
        if not positives or set(one.articles) <= set(LEFT_OUT):
            continue
        cosines = vectors @ encoder.encode_questions([asked])[0]
        order = [numbers[place] for place in np.argsort(-cosines, kind="stable")]
        band = order[settings.first_rank - 1 : settings.last_rank]
        others = [n for n in band if n not in positives and n not in LEFT_OUT]
        draw = np.random.default_rng([settings.seed, hash_number(one.qa_id) % 2**32])
        negatives = draw.permutation(others)[: settings.negatives]
        for number in sorted(positives, key=act.places.__getitem__):
            yield ArticlePair(one.qa_id, asked, texts[number], relevant=True)
        for number in negatives:
            yield ArticlePair(one.qa_id, asked, texts[str(number)], relevant=False)


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
        encoder: by whose ranks negatives are drawn.
        output: folder to write; must not exist, or be empty.
        settings: of the training; None: the paper's.

    Returns:
        `f1` of the development pairs, `steps`, and how many `pairs` were trained on.
    """
    settings = settings or CrossEncoderSettings()
    if output.exists() and any(output.iterdir()):
        raise unusable("training.data/folder", output)
    from sentence_transformers import CrossEncoder

    from rirag_workbench.training.runs.training import device

    with loading(base, "a cross-encoder"):
        model = CrossEncoder(base, num_labels=1, max_length=settings.max_tokens, device=device())
    pairs = list(article_pairs(questions, act, encoder, settings))
    held = {one.qa_id for one in questions if fold_by_words(one.asked.question) == DEVELOPMENT_FOLD}
    training = [pair for pair in pairs if pair.qa_id not in held]
    development = [pair for pair in pairs if pair.qa_id in held]
    if not training or not development:
        raise unusable("training.data/no-checkpoint")
    report(f"{len(training):,} pairs for training, {len(development):,} for validation")
    trainer = _trainer(model, training, development, output, settings)
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


def _trainer(
    model: Any,
    training: Sequence[ArticlePair],
    development: Sequence[ArticlePair],
    output: Path,
    settings: CrossEncoderSettings,
) -> Any:
    import torch
    from datasets import Dataset as Table
    from sentence_transformers import CrossEncoderTrainingArguments
    from sentence_transformers.cross_encoder.evaluation import CrossEncoderClassificationEvaluator
    from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss

    from rirag_workbench.training.runs.reranker import RerankerTrainer

    steps = max(1, -(-len(training) // settings.batch_size)) * settings.epochs
    every = min(settings.evaluation_steps, steps)
    arguments = CrossEncoderTrainingArguments(
        output_dir=str(output / "checkpoints"),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        warmup_steps=settings.warmup,
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
    evaluator = CrossEncoderClassificationEvaluator(
        sentence_pairs=[[one.question, one.article] for one in development],
        labels=[int(one.relevant) for one in development],
        show_progress_bar=False,
        write_csv=False,
    )
    columns = {
        "sentence_A": [one.question for one in training],
        "sentence_B": [one.article for one in training],
        "label": [float(one.relevant) for one in training],
    }
    return RerankerTrainer(
        model=model,
        args=arguments,
        train_dataset=Table.from_dict(columns),
        loss=BinaryCrossEntropyLoss(model),
        evaluator=evaluator,
    )
