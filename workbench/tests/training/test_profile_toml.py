"""A profile that is written is read back as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rirag_workbench.training.profile.toml_text import profile_toml
from search.ranking.profile_file import PROFILES_FILE, load_profile, read_profiles
from search.ranking.profiles import AlphaStep, Profile

SMOOTH = replace(
    load_profile("even"),
    name="mine & ours",
    source='Fitted to "questions" \\ über\tall\x7f.',
    alpha=(AlphaStep(0.75, 2), AlphaStep(0.1, 30)),
    alpha_shape="smooth",
    encoder="e",
    encoder_revision="0f",
)


@pytest.mark.parametrize(
    "profile", [*read_profiles(PROFILES_FILE).values(), SMOOTH], ids=lambda one: one.name
)
def test_a_profile_survives_its_file(tmp_path: Path, profile: Profile) -> None:
    path = tmp_path / "written.toml"
    alone = replace(profile, learned="", relevance="", elsewhere="")
    path.write_text(profile_toml(alone), encoding="utf-8")
    assert load_profile(str(path)) == alone


def test_models_are_named_without_the_folder_they_share_with_the_file(tmp_path: Path) -> None:
    profile = replace(SMOOTH, learned=str(tmp_path / "trees.json"))
    assert 'learned = "trees.json"\n' in profile_toml(profile)
    path = tmp_path / "written.toml"
    path.write_text(profile_toml(profile), encoding="utf-8")
    assert load_profile(str(path)).learned == profile.learned
