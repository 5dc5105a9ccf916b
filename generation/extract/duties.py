"""Take a statement of duty apart: who, must or may, what, and when."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generation.text.statements.markers import find_marker
from generation.text.values import TIME

_MODAL = re.compile(
    r"\b(?P<duty>(?:must|shall|may|should)(?: (?:not|never|only))?|cannot|can(?: not)?|"
    r"(?:is|are) (?:not )?(?:required|obliged|permitted|allowed|entitled|prohibited) (?:to|from)|"
    r"ha(?:s|ve) to|need(?:s)? (?:to|not)|muss|müssen|darf(?: nicht)?|dürfen(?: nicht)?|"
    r"hat|haben|soll|sollen|kann|können)\b"
)
_CONDITION = re.compile(
    r"^(?:(?:where|if|when|before|after|without prejudice|subject to|for the purposes? of|in order "
    r"to|notwithstanding|with regard to|in accordance with|under|as soon as|upon|in)\b[^,]*,\s+)+",
    re.IGNORECASE,
)

MOST_ACTOR_WORDS = 20


@dataclass(frozen=True, slots=True)
class Duty:
    """Parts of a statement, in its own words; what cannot be told is empty."""

    actor: str = ""
    duty: str = ""
    """The modal words, such as `must not`."""
    act: str = ""
    time: str = ""


def duty_of(text: str) -> Duty:
    """Return the parts of a statement: the words before its first modal verb, those behind it."""
    marker = find_marker(text)
    text = text[marker.end :] if marker else text
    found, time = _MODAL.search(text), TIME.search(text)
    when = time[0] if time else ""
    if not found:
        return Duty(time=when)
    actor = _CONDITION.sub("", text[: found.start()]).strip(" ,")
    if len(actor.split()) > MOST_ACTOR_WORDS:
        actor = ""
    act = re.split(r"(?<=[.;:])\s", text[found.end() :].strip(), maxsplit=1)[0]
    return Duty(actor, found["duty"], act.strip(" .;:"), when)
