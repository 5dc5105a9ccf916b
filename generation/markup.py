"""Takes the force from markup in a reply: no image is fetched, no script run, no link hidden.

An answer is light Markdown, which programs turn into pages. A passage may have talked the model
into an image whose address carries the question away, or into a tag.
"""

from __future__ import annotations

import re

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
