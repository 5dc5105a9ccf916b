"""RePASs: the arithmetic of its reference, and models by name or folder."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from answer_sample import answer, item, passage
from extras import require
from tiny_models import save_bert

from rirag_workbench.evaluation.answers.repass import (
    COVERAGE,
    NLI,
    RePASs,
    Scores,
    by_classifier,
    by_rules,
    load_repass,
    mean_of,
    notes_on,
    obligation_coverage,
    repass_lines,
    sentences,
    strongest,
    to_json,
)
from search.errors import ModelError
from search.models.classifiers import load_classifier

LABELS = ("contradiction", "entailment", "neutral")


class Recorded:
    """A classifier that gives recorded probabilities in the order in which it is asked."""

    def __init__(self, rows: Sequence[Sequence[float]], name: str = "recorded") -> None:
        self.name, self.labels = name, LABELS
        self.rows = np.array(rows)
        self.asked: list[object] = []

    def probabilities(self, texts):
        self.asked += texts
        return self.rows[: len(texts)]


def reference(entailment, contradiction, verdicts) -> tuple[float, float, float, float]:
    """The formulas of the reference implementation, written out as its file has them."""
    es = np.round(np.mean(np.max(np.array(entailment), axis=0)), 5)
    cs = np.round(np.mean(np.max(np.array(contradiction), axis=0)), 5)
    covered = 0
    for obligation in verdicts:
        for label, score in obligation:
            if label.lower() == "entailment" and score > 0.7:
                covered += 1
                break
    oc = covered / len(verdicts) if verdicts else 0
    return es, cs, oc, (oc + es - cs + 1) / 3


def test_the_published_means_of_the_sample_make_its_published_composite() -> None:
    assert round(Scores(0.11378, 0.09597, 0.7).composite, 6) == 0.572603


def test_recorded_probabilities_give_the_figures_of_the_reference_to_five_digits() -> None:
    random = np.random.default_rng(7)
    for _ in range(50):
        passages, said, obligations = random.integers(1, 7, 3)
        rows = random.dirichlet((1, 1, 1), size=passages * said)
        verdicts = [
            [(LABELS[int(v)], float(s)) for v, s in zip(
                random.integers(0, 3, said), random.uniform(0.4, 1, said), strict=True)]
            for _ in range(obligations)
        ]  # fmt: skip
        ours = Scores(
            strongest(rows[:, 1].reshape(passages, said)),
            strongest(rows[:, 0].reshape(passages, said)),
            obligation_coverage(verdicts),
        )
        expected = reference(
            rows[:, 1].reshape(passages, said), rows[:, 0].reshape(passages, said), verdicts
        )
        found = (ours.entailment, ours.contradiction, ours.coverage, ours.composite)
        assert found == pytest.approx(expected, abs=5e-6)


def test_a_score_of_exactly_the_threshold_does_not_cover() -> None:
    assert obligation_coverage([[("entailment", 0.7)]]) == 0
    assert obligation_coverage([[("entailment", 0.7000001)]]) == 1
    assert obligation_coverage([[("neutral", 0.99), ("entailment", 0.8)]]) == 1
    assert obligation_coverage([]) == 0


def test_every_passage_sentence_is_a_premise_and_only_obligations_are_to_be_covered() -> None:
    nli = Recorded([(0.1, 0.8, 0.1), (0.3, 0.2, 0.5), (0.05, 0.4, 0.55), (0.2, 0.6, 0.2)])
    coverage = Recorded([(0.1, 0.65, 0.25), (0.0, 0.9, 0.1)])
    measure = RePASs(nli, coverage, by_rules, "rules")
    found = measure.of(["A Firm must report. It is old."], "It must report. It may rest.")
    assert nli.asked == [
        ("A Firm must report.", "It must report."), ("A Firm must report.", "It may rest."),
        ("It is old.", "It must report."), ("It is old.", "It may rest."),
    ]  # fmt: skip
    assert coverage.asked == [
        "It must report. [SEP] A Firm must report.", "It may rest. [SEP] A Firm must report.",
    ]  # fmt: skip
    assert found == Scores(0.7, 0.2, 1.0)


def test_passages_are_joined_before_they_are_split() -> None:
    nli = Recorded([(0.2, 0.5, 0.3)] * 9)
    RePASs(nli, nli, by_rules, "rules").of(["The rule says", "that it rests."], "It rests.")
    assert nli.asked[0] == ("The rule says that it rests.", "It rests.")


def test_no_obligation_in_the_passages_counts_as_nothing_covered() -> None:
    nli = Recorded([(0.2, 0.5, 0.3)])
    found = RePASs(nli, nli, by_rules, "rules").of(["It is old."], "It is old.")
    assert found is not None
    assert found.coverage == 0


def test_an_empty_answer_is_skipped() -> None:
    nli = Recorded([])
    assert RePASs(nli, nli, by_rules, "rules").of(["A Firm must report."], "  ") is None


def test_only_the_models_of_its_authors_give_the_bare_name() -> None:
    nli, coverage = Recorded([], NLI), Recorded([], COVERAGE)
    authors = "models/obligation-classifier-legalbert"
    assert RePASs(nli, coverage, by_rules, authors).title == "RePASs"
    assert RePASs(nli, coverage, by_rules, "rules").title == f"RePASs with {NLI}, {COVERAGE}, rules"
    assert RePASs(nli, nli, by_rules, "rules").title == f"RePASs with {NLI}, rules"


def test_the_lines_beside_it_repeat_the_question_and_copy_the_passages() -> None:
    nli = Recorded([(0.2, 0.5, 0.3)] * 20)
    measure = RePASs(nli, nli, by_rules, "rules")
    record = answer("It must report.", [], kept=["p"])
    record.kept["p"] = "A Firm must report."
    one = item(record, [passage("p", "A Firm must report.")])
    assert list(repass_lines([one], measure)) == [
        "these answers", "the question repeated", "the passages copied",
    ]  # fmt: skip
    lines = repass_lines([one], measure, {"q": "Perhaps."})
    assert list(lines) == ["these answers", "answers without passages", "the passages copied"]
    assert repass_lines([one], measure, {})["the passages copied"]["q"]


def test_answers_that_nothing_is_held_against_are_counted() -> None:
    nli = Recorded([(0.2, 0.5, 0.3)] * 20)
    measure = RePASs(nli, nli, by_rules, "rules")
    asked, bare = answer("It must report.", [], kept=["p"], question=""), answer("It rests.")
    asked.kept["p"] = "A Firm must report."
    items = [replace(item(one, []), key=key) for key, one in (("asked", asked), ("bare", bare))]
    lines = repass_lines(items, measure)
    assert lines["these answers"]["bare"] == Scores(0, 0, 0)
    form = to_json("RePASs", lines)
    assert (form["without_passages"], form["without_closed_book"]) == (1, 1)
    assert [line for line in notes_on(lines) if "1 of these answers" in line]
    whole = repass_lines(items, measure, {"asked": "Perhaps.", "bare": "No."})
    assert to_json("RePASs", whole)["without_closed_book"] == 0


def test_means_are_over_answers() -> None:
    found = mean_of([Scores(0.2, 0.1, 1.0), Scores(0.4, 0.3, 0.0)])
    assert found.composite == pytest.approx((0.3 - 0.2 + 0.5 + 1) / 3)


def test_sentences_are_those_of_punkt() -> None:
    assert sentences("Dr. Smith must comply with Rule 3.5. He agreed.") == [
        "Dr. Smith must comply with Rule 3.5.", "He agreed.",
    ]  # fmt: skip
    assert sentences(" \n") == []


def with_labels(folder: Path, labels: Sequence[str]) -> Path:
    save_bert(folder, labels=len(labels))
    config = json.loads((folder / "config.json").read_text())
    config["id2label"] = {str(place): label for place, label in enumerate(labels)}
    config["label2id"] = {label: place for place, label in enumerate(labels)}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.mark.torch
def test_models_are_loaded_from_folders_and_agree_as_onnx(tmp_path: Path) -> None:
    torch, _ = require("torch"), require("onnx")
    folder = with_labels(tmp_path / "nli", ["CONTRADICTION", "ENTAILMENT", "NEUTRAL"])
    texts = [("the client must report", "a firm must report"), ("a fund", "what is a bank")]
    loaded = load_classifier(f"sentence-transformers:{folder}")
    assert (loaded.name, loaded.labels) == (str(folder), LABELS)
    rows = loaded.probabilities(texts)
    assert rows.sum(axis=1) == pytest.approx([1, 1])

    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    features = tokenizer(*texts[0], return_tensors="pt")
    # The exporter takes the names in the order of the model's own arguments.
    sample = {name: features[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    axes = {name: {0: "texts", 1: "tokens"} for name in sample}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model, (sample,), folder / "model.onnx", input_names=list(sample), dynamo=False,
            output_names=["logits"], dynamic_axes={**axes, "logits": {0: "texts"}},
        )  # fmt: skip
    exported = load_classifier(str(folder))
    assert type(exported).__name__ == "OnnxClassifier"
    assert exported.probabilities(texts) == pytest.approx(rows, abs=1e-5)


@pytest.mark.torch
def test_the_whole_measure_runs_on_tiny_models_of_the_same_kind(tmp_path: Path) -> None:
    nli = with_labels(tmp_path / "nli", LABELS)
    classifier = with_labels(tmp_path / "obligations", ["LABEL_0", "LABEL_1"])
    measure = load_repass(str(nli), str(nli), str(classifier))
    found = measure.of(["A firm must report. A fund is a risk."], "The firm must report.")
    assert found is not None
    assert 0 <= found.composite <= 1
    marks = by_classifier(load_classifier(str(classifier)))(["a firm must report", "a fund"])
    assert set(map(type, marks)) == {bool}


@pytest.mark.torch
def test_a_model_without_the_labels_is_refused(tmp_path: Path) -> None:
    folder = with_labels(tmp_path / "two", ["no", "yes"])
    with pytest.raises(ModelError):
        load_repass(str(folder), str(folder), "rules")


@pytest.mark.torch
def test_a_model_that_is_not_there_is_refused(tmp_path: Path) -> None:
    require("transformers")
    with pytest.raises(ModelError):
        load_classifier(str(tmp_path / "nowhere"))
