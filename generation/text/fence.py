"""Fences around text of others: what is inside is data, and cannot pass for anything else."""

from __future__ import annotations

import re
import secrets

from generation.text.citation_styles import defused
from generation.text.markup import without_frames
from generation.text.reasoning_marks import CHAT_MARK
from generation.text.sanitize import printable


class Fence:
    """The marks of one request: a text cannot close the fence, for it cannot guess the code."""

    def __init__(self, code: str | None = None) -> None:
        self.code = code or secrets.token_hex(6)
        """48 random bits, new for every request."""

    def passage(self, number: int, name: str, text: str) -> str:
        """Return a numbered passage between its marks."""
        label = f"passage {number} ({self.inside(' '.join(name.split()))})"
        return self._marked(label, f"passage {number}", self.inside(text))

    def question(self, text: str) -> str:
        """Return the question between its marks."""
        return self.material("question", text)

    def example(self, number: int, question: str, answer: str) -> str:
        """Return an answered question, each half between its marks."""
        parts = {"question": question, "answer": answer}
        return "\n".join(
            self.material(f"{part} of example {number}", text) for part, text in parts.items()
        )

    def material(self, label: str, text: str) -> str:
        """Return any other text between its marks; what it cites in brackets is taken away."""
        return self._marked(label, label, self.inside(text))

    def cited(self, label: str, text: str) -> str:
        """Return a text between its marks whose citations were checked before, and stay."""
        return self._marked(label, label, self._harmless(text))

    def inside(self, text: str) -> str:
        """Return a text as it may be between marks.

        Control and invisible characters go, and so do the marks of tables; numbers in brackets
        cannot be copied as citations, and marks of chat templates are broken up; if the code itself
        is there (a conversation that was pasted in), it is removed as well.
        """
        return self._harmless(defused(printable(without_frames(text))))

    def _harmless(self, text: str) -> str:
        return without_chat_marks(printable(text)).replace(self.code, "").strip()

    def _marked(self, opening: str, closing: str, inner: str) -> str:
        return f"<<{self.code} begin {opening}>>\n{inner}\n<<{self.code} end {closing}>>"


def without_marks(text: str, code: str) -> str:
    """Return a reply without the marks of its prompt."""
    return re.sub(rf"<{{0,2}}{re.escape(code)}[^\n<>]{{0,300}}>{{0,2}}\n?", "", text)


def without_chat_marks(text: str) -> str:
    """Return a text with a blank inside of every mark of a chat template: `< |` for `<|`.

    Most servers read these wherever they are: `<|im_end|>` in a passage would end the user's turn.
    """
    return CHAT_MARK.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)
