"""Takes the force from markup in a reply: no image is fetched, no script run, no link hidden.

An answer is light Markdown, which programs turn into pages. A passage may have talked the model
into an image whose address carries the question away, or into a tag.
"""

from __future__ import annotations

import re

from generation.llm import OnText

_IMAGE = re.compile(r"!(?=\[)")
_DEFINED_LINK = re.compile(r"^( {0,3}\[[^\[\]]{1,300}\]):", re.MULTILINE)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def without_markup(text: str) -> str:
    """Return a text whose links show where they lead, without images and tags.

    `<` before a letter becomes `‹`, `![` becomes `[`, and `[here](https://…)` becomes
    `[here] (https://…)`, which is no link; bold type, lists and headings stay.
    """
    text = _IMAGE.sub("", text).replace("](", "] (")
    return _TAG.sub("‹", _DEFINED_LINK.sub(r"\1 :", text))


class HarmlessStream:
    """Passes on a text piece by piece, as `without_markup` writes the whole of it.

    What becomes of `<`, `!` and `]` depends on the character that follows; at the end of a text
    they are held back.
    """

    def __init__(self, hear: OnText) -> None:
        self._hear = hear
        self._text = ""
        self._passed = 0

    def __call__(self, text: str) -> None:
        """Take in the next piece."""
        self._text += text
        self._pass_on(self._text.rstrip("<!]"))

    def finish(self) -> None:
        """Pass on what was held back."""
        self._pass_on(self._text)

    def _pass_on(self, decided: str) -> None:
        harmless = without_markup(decided)
        new, self._passed = harmless[self._passed :], len(harmless)
        if new:
            self._hear(new)
