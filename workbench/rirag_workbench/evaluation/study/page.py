"""The form as one HTML file: it works without a network, on a phone, and keeps what was entered."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from rirag_workbench.evaluation.study.form import CRITERIA, HIGHEST, LOWEST, RELEVANCE, Study


def to_html(study: Study, title: str) -> str:
    """Return the form as the text of a file.

    Everything that it shows is data in one JSON block, written into the page as text by the script:
    no answer or passage can act as HTML.
    """
    data = {
        **study.form_json(), "title": title, "criteria": CRITERIA, "relevance": RELEVANCE,
        "lowest": LOWEST, "highest": HIGHEST,
    }  # fmt: skip
    block = (
        json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    )
    folder = files("rirag_workbench.evaluation.study")
    page = (folder / "form.html").read_text(encoding="utf-8")
    script = (folder / "form.js").read_text(encoding="utf-8")
    return page.replace("$TITLE", escape(title)).replace("$SCRIPT", script).replace("$DATA", block)
