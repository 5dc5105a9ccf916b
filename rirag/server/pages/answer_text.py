"""The text of an answer as HTML: light Markdown, linked citations, verdicts by statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup, escape

from rirag.reports.marking import Span
from rirag.server.pages.passage_text import ROW, bar_cells

_INLINE = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|\[(?P<number>\d{1,4})\]")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<label>[-*•]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z]{1,4}\))[ \t]+")
_HEAD, _CELL = Markup("<th>{}</th>"), Markup("<td>{}</td>")
_CITED = Markup('<a class="cite" href="#c{0}">[{0}]</a>')
_SIGN = Markup(
    '<span class="verdict {}" title="{}"><span class="sign"></span>'
    '<span class="word">{}</span></span>'
)
_SIGN_WITH_REASONS = Markup(
    '<details class="verdict {}"><summary><span class="sign"></span>'
    '<span class="word">{}</span></summary><ul>{}</ul></details>'
)
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
    return _Shown(text, numbers, verdicts, words).html()


@dataclass(frozen=True, slots=True)
class _Shown:
    """An answer with its citations and verdicts; every method returns HTML."""

    text: str
    numbers: frozenset[int]
    verdicts: Sequence[ShownVerdict]
    words: Mapping[str, str]

    def html(self) -> Markup:
        """Return the whole answer."""
        groups = [
            (is_table, list(spans)) for is_table, spans in groupby(self._paragraphs(), self._is_row)
        ]
        made: list[Markup] = []
        for place, (is_table, spans) in enumerate(groups):
            if is_table:
                made.append(self._table(spans))
                continue
            if place + 1 < len(groups):
                spans[-1] = self._before_quote(*spans[-1])
            made += [self._line(*span) for span in spans]
        return Markup("\n").join(made)

    def _paragraphs(self) -> Iterator[Span]:
        start = 0
        for line in self.text.split("\n"):
            if line.strip():
                yield start, start + len(line)
            start += len(line) + 1

    def _is_row(self, span: Span) -> bool:
        return bool(ROW.match(self.text, *span))

    def _before_quote(self, start: int, end: int) -> Span:
        """Return the line before a table without the mark that opens its quotation."""
        return start, start + len(self.text[start:end].rstrip().removesuffix("“").rstrip())

    def _table(self, rows: Sequence[Span]) -> Markup:
        """Return quoted rows of a table, the first its head; what follows their last cell is below.

        The marks of the quotation are left out: they would stand alone.
        """
        text, made, after = self.text, [], Markup("")
        cell = _HEAD if len(rows) > 1 else _CELL
        for start, end in rows:
            last = text.rindex("|", start, end)
            if cells := bar_cells(text, start, last + 1):
                shown = Markup("").join(cell.format(text[at:to]) for at, to in cells)
                made.append(Markup("<tr>{}</tr>").format(shown))
                cell = _CELL
            after += self._inline(last + 1 + text.startswith("”", last + 1), end)
        return Markup(
            '<div class="par"><div class="table" tabindex="0" role="group"><table dir="auto">'
            '<tbody>{}</tbody></table></div><div class="said">{}{}</div></div>'
        ).format(Markup("").join(made), after, self._marks(rows[0][0], rows[-1][1]))

    def _line(self, start: int, end: int) -> Markup:
        heading, item = _HEADING.match(self.text, start, end), _ITEM.match(self.text, start, end)
        kind, inner, label = "par", start, Markup("")
        if heading:
            inner, kind = heading.end(), "par heading"
        elif item:
            inner = item.end()
            kind = f"par item level-{min(len(item['indent']) // 2, MOST_LEVEL)}"
            shown = "•" if item["label"] in "-*•" else item["label"]
            label = Markup('<span class="label" dir="auto">{}</span>').format(shown)
        return Markup('<div class="{}" dir="auto">{}<div class="said">{}{}</div></div>').format(
            kind, label, self._inline(inner, end), self._marks(start, end)
        )

    def _inline(self, start: int, end: int) -> Markup:
        made = Markup("")
        for match in _INLINE.finditer(self.text, start, end):
            made += escape(self.text[start : match.start()])
            start = match.end()
            if match["bold"]:
                made += Markup("<strong>{}</strong>").format(match["bold"])
            elif int(match["number"]) in self.numbers:
                made += _CITED.format(int(match["number"]))
            else:
                made += escape(match[0])
        return made + escape(self.text[start:end])

    def _marks(self, start: int, end: int) -> Markup:
        """Return the verdicts on the statements that end in a stretch of the text."""
        return Markup("").join(
            self._verdict(one) for one in self.verdicts if start < one.end <= end
        )

    def _verdict(self, shown: ShownVerdict) -> Markup:
        name = self.words[shown.verdict]
        if not shown.reasons:
            return _SIGN.format(shown.verdict, name, name)
        reasons = Markup("").join(Markup("<li>{}</li>").format(one) for one in shown.reasons)
        return _SIGN_WITH_REASONS.format(shown.verdict, name, reasons)


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
