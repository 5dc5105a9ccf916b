"""An ablation as people and as programs read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rirag_workbench.ablation.measuring import AS_ASKED, MEASURES, Measured
from rirag_workbench.evaluation.statistics import Comparison, compare_values, marked
from rirag_workbench.reports.tables import Cell, Table, to_page, to_text
from rirag_workbench.reports.tables import Row as Cells
from search.json_form import Record


@dataclass(frozen=True, slots=True)
class Group(Record):
    """One way to search on one group of questions, compared with the whole pipeline."""

    questions: int
    recall: Comparison
    """R@10: negative differences where the component helps."""
    average_precision: Comparison
    """AP@10."""

    json_form = (
        "questions recall(value difference p_value) average_precision(value difference p_value)"
    )


@dataclass(frozen=True, slots=True)
class Row(Record):
    """One way to search."""

    name: str
    change: str
    component: str
    """What is taken away; empty for the whole pipeline and for other systems."""
    milliseconds: float
    """Time of a search, the median over the questions as asked; ways are asked in turns."""
    groups: Mapping[str, Group]


@dataclass(frozen=True, slots=True)
class Price(Record):
    """What a component gains on the questions as asked, and what it costs."""

    component: str
    recall: float
    """Points of R@10 (hundredths)."""
    average_precision: float
    """Points of AP@10 (hundredths)."""
    milliseconds: float
    """Added to the median search; may be below 0 by chance."""

    json_form = "* milliseconds_a_point"

    @property
    def milliseconds_a_point(self) -> float | None:
        """Milliseconds for each point of R@10 and AP@10 together; None: there is no gain."""
        gained = self.recall + self.average_precision
        return max(0.0, self.milliseconds) / gained if gained > 0 else None


@dataclass(frozen=True, slots=True)
class Ablation(Record):
    """Everything that was measured."""

    command: str
    """That made it."""
    facts: Mapping[str, str]
    """What was asked of what."""
    rows: tuple[Row, ...]
    """The whole pipeline first."""
    notes: tuple[str, ...]
    """What could not be measured, and what searches noted, a sentence each."""

    json_form = "command facts rows prices notes"

    @property
    def prices(self) -> list[Price]:
        """What each component gains and costs."""
        return [_price(self.rows[0], row) for row in self.rows if row.component]


def row_of(one: Measured, full: Measured, groups: Mapping[str, Sequence[int]]) -> Row:
    """Compare one way to search with the whole pipeline."""
    return Row(
        name=one.variant.name,
        change=one.variant.change,
        component=one.variant.component,
        milliseconds=median(one.milliseconds[place] for place in groups[AS_ASKED]),
        groups={
            name: Group(
                len(places), *(_compared(one, full, measure, places) for measure in MEASURES)
            )
            for name, places in groups.items()
        },
    )


def _compared(one: Measured, full: Measured, name: str, places: Sequence[int]) -> Comparison:
    keys = [str(place) for place in places]
    ours, others = ({key: way.values[name][key] for key in keys} for way in (one, full))
    return compare_values(name, ours, others)


def _price(full: Row, without: Row) -> Price:
    asked = without.groups[AS_ASKED]
    return Price(
        component=without.component,
        # Adding nothing makes of -0.0 what people write.
        recall=-100 * asked.recall.difference + 0.0,
        average_precision=-100 * asked.average_precision.difference + 0.0,
        milliseconds=full.milliseconds - without.milliseconds,
    )


def to_table(ablation: Ablation) -> str:
    """Return lines to read."""
    facts = [f"{name}: {value}" for name, value in ablation.facts.items()]
    return to_text(_tables(ablation), facts, notes=ablation.notes)


def to_html(ablation: Ablation) -> str:
    """Return the report as the text of a file."""
    title, about = "What each component of search contributes", list(ablation.facts.items())
    return to_page(title, _tables(ablation), about, ablation.command, ablation.notes)


def _tables(ablation: Ablation) -> list[Table]:
    tables = [_group_table(ablation.rows, name) for name in ablation.rows[0].groups]
    return [*tables, _price_table(ablation.prices)] if ablation.prices else tables


def _group_table(rows: Sequence[Row], group: str) -> Table:
    body: list[Cells] = []
    for row in rows:
        found = row.groups[group]
        figures: list[Cell] = []
        for one in (found.recall, found.average_precision):
            figures += [one.value, f"{one.difference:+.4f}", marked(one.p_value)]
        body.append((row.name, *figures, f"{row.milliseconds:.1f}", row.change))
    return Table(
        f"{group} ({rows[0].groups[group].questions})",
        ("R@10", "diff.", "p", "AP@10", "diff.", "p", "ms", ""),
        body,
        "Differences are from the whole pipeline, with * if significant (p below .05, paired "
        "randomisation test).",
        ("R@10", "AP@10"),
    )


def _price_table(prices: Sequence[Price]) -> Table:
    body: list[Cells] = []
    for one in prices:
        each = one.milliseconds_a_point
        cost = "no gain" if each is None else f"{each:.1f}"
        figures = (one.recall, one.average_precision, f"{one.milliseconds:+.1f}", cost)
        body.append((one.component, *figures))
    return Table(
        "contribution",
        ("points of R@10", "of AP@10", "ms", "ms a point"),
        body,
        "Points (hundredths) that the component gains on the questions as asked, the milliseconds "
        "it adds to the median search, and the milliseconds per point of both measures together.",
        ("points of R@10", "of AP@10"),
    )
