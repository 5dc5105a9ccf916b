"""A report as one HTML file: no scripts, no fonts, nothing from outside.

It is well-formed XML too, so that programs can read its tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from generation.text.sanitize import printable

STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; color: #1c2430; background: #fff;
  max-width: 1180px; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .3rem; }
p { max-width: 46rem; margin: .3rem 0 1rem; color: #3b4654; }
pre { background: #f4f6f8; padding: .6rem .8rem; overflow-x: auto; font-size: .85rem; }
figure { margin: 0 1.2rem 1rem 0; display: inline-block; vertical-align: top; }
figcaption { font-weight: 600; margin-left: 170px; }
svg { font: 12.5px system-ui, "Segoe UI", Roboto, sans-serif; width: 100%; height: auto;
  min-width: 480px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem;
  margin: .4rem 0 1rem; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #dfe4ea; }
thead th { border-bottom: 2px solid #9aa5b1; font-weight: 600; }
tbody th { text-align: left; font-weight: 500; white-space: nowrap; }
#ways td:nth-child(2), .facts td, #duties td { text-align: left; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { max-width: 46rem; margin: 0 0 1rem; padding-left: 1rem;
  border-left: 3px solid #9aa5b1; }
@media print {
  body { margin: 0; max-width: none; font-size: 11px; }
  section, figure, table { break-inside: avoid; }
  h2 { break-after: avoid; }
  td, rect, circle { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
"""How a report looks, on screen and on paper."""


def page(title: str, heading: str, sections: Iterable[str], notes: Sequence[str] = ()) -> str:
    """Return the text of a file; sections are HTML, everything else plain text."""
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    to_know = f"<h2>Notes</h2><ul>{listed}</ul>" if notes else ""
    body = "\n".join(filter(None, sections))
    return printable(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>"
        f"<h1>{escape(heading)}</h1>\n{body}\n{to_know}"
        "</body></html>\n"
    )


def section(title: str, lead: str, *content: str) -> str:
    """Return a section with HTML content under a heading and a sentence."""
    return f"<section><h2>{escape(title)}</h2><p>{escape(lead)}</p>{''.join(content)}</section>"


def figure(chart: str, caption: str = "") -> str:
    """Return a chart with a caption."""
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{below}{chart}</figure>"


def table(name: str, head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Return a table of plain texts; the first column names the rows."""
    heads = "".join(f"<th>{escape(text)}</th>" for text in head)
    rows = "".join(
        f"<tr><th>{escape(first)}</th>"
        + "".join(f"<td>{escape(text)}</td>" for text in rest)
        + "</tr>"
        for first, *rest in body
    )
    return (
        f'<table id="{escape(name)}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )  # fmt: skip


def facts(values: Mapping[str, str] | Sequence[tuple[str, str]], command: str = "") -> str:
    """Return what a report rests on: name and value of each fact, and the command that made it."""
    pairs = values.items() if isinstance(values, Mapping) else values
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in pairs
    )
    made = f"<pre>{escape(command)}</pre>" if command else ""
    return f'<table class="facts" id="facts"><tbody>{rows}</tbody></table>{made}'
