"""A stored answer as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rirag.server.export.sources import facts_of, sources_of

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|!~&])")
_OPENS = re.compile(r"^(\s*)(\d+)([.)])|^(\s*)([-+=])", re.M)


def markdown_file(answer: StoredAnswer) -> str:
    """Return the answer, its sources and the facts about it."""
    lines = [f"# {literal(answer.question)}", "", _answer(answer), "", "## Sources", ""]
    for source in sources_of(answer):
        place = " › ".join(literal(crumb) for crumb in source.breadcrumb)
        lines.append(
            f"**[{source.number}]** {literal(source.citation)}" + (f" ({place})" * bool(place))
        )
        lines += ["", *(f"> {literal(line)}" for line in source.text.splitlines()), ""]
    lines += ["## About this answer", ""]
    lines += [f"- {name}: {literal(value)}" for name, value in facts_of(answer)]
    return "\n".join(lines) + "\n"


def literal(text: str) -> str:
    """Return text that Markdown shows as it is."""
    escaped = _ACTIVE.sub(r"\\\1", " ".join(text.split()))
    return _OPENS.sub(lambda m: m[0][:-1] + "\\" + m[0][-1], escaped)


def _answer(answer: StoredAnswer) -> str:
    """Return the text of the answer, which is light Markdown; what else acts is escaped."""
    return re.sub(r"([<>&`!])", r"\\\1", str(answer.body["Answer"]))
