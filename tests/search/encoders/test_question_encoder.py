"""Which encoder makes the vector of a question: over unknown rulebooks, the profile's own."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from memory_samples import known, remember

import search
from search.models.encoders import load_encoder, load_question_encoder
from search.pipeline import Pipeline
from search.provisions.documents.names import DocumentNames
from search.ranking.learned.learned_fusion import load_learned_fusion
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.ranking.steps.protocol import Search

ASKED = "Our computers were broken into. Whom do we tell?"
OWN = "regulation-minilm-l6-int8"
OF_QUESTIONS = "regulation-minilm-l6-questions-int8"


@pytest.fixture
def profile(rulebook: search.Index) -> Profile:
    return rulebook.pipeline.profile("default")


def prepared(pipeline: Pipeline, profile: Profile) -> Search:
    return pipeline.prepare(ASKED, profile, None)


def test_over_an_unknown_rulebook_questions_have_an_encoder_of_their_own(
    rulebook: search.Index, profile: Profile
) -> None:
    found = prepared(rulebook.pipeline, profile)
    assert (found.plan.encoder, found.plan.question_encoder) == (OWN, OF_QUESTIONS)
    assert f"({OF_QUESTIONS})" in found.plan.describe()
    (wanted,) = load_question_encoder(profile.question_encoder).encode_questions([ASKED])
    np.testing.assert_allclose(found.request.vector, wanted, atol=1e-5)
    (passages,) = load_encoder(OWN).encode_questions([ASKED])
    assert passages @ wanted < 0.98


def test_over_the_rulebooks_that_it_was_fitted_to_the_encoder_reads_both(
    rulebook: search.Index, profile: Profile
) -> None:
    home = load_profile("default", rulebook.pipeline.encoder.revision)
    titles = frozenset(load_learned_fusion(home.learned).fitted_for.documents)
    for there in (titles, titles | {"one more"}):
        names = cast("DocumentNames", SimpleNamespace(titles=there))
        pipeline = replace(rulebook.pipeline, names=names)
        assert pipeline.profile("default") == home
        assert pipeline._question_encoder(home) is pipeline.encoder
    assert profile.name == home.elsewhere


@pytest.mark.parametrize("change", [{"question_encoder": ""}, {"encoder_revision": "another"}])
def test_without_one_for_the_encoder_the_encoder_reads_both(
    rulebook: search.Index, profile: Profile, change: dict[str, str]
) -> None:
    plan = prepared(rulebook.pipeline, replace(profile, **change)).plan
    assert (plan.question_encoder, f"({OWN})" in plan.describe()) == ("", True)


def test_answered_questions_are_compared_by_the_encoder_of_the_index(
    rulebook_folder: Path, profile: Profile, tmp_path: Path
) -> None:
    folder = shutil.copytree(rulebook_folder, tmp_path / "index")
    with search.open(folder) as index:
        (passage, *_) = index.passages()
    remember(str(folder), known("one", "What is a lamp?", passage.id))
    with search.open(folder) as index:
        found = prepared(index.pipeline, profile)
        assert found.recall is not None
        (own,) = index.pipeline.encoder.encode_questions([ASKED])
        np.testing.assert_allclose(found.recall.vector, own, atol=1e-5)
        assert found.request.vector is not None and found.request.vector @ own < 0.98


def test_sentences_are_compared_by_the_encoder_of_the_index(rulebook: search.Index) -> None:
    rulebook.search(ASKED)
    encoder = load_encoder(OWN)
    texts = ["The regulator is told at once.", "Fees are due in May."]
    wanted = encoder.encode_passages(texts).vectors @ encoder.encode_questions([ASKED])[0]
    np.testing.assert_allclose(rulebook.similarities(ASKED, texts), wanted, atol=1e-4)
