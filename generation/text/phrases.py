"""The fixed phrases of an answer that states nothing of a rule: writer and verifier share them."""

from __future__ import annotations

ELLIPSIS = "[…]"
"""Stands where words of the source are left out."""

UNSURE = "Not sure. The nearest provisions say:"
"""How an answer opens whose passages are below the numbers of the filter."""

ALSO_FOUND = "Also found:"
"""What comes before further passages, one line each."""

DIFFER = "These provisions differ:"
"""What comes before the values that provisions of different documents set for one matter."""

NOT_QUOTED = "Not quoted for length:"
"""What comes before the parts of a rule that was asked for which there was no room for."""

NOT_MENTIONED = "These passages do not mention:"
"""What comes before words of the question that no passage has…"""

NOT_INDEXED = "Nothing in this index mentions:"
"""… and before names that the whole index lacks."""

OWN_LINES = (NOT_QUOTED, NOT_MENTIONED, NOT_INDEXED)
"""How a line begins that is one sentence whatever full stops the names in it have."""

NOT_STATED = {
    "time": "No time limit is stated in these passages.",
    "money": "No amount is stated in these passages.",
    "percent": "No share or threshold is stated in these passages.",
    "number": "No number is stated in these passages.",
    "example": "No example is given in these passages.",
    "form": "No form or channel is named in these passages.",
}
"""Kind of thing that a question asks for → what is said where it is absent."""
