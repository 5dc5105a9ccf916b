"""What lies between the ends of a range: "6.2.2 to 6.2.4", "(a) to (c)", "chapters 2 to 4"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from search.provisions.grammar.gaps import is_range
from search.provisions.grammar.references import Reference
from search.provisions.numbering import named_container
from search.provisions.roman import roman_numeral, roman_value

LONGEST_RANGE = 32
"""Members of a range that are named one by one; of a longer one only the ends are."""


def between(question: str, first: Reference, last: Reference) -> Iterator[Reference]:
    """Yield what lies between the ends of "6.2.2 to 6.2.4"; all its words name each member.

    Nothing lies between references that are not a range, or one of more than `LONGEST_RANGE`
    members.
    """
    if not is_range(question[first.end : last.start]) or first.guidance:
        return
    if first.number and last.number:
        # "A4.3.2 to A4.3.6 in App4" names the appendix once.
        inside = first.containers == last.containers or not first.containers
        if inside and first.number[:-1] == last.number[:-1]:
            for member in members(first.number[-1], last.number[-1]):
                number = (*first.number[:-1], member)
                yield replace(first, end=last.end, number=number, containers=last.containers)
    elif first.containers and not (first.number or last.number):
        yield from _containers_between(first, last)


def _containers_between(first: Reference, last: Reference) -> Iterator[Reference]:
    if not last.containers or first.containers[:-1] != last.containers[:-1]:
        return
    (word, low), (other, high) = (named_container(one.containers[-1]) for one in (first, last))
    for member in members(low, high) if word == other and low and high else ():
        yield replace(first, end=last.end, containers=(*first.containers[:-1], word + member))


def members(low: str, high: str) -> Iterator[str]:
    """Yield what lies between two numbers, two Roman numbers, or two letters."""
    roman = len(low + high) > 2 or low == "i"  # "(c) to (d)" are letters
    first, last = roman_value(low), roman_value(high)
    if low.isdecimal() and high.isdecimal():
        if int(high) - int(low) < LONGEST_RANGE:
            yield from map(str, range(int(low) + 1, int(high)))
    elif roman and first and last and last - first < LONGEST_RANGE:
        yield from map(roman_numeral, range(first + 1, last))
    elif low[:-1].isdecimal() and low[:-1] == high[:-1]:
        yield from (f"{low[:-1]}{one}" for one in members(low[-1], high[-1]))
    elif len(low) == len(high) == 1 and low.isalpha() and high.isalpha():
        yield from map(chr, range(ord(low) + 1, ord(high)))
