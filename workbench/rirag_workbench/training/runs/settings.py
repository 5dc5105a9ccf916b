"""The settings of a training run: what decides its result."""

from __future__ import annotations

from dataclasses import dataclass

from search.json_form import Record


@dataclass(frozen=True, slots=True)
class TrainingSettings(Record):
    """What every training has; the defaults are an encoder's."""

    epochs: int = 3
    """Rounds over the training questions."""
    batch_size: int = 64
    """Rows of a step."""
    learning_rate: float = 6e-5
    """At its peak, after the warm-up; from there it falls to zero in a straight line."""
    warmup: float = 0.1
    """Share of all steps in which the learning rate rises."""
    weight_decay: float = 0.01
    negatives: int = 1
    """Hard negatives of each row."""
    margin: float = 0.95
    """A candidate whose cosine is above this share of the lowest one of the known answers is taken
    for an answer that nobody marked, and not for a negative (Moreira et al. 2024, "NV-Retriever",
    section 4: TopK-PercPos; 1.0 leaves out what is nearer than an answer, infinity nothing)."""
    teacher: str = ""
    """Name of the reranker whose scores are learned too; empty if there is none."""
    auxiliary_share: float = 0.2
    """Share of auxiliary pairs among the rows of a round."""
    max_tokens: int = 160
    """Longest text in training; long enough for three of four answering passages of ObliQA."""
    patience: int = 1
    """Rounds without gain on validation after which training ends."""
    seed: int = 17
    bf16: bool = True
    """Compute in bfloat16 where the machine can: half the time on recent processors."""


@dataclass(frozen=True, slots=True)
class EncoderSettings(TrainingSettings):
    """How an encoder is trained. The defaults are those of the runs in docs/training.md."""

    questions_only: bool = False
    """Train what encodes questions alone: the vectors of passages stay those of the base, and a
    question has all of them as negatives."""
    scale: float = 20.0
    """Cosines are multiplied by it before the softmax; the default is sentence-transformers'."""


@dataclass(frozen=True, slots=True)
class RerankerSettings(TrainingSettings):
    """How a reranker is trained."""

    epochs: int = 1
    batch_size: int = 8
    """Lists of a step: one positive and `negatives` others each."""
    learning_rate: float = 5e-5
    negatives: int = 7
    auxiliary_share: float = 0.1
    max_tokens: int = 224
    """Of question and passage together."""
    layers: int | None = None
    """How many of the base's layers are kept, evenly spaced; all if None. Fewer are faster."""
