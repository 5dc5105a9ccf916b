"""What every training run has: a request, a working folder, an export, and a record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from rirag.inputs.gold import resolver
from rirag_workbench.training.data.examples import Dataset, load_dataset
from rirag_workbench.training.data.passage_table import PassageTable
from rirag_workbench.training.data.trained_on import data_before, questions_before
from rirag_workbench.training.runs.checkpoints import claim
from rirag_workbench.training.runs.record import base_hash, file_hashes, teacher_hash, write_record
from rirag_workbench.training.runs.rounds import Report
from rirag_workbench.training.runs.rows import rows_of_round
from rirag_workbench.training.runs.settings import TrainingSettings
from search.errors import InputError
from search.models.rerankers import load_reranker
from search.records import Passage

WORK, FLOAT32, EXPORTED_FLOAT32 = "work", "float32", "float32-onnx"

Quality = TypeVar("Quality")


class Export(Protocol):
    """One of the functions of `rirag_workbench.training.weights.export`."""

    def __call__(self, weights: Path, output: Path, name: str, *, float32: bool) -> None:
        """Write the folder `output` of a model called `name`."""
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """What to train, on what, and where to put it."""

    base: str
    """Folder of the model to start from."""
    output: Path
    files: Sequence[Path]
    validation: Path
    auxiliary: Sequence[Path] = ()
    settings: TrainingSettings = field(default_factory=TrainingSettings)
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has its working folder and its data."""

    request: Request
    started: dict[str, Any]
    """Whatever decides the result."""
    table: PassageTable
    data: Dataset
    asked_before: frozenset[str]
    """Hashes of the questions that the base was trained on."""

    @classmethod
    def begin(
        cls,
        kind: str,
        request: Request,
        passages: Iterable[Passage],
        report: Report,
        **more: Any,
    ) -> Self:
        """Read the data and take the working folder.

        Args:
            kind: `encoder` or `reranker`.
            request: what is asked for.
            passages: of the index that the questions belong to.
            report: called with what there is to train on.
            more: else that decides the result.

        Raises:
            InputError: a file or the teacher cannot be used, a batch is larger than a round, or the
                folder holds another run.
        """
        taught = _taught(request.settings.teacher)
        indexed = list(passages)
        table = PassageTable(indexed)
        before = questions_before(request.base)
        data = load_dataset(
            request.files, request.auxiliary, request.validation, table, resolver(indexed), before
        )
        report(_described(data))
        if rows_of_round(data, request.settings) < request.settings.batch_size:
            raise InputError(
                "there are too few rows for a batch of "
                f"{request.settings.batch_size}; give more questions, or a smaller "
                "--batch-size.",
                code="training.data",
            )
        started = {
            "kind": kind,
            "base": base_hash(request.base),
            **taught,
            **more,
            "passages": table.indexed_as(),
            "settings": request.settings.to_json(),
            "data": file_hashes(request.files),
            "data_before": data_before(request.base),
            "auxiliary": file_hashes(request.auxiliary),
            "validation": file_hashes([request.validation]),
        }
        claim(request.output / WORK, started, request.resume)
        return cls(request, started, table, data, before)

    @property
    def work(self) -> Path:
        """The folder of checkpoints and rounds."""
        return self.request.output / WORK

    @property
    def weights(self) -> Path:
        """The folder of the trained weights, as sentence-transformers loads them."""
        return self.request.output / FLOAT32

    def export(
        self, export: Export, measure: Callable[[Path], Quality], report: Report
    ) -> tuple[Quality, Quality]:
        """Export the trained weights; return the quality with float32, and with int8."""
        name = self.request.output.resolve().name
        report("exporting and measuring float32")
        exact = self.work / EXPORTED_FLOAT32
        export(self.weights, exact, name, float32=True)
        before = measure(exact)
        report("exporting and measuring int8")
        export(self.weights, self.request.output, name, float32=False)
        return before, measure(self.request.output)

    def record(self, curve: Sequence[dict[str, Any]], found: dict[str, Any], card: str) -> None:
        """Write the record of what came out.

        Args:
            curve: the losses.
            found: the report.
            card: name of the file that holds the hashes of the export.
        """
        output = self.request.output
        hashes = json.loads((output / card).read_text("utf-8"))["sha256"]
        write_record(output, self.started, self.data, self.asked_before, curve, found, hashes)


def _taught(teacher: str) -> dict[str, Any]:
    """Return what identifies the teacher, after a check that it loads; nothing without one."""
    if not teacher:
        return {}
    load_reranker(teacher)
    return {"teacher": teacher_hash(teacher)}


def _described(data: Dataset) -> str:
    auxiliary = sum(len(part) for part in data.auxiliary)
    dropped = sum(data.dropped.values())
    reasons = ", ".join(f"{reason}: {count:,}" for reason, count in data.dropped.items())
    line = (
        f"{len(data.examples):,} training questions, {auxiliary:,} auxiliary pairs, "
        f"{len(data.validation):,} validation questions; {dropped:,} left out "
        f"({reasons or 'none'})"
    )
    if data.not_judged["no-passage"]:
        line += (
            f"; {data.not_judged['no-passage']:,} other validation questions have no "
            "passage in the index"
        )
    if data.not_judged["trained-on"]:
        line += (
            f"; {data.not_judged['trained-on']:,} other validation questions are not "
            "used because the base was trained on them"
        )
    return line
