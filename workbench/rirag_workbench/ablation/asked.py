"""The questions of an ablation, and the groups they are looked at in."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rirag.files import sha256_of
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.spread import spread
from rirag_workbench.training.data.questions_to_fit import QuestionToFit, with_keyword_versions
from rirag_workbench.training.data.trained_on import TrainedOn, answers_in_training
from search.records import Passage

Members = NDArray[np.bool_]
"""Which questions are meant, shape (questions,)."""

AS_ASKED = "as asked"
"""The group of the questions of the file, without keyword versions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions, each with what is known of it."""

    questions: tuple[QuestionToFit, ...]
    """Those of the file and, if wanted, keyword versions of them."""
    trained: AbstractSet[str] | None
    """IDs of passages that are answers in training; None: not all of them are known."""
    missing: int
    """References to relevant passages that are not in the index."""

    @property
    def words(self) -> list[int]:
        """Length of each question, as search counts it."""
        return [len(question.text.split()) for question in self.questions]

    def groups(self) -> dict[str, Members]:
        """Return name → members of each group that has any.

        A question is seen in training when one of its passages was an answer there.
        """
        asked = np.array([one.kind == "question" for one in self.questions], np.bool_)
        words = np.array(self.words)
        lengths = {
            "1-4 words": words < 5,
            "5-9 words": (words >= 5) & (words < 10),
            "10+ words": words >= 10,
        }
        several = sum(members.any() for members in lengths.values()) > 1
        groups = {AS_ASKED: asked, **(lengths if several else {})}
        if self.trained is not None:
            trained = self.trained
            seen = np.array([bool(one.relevant & trained) for one in self.questions], np.bool_)
            groups["seen in training"] = asked & seen
            groups["unseen"] = asked & ~seen
        return {name: members for name, members in groups.items() if members.any()}


def read_asked(
    file: Path, passages: Sequence[Passage], encoder: str, training: Sequence[Path],
    *, keywords: bool = True, sample: int | None = None,
) -> Asked:  # fmt: skip
    """Read the questions, and which passages training knew.

    Those that the encoder was trained on, by the record beside it or by `training`, are not asked,
    unless these are all. Passages are told apart by what training knew where `training` names its
    files, where the record names this file and no other, or where all questions are of it.

    Args:
        file: questions with their passages.
        passages: of the index.
        encoder: name of the index's encoder.
        training: further question or pair files that it was trained on.
        keywords: whether keyword versions are asked as well.
        sample: ask so many questions of the file only, evenly spread.

    Raises:
        InputError: a file cannot be used.
    """
    questions = read_questions(file)
    resolve = resolver(passages)
    sha256, recorded = sha256_of(file), TrainedOn.read(encoder)
    unseen = recorded.with_files(training, resolve).unseen(questions, sha256)
    kept = spread(unseen or questions, sample)
    judged = resolve_gold(kept, resolve, file)
    versions = with_keyword_versions(judged.texts, judged.relevant)
    asked = tuple(one for one in versions if keywords or one.kind == "question")
    files = _files_of_training(file, sha256, recorded, training, bool(unseen))
    if not files:
        return Asked(asked, None, judged.missing)
    left_out = ((one.question_id, one.text) for one in unseen)
    return Asked(asked, answers_in_training(files, left_out, resolve), judged.missing)


def _files_of_training(
    file: Path, sha256: str, recorded: TrainedOn, training: Sequence[Path], any_unseen: bool
) -> list[Path]:
    """Return the files with the answers of the training; none where others may have some too.

    A file is of the training if the record names it, or if it holds no unseen question. Single
    questions may just as well be in a file of the training that is not here.
    """
    alone = recorded.files == {sha256} and not recorded.auxiliary
    if any_unseen and not training and not alone:
        return []
    of_it = not any_unseen or sha256 in recorded.files
    return [*([file] if of_it else []), *training]
