"""A stored answer as a file that can be sent around: Markdown, HTML or DOCX.

It must not know who asks; each form has the numbered sources with the full quoted text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def exported(answer: StoredAnswer, form: str) -> tuple[bytes, str]:
    """Return an answer as `md`, `html` or `docx`, and the media type of that."""
    if form == "docx":
        from rirag.server.export.docx_file import docx_file

        return docx_file(answer), DOCX
    if form == "html":
        from rirag.server.export.html_file import html_file

        return html_file(answer).encode(), "text/html"
    from rirag.server.export.markdown_file import markdown_file

    return markdown_file(answer).encode(), "text/markdown"
