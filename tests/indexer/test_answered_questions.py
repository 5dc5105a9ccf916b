"""`indexer.add_questions` and its kin: all of a change or none, and each vector once."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from coded import coded
from sample import ingest_rulebook

import indexer
import search
from indexer.answered_questions.change import follow_rollback
from indexer.load.index_encoder import describe
from search.answered_questions.questions import NAME
from search.engines.embedded import EmbeddedBackend
from search.engines.staging import Staging
from search.errors import (
    EncoderMismatchError,
    IndexBusyError,
    IndexUnavailableError,
    InputError,
    ModelError,
)
from search.models.encoders import DEFAULT_ENCODER
from search.models.encoders.identity import identity_of
from search.models.encoders.protocol import EncodedPassages, Encoder
from search.records import EncoderIdentity

ROOT = Path(__file__).resolve().parents[2]
ASKED = "How soon must a material incident be notified?"


class Counting:
    """The encoder that ships; counts the questions it encodes, and may be turned round."""

    def __init__(self, encoder: Encoder, name: str = DEFAULT_ENCODER, sign: int = 1) -> None:
        self.name, self.dimension = name, encoder.dimension
        self.revision = encoder.revision if sign == 1 else "1"
        self._encoder, self._sign = encoder, sign
        self.questions: list[str] = []

    def encode_questions(self, texts: Sequence[str]) -> np.ndarray:
        self.questions += texts
        return self._sign * self._encoder.encode_questions(texts)

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        found = self._encoder.encode_passages(texts)
        return EncodedPassages(self._sign * found.vectors, found.truncated)


@pytest.fixture(scope="module")
def passages(rulebook: Path) -> list[str]:
    """`ID`s of the rulebook's passages."""
    with search.open(str(rulebook)) as index:
        return [one.id for one in index.passages()]


def identity(url: str) -> EncoderIdentity:
    """The encoder of an index."""
    return describe(EmbeddedBackend(), url).encoder


def known(name: str, text: str, *passages: str) -> search.AnsweredQuestion:
    return search.AnsweredQuestion(name, text, passages)


def many(passages: list[str], count: int) -> list[search.AnsweredQuestion]:
    return [known(f"q-{i}", f"What about matter {i}?", passages[i]) for i in range(count)]


def test_what_is_added_is_listed_by_id(url, passages):
    two = [known("b", "Second?", passages[1], passages[2]), known("a", "First?", passages[0])]
    report = indexer.add_questions(two, url)
    assert (report.added, report.changed, report.unchanged) == (("b", "a"), (), ())
    assert (report.unknown_passages, report.left_out, report.encoded) == ((), (), 2)
    assert report.index is not None and report.index.passages == 2
    assert indexer.list_questions(url) == two[::-1]


def test_a_question_of_the_same_id_is_replaced_and_others_stay(url, passages, shipped):
    indexer.add_questions(many(passages, 40), url)
    encoder = Counting(shipped)
    changed = [
        known("q-3", "What about matter 3?", passages[9]),
        known("q-4", "What about something else?", passages[4]),
        known("q-5", "What about matter 5?", passages[5]),
        known("new", "What else?", passages[0]),
    ]
    report = indexer.add_questions(changed, url, encoder=encoder)
    assert report.added == ("new",)
    assert report.changed == ("q-3", "q-4")
    assert report.unchanged == ("q-5",)
    assert sorted(encoder.questions) == ["What about something else?", "What else?"]
    held = {one.id: one for one in indexer.list_questions(url)}
    assert len(held) == 41
    assert [held[one.id] for one in changed] == changed


def test_adding_the_same_again_changes_nothing(url, passages, shipped):
    indexer.add_questions(many(passages, 10), url)
    before = Path(url, NAME, "CURRENT").read_text()
    encoder = Counting(shipped)
    report = indexer.add_questions(many(passages, 10), url, encoder=encoder)
    assert len(report.unchanged) == 10
    assert encoder.questions == []
    assert Path(url, NAME, "CURRENT").read_text() == before


def test_passages_that_the_index_lacks_are_kept_out_and_named(url, passages):
    report = indexer.add_questions(
        [known("half", "Half?", "gone", passages[0]), known("none", "None?", "gone", "lost")], url
    )
    assert (report.added, report.left_out) == (("half",), ("none",))
    assert [(one.question_id, one.passage) for one in report.unknown_passages] == [
        ("half", "gone"), ("none", "gone"), ("none", "lost"),
    ]  # fmt: skip
    assert indexer.list_questions(url) == [known("half", "Half?", passages[0])]
    assert report.summary().splitlines()[1:] == [
        f"Ignored 3 relevant passages that {url} does not have: gone (of half); gone (of none); "
        "lost (of none).",
        "Left out 1 question without any passage in the index: none.",
        f"{url} now has 1 answered question.",
    ]


def test_a_passage_that_is_named_twice_answers_once(url, passages):
    indexer.add_questions([known("a", "A?", passages[1], passages[0], passages[1])], url)
    assert indexer.list_questions(url) == [known("a", "A?", passages[1], passages[0])]
    again = indexer.add_questions([known("a", "A?", passages[1], passages[1], passages[0])], url)
    assert again.unchanged == ("a",)
    lost = indexer.add_questions([known("b", "B?", "gone", "gone", passages[0])], url)
    assert [one.passage for one in lost.unknown_passages] == ["gone"]


def test_questions_about_another_index_are_refused(url, passages):
    indexer.add_questions([known("a", "A?", passages[0])], url)
    with pytest.raises(InputError, check=coded("answered-question.no-passage")):
        indexer.add_questions([known("b", "B?", "gone"), known("c", "C?", "lost")], url)
    assert indexer.list_questions(url) == [known("a", "A?", passages[0])]


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        (
            (5, "Who?", ("a",)),
            "ID and text of an answered question must be texts, not 5 and 'Who\\?'",
        ),
        (
            ("a", None, ("a",)),
            "ID and text of an answered question must be texts, not 'a' and None",
        ),
        (("a", "Who?", ("a", 5)), r"IDs must be a list of texts, not \('a', 5\)"),
        (("a", "Who?", None), "IDs must be a list of texts, not None"),
    ],
)
def test_what_is_no_text_is_refused(url, odd, told):
    with pytest.raises(InputError, match=told):
        indexer.add_questions([search.AnsweredQuestion(*odd)], url)
    assert indexer.list_questions(url) == []


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        ("rulebook", "each answered question must be an `AnsweredQuestion`, not 'r'"),
        (
            [{"question": "Who?"}],
            r"each answered question must be an `AnsweredQuestion`, not \{'question'",
        ),
        (None, "each answered question must be an `AnsweredQuestion`, not None"),
    ],
)
def test_what_are_no_questions_is_refused(url, odd, told):
    with pytest.raises(InputError, match=told):
        indexer.add_questions(odd, url)


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        ([(" ", "Who?")], "the question 'Who\\?' has no ID"),
        ([("a", " \n")], "the question 'a' has no text"),
        (
            [("a\nb", "Who?")],
            r"the ID 'a\\nb' of an answered question must not contain white space",
        ),
        ([("a", "Who \ud800?")], "the question 'a' contains half a character"),
        ([("a", "Who?"), ("a", "When?")], "the question 'a' occurs twice"),
    ],
)
def test_what_no_question_file_could_hold_is_refused(url, passages, odd, told):
    questions = [known(name, text, passages[0]) for name, text in odd]
    with pytest.raises(InputError, match=told):
        indexer.add_questions(questions, url)
    assert indexer.list_questions(url) == []


def test_questions_are_removed_all_of_them_or_none(url, passages):
    indexer.add_questions(many(passages, 5), url)
    with pytest.raises(
        InputError, match="has no answered question with the ID 'q-77'; list them with"
    ):
        indexer.remove_questions(["q-1", "q-77"], url)
    assert len(indexer.list_questions(url)) == 5
    report = indexer.remove_questions(["q-1", "q-2"], url)
    assert report.removed == ("q-1", "q-2")
    assert [one.id for one in indexer.list_questions(url)] == ["q-0", "q-3", "q-4"]
    assert indexer.remove_questions(None, url).removed == ("q-0", "q-3", "q-4")
    assert indexer.list_questions(url) == []
    with pytest.raises(
        InputError, match="has no answered questions; add some with: rirag questions add"
    ):
        indexer.remove_questions(None, url)


def test_an_index_that_is_not_there_knows_nothing(tmp_path):
    nowhere = str(tmp_path / "nowhere")
    for call in (
        lambda: indexer.add_questions([known("a", "A?", "p")], nowhere),
        lambda: indexer.remove_questions(None, nowhere),
        lambda: indexer.list_questions(nowhere),
    ):
        with pytest.raises(IndexUnavailableError, check=coded("index.missing")):
            call()
    assert not Path(nowhere).exists()


def test_the_encoder_must_be_that_of_the_index(url, passages, shipped):
    with pytest.raises(EncoderMismatchError, check=coded("encoder.mismatch")):
        indexer.add_questions(many(passages, 1), url, encoder=Counting(shipped, "turned", -1))
    assert indexer.list_questions(url) == []


def test_two_cannot_change_the_questions_at_once(url, passages, shipped):
    indexer.add_questions(many(passages, 1), url)
    backend = EmbeddedBackend()
    with (
        backend.load(str(Path(url, NAME)), identity(url)),
        pytest.raises(IndexBusyError, check=coded("index.busy")),
    ):
        indexer.add_questions(many(passages, 2), url)
    assert len(indexer.list_questions(url)) == 1


def test_a_single_id_is_not_taken_for_its_characters(url, passages):
    three = [known(one, f"Is it {one}?", passages[1]) for one in ("1", "2", "12")]
    indexer.add_questions(three, url)
    assert indexer.remove_questions("12", url).removed == ("12",)
    with pytest.raises(InputError, match="has no answered question with the ID '21'"):
        indexer.remove_questions("21", url)
    with pytest.raises(InputError, match="IDs must be a list of texts, not 12"):
        indexer.remove_questions(12, url)
    assert [one.id for one in indexer.list_questions(url)] == ["1", "2"]


def test_a_failure_in_the_middle_leaves_what_was_known(url, passages, shipped):
    indexer.add_questions(many(passages, 3), url)
    before = indexer.list_questions(url)

    class Failing(Counting):
        def encode_questions(self, texts: Sequence[str]) -> np.ndarray:
            raise RuntimeError("the model broke")

    with pytest.raises(ModelError, match=r"failed on 6 texts \(RuntimeError: the model broke\)"):
        indexer.add_questions(many(passages, 9), url, encoder=Failing(shipped))
    assert indexer.list_questions(url) == before
    assert len(indexer.add_questions(many(passages, 9), url).added) == 6


def test_a_rebuilt_index_keeps_its_questions_with_the_new_encoder(url, passages, shipped):
    indexer.add_questions([known("a", ASKED, passages[5])], url)
    turned = Counting(shipped, "turned", -1)
    report = indexer.reindex(url, encoder=turned)
    assert report.questions == 1
    assert "1 answered question rebuilt too." in report.summary()
    assert turned.questions == [ASKED]
    with search.open(url, encoder=turned) as index:
        trace = index.search(ASKED).trace
    assert trace.similar_questions[0].similarity == pytest.approx(1, abs=0.01)
    assert trace.notes == ()


def test_questions_of_another_encoder_do_not_count_until_they_are_encoded_anew(
    url, passages, shipped
):
    """What a `reindex` leaves that was killed between the passages and the questions."""
    indexer.add_questions([known("a", ASKED, passages[5])], url)
    old = Path(url).parent / "old"
    shutil.copytree(Path(url, NAME), old)
    turned = Counting(shipped, "turned", -1)
    indexer.reindex(url, encoder=turned)
    shutil.rmtree(Path(url, NAME))
    shutil.copytree(old, Path(url, NAME))
    with search.open(url, encoder=turned) as index:
        trace = index.search(ASKED).trace
    assert trace.similar_questions == ()
    (note,) = trace.notes
    assert note.startswith(f"answered questions are ignored: {DEFAULT_ENCODER} (revision ")
    assert note.endswith(f"fix this with: rirag reindex --index {url}")
    assert [one.id for one in indexer.list_questions(url)] == ["a"]
    indexer.add_questions([known("b", "Another?", passages[6])], url, encoder=turned)
    with search.open(url, encoder=turned) as index:
        assert [one.question_id for one in index.search(ASKED).trace.similar_questions] == ["a"]
        assert {one.id for one in index.answered_questions()} == {"a", "b"}


def test_an_index_of_its_own_in_the_place_of_the_questions_stays_as_it_is(url, shipped):
    beside = str(ingest_rulebook(Path(url, NAME)))
    turned = Counting(shipped, "turned", -1)
    with pytest.raises(InputError, check=coded("answered-question.place")):
        indexer.reindex(url, encoder=turned)
    assert identity(url).name == DEFAULT_ENCODER
    follow_rollback(EmbeddedBackend(), url, identity_of(turned))
    assert identity(beside).name == DEFAULT_ENCODER


def test_an_index_without_questions_is_rebuilt_without_any(url):
    assert indexer.reindex(url).questions == 0
    assert not Path(url, NAME).exists()


def test_questions_stay_when_documents_come_and_go(url, passages):
    indexer.add_questions(many(passages, 3), url)
    with EmbeddedBackend().load(url, identity(url)) as load, Staging.opened() as nothing:
        load.delete_document("COND")
        load.commit(nothing)
    assert len(indexer.list_questions(url)) == 3
    with search.open(url) as index:
        assert index.verify() == []
        assert len(index.documents()) == 3


def test_progress_is_told_of_encoding_and_storing(url, passages):
    told: list[tuple[str, int, int]] = []
    indexer.add_questions(
        many(passages, 30), url, progress=lambda *one: told.append(one)
    )  # fmt: skip
    assert ("encode", 30, 30) in told
    assert told[-1] == ("load", 30, 30)


KILLED = """
import os, signal, sys
import indexer, search
from search.models.encoders import DEFAULT_ENCODER, load_encoder

url, step, passage = sys.argv[1], int(sys.argv[2]), sys.argv[3]
encoder, seen = load_encoder(DEFAULT_ENCODER), 0

def watch(event, arguments):
    global seen
    if event in ("os.rename", "os.mkdir", "os.remove") and url in os.fsdecode(str(arguments[0])):
        seen += 1
        if seen == step:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
new = [search.AnsweredQuestion(f"new-{i}", f"What of {i}?", (passage,)) for i in range(20)]
indexer.add_questions(new, url, encoder=encoder)
"""


@pytest.mark.parametrize("step", [1, 2, 4, 8])
def test_killed_in_the_middle_the_old_questions_or_the_new_ones_are_known(
    url, passages, step, tmp_path
):
    indexer.add_questions(many(passages, 3), url)
    before = indexer.list_questions(url)
    arguments = [sys.executable, "-c", KILLED, url, str(step), passages[0]]
    done = subprocess.run(arguments, check=False, timeout=120, cwd=ROOT)
    assert done.returncode in {0, -signal.SIGKILL}
    held = indexer.list_questions(url)
    assert held == before or len(held) == len(before) + 20
    assert (done.returncode == 0) <= (held != before)
    new = [known(f"new-{i}", f"What of {i}?", passages[0]) for i in range(20)]
    report = indexer.add_questions(new, url)
    assert len(report.added) + len(report.unchanged) == 20
    assert len(indexer.list_questions(url)) == 23
    with search.open(url) as index:
        assert index.pipeline.answered_questions is not None
        assert index.pipeline.answered_questions.engine.verify() == []
