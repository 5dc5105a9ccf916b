"""The working folder of a training run, and the record of it: what went in, and what came out."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rirag.files import named_hash, sha256_of
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.examples import Dataset
from rirag_workbench.training.data.held_out import question_hash
from rirag_workbench.training.data.trained_on import HASHES, RECORD_FILE
from search.models.rerankers import reranker_folder

STARTED = "started.json"
STATE = "trainer_state.json"
"""File of a checkpoint in which the library keeps steps, losses and validation."""


def write_json(path: Path, value: object) -> None:
    """Write JSON so that a file of this name is always whole, even after a power cut."""
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


@contextmanager
def altered_refused(path: Path) -> Iterator[None]:
    """Refuse a file of which something is missing that `write_json` wrote."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError):
        raise unusable("training.other-run/altered", path) from None


def read_json(path: Path) -> Any:
    """Read a JSON file that `write_json` wrote; None if there is none."""
    if not path.exists():
        return None
    with altered_refused(path):
        return json.loads(path.read_text("utf-8"))


def refuse_other_run(folder: Path, started: dict[str, Any], resume: bool) -> None:
    """Refuse a working folder that belongs to another run, or to one that is not resumed."""
    known = read_json(folder / STARTED)
    if known is None:
        return
    if not resume:
        raise unusable("training.other-run/unfinished", folder)
    with altered_refused(folder / STARTED):
        differing = [name for name in {**known, **started} if known.get(name) != started.get(name)]
    if differing:
        raise unusable("training.other-run/differs", folder, names=", ".join(sorted(differing)))


def claim(folder: Path, started: dict[str, Any]) -> None:
    """Make a working folder that belongs to a run."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / STARTED, started)


def last_checkpoint(work: Path) -> Path | None:
    """Return the last whole checkpoint of a working folder; None if there is none."""
    # The library writes the state last, so that a folder without it was cut off.
    whole = [path.parent for path in work.glob(f"checkpoint-*/{STATE}")]
    return max(whole, key=lambda path: int(path.name.partition("-")[2]), default=None)


PACKAGES = ("rirag", "torch", "sentence-transformers", "transformers", "tokenizers", "onnx",
            "onnxruntime", "numpy")  # fmt: skip
"""Whose versions may change what is learned."""
WEIGHTS_SUFFIXES = frozenset({".safetensors", ".onnx", ".bin", ".gguf"})
"""Of the files with weights, as the libraries save them or as they are exported."""


def write_record(
    output: Path,
    started: Mapping[str, Any],
    data: Dataset,
    asked_before: Collection[str],
    curve: Sequence[Mapping[str, Any]],
    report: Mapping[str, Any],
    exported: Mapping[str, str],
) -> None:
    """Write `training.json` into the folder of a trained model."""
    asked = {question_hash(example.question) for example in data.trained_on}
    write_json(
        output / RECORD_FILE,
        {
            **started,
            "questions": len(data.examples),
            "left_out": dict(data.dropped),
            "not_judged": dict(data.not_judged),
            "versions": versions(),
            "machine": machine(),
            "report": report,
            "curve": curve,
            "exported": exported,
            HASHES: " ".join(sorted(asked.union(asked_before))),
        },
    )


def file_hashes(files: Iterable[Path]) -> list[dict[str, Any]]:
    """Return name, SHA-256 and number of lines of each file."""
    return [named_hash(path) | {"lines": len(path.read_bytes().splitlines())} for path in files]


def base_hash(base: str) -> dict[str, str]:
    """Return the name of a base model, and `weights_hash`."""
    name = Path(base).resolve().name if Path(base).exists() else base
    return {"name": name, "sha256": weights_hash(Path(base))}


def teacher_hash(teacher: str) -> dict[str, str]:
    """Return the whole name of a teacher, and `weights_hash` of its folder."""
    return {"name": teacher, "sha256": weights_hash(reranker_folder(teacher))}


def weights_hash(model: Path) -> str:
    """Return the SHA-256 of the weights of a model: of one file, or of the hashes of several.

    Args:
        model: a folder or a file; empty is what is returned if it is neither, as where a library
            knows a model by its name.
    """
    if model.is_file():
        return sha256_of(model)
    inside = sorted(model.iterdir()) if model.is_dir() else []
    hashes = [sha256_of(file) for file in inside if file.suffix in WEIGHTS_SUFFIXES]
    if len(hashes) > 1:
        return hashlib.sha256(" ".join(hashes).encode()).hexdigest()
    return "".join(hashes)


def versions() -> dict[str, str]:
    """Return the versions of Python and of what the training rests on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """Return what the run was computed on."""
    import torch

    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else None
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "gpu": gpu,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
