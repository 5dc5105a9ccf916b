"""Figures of a benchmark: printed as a table, written as JSON with the machine they come from."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from search.errors import StorageError


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value, with the target it is held against where there is one."""

    name: str
    value: float
    unit: str = ""
    target: float | None = None
    higher_is_better: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        if self.higher_is_better:
            return self.value >= self.target
        return self.value <= self.target

    def line(self, width: int) -> str:
        """Return the figure as a line of a table whose names are `width` characters wide."""
        text = f"  {self.name:<{width}}  {number(self.value):>10} {self.unit:<11}"
        if self.target is None:
            return text.rstrip()
        sign = "≥" if self.higher_is_better else "≤"
        return f"{text} {sign} {self.target:g}  {'met' if self.met else 'MISSED'}"


def number(value: float) -> str:
    """Return a value with the digits that mean something."""
    if value >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 100 else f"{value:.3g}" if value >= 0.01 else f"{value:.2g}"


def print_table(title: str, figures: Iterable[Figure]) -> None:
    """Print figures under a title."""
    rows = list(figures)
    width = max((len(figure.name) for figure in rows), default=0)
    print("\n".join(["", title, *(figure.line(width) for figure in rows)]), flush=True)


def report(
    title: str,
    figures: Iterable[Figure],
    path: Path | None,
    **details: Any,
) -> None:
    """Print figures and, where a path is given, write them there.

    Args:
        title: what was measured.
        figures: the values.
        path: JSON file; None: print only.
        details: further values for the JSON file alone.

    Raises:
        StorageError: the file cannot be written.
    """
    rows = list(figures)
    print_table(title, rows)
    if path is None:
        return
    content = {
        "benchmark": title,
        "figures": [{**asdict(figure), "met": figure.met} for figure in rows],
        "machine": machine(),
        **details,
    }
    try:
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error


def read_figures(path: Path) -> list[Figure]:
    """Read the figures that `report` wrote."""
    fields = json.loads(path.read_text(encoding="utf-8"))["figures"]
    return [Figure(**{name: one[name] for name in one if name != "met"}) for one in fields]


def machine() -> dict[str, Any]:
    """Return where and when a figure was measured."""
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "cores": os.cpu_count(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
    }
