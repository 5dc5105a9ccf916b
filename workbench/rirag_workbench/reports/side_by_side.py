"""Results of any evaluations side by side: their figures by name, one column a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rirag.reports.page import facts, figure, page, section, table
from rirag_workbench.reports import charts

LEFT_OUT = frozenset({"made_with", "per_question", "command", "nuggets", "items"})
"""Parts of results that are lists of single cases."""

COLOURS = (charts.BLUE, charts.TEAL, charts.AMBER, charts.RED, charts.GREY)


def figures_of(result: Mapping[str, Any]) -> dict[str, float]:
    """Return every number of a result by the path to it, such as `measures › noise › mean`."""
    return dict(_numbers(result, ()))


def side_by_side(results: Mapping[str, Mapping[str, Any]], command: str = "") -> str:
    """Return the report as the text of a file.

    Args:
        results: name of a file → what an evaluation printed with `--json`.
        command: that made the report.
    """
    columns = {name: figures_of(result) for name, result in results.items()}
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.split(" › ")[0] if " › " in name else "totals", []).append(name)
    about = [(name, f"{len(column):,} figures") for name, column in columns.items()]
    sections = [facts(about, command)]
    sections += [_group(title, members, columns) for title, members in groups.items()]
    return page("Evaluations side by side", "Evaluations side by side", sections)


def _group(title: str, names: Sequence[str], columns: Mapping[str, Mapping[str, float]]) -> str:
    short = {name: name.removeprefix(f"{title} › ") for name in names}
    rows = [
        (short[name], *(_shown(column.get(name)) for column in columns.values())) for name in names
    ]
    shares = [
        name
        for name in names
        if all(0 <= column[name] <= 1 for column in columns.values() if name in column)
    ]
    bars = [
        charts.Bar(short[name], [column.get(name, 0.0) for column in columns.values()])
        for name in shares
    ]
    series = [(name, COLOURS[place % len(COLOURS)]) for place, name in enumerate(columns)]
    chart = figure(charts.grouped_bars(title, bars, series)) if bars and title != "totals" else ""
    return section(title.capitalize(), "", chart, table(title, ("", *columns), rows))


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
        yield " › ".join(path), float(value)


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value == int(value) and abs(value) > 1 else f"{value:.4f}"
