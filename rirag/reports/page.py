"""A report as one HTML file: no scripts, no fonts, nothing from outside.

It is well-formed XML too, so that programs can read its tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

from generation.text.sanitize import printable

STYLE = "\n" + (files(__package__) / "page.css").read_text("utf-8")
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
