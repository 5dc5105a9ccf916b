"""From pair files and question files to the questions that a model is trained and judged on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from rirag.inputs.gold import Resolve, name_of
from rirag.inputs.questions import Question, read_questions
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.held_out import HeldOut, is_validation, question_hash
from rirag_workbench.training.data.pairs import Pair, PassageReference, PassageTable, read_pairs

LINES_LOOKED_AT = 20
"""They tell a pair file from a question file."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question to train on, with keys of `PassageTable`."""

    question: str
    positives: tuple[int, ...]
    """At least one, each once."""
    negatives: tuple[int, ...] = ()
    """Those that the pair file itself names."""


@dataclass(frozen=True, slots=True)
class ValidationQuestion:
    """A question that no model is trained on, with the `ID`s of its relevant passages."""

    question_id: str
    question: str
    relevant: frozenset[str]
    seen: bool
    """Whether one of its passages is a positive of a question that is trained on, or that the base
    was trained on and that is held out as well."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """What a training run starts from."""

    examples: tuple[Example, ...]
    """Trained on in every round."""
    auxiliary: tuple[tuple[Example, ...], ...]
    """By file; of each file every round draws equally many."""
    validation: tuple[ValidationQuestion, ...]
    dropped: Counter[str] = field(default_factory=Counter)
    """Reason → training questions left out: `id`, `words` (see `guard`), or `no-passage`."""
    not_judged: Counter[str] = field(default_factory=Counter)
    """Reason → validation questions left out: `trained-on` (by the base), or `no-passage`."""

    @property
    def trained_on(self) -> tuple[Example, ...]:
        """All examples, the auxiliary ones too."""
        return (*self.examples, *chain.from_iterable(self.auxiliary))


def load_dataset(
    files: Sequence[Path], auxiliary: Sequence[Path], validation: Path, table: PassageTable,
    resolve: Resolve, asked_before: Set[str] = frozenset(),
) -> Dataset:  # fmt: skip
    """Read all files, and leave out whatever belongs to validation.

    Args:
        validation: a question file; the fifth of it that `is_validation` names is held out.
        table: the passages of the index; texts of pair files are added to it.
    """
    if _is_pair_file(validation):
        raise unusable("training.data/pair-file", validation)
    held_out = [q for q in read_questions(validation) if is_validation(q.question_id)]
    if not held_out:
        raise unusable("training.data/no-validation", validation)
    guard = HeldOut((question.question_id, question.text) for question in held_out)
    dropped: Counter[str] = Counter()
    main = tuple(_examples(files, guard, table, resolve, dropped))
    more = tuple(tuple(_examples([path], guard, table, resolve, dropped)) for path in auxiliary)
    if not main:
        raise unusable("training.data/nothing-left", files[0] if files else None)
    known = [one for one in held_out if question_hash(one.text) in asked_before]
    new = [one for one in held_out if one not in known]
    if not new:
        raise unusable("training.data/all-known", validation)
    seen = {key for example in chain(main, *more) for key in example.positives}
    seen.update(key for one in known for key in _keys(passages_of(one, resolve), table))
    judged = tuple(_judged(new, table, resolve, seen))
    if not judged:
        raise unusable("training.data/no-passage", validation)
    not_judged = Counter({"trained-on": len(known), "no-passage": len(new) - len(judged)})
    return Dataset(main, more, judged, dropped, +not_judged)


def read_examples(path: Path, resolve: Resolve) -> tuple[Pair, ...]:
    """Read a pair file, or a question file as pairs without negatives.

    Args:
        resolve: finds the passages that a question file names; a question has those found, maybe
            none.
    """
    if _is_question_file(path):
        return tuple(pair_of(question, resolve) for question in read_questions(path))
    return read_pairs(path)


def passages_of(question: Question, resolve: Resolve) -> tuple[PassageReference, ...]:
    """Return those passages of a question that are found."""
    found = (resolve(gold) for gold in question.gold)
    return tuple(PassageReference(one) for one in dict.fromkeys(found) if one is not None)


def pair_of(question: Question, resolve: Resolve) -> Pair:
    """Return a question as a pair, with those of its passages that are found."""
    positives = passages_of(question, resolve)
    return Pair(question.text, positives, question_id=question.question_id, source="questions")


def _examples(
    files: Iterable[Path], guard: HeldOut, table: PassageTable, resolve: Resolve,
    dropped: Counter[str],
) -> Iterable[Example]:  # fmt: skip
    for path in files:
        for pair in read_examples(path, resolve):
            reason = guard.reason(pair.question_id, pair.question, pair.made_from)
            positives = _keys(pair.positives, table)
            if reason or not positives:
                dropped[reason or "no-passage"] += 1
                continue
            negatives = [key for key in _keys(pair.negatives, table) if key not in positives]
            yield Example(" ".join(pair.question.split()), positives, tuple(negatives))


def _keys(references: Iterable[PassageReference], table: PassageTable) -> tuple[int, ...]:
    keys = (table.resolve(reference) for reference in references)
    return tuple(dict.fromkeys(key for key in keys if key is not None))


def _judged(
    questions: Iterable[Question], table: PassageTable, resolve: Resolve, trained: set[int]
) -> Iterable[ValidationQuestion]:
    """Yield the questions of which a passage is in the index."""
    for question in questions:
        relevant = frozenset(resolve(gold) or name_of(gold) for gold in question.gold)
        keys = {table.resolve(PassageReference(id=passage)) for passage in relevant}
        if keys != {None}:
            seen = bool(keys & trained)
            yield ValidationQuestion(question.question_id, question.text, relevant, seen)


def _is_question_file(path: Path) -> bool:
    records = _first_records(path)
    if not records:
        # A JSON list over several lines is ObliQA's form; anything else is refused by its reader.
        return path.suffix == ".json"
    return not _are_pairs(records)


def _is_pair_file(path: Path) -> bool:
    return _are_pairs(_first_records(path))


def _are_pairs(records: Sequence[object]) -> bool:
    """Return whether at least half of some records name positives: a few may be bad."""
    pairs = sum(isinstance(one, dict) and "positives" in one for one in records)
    return bool(records) and 2 * pairs >= len(records)


def _first_records(path: Path) -> list[object]:
    """Return those of the first lines that are JSON objects or lists."""
    found = []
    with suppress(OSError), path.open(encoding="utf-8-sig", errors="replace") as lines:
        for line in islice((line for line in lines if line.strip()), LINES_LOOKED_AT):
            with suppress(ValueError, RecursionError):
                found.append(json.loads(line))
    return [one for one in found if isinstance(one, dict | list)]
