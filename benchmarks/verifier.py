"""What the verifier finds, and blames wrongly: python -m benchmarks.verifier INDEX QUESTIONS.

From the passages that answer the questions come true statements (word for word, and lightly
paraphrased), and the same with one known fault. The documents are split in two halves by a hash:
one to develop on, one to report. Each statement is also given to a model that insists on it, and
what is delivered where only supported statements may be is searched for quotations and numbers that
its source does not have.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import search
from benchmarks.command import parser, positive, start
from benchmarks.delivered import delivered, foreign
from benchmarks.figures import Figure, report
from benchmarks.gold import with_gold
from benchmarks.verifier_cases import (
    IN_PLACE,
    Case,
    Sentence,
    cited,
    invented_quote,
    one_dropped,
    paraphrased,
    retold,
    sentences_of,
)
from generation import answer
from generation.statements.words import folded
from generation.verify import verify
from generation.verify.judges.judging import Judge
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.judge.spoiling import holds
from rirag_workbench.evaluation.statistics import spread
from search.records import Hit, Passage, RetrieverScore, Scores

SEED = 7
FOUND, FALSE_ALARMS = 97.0, 0.5
NEAR = 3
"""Passages before and behind one from which foreign sentences come: they speak of the same."""

MOST_SENTENCES = 3
"""Sentences of one passage, so that long schedules do not decide the figures."""


@dataclass(slots=True)
class Counts:
    """Kind of case → how many there were, and how many were not found supported."""

    cases: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    flagged: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    examples: dict[str, list[dict[str, object]]] = field(default_factory=lambda: defaultdict(list))
    foreign: list[dict[str, object]] = field(default_factory=list)
    """Statements delivered in spite of a quotation or number that is not in their source."""

    def add(self, kind: str, flagged: bool, wanted: bool, **shown: object) -> None:
        """Count one case; those that went wrong are kept."""
        self.cases[kind] += 1
        self.flagged[kind] += flagged
        if flagged != wanted:
            self.examples[kind].append(shown)


def main() -> None:
    """Make the cases, verify each, print the shares."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--half", choices=["develop", "report"], default="report")
    arguments.add_argument("--limit", type=positive, help="how many passages, spread evenly")
    arguments.add_argument("--judge", help="a reranker, or nli:MODEL")
    options = arguments.parse_args()
    judge = None
    if options.judge:
        from generation.verify.judges.judging import load_judge

        judge = load_judge(options.judge)
    with search.open(options.index, reranker=None) as index:
        passages = {passage.id: passage for passage in index.passages()}
    answers = with_gold(list(read_questions(options.questions)), passages)
    gold = {passage.id: None for _, them in answers for passage in them}
    ours = [passages[key] for key in gold if half(passages[key]) == options.half]
    counts = Counts()
    _sentences(spread(ours, options.limit), list(passages.values()), counts, judge)
    wanted = [(text, [p for p in them if half(p) == options.half]) for text, them in answers]
    _answers(spread([one for one in wanted if one[1]], options.limit), counts, judge)
    report("verifier", figures(counts), options.json, wrong=counts.examples,
           foreign=counts.foreign)  # fmt: skip


def half(passage: Passage) -> str:
    """Return which half of the documents a passage is in."""
    digest = hashlib.sha256(passage.document_id.encode()).hexdigest()
    return "report" if int(digest, 16) % 2 else "develop"


def cases_of(
    passages: Sequence[Passage], corpus: Sequence[Passage], random: Random
) -> Iterator[Case]:
    """Yield true and false statements from passages; the corpus has what stands beside them."""
    every = {passage.id: sentences_of(passage) for passage in passages}
    pool = [one for them in every.values() for one in them]
    places = {passage.id: place for place, passage in enumerate(corpus)}
    for passage in passages:
        place = places[passage.id]
        beside = [
            sentence
            for near in corpus[max(0, place - NEAR) : place + NEAR + 1]
            if near.id != passage.id and near.document_id == passage.document_id
            for sentence in sentences_of(near)
        ]
        sentences = every[passage.id]
        for one in random.sample(sentences, min(MOST_SENTENCES, len(sentences))):
            yield from _of_sentence(one, _foreign(one, beside, pool, random), random)


def _foreign(
    one: Sentence, beside: Sequence[Sentence], pool: Sequence[Sentence], random: Random
) -> Sentence:
    """Return a sentence that is not in a passage: half of the time from right beside it."""
    for some in (beside if random.random() < 0.5 else (), pool):
        others = [s for s in random.sample(some, min(20, len(some)))
                  if not holds(one.passage, s.text) and not holds(s.passage, one.text)]  # fmt: skip
        if others:
            return others[0]
    raise ValueError("all passages say the same")


def _of_sentence(one: Sentence, foreign: Sentence, random: Random) -> Iterator[Case]:
    passage = one.passage
    plain, light = one.text, paraphrased(one, random)
    yield Case("true, word for word", cited(plain), passage)
    yield Case("true, quoted", f"It is said that “{plain}” [1].", passage)
    yield Case("true, paraphrased", cited(light), passage)
    yield Case("true, retold", cited(retold(plain, random)), passage)
    for kind, corrupt in IN_PLACE.items():
        for form, text in (("", plain), (", paraphrased", light), (", retold", plain)):
            made = corrupt(text, passage, random)
            made = retold(made, random) if made and form == ", retold" else made
            if made is not None:
                yield Case(kind + form, cited(made), passage)
    yield Case("wrong citation", cited(plain), foreign.passage)
    yield Case("wrong citation, paraphrased", cited(light), foreign.passage)
    yield Case("sentence of another passage", cited(foreign.text), passage)
    quote = invented_quote(plain, passage, random, foreign.text)
    if quote is not None:
        yield Case("invented quote", cited(quote), passage)


def _sentences(
    passages: Sequence[Passage], corpus: Sequence[Passage], counts: Counts, judge: Judge | None
) -> None:
    random = Random(SEED)
    for case in cases_of(passages, corpus, random):
        found = verify(case.text, {1: case.passage}, judge=judge)
        flagged = bool(found.doubtful)
        reasons = [r for one in found.doubtful for r in one.to_json()["reasons"]]
        counts.add(case.kind, flagged, not case.kind.startswith("true"), text=case.text,
                   passage=case.passage.text, reasons=reasons)  # fmt: skip
        if strange := foreign(delivered(case), case):
            shown: dict[str, object] = {"text": case.text, "passage": case.passage.text}
            shown["foreign"] = strange
            counts.foreign.append(shown)
    for passage in passages:
        _one_dropped(passage, counts, random)


def _one_dropped(passage: Passage, counts: Counts, random: Random) -> None:
    sentences = sentences_of(passage)
    made = one_dropped(sentences, random)
    if made is None:
        return
    text, dropped = made
    missing = [one.text for one in verify(text, {1: passage}).missing]
    listed = any(folded(one) in folded(dropped) for one in missing)
    counts.add("dropped obligation", listed, True,
               text=text, dropped=dropped, missing=missing)  # fmt: skip
    whole = " ".join(cited(one.text) for one in sentences)
    texts = [folded(one.text) for one in sentences]
    blamed = [m.text for m in verify(whole, {1: passage}).missing
              if any(folded(m.text) in text for text in texts)]  # fmt: skip
    counts.add("true, no obligation dropped", bool(blamed), False, text=whole, missing=blamed)
    told = " ".join(cited(retold(one.text, random)) for one in sentences)
    blamed = [m.text for m in verify(told, {1: passage}).missing
              if any(folded(m.text) in text for text in texts)]  # fmt: skip
    counts.add("true, no obligation dropped, retold", bool(blamed), False,
               text=told, missing=blamed)  # fmt: skip


def _answers(
    questions: Sequence[tuple[str, Sequence[Passage]]], counts: Counts, judge: Judge | None
) -> None:
    for question, passages in questions:
        hits = [
            Hit(rank, 1.0, Scores(RetrieverScore(1.0, 1.0, rank)), passage)
            for rank, passage in enumerate(passages, start=1)
        ]
        made = answer(question, hits)
        if made.insufficient_evidence:
            continue
        for check in verify(made.text, made.sources(), question, judge).statements:
            counts.add("true, extractive answers", not check.is_supported, False,
                       text=check.text, reasons=check.to_json()["reasons"])  # fmt: skip


def figures(counts: Counts) -> list[Figure]:
    """Return the share of each kind, and of all false and of all true statements."""
    made = []
    for true in (False, True):
        kinds = [kind for kind in counts.cases if kind.startswith("true") == true]
        name = "false alarms" if true else "found"
        target = FALSE_ALARMS if true else FOUND
        for kind in kinds:
            share = 100 * counts.flagged[kind] / counts.cases[kind]
            made.append(Figure(f"{name}: {kind} ({counts.cases[kind]})", share, "%"))
        cases = sum(counts.cases[kind] for kind in kinds)
        if cases:
            share = 100 * sum(counts.flagged[kind] for kind in kinds) / cases
            made.append(
                Figure(f"{name}: all ({cases})", share, "%", target, higher_is_better=not true)
            )
    name = "delivered with a quotation or number that is not in its source"
    return [*made, Figure(name, len(counts.foreign), "statements", 0)]


if __name__ == "__main__":
    start(main)
