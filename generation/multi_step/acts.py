"""Which act a question is about, and in which version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from generation.mode import Request
from search.articles.act import Act, act_of
from search.errors import InputError
from search.provisions.act_mentions import act_mentions
from search.provisions.act_numbers import act_number


@dataclass(frozen=True, slots=True)
class Acts:
    """The acts that a question can be answered from."""

    main: Act
    """The one that an article belongs to where nothing else is said."""
    by_number: Mapping[str, Act]
    """Number → the version that is read; `main` among them."""
    reason: str
    """Why `main` was chosen, and why this version of it."""
    is_guess: bool = False
    """Whether nobody named `main`: it is only the act of the best hit, or the longest."""

    def named_by_model(self, articles: Sequence[Act]) -> Acts:
        """Return the acts with another main one, if it was a guess and the model names articles.

        Args:
            articles: the act of each article that the model names.
        """
        if not (self.is_guess and articles):
            return self
        most = Counter(act.document_id for act in articles).most_common(1)[0][0]
        main = next(act for act in articles if act.document_id == most)
        if main.document_id == self.main.document_id:
            return self
        version = f"; version of {main.version}" if main.version else ""
        return replace(self, main=main, reason=f"the model names most articles of it{version}")


def choose_acts(request: Request) -> Acts:
    """Return the acts of the library, one version of each, and the main one.

    The main act is one that was named as a document, else the one that question and background
    name, else, until the model names articles, that of the best hit, or the longest. Of several
    versions that is read which the request names, else the one that most hits are from (a filter
    on dates decides so), else the latest.

    Raises:
        InputError: there is no library, or no act with articles in it.
    """
    versions = _versions(request)
    if not versions:
        raise InputError(
            "Mode multi-step reads the articles of an act, but the index has none; "
            "load one (an EU act as Formex, EUR-Lex HTML or lex-articles JSON), or "
            "use mode rag.",
            code="mode.needs-act",
        )
    hits = Counter(hit.document_id for hit in request.hits)
    chosen = {number: _version(found, hits) for number, found in versions.items()}
    number, reason, is_guess = _main(request, chosen)
    act, why = chosen[number]
    if act.version:
        reason = f"{reason}; version of {act.version}: {why}"
    return Acts(act, {name: one for name, (one, _) in chosen.items()}, reason, is_guess)


def _versions(request: Request) -> dict[str, list[Act]]:
    """Return key of an act → its versions in the library; an act without a number is its own."""
    found: dict[str, list[Act]] = {}
    for document_id in _wanted(request):
        act = (
            request.context.library.worked_out(document_id, act_of)
            if request.context.library
            else None
        )
        if act is not None and act.articles:
            found.setdefault(act.number or act.document_id, []).append(act)
    return found


def _wanted(request: Request) -> list[str]:
    """Return the documents to look for articles in, without reading a whole index.

    They are those that are named, else those whose titles have the number of an act, and those
    that hits are from; where there are none of these, all.
    """
    if request.context.documents or request.context.library is None:
        return list(request.context.documents)
    documents = request.context.library.documents()
    hit = {one.document_id for one in request.hits}
    likely = [d.document_id for d in documents if act_number(d.title) or d.document_id in hit]
    return likely or [d.document_id for d in documents]


def _version(versions: Sequence[Act], hits: Counter[str]) -> tuple[Act, str]:
    if len(versions) == 1:
        return versions[0], "the only one in the index"
    best = max(versions, key=lambda act: (hits[act.document_id], act.version))
    if hits[best.document_id]:
        return best, "most passages found belong to it"
    return best, "the latest in the index"


def _main(request: Request, chosen: Mapping[str, tuple[Act, str]]) -> tuple[str, str, bool]:
    """Return the key of the main act, why it is, and whether this is a guess."""
    if len(chosen) == 1:
        return next(iter(chosen)), "the only act visible", False
    named = Counter(
        one.act
        for one in act_mentions(f"{request.question}\n{request.context.background}")
        if one.act in chosen
    )
    if named:
        return named.most_common(1)[0][0], "question and background mention it most", False
    for hit in request.hits:
        key = act_number(hit.document_title) or hit.document_id
        if key in chosen:
            return key, "the best passage found belongs to it", True
    longest = max(chosen, key=lambda key: len(chosen[key][0].articles))
    return longest, "the act with the most articles", True
