"""The documents of a run: their hierarchy, and which of them the index knows already."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath

from indexer.hierarchy.passage_ids import renamed
from indexer.load.encoding import TEXT_FORM, vector_hash
from indexer.load.in_force import unread_status, with_status
from indexer.load.progress import Progress, silent
from indexer.load.report import Gone, Namesakes, Place, VersionReport
from indexer.load.splitting import is_continuation
from indexer.load.spool import Spool
from indexer.load.trust import ENOUGH, lost_order, trust_of
from indexer.load.versions import (
    Work,
    of_commit,
    undated_note,
    version_report,
    with_observed,
    with_version,
)
from indexer.load.warnings import StructureWarning, structure_warnings
from indexer.problems import Choice
from indexer.structuring.acts.eu_titles import celex_of_title
from search.contexts import IN_CONTEXT, Contexts
from search.engines.protocol import Backend, Engine
from search.engines.stored_rows import Record
from search.engines.terms import terms_of, with_language
from search.errors import InputError
from search.law_in_time import in_force, today
from search.provisions.documents.titles import kinds_of
from search.provisions.jurisdictions import EU, is_own_document, law_of, stated_law
from search.provisions.links.keys import record_keys
from search.records import (
    JURISDICTION,
    LANGUAGE,
    PROBABLE_JURISDICTION,
    UNSURE_NUMBERS,
    DocumentSummary,
    Filters,
    Passage,
)
from search.text.analyzer import words
from search.versions.compare import law_in
from search.versions.history import History

EU_KINDS = frozenset({"act", "directive", "regulation"})
"""Kinds of documents that are law of the European Union where their title has its number."""


@dataclass(slots=True)
class Seen:
    """What was found out about the documents of a run, for the report."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    passages: int = 0
    empty: int = 0
    repeated: list[Place] = field(default_factory=list)
    warnings: list[StructureWarning] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    refused: list[InputError] = field(default_factory=list)
    """Documents that were left out, since the index holds others under their IDs."""
    not_in_force: dict[str, int] = field(default_factory=dict)
    """document_id → passages that searches leave out."""
    unread_status: Counter[str] = field(default_factory=Counter)
    """Field and value that may say what is in force → passages."""
    retitled: list[str] = field(default_factory=list)
    """A sentence on each document that replaced one of another title."""
    versions: list[VersionReport] = field(default_factory=list)
    """What each version of a work brought."""
    formal: Counter[str] = field(default_factory=Counter)
    """document_id → commits that changed no law."""
    undated: list[str] = field(default_factory=list)
    """A sentence on each work of which several versions have no day."""


def arrange_documents(
    spool: Spool,
    loaded: Mapping[str, str],
    progress: Progress = silent,
    held: Callable[[str], Work] | None = None,
    *,
    replaces: bool = False,
    choices: Mapping[str, Choice] | None = None,
    no_history: bool = False,
) -> Seen:
    """Build the hierarchy of each document; keep those that the index does not hold so.

    Args:
        spool: the passages read.
        loaded: document_id → content hash of what the index holds.
        progress: called after each document.
        held: returns what the index holds of a document; None: what changed is not compared.
        replaces: whether another document may replace it.
        choices: in which ways each file was read, by its name.
        no_history: whether a text without a day drops what it replaces.
    """
    seen, works = Seen(), dict[str, Work]()
    documents = spool.documents()
    for done, (name, title) in enumerate(documents, start=1):
        document_id, staged = spool.work_of(name), spool.versions.get(name)
        passages = _checked(spool.arranged(name, title), title, seen, choices)
        if staged is None:
            passages = with_status(passages)
            work = Work(tuple(passages))
            _keep(spool, work, loaded, seen, held, replaces=replaces, no_history=no_history)
        else:
            before = _before(works, document_id, held if document_id in loaded else None)
            language = str(passages[0].metadata.get(LANGUAGE, ""))
            if _is_translated(before.states, language):
                document_id = f"{document_id}-{language}"
                passages = list(renamed(passages, document_id))
                before = _before(works, document_id, held if document_id in loaded else None)
            works[document_id] = after = with_version(before, passages, staged.version)
            if staged.is_commit:
                works[document_id] = after = of_commit(before, after, staged.version)
            if after.states is before.states and staged.is_commit:
                seen.formal[document_id] += 1
            else:
                hash_of = partial(vector_hash, contexts=spool.contexts)
                version_id = staged.version.version_id
                seen.versions.append(version_report(before, after, version_id, hash_of))
            spool.remove(name)
        progress("arrange", done, len(documents))
    for document_id, work in works.items():
        _keep(spool, work, loaded, seen, None, replaces=True)
        if told := undated_note(document_id, work.history):
            seen.undated.append(told)
    return seen


def _before(
    works: Mapping[str, Work], document_id: str, held: Callable[[str], Work] | None
) -> Work:
    """Return a work as the run has made it, or else as the index holds it."""
    if document_id in works:
        return works[document_id]
    return held(document_id) if held else Work()


def _is_translated(states: Sequence[Passage], language: str) -> bool:
    """Return whether a work is held in another language: its versions are not those of this one."""
    known = str(states[0].metadata.get(LANGUAGE, "")) if states else ""
    return bool(known and language and known != language)


def _checked(
    passages: list[Passage], title: str, seen: Seen, choices: Mapping[str, Choice] | None
) -> Sequence[Passage]:
    """Return the passages of a document with language and law; note what is to be checked."""
    seen.passages += len(passages)
    seen.empty += sum(not passage.text.strip() for passage in passages)
    seen.repeated += _repeated(passages)
    warnings = structure_warnings(passages)
    seen.warnings += warnings
    trust = trust_of(passages, warnings, choices)
    if trust.score < ENOUGH:
        document_id = passages[0].document_id
        seen.doubtful.append(f"{document_id} ({trust.score:.2f}: {trust.reason()})")
    if lost_order(passages, warnings):
        unsure = {UNSURE_NUMBERS: True}
        passages = [replace(one, metadata={**one.metadata, **unsure}) for one in passages]
    seen.unread_status += unread_status(passages)
    return with_language(_with_law(passages, title))


def _keep(
    spool: Spool,
    work: Work,
    loaded: Mapping[str, str],
    seen: Seen,
    held: Callable[[str], Work] | None,
    *,
    replaces: bool,
    no_history: bool = True,
) -> None:
    """Stage a document unless the index holds it so, or another one that must stay."""
    passages, history = work.states, work.history.to_text()
    document_id = passages[0].document_id
    newest = law_in(work.history, -1, passages) if history else in_force(passages)
    whole = len(work.history.outlines[-1]) if history else len(passages)
    if out := whole - len(newest):
        seen.not_in_force[document_id] = out
    content_hash = document_hash(passages, spool.contexts, history)
    if loaded.get(document_id) == content_hash and not (
        no_history and held and held(document_id).history
    ):
        seen.unchanged.append(document_id)
        return
    held_work = held(document_id) if held and document_id in loaded else Work()
    before = held_work.states
    if before and not replaces and (problem := another_document(before, passages)):
        seen.refused.append(problem)
        return
    if before and (old := before[0].document_title) != passages[0].document_title:
        seen.retitled.append(
            f"{document_id}: {passages[0].document_title!r} replaces {old!r}. If these are "
            "two documents, load one of them under another document_id."
        )
    (seen.changed if document_id in loaded else seen.added).append(document_id)
    if before and not (no_history or replaces) and (after := with_observed(held_work, passages)):
        passages, history = after.states, after.history.to_text()
        if any(one.version_id == today() for one in after.history.versions):
            hash_of = partial(vector_hash, contexts=spool.contexts)
            seen.versions.append(version_report(held_work, after, today(), hash_of))
    spool.put(document_id, content_hash, records_of(passages, spool.contexts), history)


@contextmanager
def held_by(backend: Backend, index_url: str) -> Iterator[Callable[[str], Work]]:
    """Give a function that returns what the index holds of a document; it opens it when needed."""
    with ExitStack() as opened:
        engines: list[Engine] = []

        def held(document_id: str) -> Work:
            if not engines:
                engines.append(opened.enter_context(closing(backend.open(index_url))))
            found = engines[0].find(Filters({"document_id": (document_id,)}))
            history = History.of_text(engines[0].history(document_id))
            return Work(tuple(passage for _, passage in found), history)

        yield held


SHARED, SHARED_RETITLED = 0.2, 0.5
"""Share of the runs of three words that two versions of one document have in common at least: under
one title, and under another. The versions of five acts over 29 years share .63 and more, and of 780
pairs of 40 rulebooks three share .5."""


def another_document(before: Sequence[Passage], passages: Sequence[Passage]) -> InputError | None:
    """Return the refusal of passages of another document than those before; None: a new version.

    An ID that the source itself gives is meant; one that is the name of a file may be chance.
    """
    first, new_first = before[0], passages[0]
    file, held = (one.source.rpartition(":")[0] for one in (new_first, first))
    if PurePath(file).stem != new_first.document_id:
        return None
    old, new = _runs(before), _runs(passages)
    titles = [
        {*words(one[0].document_title)} - {*map(str, range(10))} for one in (before, passages)
    ]
    alike = 2 * len(titles[0] & titles[1]) >= len(titles[0] | titles[1])
    fewer = min(len(old), len(new))
    if not fewer or len(old & new) >= (SHARED if alike else SHARED_RETITLED) * fewer:
        return None
    return InputError(
        f"this file was left out: its document {new_first.document_title!r} is not the one that "
        f"the index holds as {first.document_id!r}: {first.document_title!r}, {len(before):,} "
        f"passage{'s' * (len(before) > 1)} from {held}; rename the file or give its document "
        "another document_id, or load it with --replace (in an upload, replace=true) to replace "
        "that document",
        file,
        code="source.other-document",
    )


def _runs(passages: Sequence[Passage]) -> set[tuple[str, ...]]:
    """Return the runs of three words; numbers and order of the passages do not matter."""
    texts = [words(passage.text) for passage in passages]
    return {tuple(text[at : at + 3]) for text in texts for at in range(max(len(text) - 2, 0))}


def _with_law(passages: Sequence[Passage], title: str) -> list[Passage]:
    """Return passages with the code of the state whose law they are: as stated, else as guessed."""
    texts = [one.text for one in passages]
    is_own = is_own_document(title, texts)
    laws = [stated_law(one.metadata, is_own=is_own) for one in passages]
    field = JURISDICTION
    if not (is_own or any(laws) or any(JURISDICTION in one.metadata for one in passages)):
        is_eu = bool(celex_of_title(title)) and kinds_of(title) <= EU_KINDS
        field = JURISDICTION if is_eu else PROBABLE_JURISDICTION
        laws = [EU if is_eu else law_of(title, texts)] * len(passages)
    return [
        replace(one, metadata={**one.metadata, field: law}) if law else one
        for one, law in zip(passages, laws, strict=True)
    ]


def document_hash(
    passages: Sequence[Passage], contexts: Contexts = IN_CONTEXT, history: str = ""
) -> str:
    """Return the SHA-256 of a document: its passages, what the retrievers read of them, and its
    versions.
    """
    digest = hashlib.sha256((TEXT_FORM + history).encode())
    for passage in passages:
        digest.update(passage.content_hash().encode())
        digest.update(contexts.context(passage).encode())
    return digest.hexdigest()


def records_of(passages: Iterable[Passage], contexts: Contexts = IN_CONTEXT) -> Iterator[Record]:
    """Yield the passages of a document as they go into an engine."""
    passages = list(passages)
    for passage, terms in zip(passages, terms_of(passages, contexts.text), strict=True):
        yield Record(passage, terms, record_keys(passage), vector_hash(passage, contexts))


def _repeated(passages: Sequence[Passage]) -> list[Place]:
    counts: Counter[str] = Counter()
    repeated = []
    for passage in passages:
        if is_continuation(passage):
            continue
        counts[passage.passage_id] += 1
        if counts[passage.passage_id] > 1:
            repeated.append(Place.of(passage))
    return repeated


MOST_LOOKED_UP = 100
"""Documents of which the file is looked up: on a server each takes a request."""


def gone_from(backend: Backend, index_url: str, document_ids: Iterable[str]) -> tuple[Gone, ...]:
    """Return documents of an index with the files that they came from."""
    wanted = sorted(document_ids)
    if not wanted:
        return ()
    with closing(backend.open(index_url)) as engine:
        return tuple(
            Gone(one, _source(engine, one) if place < MOST_LOOKED_UP else "")
            for place, one in enumerate(wanted)
        )


def namesakes_of(
    backend: Backend, index_url: str, document_ids: Iterable[str]
) -> tuple[Namesakes, ...]:
    """Return the documents that have the title of another one, where one of them is given."""
    wanted = frozenset(document_ids)
    if not wanted:
        return ()
    by_title: defaultdict[str, list[DocumentSummary]] = defaultdict(list)
    with closing(backend.open(index_url)) as engine:
        for one in engine.documents():
            by_title[one.title.casefold()].append(one)
    return tuple(
        Namesakes(found[0].title, tuple(one.document_id for one in found))
        for found in by_title.values()
        if len(found) > 1 and any(one.document_id in wanted for one in found)
    )


def _source(engine: Engine, document_id: str) -> str:
    found = engine.find(Filters({"document_id": (document_id,)}), 1)
    return found[0][1].source.rpartition(":")[0] if found else ""
