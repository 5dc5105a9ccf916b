"""A stored answer as one HTML file that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from rirag.server.export.answer_text import VERDICTS, answer_html, verdicts_of
from rirag.server.export.passage_text import passage_html
from rirag.server.export.sources import facts_of, sources_of
from rirag.server.strings import catalogue

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer


def html_file(answer: StoredAnswer) -> str:
    """Return the answer, its sources and the facts about it; it has no style and no script."""
    words = catalogue()
    sources = sources_of(answer)
    text = str(answer.body["Answer"])
    shown = answer_html(
        text,
        frozenset(source.number for source in sources),
        verdicts_of(text, answer.body.get("verification")),
        {name: words[f"verdict.{name}"] for name in VERDICTS},
    )
    items = Markup("\n").join(
        Markup('<section id="c{0}"><h3>[{0}] {1}</h3><p>{2}</p>{3}</section>').format(
            one.number, one.citation, " › ".join(one.breadcrumb), passage_html(one.text, one.marks)
        )
        for one in sources
    )
    facts = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(name, value) for name, value in facts_of(answer)
    )
    return Markup(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{0}</title></head>\n'
        "<body><h1>{0}</h1>\n{1}\n<h2>Sources</h2>\n{2}\n<h2>About this answer</h2>\n"
        "<dl>{3}</dl></body></html>\n"
    ).format(answer.question, shown, items, facts)
