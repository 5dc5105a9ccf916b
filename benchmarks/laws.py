"""How laws of national publishers are read: python -m benchmarks.laws [FOLDER].

Prints a row a file: the units (articles, sections) and paragraphs that get a passage of their own
with the right number, the score of trust, the pages a second and the most memory of a process that
only reads the file, and the words that are neither in a passage nor reported as left out; then the
means over files. FOLDER holds the laws and `expected.json`; how they are counted says `score-laws`,
which stands beside FOLDER, in `tools` beside the data, or in `tools` of the shared data.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

from benchmarks.child import job
from benchmarks.lost_words import lost_words
from indexer.review.structure import structure
from search.errors import InputError

SHARED = Path(__file__).resolve().parents[2] / "shared"
LAWS = SHARED / "data" / "laws"
WORDS_A_PAGE = 311
"""As in `benchmarks.readers`."""


def scorer(folder: Path) -> ModuleType:
    """Return the module that counts what is found: the nearest `score-laws` of the folder."""
    above = folder.resolve().parents
    places = [above[0], *(place / "tools" for place in (above[1], SHARED))]
    path = next((p / "score-laws" for p in places if (p / "score-laws").exists()), None)
    if path is None:
        sys.exit("no score-laws in " + ", ".join(map(str, places)))
    loader = importlib.machinery.SourceFileLoader("score_laws", str(path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def main(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    score = scorer(folder).score
    units, paragraphs, all_lost = [], [], 0
    print(f"{'law':48} {'units':>11} {'paragraphs':>11} {'trust':>5} {'pages/s':>7} MiB lost")
    for name, wanted in sorted(expected.items()):
        try:
            found = structure(folder / name)
        except InputError as error:
            print(f"{name[:48]:48} refused: {str(error).partition(': ')[2]}")
            units.append(0.0)
            paragraphs += [0.0] if any(wanted.get("paragraphs", {}).values()) else []
            continue
        read = job("reader_job", "auto", folder / name)
        rows = [{"PassageID": p.passage_id, "Passage": p.text} for p in found.passages()]
        got_units, got_paragraphs, _ = score(rows, wanted)
        all_paragraphs = sum(map(len, wanted.get("paragraphs", {}).values()))
        units.append(len(got_units) / len(wanted["units"]))
        if all_paragraphs:
            paragraphs.append(len(got_paragraphs) / all_paragraphs)
        lost = lost_words(folder / name)
        all_lost += len(lost)
        pages = sum(len(row["Passage"].split()) for row in rows) / WORDS_A_PAGE
        print(
            f"{name[:48]:48} {len(got_units):5}/{len(wanted['units']):<5} "
            f"{len(got_paragraphs):5}/{all_paragraphs:<5} "
            f"{min(d.trust.score for d in found.documents):5.2f} "
            f"{pages / read['seconds']:7.0f} {read['peak']:3.0f} "
            f"{len(lost):4} {' '.join(lost[:5])}",
            flush=True,
        )
    print(
        f"{len(units)} laws: units {sum(units) / len(units):.3f}, "
        f"paragraphs {sum(paragraphs) / max(1, len(paragraphs)):.3f} over {len(paragraphs)}; "
        f"{all_lost} words lost"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else LAWS)
