"""What every training run has: a request, a working folder, an export, a report, and a record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from rirag.inputs.gold import resolver
from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Table, to_text
from rirag_workbench.training.data.examples import Dataset, load_dataset
from rirag_workbench.training.data.pairs import PassageTable
from rirag_workbench.training.data.trained_on import trained_before
from rirag_workbench.training.runs.quality import Quality
from rirag_workbench.training.runs.record import (
    base_hash,
    claim,
    file_hashes,
    refuse_other_run,
    teacher_hash,
    write_record,
)
from rirag_workbench.training.runs.rounds import Report
from rirag_workbench.training.runs.rows import rows_of_run
from rirag_workbench.training.runs.settings import TrainingSettings
from rirag_workbench.training.runs.training import Trained
from rirag_workbench.training.weights.export import model_size
from search.json_form import Record
from search.models.rerankers import load_reranker
from search.records import Passage

WORK, FLOAT32, EXPORTED_FLOAT32 = "work", "float32", "float32-onnx"

Settings = TypeVar("Settings", bound=TrainingSettings)


class Export(Protocol):
    """One of the functions of `rirag_workbench.training.weights.export`."""

    def __call__(self, weights: Path, output: Path, name: str, *, float32: bool) -> None:
        """Write the folder `output` of a model called `name`."""
        ...


@dataclass(frozen=True, slots=True)
class Request(Generic[Settings]):
    """What to train, on what, and where to put it."""

    base: str
    """Folder of the model to start from."""
    output: Path
    files: Sequence[Path]
    validation: Path
    settings: Settings
    auxiliary: Sequence[Path] = ()
    resume: bool = False


@dataclass(frozen=True, slots=True)
class TrainingReport(Record):
    """What a run gained, and what its export lost."""

    before: Quality
    rounds: tuple[Quality, ...]
    best_round: int
    """0: no round was better than what the run started from."""
    float32: Quality
    int8: Quality
    megabytes: float
    """Model and tokenizer of the export."""
    share: float
    """Of the trained weights in the result."""

    def to_table(self) -> str:
        """Return the figures as lines to read."""
        rows = [("before", self.before)]
        rows += [(f"round {number}", found) for number, found in enumerate(self.rounds, 1)]
        rows += [("float32", self.float32), ("int8", self.int8)]
        cells = [
            (name, *(str(one or "-") for one in found.figures.values()), f"{found.weight:.1f}")
            for name, found in rows
        ]
        table = Table("R@10 / AP@10", (*self.before.figures, "weight"), cells)
        kept = f"round {self.best_round}, {self.share:.0%} of them trained"
        return to_text([table], after=[f"weights: {kept}; {self.megabytes:.1f} MB"])


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has its working folder and its data."""

    request: Request[Any]
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
        request: Request[Any],
        passages: Iterable[Passage],
        report: Report,
        **more: Any,
    ) -> Self:
        """Read the data, and check that the working folder is free or that of this run."""
        taught = _taught(request.settings.teacher)
        indexed = list(passages)
        table = PassageTable(indexed)
        before, asked_before = trained_before(request.base)
        data = load_dataset(
            request.files,
            request.auxiliary,
            request.validation,
            table,
            resolver(indexed),
            asked_before,
        )
        report(_described(data))
        if rows_of_run(data, request.settings) < request.settings.batch_size:
            raise unusable("training.data/batch", size=request.settings.batch_size)
        started = {
            "kind": kind,
            "base": base_hash(request.base),
            **taught,
            **more,
            "passages": table.indexed_as(),
            "settings": request.settings.to_json(),
            "data": file_hashes(request.files),
            "data_before": before,
            "auxiliary": file_hashes(request.auxiliary),
            "validation": file_hashes([request.validation]),
        }
        refuse_other_run(request.output / WORK, started, request.resume)
        return cls(request, started, table, data, asked_before)

    def claim(self) -> None:
        """Take the working folder."""
        claim(self.work, self.started)

    @property
    def work(self) -> Path:
        """The folder of checkpoints and rounds."""
        return self.request.output / WORK

    @property
    def weights(self) -> Path:
        """The folder of the trained weights, as sentence-transformers loads them."""
        return self.request.output / FLOAT32

    def finish(
        self,
        trained: Trained,
        export: Export,
        measure: Callable[[Path], Quality],
        card: str,
        report: Report,
        share: float = 1.0,
    ) -> TrainingReport:
        """Export the trained weights, measure them with float32 and int8, and write the record."""
        output, name = self.request.output, self.request.output.resolve().name
        report("exporting and measuring float32")
        exact = self.work / EXPORTED_FLOAT32
        export(self.weights, exact, name, float32=True)
        float32 = measure(exact)
        report("exporting and measuring int8")
        export(self.weights, output, name, float32=False)
        found = TrainingReport(
            before=trained.before,
            rounds=trained.rounds,
            best_round=trained.best,
            float32=float32,
            int8=measure(output),
            megabytes=model_size(output) / 1e6,
            share=share,
        )
        hashes = json.loads((output / card).read_text("utf-8"))["sha256"]
        write_record(
            output, self.started, self.data, self.asked_before, trained.curve, found.to_json(),
            hashes,
        )  # fmt: skip
        return found


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
