"""Text classifiers and entailment models by name or folder: transformers models, ONNX folders."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from search.errors import InputError, MissingDependencyError, ModelError
from search.models.encoders.onnx import open_session, run_batches, usable_cores
from search.models.tokenizer import Tokens, open_tokenizer

PREFIX = "sentence-transformers"
"""May be written before the name of a model, parted by a colon."""

Text = str | tuple[str, str]
"""One text, or a pair of premise and hypothesis."""

Array = NDArray[np.float32]
TEXTS_AT_ONCE = 16
SECONDS = 5.0
"""That the hub may take to answer."""
LONGEST = 512
"""Tokens of a text; of a pair the longer text is cut first."""

LABELS = ("entailment", "neutral", "contradiction")
"""The columns of what an entailment model returns."""


NOT_HERE = (
    "it is not on this machine, and cannot be downloaded; download it where there is a network, "
    "and give its folder."
)


class Classifier(Protocol):
    """A model that gives each of its labels a probability."""

    @property
    def name(self) -> str:
        """Its name or folder."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Its labels in lower case, in the order of the columns."""

    def probabilities(self, texts: Sequence[Text]) -> Array:
        """Return the probability of each label, shape (texts, labels); rows add up to 1."""


def load_classifier(name: str) -> Classifier:
    """Load a classifier.

    Args:
        name: a folder with `model.onnx`, `tokenizer.json` and `config.json`; another folder, or a
            name, that transformers knows; `PREFIX` may be before each.

    Raises:
        InputError: there is no name.
        MissingDependencyError: transformers is not installed.
        ModelError: it cannot be loaded.
    """
    name = name.removeprefix(f"{PREFIX}:")
    if not name.strip():
        raise InputError(
            f"The model has no name; write {PREFIX}:MODEL or a folder.", code="model.unknown"
        )
    if (Path(name) / "model.onnx").is_file():
        return OnnxClassifier(Path(name))
    return TransformersClassifier(name)


class TransformersClassifier:
    """A sequence classifier of transformers."""

    def __init__(self, name: str) -> None:
        self.name = name
        if find_spec("transformers") is None or find_spec("torch") is None:
            raise MissingDependencyError(f"The model {name}", "sentence-transformers")
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        from search.models.encoders.torch_models import hide_weight_loading_bar

        hide_weight_loading_bar()
        offline = not _is_reachable(name)
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(name, local_files_only=offline)
            self._model: Any = AutoModelForSequenceClassification.from_pretrained(
                name, local_files_only=offline
            ).eval()
        except Exception as error:  # the library raises whatever its many loaders raise
            reason = NOT_HERE if offline and not Path(name).exists() else _first_line(error)
            raise ModelError(
                f"The model {name} cannot be loaded: {reason}", code="model.unloadable"
            ) from error
        self.labels = _labels(self._model.config.id2label)

    def probabilities(self, texts: Sequence[Text]) -> Array:
        """Return the probability of each label, shape (texts, labels)."""
        import torch

        rows = [np.zeros((0, len(self.labels)), dtype=np.float32)]
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            first, second = _apart(texts[start : start + TEXTS_AT_ONCE])
            features = self._tokenizer(
                first, second, padding=True, truncation=True, max_length=LONGEST,
                return_tensors="pt",
            )  # fmt: skip
            with torch.no_grad():
                rows.append(_softmax(self._model(**features).logits.numpy()))
        return np.concatenate(rows)


class OnnxClassifier:
    """A sequence classifier as an ONNX folder."""

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        try:
            self._tokenizer = open_tokenizer((folder / "tokenizer.json").read_bytes(), LONGEST)
            self._session = open_session(str(folder / "model.onnx"), usable_cores())
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self.labels = _labels({int(k): v for k, v in config["id2label"].items()})
        except MissingDependencyError:
            raise
        except Exception as error:  # both libraries raise classes of their own
            raise ModelError(
                f"The model in {folder} cannot be loaded: {_first_line(error)}",
                code="model.unloadable",
            ) from error

    def probabilities(self, texts: Sequence[Text]) -> Array:
        """Return the probability of each label, shape (texts, labels)."""
        found = np.zeros((len(texts), len(self.labels)), dtype=np.float32)
        tokens = [self._tokens(text) for text in texts]
        ids, segments = [one.ids for one in tokens], [one.segments for one in tokens]
        for batch, logits, _ in run_batches(self._session, ids, segments):
            found[batch] = _softmax(logits)
        return found

    def _tokens(self, text: Text) -> Tokens:
        if isinstance(text, str):
            return self._tokenizer.encode([text])[0]
        return self._tokenizer.encode_pairs(text[0], [text[1]])[0]


class EntailmentModel:
    """A cross-encoder for natural language inference (NLI): premise and hypothesis in."""

    def __init__(self, model: Classifier) -> None:
        """Take a classifier.

        Raises:
            ModelError: it does not have the three labels.
        """
        self.name = f"{PREFIX}:{model.name}"
        self._model = model
        self._columns = label_columns(model.labels, self.name)

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probability of each of `LABELS`, shape (pairs, 3); rows add up to 1."""
        return self._model.probabilities(pairs)[:, self._columns]


def label_columns(names: Sequence[str], model: str) -> list[int]:
    """Return the column of each of `LABELS`; models have them in any order.

    Raises:
        ModelError: the model has other labels.
    """
    found = [name.lower() for name in names]
    if sorted(found) != sorted(LABELS):
        raise ModelError(
            f"{model} has the labels {', '.join(names)}; an entailment model has "
            f"{', '.join(LABELS)}.",
            code="model.unsuitable",
        )
    return [found.index(label) for label in LABELS]


def load_entailment(
    name: str, load: Callable[[str], Classifier] = load_classifier
) -> EntailmentModel:
    """Load an entailment model by name.

    Args:
        name: as `load_classifier` takes it.
        load: returns the classifier of three labels that it is.

    Raises:
        InputError: there is no name.
        MissingDependencyError: the library is not installed.
        ModelError: it cannot be loaded, or is not an entailment model.
    """
    return EntailmentModel(load(name))


def _is_reachable(name: str) -> bool:
    """Return whether a model can be asked for at the hub; the library would try for a minute."""
    if Path(name).exists():
        return False
    from huggingface_hub import HfApi

    try:
        HfApi().model_info(name, timeout=SECONDS)
    except Exception:  # whatever its HTTP client raises
        return False
    return True


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(" :")


def _labels(names: dict[int, str]) -> tuple[str, ...]:
    return tuple(str(names[column]).lower() for column in sorted(names))


def _apart(texts: Sequence[Text]) -> tuple[list[str], list[str] | None]:
    if texts and isinstance(texts[0], str):
        return [one for one in texts if isinstance(one, str)], None
    pairs = [one for one in texts if not isinstance(one, str)]
    return [one for one, _ in pairs], [other for _, other in pairs]


def _softmax(logits: NDArray[np.floating]) -> Array:
    exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = (exponents / exponents.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares
