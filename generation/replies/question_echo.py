"""A reply that begins with the question: models that were shown examples continue in their form."""

from __future__ import annotations

import re

from generation.llm.tables import MODELS

_ANSWER_LABEL = re.compile(r"[\s*_#>]{0,20}\b(?:answer|a)\b[*_ ]{0,5}:[*_]{0,5}\s*", re.IGNORECASE)


def without_echo(text: str, question: str) -> str:
    """Return a reply without the question as its first line, and without "Answer:" below that.

    A reply that is nothing but the question stays as it is.
    """
    end = _end_of_echo(text, _letters(question))
    left = text[end:].lstrip()
    if not end or not left:
        return text
    label = _ANSWER_LABEL.match(left)
    return left[label.end() :] if label and left[label.end() :] else left


class EchoFilter:
    """Passes a reply on once it is clear whether it begins with the question."""

    def __init__(self, question: str) -> None:
        asked = _letters(question)
        self._question = question
        self._echoes = [f"{label}{asked}answer" for label in MODELS["question_labels"]]
        self._pieces: list[str] = []
        self._said = ""
        self._open = not asked

    def feed(self, text: str) -> str:
        """Take the next piece; return what may be passed on."""
        if self._open:
            return text
        self._pieces.append(text)
        self._said += _letters(text)
        if any(echo.startswith(self._said) for echo in self._echoes):
            return ""
        return self.finish()

    def finish(self) -> str:
        """Return what was held back, without the question."""
        held, self._pieces, self._open = "".join(self._pieces), [], True
        return without_echo(held, self._question) if held else ""


def _end_of_echo(text: str, asked: str) -> int:
    """Return where the line ends that ends the question; 0 where the text does not begin so."""
    end, said, echoes = 0, "", [f"{label}{asked}" for label in MODELS["question_labels"]]
    for line in text.splitlines(keepends=True) if asked else ():
        end, said = end + len(line), said + _letters(line)
        if not any(echo.startswith(said) for echo in echoes):
            return 0
        if said in echoes:
            return end
    return 0


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
