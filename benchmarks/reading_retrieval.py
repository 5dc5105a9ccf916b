"""What a reader costs retrieval: python -m benchmarks.reading_retrieval docx|text|pdf QUESTIONS.

The originals of ObliQA are loaded once as the reader reads them and once as they were numbered by
hand. Then the questions whose answers stand in these documents are asked of both, with the default
pipeline. A passage that the reader numbers in another way counts as not found; then as found where
only the paragraph of its rule that guidance stands at is another, which the hand-made files settle
now so and now so; and at last as found where one of the same words is.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tqdm import tqdm

import indexer
import search
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from benchmarks.readers import DATA, SUFFIXES, originals
from indexer.review.check import plain_number, token_f1
from rirag.inputs.gold import JudgedQuestions
from rirag.inputs.questions import Question, read_questions
from rirag_workbench.evaluation.retrieval.run import evaluate_run
from rirag_workbench.evaluation.retrieval.runs import Run, strictly_decreasing
from search.records import Passage

MEASURES = ("R@10", "AP@10")
MOST_LOST = 0.02
SAME_WORDS = 0.8
"""F1 of words from which two passages are taken to be the same."""

DEPTH = 100
"""Hits of a question that are judged."""

_AT_PARAGRAPH = re.compile(r"(?:\.?\([0-9A-Za-z]{1,6}\))+(?=\.?Guidance)")
"""The paragraph of a rule that guidance stands at: `.(3)` of `3.3.41.(3).Guidance.9`."""

Name = tuple[str, str, int]
"""DocumentID, number, and which of the passages with this number."""


def main() -> None:
    """Load both, ask both, and compare."""
    arguments = parser(__doc__)
    arguments.add_argument("format", choices=SUFFIXES)
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--data", type=Path, default=DATA, help="the folder with the corpus")
    arguments.add_argument("--pdfs", type=Path, metavar="FOLDER", help="the folder with the PDFs")
    arguments.add_argument("--only", nargs="+", metavar="N", help="some documents only")
    options = arguments.parse_args()
    paths = originals(options)
    by_hand = [options.data / "obliqa" / "documents" / f"{path.stem}.json" for path in paths]
    titles = options.data / "obliqa" / "titles.json"
    with tempfile.TemporaryDirectory() as folder:
        for name, sources in (("read", paths), ("hand", by_hand)):
            made = Path(folder) / f"{name} sources"
            made.mkdir()
            for source in sources:
                shutil.copy(source, made)
            indexer.ingest(made, f"{folder}/{name}", titles=titles)
        with search.open(f"{folder}/read") as read, search.open(f"{folder}/hand") as hand:
            report(
                "retrieval", figures(hand, read, read_questions(options.questions)), options.json
            )


def figures(hand: search.Index, read: search.Index, questions: Iterable[Question]) -> list[Figure]:
    """Ask both indexes the same questions."""
    by_hand, as_read = hand.passages(), read.passages()
    meant = names(by_hand)
    gold = {one.question_id: frozenset(r.id or "" for r in one.gold) for one in questions}
    texts = {one.question_id: one.text for one in questions if gold[one.question_id] <= set(meant)}
    wanted = {passage for question in texts for passage in gold[question]}
    same_number = _same(meant, names(as_read), wanted)
    lost = [passage for passage in by_hand if passage.id in wanted - same_number.keys()]
    at_rules = _same(names(by_hand, at_its_rule), names(as_read, at_its_rule), wanted)
    same_rule = at_rules | same_number
    same_words = dict(_with_the_same_words(lost, as_read)) | same_number
    start = measured(ranked(hand, texts), texts, gold)
    made = [
        Figure("questions", len(texts)),
        Figure("relevant passages with another number", len(lost) / len(wanted)),
        *(Figure(f"{measure}, numbered by hand", start[measure]) for measure in MEASURES),
    ]
    found_as_read = ranked(read, texts)
    for title, same in (
        ("number", same_number),
        ("number, guidance at its rule", same_rule),
        ("number or words", same_words),
    ):
        judged = {one: frozenset(same.get(p, f"not read: {p}") for p in gold[one]) for one in texts}
        found = measured(found_as_read, texts, judged)
        for measure in MEASURES:
            most = MOST_LOST if measure == "R@10" else None
            made += [
                Figure(f"{measure} as read, the same {title}", found[measure]),
                Figure(f"  {measure} lost", start[measure] - found[measure], "", most),
            ]
    return made


def _with_the_same_words(
    lost: Iterable[Passage], as_read: Sequence[Passage]
) -> Iterator[tuple[str, str]]:
    """Yield for passages that were read under another number what has their words."""
    for passage in lost:
        others = [one for one in as_read if one.document_id == passage.document_id]
        likeness = [token_f1(passage.text, one.text) for one in others]
        if likeness and max(likeness) >= SAME_WORDS:
            yield passage.id, others[likeness.index(max(likeness))].id


def at_its_rule(number: str) -> str:
    """Return `3.3.41.Guidance.9` for `3.3.41.(3).Guidance.9`, and any other number plain."""
    return _AT_PARAGRAPH.sub("", plain_number(number))


def _same(
    by_hand: Mapping[str, Name], as_read: Mapping[str, Name], wanted: Iterable[str]
) -> dict[str, str]:
    """Return for passages by hand the one that was read under the same name, if there is one."""
    named = {name: passage for passage, name in as_read.items()}
    return {one: named[by_hand[one]] for one in wanted if by_hand[one] in named}


def names(
    passages: Iterable[Passage], number_of: Callable[[str], str] = plain_number
) -> dict[str, Name]:
    """Return `ID` → name; white space and closing dots of numbers do not count."""
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[str, Name] = {}
    for passage in passages:
        number = (passage.document_id, number_of(passage.passage_id))
        seen[number] += 1
        found[passage.id] = (*number, seen[number])
    return found


def ranked(index: search.Index, texts: Mapping[str, str]) -> Run:
    """Ask an index all questions."""
    return {
        question: strictly_decreasing(
            [(hit.id, hit.score) for hit in index.search(text, DEPTH).hits]
        )
        for question, text in tqdm(texts.items(), unit="question", leave=False)
    }


def measured(run: Run, texts: dict[str, str], gold: dict[str, frozenset[str]]) -> dict[str, float]:
    """Return the means of the measures."""
    judged = JudgedQuestions(texts, {question: gold[question] for question in texts}, 0, 0)
    return dict(evaluate_run(judged, run, MEASURES).means)


if __name__ == "__main__":
    start(main)
