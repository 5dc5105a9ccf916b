"""Distinguish rows and items that fit a value of the question from others of their family.

`up to €30`, `€30 to €100` and `more than €100` exclude one another, and so do the rows of a table
with a column `Grade`: of such a family only what fits the question answers it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from generation.extract.passages import rule_of
from generation.library import Library
from generation.text.statements.units import Unit
from generation.text.values import CURRENCY, CURRENCY_WORDS
from search.records import Hit

Bracket = tuple[float, float]
"""The least and the most of a range of amounts, both inside."""

FEWEST = 2
"""Brackets that make up a family."""

_FIGURE = r"\d+(?:[.,’' \u00a0]\d{3})*(?:[.,]\d{1,2})?(?!\d)"
_SIGN = rf"(?:[€£$¥]|\b{CURRENCY}(?!\w))"
_MONEY = rf"(?:{_SIGN}\s?(?:{_FIGURE})|(?:{_FIGURE})\s?(?:{_SIGN}|(?:{CURRENCY_WORDS})\b))"
_MONEY_AT = re.compile(_MONEY, re.IGNORECASE)
_BETWEEN = re.compile(
    rf"(?P<low>{_MONEY}|{_FIGURE})\s*(?:-|–|—|\bto\b|\band\b|\bund\b|\bbis\b|\bet\b|\bà\b)\s*"
    rf"(?P<high>{_MONEY})",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:up to|at most|(?:not|no) more than|maximum of|less than|under|below|bis(?: zu)?|unter|"
    rf"höchstens|weniger als|jusqu['’]à|moins de|au plus)\s+(?P<high>{_MONEY})",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"(?<!not )(?<!no )\b(?:more than|over|above|exceed(?:s|ing)?|in excess of|at least|from|"
    rf"über|mehr als|ab|mindestens|plus de|au-delà de|dès)\s+(?P<low>{_MONEY})"
    rf"|(?P<from>{_MONEY})\s+(?:and|or) (?:above|more)",
    re.IGNORECASE,
)


def bracket_of(text: str) -> Bracket | None:
    """Return the range of amounts that a text is about; None where it names none."""
    if found := _BETWEEN.search(text):
        return _amount(found["low"]), _amount(found["high"])
    if found := _MOST.search(text):
        return 0.0, _amount(found["high"])
    if found := _LEAST.search(text):
        return _amount(found["low"] or found["from"]), math.inf
    return None


def amount_asked(question: str) -> float | None:
    """Return the amount of money that a question names; None for several, and for none."""
    found = {_amount(one[0]) for one in _MONEY_AT.finditer(question)}
    return found.pop() if len(found) == 1 else None


def with_family(
    question: str, hits: Sequence[Hit], kept: int, library: Library
) -> tuple[list[Hit], int]:
    """Return hits with those items of their lists that fit the amount asked for, and how many are
    sure: the search may have found the item below or above alone.
    """
    amount = amount_asked(question)
    if amount is None:
        return list(hits), kept
    found: list[Hit] = []
    known = {hit.id for hit in hits[:kept]}
    for hit in hits[:kept]:
        found.append(hit)
        bracket = bracket_of(hit.text)
        if bracket is None or _fits(bracket, amount):
            continue
        beside = [
            replace(hit, passage=one)
            for one in library.passages(hit.document_id)
            if one.id not in known
            and rule_of(one) == rule_of(hit.passage)
            and _fits(bracket_of(one.text), amount)
        ]
        known.update(one.id for one in beside)
        found += beside
    ids = {hit.id for hit in found}
    return [*found, *(hit for hit in hits[kept:] if hit.id not in ids)], len(found)


def fitting(
    question: str, hits: Sequence[Hit], units: Sequence[tuple[int, Unit]]
) -> list[bool | None]:
    """Return for each unit whether it fits a value of the question, where others of its family do.

    Args:
        question: as it was asked.
        hits: that the units are of.
        units: each with the index of its hit.

    Returns:
        For each unit None where it is of no such family.
    """
    amount = amount_asked(question)
    told: list[tuple[object, bool] | None] = [
        _by_column(question, index, unit) or _by_amount(amount, hits[index], unit)
        for index, unit in units
    ]
    families = [one[0] for one in told if one is not None]
    decided = {
        one[0] for one in told if one is not None and one[1] and families.count(one[0]) >= FEWEST
    }
    return [one[1] if one is not None and one[0] in decided else None for one in told]


def _by_amount(amount: float | None, hit: Hit, unit: Unit) -> tuple[object, bool] | None:
    bracket = None if amount is None else bracket_of(unit.own)
    if amount is None or bracket is None:
        return None
    return (hit.document_id, rule_of(hit.passage)), _fits(bracket, amount)


def _by_column(question: str, index: int, unit: Unit) -> tuple[object, bool] | None:
    """Compare a row with the question, where this names a column and a value: `grade 4`."""
    row = unit.statement.pieces[unit.core]
    head = unit.statement.pieces[row.parent] if row.parent is not None else None
    if row.role != "row" or head is None or head.role != "row":
        return None
    for name, value in zip(_cells(head.cells), _cells(row.cells), strict=False):
        if not re.fullmatch(r"[^\W\d_]{3,}", name) or not re.fullmatch(r"\w{1,3}", value):
            continue
        asked = re.search(rf"\b{name}s?\s+(\d{{1,3}}|[A-Z]{{1,3}}|[IVX]+)\b", question, re.I)
        if asked:
            return (index, id(unit.statement), name), asked[1].casefold() == value.casefold()
    return None


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _fits(bracket: Bracket | None, amount: float) -> bool:
    return bracket is not None and bracket[0] <= amount <= bracket[1]


def _amount(text: str) -> float:
    """Return the figure of an amount: 80000.0 for `€80,000`, 2.5 for `2,50 €`."""
    found = re.search(_FIGURE, text)
    figure = re.sub(r"[.,’' \u00a0](?=\d{3}(?!\d))", "", found[0] if found else "0")
    return float(figure.replace(",", "."))
