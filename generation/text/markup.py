"""Takes the force from markup in a reply: no image is fetched, no script run, no link hidden.

An answer is light Markdown, which programs turn into pages. A passage may have talked the model
into an image whose address carries the question away, or into a tag.
"""

from __future__ import annotations

import re

MARK = re.compile(r"[ \t]*[/\\](Table|Figure)[ \t]+(Start|End)\b", re.IGNORECASE)
"""A line that opens or closes a table or a figure."""
MARKDOWN_RULE = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
"""The line below the head of a table."""
_IMAGE = re.compile(r"(?<!!)!+(?=\[)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_UNDECIDED = "<!]"
"""What becomes of these depends on what follows them."""


def without_markup(text: str) -> str:
    """Return a text whose links show where they lead, without images and tags.

    `<` before a letter becomes `‹`, and `!` before `[` goes. `[here](https://…)` becomes
    `[here] (https://…)`, and `[1]: https://…` becomes `[1] : https://…`: neither is a link, nor
    can one be defined anywhere. Bold type, lists and headings stay.
    """
    text = _IMAGE.sub("", text).replace("](", "] (").replace("]:", "] :")
    return _TAG.sub("‹", text)


class MarkupFilter:
    """Passes on a text piece by piece, as `without_markup` writes the whole of it.

    `<`, `!` and `]` are held back until another character follows, or the text ends.
    """

    def __init__(self) -> None:
        self._held: list[str] = []

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        decided = text.rstrip(_UNDECIDED)
        ready = self._released(decided) if decided else ""
        self._held.append(text[len(decided) :])
        return ready

    def finish(self) -> str:
        """Return what was held back."""
        return self._released("")

    def _released(self, text: str) -> str:
        whole = "".join([*self._held, text])
        self._held.clear()
        return without_markup(whole)


def is_mark(line: str) -> bool:
    """Return whether a line is markup: it opens or closes a table or a figure."""
    return bool(MARK.match(line))


def without_frames(text: str) -> str:
    """Return a text without the lines that open and close tables and figures."""
    return "\n".join(line for line in text.splitlines() if not is_mark(line))


def without_marks(text: str) -> str:
    """Return a text without the lines that only draw tables and figures."""
    lines = without_frames(text).splitlines()
    return "\n".join(line for line in lines if not MARKDOWN_RULE.fullmatch(line))
