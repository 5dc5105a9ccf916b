"""Part what a model thinks before its answer from the answer.

Reasoning models think in writing. Where the server does not take that out of the reply, it is
before the answer between marks (`generation.text.reasoning_marks`), or before a closing mark alone,
whose opening one the chat template has written into the prompt.
"""

from __future__ import annotations

import json
import re
from typing import Literal

from generation.llm.tables import MODELS
from generation.text.reasoning_marks import MARK, begun_at

RETRACTED = "\n\n(The text above is the model's reasoning. Its answer follows.)\n\n"
"""What whoever listens hears where text that was passed on turns out to be reasoning."""

_SPEAKERS = frozenset({"", "assistant", "model"})
_TOOL = re.compile(r"\bto=(?:functions\.)?([\w.-]{1,64})")
_BETWEEN = tuple(map(re.compile, MODELS["between"]))

_State = Literal["answer", "reasoning", "header", "tool", "aside"]


class ReasoningFilter:
    """Passes on the answer and keeps the reasoning; a `StreamFilter`.

    A text that begins as models speak to themselves is held back until a mark decides, or to its
    end. Any other text is passed on as it comes. Should a closing mark follow all the same, what
    was passed on is taken back, as far as that is possible: see `RETRACTED`.
    """

    def __init__(self, *, closes_alone: bool = False) -> None:
        """Begin a reply.

        A model known to close reasoning that it did not open is held back until it does.
        """
        self._waits_for_close = closes_alone
        self._state: _State = "answer"
        self._held = ""
        self._answer: list[str] = []
        self._reasoning: list[str] = []
        self._waiting = ""
        self._sure = False
        self._fresh = False
        """Whether blanks that follow are still those behind a mark."""
        self._header = ""
        self._called = ""
        self._tool: list[str] = []
        self.closed_alone = False
        """Whether reasoning was closed that had not been opened."""
        self.has_aside = False
        """Whether text came behind the end of the model's turn; it is kept with the reasoning."""

    @property
    def answer(self) -> str:
        """What of the text is the answer, so far."""
        return "".join(self._answer) + self._waiting

    @property
    def reasoning(self) -> str:
        """What of the text is reasoning, so far."""
        return "".join(self._reasoning).strip()

    @property
    def is_reasoning(self) -> bool:
        """Whether the text ends within reasoning."""
        return self._state == "reasoning"

    def feed(self, text: str) -> str:
        """Take the next piece; return what of the answer may be passed on."""
        self._held += text
        end = begun_at(self._held)
        ready, self._held = self._held[:end], self._held[end:]
        return self._taken(ready)

    def finish(self) -> str:
        """Return what was held back of the answer; the text is complete."""
        rest, self._held = self._held, ""
        passed = self._taken(rest) + self._end_of_tool()
        for between in _BETWEEN:
            if found := between.search(self._waiting):
                self._reasoning.append(self._waiting[: found.start()])
                self._waiting = self._waiting[found.end() :].lstrip()
        return passed + self._decided()

    def _taken(self, text: str) -> str:
        passed, place = "", 0
        for mark in MARK.finditer(text):
            passed += self._text(text[place : mark.start()])
            passed += self._marked(mark)
            place = mark.end()
        return passed + self._text(text[place:])

    def _marked(self, mark: re.Match[str]) -> str:
        kind = mark.lastgroup
        if self._state == "tool" and kind != "wraps":
            passed = self._end_of_tool()
            return passed + ("" if kind == "ends" else self._marked(mark))
        if kind == "closes":
            return self._closed()
        if kind == "opens":
            self._state = "reasoning" if self._state == "answer" else self._state
        elif kind in ("channel", "role"):
            self._state, self._header = "header", ""
        elif kind == "begins":
            self._begin(self._header)
        elif kind == "ends" and (self._state != "answer" or self.answer.strip()):
            self._state = "aside"
        self._fresh = True
        return ""

    def _closed(self) -> str:
        passed = ""
        if self._state == "answer":
            self.closed_alone = True
            heard = "".join(self._answer)
            self._reasoning.append(self.answer)
            self._answer, self._waiting = [], ""
            passed = RETRACTED if heard.strip() else ""
        if self._state != "aside":
            self._state = "answer"
        self._sure = self._fresh = True
        self._waits_for_close = False
        return passed

    def _begin(self, header: str) -> None:
        words = header.casefold().split()
        tool = _TOOL.search(header)
        if tool:
            self._state, self._called = "tool", tool[1]
        elif any(word.startswith(("analysis", "commentary", "thought")) for word in words):
            self._state = "reasoning"
        elif self.answer.strip() or not (set(words) <= _SPEAKERS | {"final"}):
            self._state = "aside"
        else:
            self._state, self._sure = "answer", True

    def _text(self, text: str) -> str:
        if not text:
            return ""
        if self._fresh and self._state in ("answer", "reasoning"):
            text = text.lstrip()
            self._fresh = not text
        if self._state == "reasoning":
            self._reasoning.append(text)
        elif self._state == "aside":
            self.has_aside = self.has_aside or bool(text.strip())
            self._reasoning.append(text)
        elif self._state == "tool":
            self._tool.append(text)
        elif self._state == "header":
            return self._headed(text)
        elif self._state == "answer":
            self._waiting += text
            return "" if self._is_undecided() else self._decided()
        return ""

    def _headed(self, text: str) -> str:
        """Take the words of a header; a line break ends it where no mark does."""
        header, broken, rest = text.partition("\n")
        self._header += header
        if not broken:
            return ""
        self._begin(self._header)
        self._fresh = True
        return self._text(rest)

    def _is_undecided(self) -> bool:
        """Return whether what waits may be reasoning that is only closed."""
        if self._waits_for_close:
            return True
        if self._sure:
            return False
        begun = self._waiting.lstrip(" \n\t*#_").casefold()[:40]
        return bool(begun) and any(
            begun.startswith(one) or one.startswith(begun) for one in MODELS["musing"]
        )

    def _decided(self) -> str:
        ready, self._waiting = self._waiting, ""
        self._sure = self._sure or bool(ready.strip())
        self._answer.append(ready)
        return ready

    def _end_of_tool(self) -> str:
        """Write a call that came in a channel as JSON, which is read as one."""
        if not self._called:
            return ""
        called, self._called = self._called, ""
        given, self._tool = "".join(self._tool).strip() or "{}", []
        self._state = "aside"
        call = f'{{"name": {json.dumps(called)}, "arguments": {given}}}\n'
        self._answer.append(call)
        return call
