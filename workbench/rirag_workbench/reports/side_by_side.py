"""Results of any evaluations side by side: their figures by name, one column a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rirag_workbench.reports.tables import Table, to_page

LEFT_OUT = frozenset({"made_with", "per_question", "command", "nuggets", "items"})
"""Parts of results that are lists of single cases."""


def figures_of(result: Mapping[str, Any]) -> dict[str, float]:
    """Return every number of a result by the path to it, such as `measures › noise › mean`."""
    return dict(_numbers(result, ()))


def side_by_side(results: Mapping[str, Mapping[str, Any]], command: str = "") -> str:
    """Return the report as the text of a file."""
    columns = {name: figures_of(result) for name, result in results.items()}
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for column in columns.values() for name in column):
        groups.setdefault(name.split(" › ")[0] if " › " in name else "totals", []).append(name)
    about = [(name, f"{len(column):,} figures") for name, column in columns.items()]
    tables = [_table(title, members, columns) for title, members in groups.items()]
    return to_page("Evaluations side by side", tables, about, command)


def _table(title: str, names: Sequence[str], columns: Mapping[str, Mapping[str, float]]) -> Table:
    found = {name: [column.get(name) for column in columns.values()] for name in names}
    shares = all(0 <= one <= 1 for cells in found.values() for one in cells if one is not None)
    rows = [(name.removeprefix(f"{title} › "), *cells) for name, cells in found.items()]
    return Table(title, tuple(columns), rows, bars=tuple(columns) if shares else ())


def _numbers(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in LEFT_OUT:
                yield from _numbers(inner, (*path, str(name)))
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for place, inner in enumerate(value, 1):
            label = next((inner[key] for key in ("measure", "name") if key in inner), place)
            rest = {name: one for name, one in inner.items() if name not in ("measure", "name")}
            yield from _numbers(rest, (*path, str(label)))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield " › ".join(path), value
