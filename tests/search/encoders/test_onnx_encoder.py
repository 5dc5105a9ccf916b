from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from search.errors import InputError
from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER
from search.models.encoders.onnx import OnnxEncoder, default_threads

TEXTS = (
    "An Authorised Person must disclose a conflict of interest to its Client.",
    "Capital.",
    "The Regulator may, by written notice, require a Fund Manager to produce its records. " * 9,
    "3.5.8 (b) the date on which each report is due;",
    "liquidity risk " * 200,
    "Guidance",
)


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(MODELS_FOLDER / DEFAULT_ENCODER)


def test_vectors_are_float32_of_length_one(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode_passages(TEXTS).vectors
    assert vectors.shape == (len(TEXTS), encoder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_question_is_nearest_to_the_passage_that_answers_it(encoder: OnnxEncoder) -> None:
    question = encoder.encode_questions(["What must a firm tell customers about its conflicts?"])
    assert int(np.argmax(encoder.encode_passages(TEXTS).vectors @ question[0])) == 0


def test_a_vector_does_not_depend_on_the_passages_beside_it(encoder: OnnxEncoder) -> None:
    together = encoder.encode_passages(TEXTS * 5).vectors
    alone = np.concatenate([encoder.encode_passages([text]).vectors for text in TEXTS])
    np.testing.assert_allclose(together, np.tile(alone, (5, 1)), atol=2e-6)


def test_order_is_kept_though_texts_are_sorted_by_length(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode_passages(TEXTS).vectors
    reverse = encoder.encode_passages(TEXTS[::-1]).vectors
    np.testing.assert_allclose(vectors, reverse[::-1], atol=2e-6)


def test_passages_over_512_tokens_are_cut_and_flagged(encoder: OnnxEncoder) -> None:
    fits, over = "risk " * 510, "risk " * 510 + "of money laundering"
    encoded = encoder.encode_passages([fits, "short", over, over * 40])
    assert encoded.truncated == (False, False, True, True)
    np.testing.assert_allclose(encoded.vectors[2], encoded.vectors[0], atol=2e-6)


def test_no_texts_give_no_vectors(encoder: OnnxEncoder) -> None:
    assert encoder.encode_questions([]).shape == (0, encoder.dimension)
    assert encoder.encode_passages([]).truncated == ()


@pytest.mark.parametrize(
    "text", ["", " \n", "\x00\x07", "\ud800 lone surrogate", "规则", "<b>&amp;</b>", "a" * 9000]
)
def test_odd_texts_get_finite_vectors(encoder: OnnxEncoder, text: str) -> None:
    vector = encoder.encode_questions([text])
    np.testing.assert_allclose(np.linalg.norm(vector), 1, atol=1e-5)


def test_threads_may_share_an_encoder(encoder: OnnxEncoder) -> None:
    expected = encoder.encode_questions(TEXTS)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: encoder.encode_questions(TEXTS), range(16)))
    for vectors in found:
        np.testing.assert_allclose(vectors, expected, atol=2e-6)


def test_prefixes_of_the_card_go_in_front_of_texts(encoder: OnnxEncoder) -> None:
    card = encoder._card.model_copy(update={"question_prefix": "capital ", "passage_prefix": "a "})
    prefixed = OnnxEncoder(MODELS_FOLDER / DEFAULT_ENCODER)
    prefixed._card = card
    plain = encoder.encode_questions(["capital buffer", "a buffer"])
    np.testing.assert_allclose(prefixed.encode_questions(["buffer"])[0], plain[0], atol=2e-6)
    np.testing.assert_allclose(prefixed.encode_passages(["buffer"]).vectors[0], plain[1], atol=2e-6)


def test_the_thread_count_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_ENCODER_THREADS", "3")
    assert default_threads() == 3
    monkeypatch.delenv("RIRAG_ENCODER_THREADS")
    assert 1 <= default_threads() <= 4
    monkeypatch.setenv("RIRAG_ENCODER_THREADS", "")
    assert 1 <= default_threads() <= 4


@pytest.mark.parametrize("value", ["0", "-1", "two", "100000"])
def test_a_wrong_thread_count_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("RIRAG_ENCODER_THREADS", value)
    with pytest.raises(InputError, match="RIRAG_ENCODER_THREADS must be a whole number from 1 to"):
        OnnxEncoder(MODELS_FOLDER / DEFAULT_ENCODER)


LONG_LOAD = """
from pathlib import Path
from search.models.encoders import load_encoder
load_encoder("all-minilm-l6-v2-int8").encode_passages(["market risk of a fund " * 400] * 24)
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_the_longest_passages_leave_memory_for_the_rest_of_rirag() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LONG_LOAD], cwd=MODELS_FOLDER.parent.parent, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    assert int(done.stdout) < 280  # MB; 213 when written
