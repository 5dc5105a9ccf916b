"""The fixed phrases of an answer that states nothing of a rule: writer and verifier share them."""

from __future__ import annotations

ELLIPSIS = "[…]"
"""Stands where words of the source are left out."""

UNSURE = "Not sure. The nearest provisions say:"
"""How an answer opens whose passages are below the numbers of the filter."""

DIFFER = "These provisions differ:"
"""What comes before the values that provisions of different documents set for one matter."""

NOT_QUOTED = "Not quoted for length:"
"""What comes before the parts of a rule that was asked for which there was no room for."""

NOT_INDEXED = "Nothing in this index mentions:"
"""What comes before names of the question that the whole index lacks."""

OWN_LINES = (NOT_QUOTED, NOT_INDEXED)
"""How a line begins that is one sentence whatever full stops the names in it have."""

NOT_STATED = {
    "time": "a time limit",
    "money": "an amount",
    "percent": "a share or threshold",
    "number": "a number",
    "example": "an example",
    "form": "a form or channel",
}
"""Kind of thing that a question asks for → what the provisions found do not state."""
