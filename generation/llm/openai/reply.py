"""A reply in the making: from what a server sends to a completion.

Servers differ, and a proxy may answer in a model's place: nothing is taken on trust.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generation.llm.looping import LONGEST_WRITTEN, ROUNDS, runs_in_a_loop
from generation.llm.openai import errors
from generation.llm.openai.content import Calls, Characters, Content, ShapeError, content_of
from generation.llm.openai.settings import LLMSettings
from generation.llm.protocol import Completion, Finish, OnText
from generation.llm.reasoning import ReasoningFilter
from generation.llm.tables import SERVERS
from search.errors import LateReplyError, LLMError
from search.models.faults import ServerError, fault_in, fault_of, fault_of_error

_EVENTS = ("data:", "event:", "id:", "retry:", ":")


class Wire:
    """Takes a response line by line, in whichever form the server chose to send it."""

    def __init__(self) -> None:
        self._pending: list[str] = []
        self._is_open = False
        self.is_stream = False
        """Whether the values are pieces of one reply."""
        self.is_done = False
        """Whether the server said that nothing more comes."""

    @property
    def text(self) -> str:
        """What came and is not JSON yet."""
        return "\n".join(self._pending)

    def line(self, line: str) -> Iterator[Any]:
        """Take the next line, without its end; yield the values that it completes."""
        line = line.removeprefix("\ufeff")
        if not self._is_open and line.strip():
            self._is_open, self.is_stream = True, line.lstrip().startswith(_EVENTS)
        if not self.is_stream:
            self._pending.append(line)
            return
        if not line.strip():
            yield from self._event(complete=True)
            return
        name, _, value = line.strip().partition(":")
        if name == "data" and not self.is_done:
            value = value.removeprefix(" ")
            if value.strip() == "[DONE]":
                self.is_done = True
                return
            self._pending.append(value)
            if len(self._pending) == 1:  # most events have one line; longer ones end with a blank
                yield from self._event(complete=False)

    def end(self) -> Iterator[Any]:
        """Yield what the end of the response completes."""
        if self.is_stream or not self.text.strip():
            yield from self._event(complete=True)
            return
        try:
            yield json.loads(self.text)
        except ValueError:
            lines = [line for line in self._pending if line.strip()]
            if len(lines) == 1 or not all(line.lstrip().startswith("{") for line in lines):
                raise
            self.is_stream = True
            yield from [json.loads(line) for line in lines]

    def _event(self, *, complete: bool) -> Iterator[Any]:
        """Yield the value of an event; one of a single line may lack the blank line behind it."""
        text = self.text.strip()
        if not text:
            self._pending.clear()
            return
        try:
            value = json.loads(text)
        except ValueError:
            if complete:
                raise
            return
        self._pending.clear()
        yield value


_FINISHES: Mapping[str, Finish] = {
    word: finish for finish, words in SERVERS["finish"].items() for word in words
}


def finish_of(word: str) -> Finish:
    """Return what a server's word means; `unknown` where no vendor known here uses it."""
    folded = word.strip().casefold().replace("-", "_").replace(" ", "_")
    return _FINISHES.get(folded.removeprefix("finish_reason_"), "unknown")


_ASIDE = "The model wrote past the end of its turn; the extra text was removed from the answer."


class Reply:
    """Takes the lines of a response, passes text of the answer on, and keeps the rest apart."""

    def __init__(
        self, settings: LLMSettings, on_text: OnText | None, *, closes_alone: bool = False
    ) -> None:
        self._settings = settings
        self._on_text = on_text
        self._wire = Wire()
        self._characters = Characters()
        self._filter = ReasoningFilter(closes_alone=closes_alone)
        self._calls = Calls()
        self._answer = ""
        self._apart: list[str] = []
        self._refusals: list[str] = []
        self._finish = ""
        self._detail = ""
        self._usage: Any = None
        self._seen_choices = False
        self._written: list[str] = []
        self._end = ""
        self.is_looping = False
        """Whether the same words came over and over; there is no use in reading on."""

    @property
    def closed_alone(self) -> bool:
        """Whether the model closed reasoning that it had not opened."""
        return self._filter.closed_alone

    def line(self, line: str) -> None:
        """Take the next line of the response."""
        try:
            for value in self._wire.line(line):
                self._add(value)
        except (ValueError, RecursionError):
            raise errors.nonsense(self._settings, line) from None

    def finished(self) -> Completion:
        """Return the reply after the last line."""
        try:
            for value in self._wire.end():
                self._add(value)
        except (ValueError, RecursionError):
            raise errors.nonsense(self._settings, self._wire.text) from None
        if not self._seen_choices and self._usage is None:
            raise errors.nonsense(self._settings, self._wire.text)
        return self._completion(self._ending())

    def broken(self, error: Exception) -> Completion:
        """Return what came before the stream broke, or before its time was over."""
        is_late = isinstance(error, LateReplyError)
        if not isinstance(error, LLMError):
            self._detail = self._detail or errors.shown_words(
                fault_of_error(error).reason, self._settings
            )
        self._end_of_text()
        if not self._answer.strip():
            raise error
        return self._completion("late" if is_late else "cut")

    def _add(self, value: Any) -> None:
        if fault := fault_in(value):
            raise ServerError(fault)
        if not isinstance(value, Mapping):
            raise errors.nonsense(self._settings, str(value))
        usage = value.get("usage")
        self._usage = usage if isinstance(usage, Mapping) else self._usage
        choice = self._choice(value)
        if choice is None:
            return
        if choice.get("error"):
            raise ServerError(fault_of(0, choice["error"]))
        try:
            self._take(choice)
        except ShapeError:
            raise errors.nonsense(self._settings, str(choice)) from None

    def _choice(self, value: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the first choice; None where there is none, or only another one."""
        choices = value.get("choices")
        if choices is None and not self._wire.is_stream and self._usage is None:
            raise errors.nonsense(self._settings, str(dict(value)))
        if choices is not None and not isinstance(choices, list):
            raise errors.nonsense(self._settings, str(choices))
        if not choices:
            self._seen_choices = self._seen_choices or choices is not None
            return None
        self._seen_choices = True
        if not all(isinstance(one, Mapping) for one in choices):
            raise errors.nonsense(self._settings, str(choices))
        return next((one for one in choices if one.get("index") in (0, None)), None)

    def _take(self, choice: Mapping[str, Any]) -> None:
        finish = choice.get("finish_reason") or choice.get("stop_reason")
        if finish is not None and not isinstance(finish, str | int):
            raise ShapeError
        self._finish = str(finish) if isinstance(finish, str) and finish else self._finish
        self._detail = self._detail or ", ".join(_filters(choice.get("content_filter_results")))
        message = choice.get("delta") or choice.get("message")
        whole = not choice.get("delta") and choice.get("message") is not None
        content = content_of(message)
        if not message and isinstance(choice.get("text"), str):
            content = Content(choice["text"])
        self._apart.append(content.reasoning)
        self._refusals.append(content.refusal)
        self._calls.add(message, whole=whole)
        text = content.answer
        if whole and self._wire.is_stream and self._written:
            # Some servers end a stream with the whole message.
            text = text.removeprefix("".join(self._written))
        self._hear(self._characters.feed(text))

    def _hear(self, text: str) -> None:
        if not text:
            return
        self._written.append(text)
        self._end = (self._end + text)[-LONGEST_WRITTEN * ROUNDS :]
        self.is_looping = self._wire.is_stream and runs_in_a_loop(self._end)
        self._pass_on(self._filter.feed(text))

    def _pass_on(self, text: str) -> None:
        if text and self._on_text is not None:
            self._on_text(text)

    def _end_of_text(self) -> None:
        self._hear(self._characters.finish())
        self._pass_on(self._filter.finish())
        self._answer = self._filter.answer

    def _ending(self) -> Finish:
        """Return why the reply ended; a stream without a word on that was cut."""
        if self.is_looping:
            return "looped"
        if self._finish:
            return finish_of(self._finish)
        whole = not self._wire.is_stream or self._wire.is_done
        return "stop" if whole else "cut"

    def _completion(self, finish: Finish) -> Completion:
        self._end_of_text()
        try:
            calls = tuple(self._calls.made())
        except ShapeError:
            raise errors.nonsense(self._settings, "a function call without a name") from None
        reasoning = "\n".join(filter(None, ("".join(self._apart).strip(), self._filter.reasoning)))
        prompt, reply = (_tokens(self._usage, f"{one}_tokens") for one in ("prompt", "completion"))
        refusal = "".join(self._refusals).strip()
        if self._filter.is_reasoning and self._answer.strip() and finish == "stop":
            finish = "cut"
        if refusal and finish == "stop":
            finish, self._detail = "filtered", refusal
        done = Completion(
            self._answer, self._settings.model, finish, prompt, reply, calls,
            self._settings.cost(prompt, reply), (_ASIDE,) if self._filter.has_aside else (),
            reasoning=reasoning, ended=self._ended(finish),
        )  # fmt: skip
        if not self._answer.strip() and not calls:
            raise errors.without_answer(done, refusal, self._settings)
        return done

    def _ended(self, finish: Finish) -> str:
        if finish == "stop":
            return ""
        usual = {"length": "length", "filtered": "content_filter"}.get(finish, "")
        words = self._detail or ("" if self._finish == usual else self._finish)
        return errors.shown_words(words, self._settings) if words else ""


def _filters(results: Any) -> list[str]:
    if not isinstance(results, Mapping):
        return []
    return [
        name for name, found in results.items()
        if isinstance(found, Mapping) and (found.get("filtered") or found.get("detected"))
    ]  # fmt: skip


def _tokens(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, Mapping) else None
    return value if type(value) is int else None
