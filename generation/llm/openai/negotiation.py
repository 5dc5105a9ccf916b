"""One prompt on its way: sent in a server's dialect, and in another one where it is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from generation.llm.json_in_prompt import calls_in, needs_tools
from generation.llm.openai.dialect import MEMORY, Dialect, Memory
from generation.llm.openai.errors import ReasoningOnlyError
from generation.llm.openai.refusals import adapted
from generation.llm.openai.requests import in_dialect, request_body
from generation.llm.openai.settings import LLMSettings
from generation.llm.protocol import Completion, Prompt, ReplySchema
from generation.llm.schemas import read_json
from search.errors import EmptyReplyError, LateReplyError, LLMError
from search.models.faults import Fault

Number = TypeVar("Number", int, float)

MOST_REQUESTS = 10
"""Requests for one reply, whatever a server refuses: each one drops something."""

_NO_TOOLS = "The server has no function calling; the functions were described in the prompt."
_NO_SCHEMA = "The server has no structured output; the schema was described in the prompt."
_EMPTY = (
    "The model replied with nothing twice; the functions or schema were described in the prompt."
)
_LEAKED = "The model wrote its function calls as text; they were parsed."
_IN_REASONING = "The JSON was in the model's reasoning, with no text after it; it was used."


class Negotiation:
    """Finds the way in which a server takes a prompt.

    Nothing is remembered of a server before the other way has worked.
    """

    def __init__(
        self, prompt: Prompt, settings: LLMSettings, *, heard: bool, memory: Memory = MEMORY
    ) -> None:
        self._prompt = prompt
        self._settings = settings
        self._heard = heard
        self._memory = memory
        self._usual = Dialect.without(settings.without)
        self._known = memory.dialect(settings.url, settings.model, self._usual)
        self.dialect = self._known
        """In which the server is asked now."""
        self._sent: dict[str, Any] = {}
        self._requests = 0
        self._unused: tuple[Completion, ...] = ()
        """Replies to ways that did not work: they were paid for too."""
        self._empty = 0
        """How many replies said nothing."""

    def to_send(self) -> dict[str, Any]:
        """Return the body of the request to make now."""
        self._requests += 1
        prompt = in_dialect(self._prompt, self.dialect)
        self._sent = request_body(prompt, self._settings, self.dialect, heard=self._heard)
        return self._sent

    def refused(self, fault: Fault) -> bool:
        """Take in a refusal; return whether there is another way to try."""
        other = adapted(fault, self._sent, self.dialect, self._others())
        if other is None or other == self.dialect or self._requests >= MOST_REQUESTS:
            return False
        self.dialect = other
        return True

    def unanswered(self, error: LLMError) -> bool:
        """Take in what is not a reply; return whether to ask again, in this way or another.

        A reply that says nothing may do so once, whatever the server knows: it is asked for again
        as it was. In words it is asked for then, but nothing is learned of the server. After one
        that did not end in time nothing is asked.
        """
        if isinstance(error, LateReplyError) or error.code not in ("llm.empty", "llm.no-api"):
            return False
        if not any(self._others()):
            return False
        if isinstance(error, EmptyReplyError):
            self._empty += 1
            if self._empty == 1:
                return True
        return self.refused(Fault(0, ""))

    def _others(self) -> tuple[bool, bool]:
        """Return whether functions, and whether a shape, are asked of the server itself."""
        tools = needs_tools(self._prompt) and self.dialect.tools
        return tools, self._prompt.schema is not None and self.dialect.response_format

    def from_reasoning(self, error: LLMError) -> Completion | None:
        """Return the reply of a model whose JSON is in its reasoning; None for any other."""
        schema = self._prompt.schema
        if schema is None or not isinstance(error, ReasoningOnlyError):
            return None
        done = replace(error.done, text=error.done.reasoning, reasoning="")
        if not _fits(done, schema):
            return None
        self._learn(done)
        return replace(self._paid(done), notes=(_IN_REASONING, *self._notes()))

    def taken(self, completion: Completion, closed_alone: bool = False) -> Completion | None:
        """Take in a reply; return it as a reply to the prompt, None to try another way."""
        if closed_alone:
            self.dialect = replace(self.dialect, closes_alone=True)
        done = self._with_calls(completion)
        tools, shape = self._others()
        if tools and self._prompt.tools_required and not done.tool_calls:
            self._put_in_words(completion, replace(self.dialect, tools=False))
            return None
        # A reply that was cut says nothing about what the server knows.
        whole = done.finish in ("stop", "unknown")
        if self._prompt.schema and shape and whole and not _fits(done, self._prompt.schema):
            self._put_in_words(completion, replace(self.dialect, response_format=False))
            return None
        self._learn(done)
        return replace(self._paid(done), notes=(*done.notes, *self._notes()))

    def _put_in_words(self, completion: Completion, dialect: Dialect) -> None:
        self.dialect = dialect
        self._unused = (*self._unused, completion)

    def _with_calls(self, completion: Completion) -> Completion:
        tools = self._prompt.tools
        if not tools or completion.tool_calls:
            return completion
        calls = calls_in(completion.text, tools)
        if not calls:
            return completion
        notes = (*completion.notes, _LEAKED) if self.dialect.tools else completion.notes
        return replace(completion, text="", tool_calls=calls, notes=notes)

    def _learn(self, done: Completion) -> None:
        """Remember the dialect in which the server was asked, as far as the reply proves it."""
        known, used = self._known, self.dialect
        tools_prove = bool(done.tool_calls) or not self._prompt.tools
        shape = self._prompt.schema
        shape_proves = shape is None or _fits(done, shape)
        if self._was_silent() or not tools_prove:
            used = replace(used, tools=known.tools)
        if self._was_silent() or not shape_proves:
            used = replace(used, response_format=known.response_format)
        if used != known:
            self._memory.learn(self._settings.url, self._settings.model, used)

    def _was_silent(self) -> bool:
        """Whether the other way was taken because nothing was said, and nothing refused."""
        return self._empty > 1

    def _notes(self) -> tuple[str, ...]:
        if self._was_silent():
            return (_EMPTY,)
        told = self.dialect.differences()
        tools, shape = bool(self._prompt.tools), self._prompt.schema is not None
        notes = [_NO_TOOLS] if tools and told.pop("tools", "") else []
        notes += [_NO_SCHEMA] if shape and told.pop("response_format", "") else []
        mute = {"tools", "response_format", "closes_alone"}
        mute |= set() if tools and self.dialect.tools else {"tool_choice"}
        mute |= set() if self._heard or self.dialect.stream == "always" else {
            "stream", "stream_options",
        }  # fmt: skip
        wanted = Dialect.without(self._settings.without).differences()
        found = [text for name, text in told.items() if name not in mute and name not in wanted]
        return (*notes, f"Adapted to this server: {'; '.join(found)}.") if found else tuple(notes)

    def _paid(self, done: Completion) -> Completion:
        """Return a reply with the tokens and the cost of those before it that were of no use."""
        if not self._unused:
            return done
        every: Sequence[Completion] = (*self._unused, done)
        return replace(
            done,
            prompt_tokens=_total(one.prompt_tokens for one in every),
            completion_tokens=_total(one.completion_tokens for one in every),
            cost=_total(one.cost for one in every),
        )


def _total(known: Iterable[Number | None]) -> Number | None:
    found = [one for one in known if one is not None]
    return sum(found[1:], start=found[0]) if found else None


def _fits(completion: Completion, schema: ReplySchema) -> bool:
    try:
        read_json(completion.text, schema.taken or schema.schema)
    except LLMError:
        return False
    return True
