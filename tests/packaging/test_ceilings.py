"""Every room has a ceiling, which only goes down: lines, regular expressions, numbers.

What grows past its ceiling takes something out in the same change. What shrinks lowers it:
`python tests/packaging/test_ceilings.py` prints the table as it is now.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("search", "indexer", "generation", "rirag", "workbench/rirag_workbench")

Size = tuple[int, int, int]
"""Lines; calls of `re.compile`; constants of modules that have a number in them."""

CEILINGS: dict[str, Size] = {
    "generation": (1790, 3, 18),
    "generation/advisor": (344, 0, 2),
    "generation/delegate": (1880, 12, 14),
    "generation/extract": (1276, 10, 1),
    "generation/llm": (2686, 3, 17),
    "generation/modes": (494, 0, 6),
    "generation/multi_step": (402, 1, 9),
    "generation/prompts": (256, 0, 2),
    "generation/replies": (654, 5, 6),
    "generation/statements": (1669, 46, 17),
    "generation/text": (708, 21, 7),
    "generation/verify": (2429, 12, 0),
    "indexer": (1696, 13, 9),
    "indexer/answered_questions": (606, 0, 1),
    "indexer/hierarchy": (227, 3, 2),
    "indexer/load": (3438, 11, 24),
    "indexer/readers": (13238, 108, 193),
    "indexer/review": (381, 2, 0),
    "indexer/structuring": (6501, 127, 71),
    "rirag": (897, 0, 2),
    "rirag/cli": (2462, 3, 18),
    "rirag/inputs": (720, 1, 3),
    "rirag/reports": (636, 7, 3),
    "rirag/server": (7610, 23, 85),
    "rirag/service": (1502, 0, 5),
    "search": (3056, 3, 10),
    "search/answered_questions": (466, 0, 6),
    "search/articles": (924, 6, 13),
    "search/engines": (6690, 5, 72),
    "search/language": (306, 0, 0),
    "search/lookup": (1407, 7, 23),
    "search/messages": (335, 0, 2),
    "search/models": (2666, 6, 27),
    "search/provisions": (5278, 121, 38),
    "search/ranking": (3162, 0, 41),
    "search/text": (908, 14, 13),
    "search/versions": (1301, 1, 10),
    "workbench/rirag_workbench": (23, 0, 0),
    "workbench/rirag_workbench/ablation": (566, 0, 3),
    "workbench/rirag_workbench/cli": (1251, 0, 1),
    "workbench/rirag_workbench/datasets": (645, 5, 5),
    "workbench/rirag_workbench/evaluation": (4147, 9, 26),
    "workbench/rirag_workbench/reports": (200, 0, 2),
    "workbench/rirag_workbench/training": (6208, 1, 61),
}
"""Room (a folder of a package with all below it, or a package's own modules) → its most."""

SLACK = 0.03
"""Share of its ceiling that a room may be below it."""
LEAST_SLACK = (60, 4, 4)
"""What it may be below it in any case."""


def rooms() -> dict[str, Size]:
    """Return the size of each room."""
    found: dict[str, list[Size]] = defaultdict(list)
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            inside = file.relative_to(ROOT / package).parts
            found["/".join((package, *inside[:-1][:1]))].append(size_of(file.read_text("utf-8")))
    return {room: _sum(found[room]) for room in sorted(found)}


def size_of(source: str) -> Size:
    """Return the size of a module."""
    tree = ast.parse(source)
    patterns = sum(
        isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
        for node in ast.walk(tree)
    )
    return source.count("\n"), patterns, sum(_has_number(one) for one in _constants(tree))


def _constants(tree: ast.Module) -> Iterator[ast.expr]:
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            yield node.value


def _has_number(value: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Constant) and type(node.value) in (int, float)
        for node in ast.walk(value)
    )


def _sum(sizes: list[Size]) -> Size:
    lines, patterns, numbers = (sum(column) for column in zip(*sizes, strict=True))
    return lines, patterns, numbers


def test_no_room_is_above_its_ceiling() -> None:
    above = {
        room: (size, CEILINGS.get(room))
        for room, size in rooms().items()
        if any(now > most for now, most in zip(size, CEILINGS.get(room, (0, 0, 0)), strict=True))
    }
    assert not above, "take something out in the same change: (now, ceiling) of each room"


def test_ceilings_come_down_with_their_rooms() -> None:
    now = rooms()
    loose = {
        room: (now.get(room), ceiling)
        for room, ceiling in CEILINGS.items()
        if any(
            most - size > max(least, SLACK * most)
            for size, most, least in zip(
                now.get(room, (0, 0, 0)), ceiling, LEAST_SLACK, strict=True
            )
        )
    }
    assert not loose, f"lower them: python {Path(__file__).relative_to(ROOT)}"


def test_a_module_is_measured() -> None:
    source = "A = 0.5\nB: int = 3\nC = re.compile('x{2}')\nD = {'a': 1}\nE = 'no 7'\n"
    assert size_of(source) == (5, 1, 3)


if __name__ == "__main__":
    for name, measured in rooms().items():
        sys.stdout.write(f'    "{name}": {measured},\n')
    sys.stdout.write(f"# together {_sum(list(rooms().values()))}\n")
