"""The text of an answer as HTML: light Markdown, linked citations, verdicts by statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup, escape

from rirag.server.pages.passage_text import ROW, bar_cells

_INLINE = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|\[(?P<number>\d{1,4})\]")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<label>[-*•]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z]{1,4}\))[ \t]+")
_HEAD, _CELL = Markup("<th>{}</th>"), Markup("<td>{}</td>")
MOST_LEVEL = 4
VERDICTS = ("supported", "partly", "unsupported", "uncited")


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """The verdict on a statement, where it ends."""

    end: int
    verdict: str
    reasons: tuple[str, ...]


def answer_html(
    text: str, numbers: frozenset[int], verdicts: Sequence[ShownVerdict], words: Mapping[str, str]
) -> Markup:
    """Return an answer as HTML.

    Args:
        text: of the answer.
        numbers: of its citations; only these become links.
        verdicts: of its statements, in order.
        words: verdict → what people read.
    """
    groups = [
        (is_table, list(spans))
        for is_table, spans in groupby(_paragraphs(text), lambda span: bool(ROW.match(text, *span)))
    ]
    made: list[Markup] = []
    for place, (is_table, spans) in enumerate(groups):
        if is_table:
            made.append(_table(text, spans, numbers, verdicts, words))
            continue
        if place + 1 < len(groups):
            spans[-1] = _before_quote(text, *spans[-1])
        made += [_line(text, *span, numbers, verdicts, words) for span in spans]
    return Markup("\n").join(made)


def _before_quote(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the line before a table without the mark that opens its quotation."""
    return start, start + len(text[start:end].rstrip().removesuffix("“").rstrip())


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield start, start + len(line)
        start += len(line) + 1


def _table(
    text: str,
    rows: Sequence[tuple[int, int]],
    numbers: frozenset[int],
    verdicts: Sequence[ShownVerdict],
    words: Mapping[str, str],
) -> Markup:
    """Return quoted rows of a table, the first its head; what follows their last cell is below.

    The marks of the quotation are left out: they would stand alone.
    """
    made, after, cell = [], Markup(""), _HEAD if len(rows) > 1 else _CELL
    for start, end in rows:
        last = text.rindex("|", start, end)
        if cells := bar_cells(text, start, last + 1):
            shown = Markup("").join(cell.format(text[at:to]) for at, to in cells)
            made.append(Markup("<tr>{}</tr>").format(shown))
            cell = _CELL
        behind = last + 1 + text.startswith("”", last + 1)
        after += _inline(text, behind, end, numbers)
    marks = _marks(rows[0][0], rows[-1][1], verdicts, words)
    return Markup(
        '<div class="par"><div class="table" tabindex="0" role="group"><table dir="auto"><tbody>'
        '{}</tbody></table></div><div class="said">{}{}</div></div>'
    ).format(Markup("").join(made), after, marks)


def _marks(
    start: int, end: int, verdicts: Sequence[ShownVerdict], words: Mapping[str, str]
) -> Markup:
    return Markup("").join(_verdict(one, words) for one in verdicts if start < one.end <= end)


def _line(
    text: str,
    start: int,
    end: int,
    numbers: frozenset[int],
    verdicts: Sequence[ShownVerdict],
    words: Mapping[str, str],
) -> Markup:
    kind, heading, item = "par", _HEADING.match(text, start, end), _ITEM.match(text, start, end)
    inner = start
    label = Markup("")
    if heading:
        inner, kind = heading.end(), "par heading"
    elif item:
        inner = item.end()
        kind = f"par item level-{min(len(item['indent']) // 2, MOST_LEVEL)}"
        shown = "•" if item["label"] in "-*•" else item["label"]
        label = Markup('<span class="label" dir="auto">{}</span>').format(shown)
    body = _inline(text, inner, end, numbers)
    marks = _marks(start, end, verdicts, words)
    return Markup('<div class="{}" dir="auto">{}<div class="said">{}{}</div></div>').format(
        kind, label, body, marks
    )


def _inline(text: str, start: int, end: int, numbers: frozenset[int]) -> Markup:
    made = Markup("")
    for match in _INLINE.finditer(text, start, end):
        made += escape(text[start : match.start()])
        start = match.end()
        if match["bold"]:
            made += Markup("<strong>{}</strong>").format(match["bold"])
        elif int(match["number"]) in numbers:
            made += Markup('<a class="cite" href="#c{0}">[{0}]</a>').format(int(match["number"]))
        else:
            made += escape(match[0])
    return made + escape(text[start:end])


def _verdict(shown: ShownVerdict, words: Mapping[str, str]) -> Markup:
    name = words[shown.verdict]
    if not shown.reasons:
        return Markup('<span class="verdict {}" title="{}"><span class="sign"></span>'
                      '<span class="word">{}</span></span>').format(
            shown.verdict, name, name
        )  # fmt: skip
    reasons = Markup("").join(Markup("<li>{}</li>").format(reason) for reason in shown.reasons)
    return Markup(
        '<details class="verdict {}"><summary><span class="sign"></span>'
        '<span class="word">{}</span></summary><ul>{}</ul></details>'
    ).format(shown.verdict, name, reasons)


def verdicts_of(text: str, verification: Mapping[str, Any] | None) -> list[ShownVerdict]:
    """Return where the statements of an answer end, and the verdict on each."""
    found: list[ShownVerdict] = []
    at = 0
    for one in (verification or {}).get("statements", ()):
        end = one.get("end")
        if not end:
            words = map(re.escape, str(one["text"]).split())
            match = re.compile(r"\s+".join(words)).search(text, at)
            if match is None:
                continue
            end = match.end()
        at = int(end)
        found.append(ShownVerdict(at, str(one["verdict"]), tuple(map(str, one["reasons"]))))
    return found
