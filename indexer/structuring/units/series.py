"""Units whose numbers run through a text: which of the lines that may open one do.

A line that begins with a unit and a number may be a reference; such numbers count on where they
open the units of a law. So all lines are looked at before any of them opens one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from indexer.structuring.labels.units import (
    CODED,
    CONTROL,
    DOTTED,
    MARKED,
    Key,
    UnitLine,
    comes_next,
    generic_lines,
    is_title,
    marked_line,
    ordered,
    worded_line,
)
from search.language import vocabulary

_Candidate = tuple[int, UnitLine]

_FEWEST = 2
"""Numbers that count on make a form; one alone may be a reference."""
_LIST_WORDS = 14
"""Mean words for each unit below which units that come again are a table of contents."""
_LIST_GAP = 40
"""Words between two entries of a table of contents at most."""
_FEWEST_ENTRIES = 3
_AGAIN = 0.7
"""Least share of the numbers of a table of contents that come again."""
_ONE_RUN = 0.8
"""Least share of bare numbers that must rise through the text."""
_FEWEST_MARKED = 3
_DIVISIONS_TOO = vocabulary.units_of("rule") | {"§"}
"""Units that group others where there are more of those."""
_PART = 1 / 3
"""Least share of such units that have others below them, as those of a bill have none; and of the
words of a text that are between the first and the last of the numbers that run through it."""
_UNIQUE = 0.5
"""Least share of the numbers of any word or mark that occur once, where they run through a text."""
_INNER = 0.8
"""Least share of the runs of a form that are between two numbers of another one."""
_WIDER = 1.5
"""Times the words that units of known words number, from which other numbers are the units."""
_MOST_WORDS = 300
"""Words that one unit counts for at most where forms are compared."""
_CITED, _PLAIN, _NEXT = 0.4, 0.8, 0.5
"""Weights beside a number that a mark sets off, 1: of one that a sentence may cite, of one right
before its text; and what a number adds that comes right after the one before."""
_INNER_UNITS = vocabulary.units_of("inner")
_NEAR = 5
"""Places by which a number may come before or behind its own, where a text has lost its order."""


@dataclass(frozen=True, slots=True)
class RunningUnits:
    """What the lines of a text are, by their 0-based places."""

    units: Mapping[int, UnitLine]
    groups: Mapping[int, UnitLine]
    """Divisions that are numbered like units: `§ 1. — Retention` above sections 10 to 17."""
    contents: frozenset[int]
    """Lines of tables of contents."""
    inner: Mapping[int, UnitLine]
    """Numbers with a word that start again in each unit: `§ 1º` of `Art. 2`."""


class Numbers:
    """The numbers at the beginnings of the lines of a text, looked at once for all questions."""

    def __init__(self, lines: Sequence[str], marked: Collection[int] = ()) -> None:
        """Look at the lines, in proportion to them and in n log n for the numbers.

        Args:
            lines: of the text.
            marked: places of lines whose number is set apart by its look, such as a bold `12`.
        """
        self._lines = lines
        self._words = _words_before(lines)
        self._known, self._groups, self._contents = _known(lines, marked, self._words)
        self._inner = {form for form in self._known if _is_inner(form, self._known)}
        self.units = self._of_known(self._known.keys() - self._inner)
        """The units of known words, by their 0-based places."""

    def running(self) -> RunningUnits:
        """Return the lines that open units.

        Numbers that count on through the text are units whatever word or mark is beside them, where
        those of known words number less of it.
        """
        units, (outer, inner) = self.units, self._others
        contents, within = self._contents, self._of_known(self._inner) | inner
        whole = [one for one in outer if _are_whole(one[0].values())]
        best = max(whole, key=lambda one: self._covered(one[0]), default=None)
        if best and self._covered(best[0]) > _WIDER * self._covered(units):
            units, contents = best[0], contents | best[1]
        return RunningUnits(units, self._groups, frozenset(contents), within)

    def counted(self) -> dict[int, int]:
        """Return the lines whose numbers count on through the text, with the words each is for.

        They show how good a reading of the text is: each should open a passage. Numbers of known
        words are enough where they number half of the text.
        """
        units = self.units
        if 2 * self._covered(units) < self._covered(range(len(self._lines))):
            outer = sorted(self._others[0], key=lambda one: -self._covered(one[0]))
            for other, _ in outer:
                units = {**other, **units}
        return self._lengths(units)

    @cached_property
    def _others(self) -> tuple[_Outer, dict[int, UnitLine]]:
        return _others(self._lines, self._words, self.units)

    def _of_known(self, forms: Iterable[str]) -> dict[int, UnitLine]:
        return {at: unit for form in forms for run in self._known[form] for at, unit in run}

    def _covered(self, places: Iterable[int]) -> int:
        return sum(self._lengths(places).values())

    def _lengths(self, places: Iterable[int]) -> dict[int, int]:
        """Return the words up to the next place, but of a long text only so many."""
        words, starts = self._words, sorted(places)
        ends = [*starts, len(self._lines)][1:]
        return {
            at: min(words[end] - words[at], _MOST_WORDS)
            for at, end in zip(starts, ends, strict=True)
        }


def _known(
    lines: Sequence[str], marked: Collection[int], words: Sequence[int]
) -> tuple[dict[str, list[list[_Candidate]]], dict[int, UnitLine], set[int]]:
    """Return the runs of each form of known words, what groups them, and tables of contents."""
    found: dict[str, list[_Candidate]] = defaultdict(list)
    for place, line in enumerate(lines):
        candidate = worded_line(line)
        if place in marked and (candidate is None or _is_whole(candidate)):
            candidate = marked_line(line)
        if candidate:
            found[candidate.form].append((place, candidate))
    if MARKED in found and not _is_one_run(_without_contents(found[MARKED], words)[0]):
        del found[MARKED]
    runs: dict[str, list[list[_Candidate]]] = {}
    groups: dict[int, UnitLine] = {}
    contents: set[int] = set()
    most = max(map(len, found.values()), default=0)
    for form, candidates in found.items():
        held = [other for other in found if other != form and _may_hold(form, other, found[other])]
        between = sorted(at for other in held for at, _ in found[other])
        plain = [one for one in candidates if not one[1].cited]
        if form in _DIVISIONS_TOO and 2 * len(plain) < most and _group(plain, between):
            groups |= dict(plain)  # sections that group articles, articles that group sections
            continue
        body, listed = _without_contents(candidates, words)
        contents |= listed
        lettered = body and all(isinstance(unit.key[0], str) for _, unit in body)
        if lettered or form in {CODED, CONTROL}:
            runs[form] = [list(_in_families(form, body))]
        else:
            runs[form] = [counted for run in _runs(body) if (counted := _counted(run))]
    return runs, groups, contents


_Outer = list[tuple[dict[int, UnitLine], set[int]]]
"""Numbers of any word or mark that run through a text, by their form, with tables of contents."""


def _others(
    lines: Sequence[str], words: Sequence[int], units: Mapping[int, UnitLine]
) -> tuple[_Outer, dict[int, UnitLine]]:
    """Return what else may number a text, and what a word numbers from one in each of its units."""
    found: dict[str, list[_Candidate]] = defaultdict(list)
    for place, line in enumerate(lines):
        for one in generic_lines(line):
            found[one.form].append((place, one))
    runs: dict[str, list[list[_Candidate]]] = {"": [sorted(units.items())]}
    contents: dict[str, set[int]] = {}
    for form, candidates in found.items():
        if len(candidates) >= _FEWEST_MARKED:
            body, contents[form] = _without_contents(candidates, words)
            chains = map(_rising, _runs(body))
            runs[form] = [one for one in chains if _counts_on(one) or form == DOTTED]
    inner = {form for form in contents if _is_inner(form, runs)}
    outer = [
        ({at: unit for chain in long for at, unit in chain}, contents[form])
        for form in contents.keys() - inner
        if (long := [chain for chain in runs[form] if len(chain) >= _FEWEST_MARKED])
        and _run_through(long, words)
        and not any(_is_item(unit) for chain in long for _, unit in chain)
    ]
    paragraphs = [
        form for form in inner if vocabulary.unit_of(form.partition(" ")[2]) in _INNER_UNITS
    ]
    within = {at: unit for form in paragraphs for chain in runs[form] for at, unit in chain}
    return outer, within


def _is_item(unit: UnitLine) -> bool:
    """Return whether the word behind a number begins a text: `5. the rules`, no `5. gr. Scope`."""
    plain = unit.form.startswith("behind") and unit.number[-1] != "."
    return plain and bool(unit.text) and not unit.text[0].isupper()


def _are_whole(units: Collection[UnitLine]) -> bool:
    """Return whether numbers are those of units: 5, or 12B.010, and not 3.1 beside 3.1.1."""
    return len({len(unit.key) for unit in units}) == 1


def _run_through(chains: Sequence[Sequence[_Candidate]], words: Sequence[int]) -> bool:
    """Return whether some chains are all through a text, most of their numbers in one alone."""
    keys = [unit.key for chain in chains for _, unit in chain]
    between = words[chains[-1][-1][0]] - words[chains[0][0][0]]
    return len(set(keys)) >= _UNIQUE * len(keys) and between >= _PART * words[-1]


def _without_contents(
    candidates: Sequence[_Candidate], words: Sequence[int]
) -> tuple[list[_Candidate], set[int]]:
    """Return candidates that are not in a table of contents, and the lines of such tables."""
    front, listed = _listed(candidates, words)
    lines = {at for start, end in front for at in range(start, end + 1)}
    return [one for one in candidates if one[0] not in listed], lines


def _is_inner(form: str, runs: Mapping[str, Sequence[Sequence[_Candidate]]]) -> bool:
    """Return whether a form starts again between the numbers of another one: `§ 1º` of `Art. 2`."""
    own = runs[form]
    if len(own) < _FEWEST_MARKED:
        return False
    for other, theirs in runs.items():
        places = sorted(at for run in theirs for at, _ in run)
        if other == form or len(places) < _FEWEST_MARKED:
            continue
        ends = ((bisect_left(places, run[0][0]), bisect_left(places, run[-1][0])) for run in own)
        within = [first for first, last in ends if first == last]
        if len(within) >= _INNER * len(own) and 2 * len(set(within)) >= len(own):
            return True
    return False


def _may_hold(form: str, other: str, candidates: Sequence[_Candidate]) -> bool:
    """Return whether units of a form may group those of another: articles do not their `§ 1`."""
    if form != "article" or other == "section":
        return True
    return other == "§" and 2 * len({unit.key for _, unit in candidates}) > len(candidates)


def _group(candidates: Sequence[_Candidate], others: Sequence[int]) -> bool:
    """Return whether these are titles with units of other forms between them, and no sentences."""
    texts = [unit.text.strip("—–- ") for _, unit in candidates]
    if not texts or 2 * sum(not text or is_title(text) for text in texts) < len(texts):
        return False
    places = [place for place, _ in candidates]
    counts = [bisect_left(others, place) for place in [*places, others[-1] + 1]]
    holding = sum(one < other for one, other in pairwise(counts))
    return holding >= _PART * len(places)


def _is_whole(unit: UnitLine) -> bool:
    """Return whether a number of a code has no part: `1107.`."""
    return unit.form == CODED and len(unit.key) == 1


def _counted(run: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the part of a run that counts on, with what is a little out of its place."""
    chain = _rising(run)
    if len(chain) < _FEWEST or not _counts_on(chain):
        return []
    return sorted([*chain, *_out_of_place(run, chain)], key=lambda one: one[0])


def _in_families(form: str, candidates: Sequence[_Candidate]) -> Iterator[_Candidate]:
    """Yield numbers that count on below what they begin with: `22757.10`, `AC-2`, `Rule R-1`.

    Where those of one family do, one that stands alone in another is a unit too.
    """
    families: dict[object, list[_Candidate]] = defaultdict(list)
    for one in candidates:
        families[one[1].key[0]].append(one)
    chains = {name: _rising(family) for name, family in families.items()}
    worded = form not in {CODED, CONTROL}  # `Rule R-1`, `Rule O-1`: each family begins
    counted = sum(
        len(one) for one in chains.values()
        if (len(one) >= _FEWEST and _counts_on(one)) or (worded and one[0][1].key[1:] == (1,))
    )  # fmt: skip
    if counted < _FEWEST or (form == CONTROL and len(candidates) < _FEWEST_MARKED):
        return
    for chain in chains.values():
        if any(len(unit.key) > 1 for _, unit in chain):
            yield from chain


def _is_one_run(candidates: Sequence[_Candidate]) -> bool:
    """Return whether bare numbers rise through the text, as those of its units do."""
    body = max((_rising(run) for run in _runs(candidates)), key=len)
    return len(body) >= max(_FEWEST_MARKED, _ONE_RUN * len(candidates)) and _counts_on(body)


def _words_before(lines: Sequence[str]) -> list[int]:
    counts = [0]
    for line in lines:
        counts.append(counts[-1] + len(line.split()))
    return counts


def _listed(
    candidates: Sequence[_Candidate], words: Sequence[int]
) -> tuple[list[tuple[int, int]], frozenset[int]]:
    """Return the tables of contents, and the places of candidates in any list of provisions.

    Such a list has few words between its numbers, and they come again: those of a table of
    contents below it, those of a table of what became of each provision above it.
    """
    dense = [run for run in _close_together(candidates, words) if _is_dense(run, words)]
    within = {place for run in dense for place, _ in run}
    loose = {unit.key for place, unit in candidates if place not in within}
    later: set[Key] = set()
    front: list[tuple[int, int]] = []
    listed: set[int] = set()
    behind = len(candidates)
    place_of = {place: index for index, (place, _) in enumerate(candidates)}
    for run in reversed(dense):
        first = place_of[run[0][0]]
        later.update(unit.key for _, unit in candidates[first + len(run) : behind])
        behind = first + len(run)
        keys = {unit.key for _, unit in run}
        if len(keys & later) >= _AGAIN * len(keys):
            front.append((run[0][0], run[-1][0]))
        elif len(keys & loose) < _AGAIN * len(keys):
            continue
        listed.update(place for place, _ in run)
    return front, frozenset(listed)


def _close_together(
    candidates: Sequence[_Candidate], words: Sequence[int]
) -> Iterator[list[_Candidate]]:
    """Yield runs of candidates with few words between them, up to where numbers fall back."""
    run: list[_Candidate] = []
    for one in candidates:
        apart = run and words[one[0]] - words[run[-1][0]] > _LIST_GAP
        if apart or (run and ordered(one[1].key) <= ordered(run[-1][1].key)):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _is_dense(run: Sequence[_Candidate], words: Sequence[int]) -> bool:
    if len(run) < _FEWEST_ENTRIES:
        return False
    return words[run[-1][0]] - words[run[0][0]] < _LIST_WORDS * (len(run) - 1)


def _runs(candidates: Iterable[_Candidate]) -> list[list[_Candidate]]:
    runs: list[list[_Candidate]] = [[]]
    first: Key | None = None
    for place, unit in candidates:
        if first is None:
            first = unit.key
        elif (unit.key == first or _is_first(unit.key)) and ordered(unit.key) < ordered(
            runs[-1][-1][1].key
        ):
            runs.append([])
        runs[-1].append((place, unit))
    return runs


def _is_first(key: Key) -> bool:
    return key[:1] == (1,) and len(key) == 1


def _rising(run: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the part of a run whose numbers rise that has most weight.

    A number that comes right after the one before it adds to the weight, and one that a sentence
    may cite weighs less.
    """
    keys = [ordered(unit.key) for _, unit in run]
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)), 1)}
    tree = [(0.0, -1)] * (len(ranks) + 1)
    nearest: dict[object, tuple[float, int]] = {}
    scores: list[float] = []
    before: list[int] = []
    for index, ((_, unit), key) in enumerate(zip(run, keys, strict=True)):
        best, head = (0.0, -1), unit.key[0]
        rank = ranks[key] - unit.cited  # a code may print two states of one section
        while rank:
            best = max(best, tree[rank])
            rank -= rank & -rank
        previous = (head, head - 1) if isinstance(head, int) else (head,)
        for near in filter(None, map(nearest.get, previous)):
            if keys[near[1]] < key and comes_next(run[near[1]][1].key, unit.key):
                best = max(best, (near[0] + _NEXT, near[1]))
        scores.append(best[0] + _weight(unit))
        before.append(best[1])
        rank = ranks[key]
        while rank < len(tree):
            tree[rank] = max(tree[rank], (scores[-1], index))
            rank += rank & -rank
        nearest[head] = max(nearest.get(head, (0.0, -1)), (scores[-1], index))
    chain: list[_Candidate] = []
    index = max(range(len(run)), key=scores.__getitem__, default=-1)
    while index >= 0:
        chain.append(run[index])
        index = before[index]
    return _confirmed(chain[::-1])


def _weight(unit: UnitLine) -> float:
    return _CITED if unit.cited else 1.0 if unit.alone or not unit.text else _PLAIN


def _confirmed(chain: list[_Candidate]) -> list[_Candidate]:
    """Return a chain without what sentences cite, unless most of its numbers look so."""
    cited = sum(unit.cited for _, unit in chain)
    if 2 * cited > len(chain):
        return chain
    return [one for one in chain if not one[1].cited]


def _out_of_place(run: Sequence[_Candidate], chain: Sequence[_Candidate]) -> Iterator[_Candidate]:
    """Yield the numbers of a run that its chain lacks, if each is near its place.

    In a text of two columns 54 may come before 53; and 129¹ is printed as 1291 between 129 and 130.
    """
    places = [place for place, _ in chain]
    keys = [ordered(unit.key) for _, unit in chain]
    taken = set(keys)
    for place, unit in run:
        key = ordered(unit.key)
        if key in taken or not unit.alone:
            continue
        stands, belongs = bisect_left(places, place), bisect_left(keys, key)
        before = chain[stands - 1][1].key if stands else ()
        raised = len(unit.key) == 1 and str(unit.key[0])[:-1] == "".join(map(str, before))
        titled = not unit.text or is_title(unit.text)
        beside = any(
            0 <= at < len(chain)
            and (comes_next(chain[at][1].key, unit.key) or comes_next(unit.key, chain[at][1].key))
            for at in (belongs - 1, belongs)
        )
        if raised or (titled and beside and abs(stands - belongs) <= _NEAR):
            taken.add(key)
            yield place, unit


def _counts_on(run: Sequence[_Candidate]) -> bool:
    """Return whether most numbers of a run are next to the one before."""
    keys = [unit.key for _, unit in run]
    steps = sum(comes_next(one, other) for one, other in pairwise(keys))
    return 2 * steps >= len(keys) - 1
