"""Read the folder that an ONNX model is kept in, and refuse one that was altered."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from search.errors import ModelError

MODELS_FOLDER = Path(__file__).resolve().parent.parent
"""The models that ship with rirag, a folder each."""

ENCODER_CARD = "encoder.json"
RERANKER_CARD = "reranker.json"
MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"


class ModelCard(BaseModel):
    """What the card in a folder says of the model beside it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    max_tokens: int = Field(gt=2)
    """Longest input in tokens, the model's own markers included; the rest is cut off."""
    sha256: dict[str, str]
    """File name → SHA-256 in hexadecimal, of the model and the tokenizer."""


class EncoderCard(ModelCard):
    """What `encoder.json` says."""

    dimension: int = Field(gt=0)
    pooling: Literal["mean", "cls"] = "mean"
    """How token vectors become one: their mean, or the vector of the first token."""
    question_prefix: str = ""
    """Put in front of every question, for models that were trained with such a prefix."""
    passage_prefix: str = ""


class RerankerCard(ModelCard):
    """What `reranker.json` says."""


Card = TypeVar("Card", bound=ModelCard)


@dataclass(frozen=True)
class ModelFolder(Generic[Card]):
    """The checked content of a model's folder."""

    card: Card
    model: bytes
    tokenizer: bytes
    revision: str
    """First 16 hexadecimal digits of the SHA-256 of the card, which holds those of the files."""


def shipped_models(card_file: str) -> list[str]:
    """Return the names of the models that ship with rirag and have a card of this file name."""
    return sorted(card.parent.name for card in MODELS_FOLDER.glob(f"*/{card_file}"))


def folder_of(model: str, card_file: str) -> Path:
    """Return the folder of a model that ships with rirag, or the one that is named itself."""
    return MODELS_FOLDER / model if model in shipped_models(card_file) else Path(model)


def read_folder(folder: Path, card_file: str, card_class: type[Card]) -> ModelFolder[Card]:
    """Read a folder with a model, its tokenizer and a card that lists both.

    Raises:
        ModelError: a file is missing, unreadable, or not the one that the card lists.
    """
    card_bytes = _read(folder / card_file)
    card = _card(folder / card_file, card_bytes, card_class)
    model = _read_checked(folder / MODEL_FILE, card, card_file)
    tokenizer = _read_checked(folder / TOKENIZER_FILE, card, card_file)
    return ModelFolder(card, model, tokenizer, hashlib.sha256(card_bytes).hexdigest()[:16])


def _card(path: Path, content: bytes, card_class: type[Card]) -> Card:
    try:
        return card_class.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the whole file"
        raise ModelError(
            f"{path} does not describe a model ({field}: {first['msg']}); export the model again.",
            code="model.unloadable",
        ) from error


def _read_checked(path: Path, card: ModelCard, card_file: str) -> bytes:
    content = _read(path)
    if hashlib.sha256(content).hexdigest() != card.sha256.get(path.name):
        raise ModelError(
            f"{path} is not the file that {card_file} describes (its SHA-256 "
            "differs); restore it by installing rirag again, or export the model "
            "again.",
            code="model.unloadable",
        )
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read ({error.strerror}); install rirag again, or export the model "
            "again.",
            code="model.unloadable",
        ) from error
