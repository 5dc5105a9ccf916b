"""What `benchmarks.versions` measures beside the acts: the CRR in two versions, and costs."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import indexer
import rirag
from benchmarks.figures import Figure
from benchmarks.memory_use import memory_use
from benchmarks.random_encoder import RandomEncoder
from benchmarks.timing import interleaved
from search import open as open_index
from search.versions.compare import Comparison

if TYPE_CHECKING:
    from rirag.service import Service

QUESTIONS = 200
_DAYS = ("2014-01-01", "2023-07-01")
"""A day of each version of the CRR."""
VERSIONS = ("2013-06-28", "2023-06-28")
_RUN, _SAME = 5, 0.1
"""Words of a run, and the share of runs from which articles of two numbers are one that moved."""
_ARTICLES, _VERSIONS, _CHANGED = 200, 10, 40
_SECTIONS = 120
_MARK = re.compile(r"[►▼]\s?[A-Z]\d{0,3}\b|◄")

Articles = Mapping[str, dict[str, Any]]
"""Number → provision of the source."""


def crr(folder: Path) -> Iterator[Figure]:
    """Yield how the comparison of two versions agrees with their sources, and what answers cite."""
    sources = sorted(folder.glob("*.json"))
    old, new = map(articles, sources)
    with tempfile.TemporaryDirectory() as place:
        indexer.ingest(sources, place)
        with rirag.open(place) as service:
            index = service.index
            (document,) = index.documents()
            started = time.process_time()
            found = index.compare(document.document_id)
            yield Figure("CRR: comparison", time.process_time() - started, "s")
            for name, want, said in (
                ("articles that differ", differing(old, new), numbers(found)),
                ("kinds of change", changes(old, new), kinds(found)),
            ):
                right = len(want & said)
                yield Figure(f"CRR, {name}: precision", right / len(said), "", 0.99, True)
                yield Figure(f"CRR, {name}: recall", right / len(want), "", 0.99, True)
            texts = ["".join(plain(_text(one)) for one in all_.values()) for all_ in (old, new)]
            asked = list(questions(old, new))
            for half, at in (("fitted on", 0), ("held back", 1)):
                chosen = asked[at::2]
                right = sum(cites_its_day(service, *one, texts) for one in chosen)
                yield Figure(f"CRR, version cited, half {half}", right / len(chosen), "", 1, True)


def articles(path: Path) -> Articles:
    """Return the provisions of a version by their numbers."""
    provisions = json.loads(path.read_text(encoding="utf-8"))["provisions"]
    return {plain(one["num"] or one["heading"] or one["anchor"]): one for one in provisions}


def plain(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(words(text))


def words(text: str) -> list[str]:
    """Return the words of a text without marks of amendments."""
    return re.findall(r"\w+", _MARK.sub(" ", text).casefold())


def _text(provision: Mapping[str, Any]) -> str:
    return f"{provision['heading'] or ''} {provision['text_md']}"


def differing(old: Articles, new: Articles) -> set[str]:
    """Return the numbers under which not the same letters and digits are."""
    return {
        number
        for number in {*old, *new}
        if number not in old
        or number not in new
        or plain(_text(old[number])) != plain(_text(new[number]))
    }


def changes(old: Articles, new: Articles) -> set[tuple[str, ...]]:
    """Return what changed, with moved articles found by their runs of words."""
    moved = dict(
        _moved(*({n: _runs(_text(one)) for n, one in all_.items()} for all_ in (old, new)))
    )
    to = {after: before for before, after in moved.items()}
    found: set[tuple[str, ...]] = {("moved", *pair) for pair in moved.items()}
    for number in differing(old, new):
        is_here, was_here = (
            number in new and number not in to,
            number in old and number not in moved,
        )
        if is_here and was_here:
            found.add(("changed", number))
        elif is_here or was_here:
            found.add(("added" if is_here else "repealed", number))
    return found


def _runs(text: str) -> set[tuple[str, ...]]:
    said = words(text)
    return {tuple(said[at : at + _RUN]) for at in range(max(1, len(said) - _RUN + 1))}


def _moved(
    old: Mapping[str, set[tuple[str, ...]]], new: Mapping[str, set[tuple[str, ...]]]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of numbers that share the most runs of all pairs that either is in."""
    holders = defaultdict[tuple[str, ...], list[str]](list)
    for number, runs in new.items():
        for run in runs:
            holders[run].append(number)
    shares: dict[tuple[str, str], float] = {}
    for number, runs in old.items():
        common = Counter(other for run in runs for other in holders.get(run, ()))
        for other, count in common.items():
            shares[number, other] = count / len(runs | new[other])
    best: dict[tuple[int, str], tuple[float, tuple[str, str]]] = {}
    for pair, share in shares.items():
        for end in enumerate(pair):
            best[end] = max(best.get(end, (0.0, pair)), (share, pair))
    for pair, share in shares.items():
        is_best = all(best[end][1] == pair for end in enumerate(pair))
        if is_best and share >= _SAME and pair[0] != pair[1]:
            yield pair


def numbers(found: Comparison) -> set[str]:
    """Return the numbers that changes name."""
    named = (name for one in found.changes for name in (one.number, one.old_number) if name)
    return {plain(one) for one in named}


def kinds(found: Comparison) -> set[tuple[str, ...]]:
    """Return the changes in the form of `changes`."""
    return {
        (one.change, *map(plain, filter(None, (one.old_number, one.number))))
        for one in found.changes
    }


def questions(old: Articles, new: Articles) -> Iterator[tuple[str, int]]:
    """Yield questions on headings, each with the version whose law is asked for."""
    differ = differing(old, new)
    for wanted in (True, False):
        both = [one for one in old if one in new and (one in differ) == wanted]
        step = max(1, 2 * len(both) // QUESTIONS)
        for at, number in enumerate(both[::step][: QUESTIONS // 2]):
            version = at // 2 % 2
            yield f"What applies to {(old, new)[version][number]['heading']}?", version


def cites_its_day(service: Service, question: str, version: int, texts: Sequence[str]) -> bool:
    """Return whether an answer cites the version of its day alone, and nothing of the other."""
    answer = service.ask(question, as_of=_DAYS[version])
    lines = [plain(line) for one in answer.citations for line in one.passage.text.splitlines()]
    alien = any(line in texts[1 - version] and line not in texts[version] for line in lines)
    cited = {one.in_time.version_id for one in answer.citations}
    return cited == {VERSIONS[version]} and not alien


def days(folder: Path) -> Iterator[Figure]:
    """Yield the cost of a day for an act in ten versions over the last of them without a day."""
    act = json.loads(max(folder.glob("*.json")).read_text(encoding="utf-8"))
    act["provisions"] = act["provisions"][:_ARTICLES]
    asked = [one["heading"] for one in act["provisions"] if one["heading"]]
    encoder = RandomEncoder()
    with tempfile.TemporaryDirectory() as place:
        path, encodings = Path(place, "act.json"), []
        for at in range(_VERSIONS):
            for one in act["provisions"][at::_CHANGED]:
                one["text_md"] += f"\n\nThis applies from year {at}."
            name = f"eu-eurlex:32013r0575:{2010 + at}-01-01"
            path.write_text(json.dumps({**act, "lex_id": name, "valid_to": None}))
            encodings.append(indexer.ingest(path, Path(place, "dated"), encoder=encoder).encoded)
        path.write_text(json.dumps({**act, "lex_id": "", "valid_to": None}))
        indexer.ingest(path, Path(place, "plain"), encoder=encoder)
        yield Figure("encodings of a version with 1 of 40 articles changed", median(encodings[1:]))
        how: dict[str, Any] = {"encoder": encoder, "reranker": None}
        with (
            open_index(Path(place, "dated"), **how) as dated,
            open_index(Path(place, "plain"), **how) as undated,
        ):
            work = {
                "day": lambda one: dated.search(one, as_of=f"{2009 + _VERSIONS}-06-01"),
                "none": undated.search,
            }
            times = {name: median(each) for name, each in interleaved(work, asked).items()}
    yield Figure("search on a day, ten versions", times["day"], "ms")
    yield Figure("over the same without dates", times["day"] / times["none"], "×", 1.2)


def history(commits: int) -> Iterator[Figure]:
    """Yield what loading a history costs in which each commit changes a section."""
    with tempfile.TemporaryDirectory() as place:
        repository, index = Path(place, "laws"), Path(place, "index")
        subprocess.run(["git", "init", "-q", "-b", "main", str(repository)], check=True)
        stream = b"".join(_commits(commits))
        subprocess.run(
            ["git", "-C", str(repository), "fast-import", "--quiet"], input=stream, check=True
        )
        for name in ("load", "load again"):
            started = time.process_time()
            indexer.ingest((), index, history=repository, encoder=RandomEncoder())
            yield Figure(f"history of {commits}: {name}", time.process_time() - started, "s")
        size = sum(one.stat().st_size for one in index.rglob("*") if one.is_file())
        yield Figure("index of the history", size / 2**20, "MiB")
        yield Figure("memory at most", memory_use().peak, "MiB")


def _commits(count: int) -> Iterator[bytes]:
    """Yield commits as `git fast-import` takes them."""
    ages = [0] * _SECTIONS
    for at in range(count):
        ages[at * 37 % _SECTIONS] = at
        day = (date(1980, 1, 1) + timedelta(30 * at)).isoformat()
        sections = (
            f"## Section {number}\n\nThe keeper of lamp {number} pays {age} crowns to the clerk of "
            f"ward {number * 7 % 31}, and lights it {age % 9} times a night."
            for number, age in enumerate(ages, start=1)
        )
        text = "\n\n".join(["---\ntitle: Lamp Act\n---\n# Lamp Act", *sections]).encode()
        said = f"Source-Date: {day}\n".encode()
        yield b"commit refs/heads/main\ncommitter a <a@b> %d +0000\n" % (10**9 + at * 86400)
        yield b"data %d\n%s\nM 100644 inline act.md\n" % (len(said), said)
        yield b"data %d\n%s\n" % (len(text), text)
