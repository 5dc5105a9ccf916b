"""`rirag dataset`: building with a funnel, going on, checking, splitting and exporting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run
from sample import write_lines
from scripted_llm import Reply, says, serve

LINES = (
    "What has to be done about a complaint of client number {n}?\n"
    "Too short?\n"
    "What does Rule 4.2.1 say of those who report number {n} too late?\n"
    "This is no question about number {n} at all\n"
)


def model(asked) -> Reply:
    """Write four lines for every request, different each time: one of them is good."""
    model.count += 1
    return says(LINES.format(n=model.count))


@pytest.fixture
def build(rirag: Run, rulebook: Path, tmp_path: Path):
    model.count = 0

    def run(name: str, *more: object):
        with serve() as script:
            script.by = model
            made = rirag(
                "dataset", "build", "-o", tmp_path / name, "--index", rulebook, "--llm-url",
                script.url, "--llm-model", "m", "--each", 4, "--requests", 1, "--json", *more,
            )  # fmt: skip
            return made, script

    return run


def test_what_passes_is_kept_and_the_funnel_says_what_did_not(build, tmp_path: Path) -> None:
    made, _ = build("d.jsonl", "--passages", 5)
    report = made.json
    assert report["lines_written"] == 20
    assert report["fates"]["number"] == 5
    assert report["fates"]["malformed"] == 10
    assert report["fates"]["kept"] + report["fates"]["repeated"] == 5
    rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text().splitlines()]
    assert len(rows) == report["kept"] > 0
    assert rows[0]["class"] == "single"
    assert rows[0]["relevant"] == [rows[0]["passages"][0]["id"]]
    assert json.loads((tmp_path / "d.jsonl.funnel").read_text())["kept"] == report["kept"]


def test_the_same_command_goes_on_and_asks_for_no_reply_twice(build, tmp_path: Path) -> None:
    first, script = build("d.jsonl", "--passages", 5)
    before = (tmp_path / "d.jsonl").read_text()
    asked = len(script.asked)
    _, second = build("d.jsonl", "--passages", 5)
    assert asked == 5
    assert not second.asked
    assert (tmp_path / "d.jsonl").read_text() == before
    more, third = build("d.jsonl", "--passages", 7)
    assert len(third.asked) == 2
    assert more.json["kept"] >= first.json["kept"]


def test_questions_whose_passage_is_not_found_again_are_dropped(build, tmp_path: Path) -> None:
    made, _ = build("d.jsonl", "--passages", 8, "--near-misses", 1, "--best", 1)
    rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text().splitlines()]
    # One question for all passages: at most one of them is its first hit.
    assert sum(row["class"] == "single" for row in rows) <= 1
    assert all(row["rank"] in (1, None) for row in rows)
    assert made.json["fates"]["not found again"] >= 1


def test_several_requests_at_a_time_build_the_same_set(build, tmp_path: Path) -> None:
    build("d.jsonl", "--passages", 5)
    replies = (tmp_path / "d.jsonl.replies").read_text()
    (tmp_path / "e.jsonl.replies").write_text(replies)
    _, script = build("e.jsonl", "--passages", 5, "--requests", 3)
    assert script.asked == []
    assert (tmp_path / "e.jsonl").read_text() == (tmp_path / "d.jsonl").read_text()


def test_what_was_refused_keeps_the_replies_before_it(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    common = ("dataset", "build", "--index", rulebook, "-o", tmp_path / "d", "--passages", 4,
              "--requests", 1, "--llm-model", "m")  # fmt: skip
    refusal = Reply("no key", status=401, content_type="text/plain")
    with serve(says("What is due?"), says("What is due?"), refusal) as script:
        refused = rirag(*common, "--llm-url", script.url)
    assert refused.code != 0
    assert len(refused.err.splitlines()) == 1
    with serve(says("What is due?")) as script:
        assert rirag(*common, "--llm-url", script.url).code == 0
        assert len(script.asked) == 2


def test_prompts_of_the_users_own_are_used(
    rirag: Run, rulebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "questions-system.txt").write_text("Ask like a novice. Marks begin with <<$code.")
    monkeypatch.setenv("RIRAG_PROMPTS", str(own))
    with serve(says("What is due?")) as script:
        rirag(
            "dataset", "build", "--index", rulebook, "-o", tmp_path / "d", "--passages", 1,
            "--llm-url", script.url, "--llm-model", "m",
        )  # fmt: skip
    assert script.asked[-1]["messages"][0]["content"].startswith("Ask like a novice.")


def test_groups_share_a_topic_and_near_misses_have_no_relevant_passage(
    build, tmp_path: Path
) -> None:
    topics = tmp_path / "topics.json"
    topics.write_text('{"Complaints": ["complaint"], "Money": ["client money"]}')
    made, _ = build(
        "d.jsonl", "--passages", 0, "--groups", 3, "--group-size", 2, "--topics", topics,
        "--near-misses", 2, "--unanswerable", 1,
    )  # fmt: skip
    assert made.json["asked_about"] == {"group": 3, "near-miss": 2, "unanswerable": 1}
    rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text().splitlines()]
    groups = [row for row in rows if row["class"] == "group"]
    assert {len(row["relevant"]) for row in groups} == {2}
    assert {row["topic"] for row in groups} <= {"Complaints", "Money"}
    assert all(row["relevant"] == [] for row in rows if row["class"] != "group")


def test_questions_of_an_evaluation_set_are_not_asked_again(build, tmp_path: Path) -> None:
    known = write_lines(
        tmp_path / "eval.jsonl",
        {
            "question_id": "e",
            "question": "What has to be done about a complaint of client number 1?",
        },
    )
    made, _ = build("d.jsonl", "--passages", 3, "--against", known)
    assert made.json["fates"]["given"] >= 1


@pytest.fixture
def dataset(build, tmp_path: Path) -> Path:
    rows = [
        {
            "question_id": f"q{n}", "question": f"Who answers for {word} before the regulator?",
            "class": "single", "topic": "", "rank": 1,
            "passages": [{"id": f"p{n}", "document_id": f"D{n % 4}", "passage_id": str(n),
                          "text": f"The board is responsible for {word}."}],
        }
        for n, word in enumerate(
            ["books", "audits", "fees", "risk", "staff", "funds", "cash", "notices", "cards",
             "records", "bonds", "loans"]
        )
    ]  # fmt: skip
    return write_lines(tmp_path / "set.jsonl", *rows)


def test_a_good_data_set_passes_and_an_evaluation_question_in_it_is_refused_loudly(
    rirag: Run, dataset: Path, tmp_path: Path
) -> None:
    assert rirag("dataset", "check", dataset).code == 0
    same = {"question_id": "x", "question": "Who answers for books, before the regulator?"}
    found = rirag("dataset", "check", dataset, "--against", write_lines(tmp_path / "e.jsonl", same))
    assert found.code == 1
    assert "q0: given" in found.out


def test_repetitions_are_found(rirag: Run, dataset: Path) -> None:
    text = dataset.read_text().splitlines()
    again = json.loads(text[0]) | {"question_id": "again"}
    dataset.write_text("\n".join([*text, json.dumps(again)]) + "\n")
    assert "again: repeated" in rirag("dataset", "check", dataset).out


def test_a_question_in_other_words_is_found_by_the_encoder(
    rirag: Run, dataset: Path, tmp_path: Path
) -> None:
    row = json.loads(dataset.read_text().splitlines()[0])
    texts = {"one": "When must a firm inform the Regulator of a breach?",
             "two": "When must a firm notify the Regulator of a breach?"}  # fmt: skip
    rows = [row | {"question_id": key, "question": text} for key, text in texts.items()]
    found = rirag("dataset", "check", write_lines(tmp_path / "two.jsonl", *rows), "--json")
    assert (found.code, found.json["bad"]) == (1, {"two": "repeated"})


def test_by_document_no_document_is_in_two_parts(rirag: Run, dataset: Path, tmp_path: Path) -> None:
    done = rirag(
        "dataset", "split", dataset, "--output", tmp_path / "parts", "--by", "document",
        "--shares", "50,25,25", "--json",
    )  # fmt: skip
    assert sum(done.json["questions"].values()) == 12
    assert all(one["documents"] == 0 for one in done.json["overlap_with_train"].values())


def test_a_part_that_too_few_documents_leave_empty_has_a_note(
    rirag: Run, dataset: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in dataset.read_text().splitlines()]
    one = rows[0]["passages"][0]["document_id"]
    file = write_lines(
        tmp_path / "one.jsonl",
        *(row for row in rows if {p["document_id"] for p in row["passages"]} == {one}),
    )
    done = rirag("dataset", "split", file, "--output", tmp_path / "p", "--by", "document",
                 "--shares", "50,50,0")  # fmt: skip
    assert done.out.count("is empty; too few documents") == 1


def test_a_split_with_a_test_question_in_train_is_refused(
    rirag: Run, dataset: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in dataset.read_text().splitlines()]
    twins = [row | {"question_id": f"{row['question_id']}-twin"} for row in rows]
    file = write_lines(tmp_path / "twins.jsonl", *rows, *twins)
    refused = rirag(
        "dataset", "split", file, "--output", tmp_path / "p", "--shares", "50,25,25"
    ).refused(2)
    assert "also in train" in refused
    assert not (tmp_path / "p").exists()


def test_exports_are_read_by_others(rirag: Run, rulebook: Path, build, tmp_path: Path) -> None:
    build("d.jsonl", "--passages", 5)
    obliqa, beir = tmp_path / "o.json", tmp_path / "beir"
    assert (
        rirag("dataset", "export", tmp_path / "d.jsonl", "--form", "obliqa", "-o", obliqa).code == 0
    )
    measured = rirag("evaluate", "retrieval", obliqa, "--index", rulebook, "--json")
    assert measured.json["questions"] == len(json.loads(obliqa.read_text())) > 0
    rirag(
        "dataset", "export", tmp_path / "d.jsonl", "--form", "beir", "-o", beir, "--index", rulebook
    )
    corpus = {json.loads(line)["_id"] for line in (beir / "corpus.jsonl").read_text().splitlines()}
    qrels = (beir / "qrels" / "test.tsv").read_text().splitlines()
    assert qrels[0] == "query-id\tcorpus-id\tscore"
    assert {row.split("\t")[1] for row in qrels[1:]} <= corpus


def test_questions_that_nothing_answers_are_left_out_of_retrieval_with_a_note(
    rirag: Run, rulebook: Path, build, tmp_path: Path
) -> None:
    build("d.jsonl", "--passages", 5, "--near-misses", 2, "--unanswerable", 1)
    kept = (tmp_path / "d.jsonl").read_text().splitlines()
    unanswerable = [one for one in kept if json.loads(one)["class"] not in ("single", "group")]
    assert unanswerable
    obliqa = tmp_path / "o.json"
    rirag("dataset", "export", tmp_path / "d.jsonl", "--form", "obliqa", "-o", obliqa)
    for file in (tmp_path / "d.jsonl", obliqa):
        found = rirag("evaluate", "retrieval", file, "--index", rulebook, "--json").json
        assert found["questions"] == len(kept) - len(unanswerable)
        assert f"{len(unanswerable)} questions that nothing answers are" in found["notes"][0]
    (tmp_path / "none.jsonl").write_text("\n".join(unanswerable))
    refused = rirag("evaluate", "retrieval", tmp_path / "none.jsonl", "--index", rulebook)
    assert "only questions that nothing answers" in refused.refused(2)


def test_a_beir_export_needs_the_index_of_its_questions(
    rirag: Run, rulebook: Path, tmp_path: Path
) -> None:
    passage = {"id": "gone", "document_id": 1, "passage_id": "1.1", "text": "A firm must report."}
    question = {"question_id": "q", "question": "Who must report?", "class": "single"}
    lines = write_lines(tmp_path / "d.jsonl", {**question, "passages": [passage]})
    arguments = ("dataset", "export", lines, "--form", "beir", "-o", tmp_path / "beir")
    assert "'gone'" in rirag(*arguments, "--index", rulebook).refused(2)
    assert not (tmp_path / "beir").exists()


def test_what_is_no_data_set_is_refused(rirag: Run, tmp_path: Path) -> None:
    bad = write_lines(tmp_path / "bad.jsonl", {"question": "x"})
    rirag("dataset", "check", bad).refused(2)
    rirag("dataset", "split", bad, "--output", tmp_path / "p").refused(2)
    bare = {"question_id": "q", "question": "Who must report?", "class": "single", "passages": []}
    unsourced = write_lines(tmp_path / "bare.jsonl", bare)
    rirag("dataset", "split", unsourced, "--output", tmp_path / "p", "--by", "document").refused(2)


def test_groups_need_topics(build) -> None:
    made, _ = build("d.jsonl", "--groups", 2)
    assert (made.code, made.json["error"]["code"]) == (2, "option.invalid")
