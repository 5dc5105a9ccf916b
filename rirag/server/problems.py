"""Every refusal of the server as RFC 9457 `application/problem+json`, with a stable code.

The sentence is that of the command line; the status follows from the kind of the error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException

from search.errors import (
    EncoderMismatchError,
    IndexBusyError,
    IndexCorruptError,
    IndexUnavailableError,
    InputError,
    LateReplyError,
    LLMError,
    MissingDependencyError,
    ModelError,
    RiragError,
    StorageError,
)

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A kind of refusal, as the documentation lists it."""

    status: int
    meaning: str


REFUSALS: Mapping[str, Refusal] = {
    "request.malformed": Refusal(400, "The body is no JSON, or a header or form cannot be read."),
    "request.not-json": Refusal(415, "The body must have the content type application/json."),
    "request.not-multipart": Refusal(415, "Files are sent as multipart/form-data."),
    "request.invalid": Refusal(422, "A field is missing, unknown, or of the wrong type or size."),
    "request.not-available": Refusal(422, "A parameter of a later version was given."),
    "request.not-found": Refusal(404, "There is nothing at this address."),
    "request.method": Refusal(405, "The address does not take this method."),
    "request.too-large": Refusal(413, "The body or upload is larger than the limit."),
    "request.too-slow": Refusal(408, "The body did not arrive in time."),
    "request.host": Refusal(421, "The Host header names another server than this one."),
    "request.origin": Refusal(403, "Another site asked a browser to write here."),
    "request.timeout": Refusal(504, "The work took longer than the limit."),
    "key.missing": Refusal(401, "The request has no key."),
    "key.unknown": Refusal(401, "The key is not, or no longer, in the keys file."),
    "key.scope": Refusal(403, "The key may not do this."),
    "limit.rate": Refusal(429, "The key sent more requests a minute than it may."),
    "limit.busy": Refusal(429, "All places for this kind of work are taken."),
    "limit.answers": Refusal(429, "The key has as many answers running as it may."),
    "question.too-long": Refusal(422, "The question has more words than the limit."),
    "profile.unknown": Refusal(422, "There is no profile of this name."),
    "document.unknown": Refusal(404, "The index has no such document."),
    "document.taken": Refusal(409, "A DocumentID is in use where the key cannot see it."),
    "passage.unknown": Refusal(404, "The index has no such passage."),
    "answer.unknown": Refusal(404, "There is no stored answer with this ID."),
    "job.unknown": Refusal(404, "There is no job with this ID."),
    "job.ended": Refusal(409, "The job has ended already."),
    "server.read-only": Refusal(403, "The server was started with --read-only."),
    "server.stopping": Refusal(503, "The server is shutting down."),
    "server.failed": Refusal(500, "A defect; the log has the details under the request ID."),
    "input": Refusal(422, "The input cannot be used as it is."),
    "index.unavailable": Refusal(503, "The index is missing or cannot be read."),
    "index.corrupt": Refusal(503, "A file of the index is not what was written."),
    "index.busy": Refusal(409, "Another process is loading into the index."),
    "index.encoder": Refusal(503, "The index was made with another encoder."),
    "storage": Refusal(507, "The disk is full, read-only or failing."),
    "model": Refusal(503, "An encoder or reranker failed."),
    "dependency.missing": Refusal(501, "An optional part of rirag is not installed."),
    "llm.unavailable": Refusal(502, "The language model cannot be reached or gave no answer."),
    "llm.late": Refusal(504, "The language model did not answer in time."),
}
"""Code → what it means. `/docs` and the reference list them."""

_OF_CLASS: tuple[tuple[type[RiragError], str], ...] = (
    (InputError, "input"),
    (EncoderMismatchError, "index.encoder"),
    (IndexCorruptError, "index.corrupt"),
    (IndexUnavailableError, "index.unavailable"),
    (IndexBusyError, "index.busy"),
    (StorageError, "storage"),
    (ModelError, "model"),
    (MissingDependencyError, "dependency.missing"),
    (LateReplyError, "llm.late"),
    (LLMError, "llm.unavailable"),
)
"""The first class that fits decides the status, and the code of an error without its own."""


class Problem(HTTPException):
    """A refusal on its way to the client."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> None:
        """Refuse with a code of `REFUSALS`; further fields go into the body as they are."""
        super().__init__(status or REFUSALS[code].status, detail, headers)
        self.code = code
        self.fields = fields

    def to_json(self, instance: str) -> dict[str, Any]:
        """Return the body of the response."""
        return {
            "type": f"/docs#{self.code}",
            "title": HTTPStatus(self.status_code).phrase,
            "status": self.status_code,
            "detail": self.detail,
            "instance": instance,
            "code": self.code,
            **self.fields,
        }


def problem_of(error: RiragError) -> Problem:
    """Return the refusal that an error of the library is."""
    code = next((code for kind, code in _OF_CLASS if isinstance(error, kind)), "server.failed")
    own = str(getattr(error, "code", "") or code)
    return Problem(own, str(error), status=REFUSALS[code].status)


def busy(detail: str, code: str = "limit.busy", seconds: int = 1) -> Problem:
    """Return the refusal of work beyond a limit."""
    return Problem(code, detail, headers={"Retry-After": str(seconds)}, retry_after=seconds)


NOT_YET = ("as_of", "since", "until", "version")
"""Parameters that belong to law in time, whose names are kept free."""


def refuse_not_yet(names: object) -> None:
    """Refuse parameters whose meaning comes with a later version.

    Raises:
        Problem: one of them was given.
    """
    given = [name for name in NOT_YET if isinstance(names, Mapping) and name in names]
    if given:
        raise Problem(
            "request.not-available",
            f"{given[0]!r} is not available in this version: the server answers from the text that "
            "the index holds now; leave the parameter out.",
            parameter=given[0],
        )
