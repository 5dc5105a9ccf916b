"""The outline of an EUR-Lex page: which title opens what, and where text goes."""

from __future__ import annotations

from dataclasses import dataclass

from indexer.acts.eu_numbers import (
    INNERMOST,
    annex_number,
    article_number,
    division_number,
    section_number,
)
from indexer.acts.open_lists import ListLabels
from indexer.acts.provisions import FORMULAS, PREAMBLE, Act, Provision
from indexer.readers.eurlex.classes import (
    ANNEX_TITLES,
    ARTICLE_TITLES,
    DIVISION_TITLES,
    section_depth,
)


@dataclass(slots=True)
class Scope:
    """Where text goes: `base` holds paragraphs and sections, `current` what is open in it."""

    base: Provision
    current: Provision
    labels: ListLabels


def scope_of(provision: Provision) -> Scope:
    """Return the scope of a provision that is still empty."""
    return Scope(provision, provision, ListLabels())


class EurLexOutline:
    """What is open while a page is read from top to bottom."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._divisions: list[tuple[int, Provision]] = []
        self._sections: list[Provision] = []
        self._annex: Provision | None = None
        self.preamble = Provision("frame", PREAMBLE)
        self.main = scope_of(self.preamble)
        act.provisions.append(self.preamble)

    @property
    def in_preamble(self) -> bool:
        """Whether no article, division or annex was opened yet."""
        return self.main.base is self.preamble

    @property
    def in_annex(self) -> bool:
        """Whether an annex is open."""
        return self._annex is not None

    def open(self, found: frozenset[str], text: str, place: int) -> None:
        """Open what a title with certain classes is the title of.

        A second line without a number belongs to the title just before it.
        """
        if not ARTICLE_TITLES.isdisjoint(found):
            number, heading = article_number(text) or (text or "Article", "")
            parent = self._annex or self._innermost()
            self._enter(Provision("article", number, heading, place=place), parent)
        elif not DIVISION_TITLES.isdisjoint(found):
            self._open_division(text, place)
        elif self._goes_on(found, text):
            self.add_heading(text)
        elif not ANNEX_TITLES.isdisjoint(found):
            number, heading = annex_number(text) or ("Annex", text)
            self._divisions.clear()
            self._enter(Provision("annex", number, heading, place=place), None)
        elif depth := section_depth(found):
            self._open_section(text, depth, place)
        else:
            self.add_heading(text)

    def open_formulas(self) -> None:
        """Open what is after the last article."""
        if self.main.base.level != "frame" or self.in_preamble:
            self._enter(Provision("frame", FORMULAS), None)

    def add_heading(self, text: str) -> None:
        """Add a line to the heading of what the last title opened."""
        base = self.main.base
        base.heading = f"{base.heading} {text}".strip()

    def close(self) -> None:
        """Drop the preamble of a page that has none."""
        if not self.preamble.parts:
            self._act.provisions.remove(self.preamble)

    def _goes_on(self, found: frozenset[str], text: str) -> bool:
        base = self.main.base
        if any(isinstance(part, str) or part.level != "footnote" for part in base.parts):
            return False
        if not ANNEX_TITLES.isdisjoint(found):
            return base.level == "annex" and annex_number(text) is None
        unnumbered = not section_number(text)[0]
        return bool(section_depth(found)) and unnumbered and _untitled_section(base)

    def _open_division(self, text: str, place: int) -> None:
        number, rank, heading = division_number(text) or ("", INNERMOST, text)
        while self._divisions and self._divisions[-1][0] >= rank:
            self._divisions.pop()
        division = Provision("division", number, heading, place=place)
        self._enter(division, self._innermost())
        self._divisions.append((rank, division))

    def _open_section(self, text: str, depth: int, place: int) -> None:
        """Open a headed section of an annex; deeper ones are in the one before."""
        number, label, heading = section_number(text)
        section = Provision("section", number, heading, label=label, place=place)
        above = self._sections[: depth - 1]
        self._enter(section, above[-1] if above else self._annex)
        self._sections = [*above, section]

    def _enter(self, provision: Provision, parent: Provision | None) -> None:
        (self._act.provisions if parent is None else parent.parts).append(provision)
        if provision.level != "section":
            self._sections = []
        if provision.level == "annex":
            self._annex = provision
        self.main.base = self.main.current = provision
        self.main.labels = ListLabels()

    def _innermost(self) -> Provision | None:
        return self._divisions[-1][1] if self._divisions else None


def _untitled_section(provision: Provision) -> bool:
    return provision.level == "section" and not provision.heading
