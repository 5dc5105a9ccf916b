"""What was written on rules that changed: answered questions, and documents that cite them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from search.answered_questions.questions import AnsweredQuestion
from search.engines.protocol import Engine
from search.lookup.links import LinkFinder, keys_that_may_mean
from search.provisions.documents.names import DocumentNames
from search.provisions.links.keys import citing
from search.records import Filters
from search.versions.changes import Affected, Amendment
from search.versions.history import History, rule_id


class AffectedFinder:
    """Finds in one opened index what rests on the former wording of a rule."""

    def __init__(
        self, engine: Engine, names: DocumentNames, questions: Sequence[AnsweredQuestion]
    ) -> None:
        self._engine = engine
        self._links = LinkFinder(engine, names)
        self._questions = questions

    def told(self, amendment: Amendment, history: History) -> Amendment:
        """Return an amendment with what it affects, in the order of its changes."""
        numbers: defaultdict[str, list[str]] = defaultdict(list)
        for change, passages in zip(amendment.comparison.changes, amendment.before, strict=True):
            for rule in dict.fromkeys(rule_id(one.id, history) for one in passages):
                numbers[rule].append(change.number)
        found = {*self._answered(numbers, history), *self._citing(amendment, numbers, history)}
        order = {one.number: place for place, one in enumerate(amendment.comparison.changes)}
        affects = sorted(found, key=lambda one: (order[one.number], one.kind, one.id))
        return replace(amendment, affects=tuple(affects))

    def _answered(self, numbers: dict[str, list[str]], history: History) -> Iterator[Affected]:
        for question in self._questions:
            for passage in question.passages:
                for number in numbers.get(rule_id(passage, history), ()):
                    yield Affected("answered-question", question.id, question.text, number)

    def _citing(
        self, amendment: Amendment, numbers: dict[str, list[str]], history: History
    ) -> Iterator[Affected]:
        """Yield the passages of other documents that name a rule."""
        document_id = amendment.comparison.document_id
        keys = {key for rule in amendment.before for one in rule for key in keys_that_may_mean(one)}
        if not keys:
            return
        filters = Filters({"number": citing(keys)}, {"document_id": (document_id,)})
        for _, passage in self._engine.find(filters):
            for one in self._links.cites(passage):
                if one.target is None or one.target.document_id != document_id:
                    continue
                for number in numbers.get(rule_id(one.target.id, history), ()):
                    yield Affected("passage", passage.id, passage.citation(), number)
