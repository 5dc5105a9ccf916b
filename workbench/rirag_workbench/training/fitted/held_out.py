"""A profile whose learned ranking has not seen the question that it orders.

What comes after the learned ranking is fitted to its order. Trees order the questions that they
were grown on better than any other, so that each question is asked with those of its fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rirag_workbench.training.data.folds import fold_of
from search.ranking.learned.learned_fusion import LearnedFusion
from search.ranking.profiles import Profile


@dataclass(frozen=True, slots=True)
class HeldOutProfile:
    """Called with the ID of a question, it returns the profile to ask it with."""

    profile: Profile
    learned: tuple[Path, ...] = ()
    """The file of each fold; none: the profile has no learned ranking."""

    def __call__(self, question_id: str) -> Profile:
        """Return the profile with trees that have not seen this question."""
        if not self.learned:
            return self.profile
        return replace(self.profile, learned=str(self.learned[fold_of(question_id)]))


def save_held_out(models: Sequence[LearnedFusion], folder: Path) -> tuple[Path, ...]:
    """Write the learned ranking of each fold into a folder."""
    files = tuple(folder / f"{fold}.learned.json" for fold in range(len(models)))
    for model, file in zip(models, files, strict=True):
        model.save(file)
    return files
