"""Format hits, their links, and plans for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from generation.text.sanitize import printable
from search.law_in_time import not_in_force
from search.text.plain_words import WORD

if TYPE_CHECKING:
    from search import Hit, Passage, RetrieverScore, SearchResult
    from search.lookup.links import Citation, Links
    from search.provisions.terms.definitions import Definition
    from search.why import Why

WIDTH = 96
LINES = 6
"""Lines of a passage that are shown; `rirag documents show` has the rest."""

BRIEFLY = 4
"""Links of a kind that a search result names; `rirag documents show` has them all."""

BEGINNING = 60
"""Characters of a linked passage that are shown."""

SCORES = ("lexical", "dense", "document", "votes", "fused", "rerank")


def hit_text(
    hit: Hit,
    citation: str,
    neighbours: Sequence[Passage] = (),
    *,
    explain: bool = False,
    calibrated: bool = True,
) -> str:
    """Return a hit: citation, score, breadcrumb, text, and on request neighbours and scores.

    Its citation is that of `search.provisions.citations`, beside the other hits. A relevance that
    was calibrated on other documents is shown with the retriever scores only.
    """
    heading = f"{hit.rank:2}  {printable(citation)}"
    shown = hit.relevance is not None and (calibrated or explain)
    relevance = f"  relevance {hit.relevance:.2f}" if shown else ""
    lines = [f"{click.style(heading, bold=True)}  {hit.score:.3f}{relevance}"]
    if hit.passage.breadcrumb:
        lines += _block(" › ".join(hit.passage.breadcrumb), lines=2, dim=True)
    if told := not_in_force(hit.passage) or hit.in_time.days():
        lines += _block(told, lines=2)
    lines += _neighbours([one for one in neighbours if one.order < hit.passage.order])
    found = {hit.text[start:end] for start, end in hit.spans}
    lines += [_with_bold(line, found) for line in _block(hit.bearing, lines=LINES)]
    lines += _neighbours([one for one in neighbours if one.order > hit.passage.order])
    if explain:
        lines.append("    " + "  ".join(_scores(hit)))
        lines += [f"    {line}" for line in _because(hit)]
    return "\n".join(lines)


def plan_text(result: SearchResult) -> str:
    """Return the plan of a search and what happened, safe to print."""
    lines = f"{result.plan.describe()}\n{result.trace.describe()}".split("\n")
    return "\n".join(map(printable, lines))


def why_text(why: Why) -> str:
    """Return where a passage was at each step, safe to print."""
    return "\n".join(printable(line) for line in why.describe().split("\n"))


def _neighbours(passages: Sequence[Passage]) -> list[str]:
    return [
        line
        for passage in passages
        for line in _block(f"{passage.passage_id}  {passage.text}", lines=2, dim=True)
    ]


def _block(text: str, lines: int, dim: bool = False) -> list[str]:
    wrapped = [
        line
        for paragraph in printable(text.strip()).split("\n")
        for line in textwrap.wrap(paragraph.replace("\t", " "), WIDTH - 4)
    ]
    if len(wrapped) > lines:
        wrapped = [*wrapped[:lines], "…"]
    return ["    " + (click.style(line, dim=True) if dim else line) for line in wrapped]


def _with_bold(line: str, words: Collection[str]) -> str:
    return WORD.sub(lambda one: click.style(one[0], bold=True) if one[0] in words else one[0], line)


def _scores(hit: Hit) -> list[str]:
    found = [(name, getattr(hit.scores, name)) for name in SCORES]
    shown = [_score(name, score) for name, score in found if score is not None]
    shown += ["definition of the term"] if hit.definition else []
    return shown if hit.scores.number is None else [*shown, f"named {hit.scores.number:g}"]


def _because(hit: Hit) -> list[str]:
    """Describe what changed the learned score, strongest first."""
    learned = hit.scores.learned
    if learned is None:
        return []
    moved = sorted(
        ((name, value) for name, value in learned.because.items() if name != "base"),
        key=lambda one: -abs(one[1]),
    )
    parts = ", ".join(f"{name} {value:+.2f}" for name, value in moved)
    base = learned.because.get("base", 0.0)
    return [
        f"learned {learned.normalised:.3f} (#{learned.rank}, {learned.raw:.2f}: "
        f"from {base:.2f}, {parts or 'nothing moved it'})"
    ]


def _score(name: str, score: RetrieverScore) -> str:
    if name == "fused":
        return f"fused {score.normalised:.3f}"
    return f"{name} {score.normalised:.3f} (#{score.rank}, {score.raw:.3g})"


def links_text(links: Links) -> str:
    """Return every link of a passage, a line each under a heading; "" where it has none."""
    kinds = (
        ("cites", [_cited(one) for one in links.cites]),
        ("cited by", [_place(one) for one in links.cited_by]),
        ("terms", [_defined(one) for one in links.terms]),
    )
    return printable("\n".join(line for name, shown in kinds for line in _listed(name, shown)))


def links_brief(links: Links) -> list[str]:
    """Return the first links of each kind, as the lines of a search result."""
    kinds = (
        ("cites", [one.target.citation() for one in links.cites if one.target is not None]),
        ("cited by", [one.citation() for one in links.cited_by]),
        ("terms", [one.term for one in links.terms]),
    )
    brief = [printable(_first(name, shown)) for name, shown in kinds if shown]
    return [
        f"    {line}"
        for one in brief
        for line in textwrap.wrap(one, WIDTH - 4, subsequent_indent="  ")
    ]


def _listed(name: str, shown: Iterable[str]) -> Iterator[str]:
    lines = [f"  {one}" for one in shown]
    return iter([f"{name} ({len(lines)})", *lines] if lines else [])


def _first(name: str, shown: list[str]) -> str:
    more = f" and {len(shown) - BRIEFLY} more" if len(shown) > BRIEFLY else ""
    return f"{name} {', '.join(shown[:BRIEFLY])}{more}"


def _cited(one: Citation) -> str:
    if one.target is not None:
        return f"{one.text} → {_place(one.target)}"
    if one.outside is not None:
        return f"{one.text} → {one.outside}, which is not in the index"
    return f"{one.text} → no passage has this number"


def _defined(one: Definition) -> str:
    return f"{one.term} → {one.passage.citation()}  {_beginning(one.text)}"


def _place(passage: Passage) -> str:
    return f"{passage.citation()}  {_beginning(passage.text)}".rstrip()


def _beginning(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= BEGINNING else f"{text[:BEGINNING].rstrip()}…"
