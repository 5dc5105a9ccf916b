"""Every refusal of the server as RFC 9457 `application/problem+json`, with a stable code.

The sentence is that of the command line; the status follows from the code.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException

from rirag.server.root_path import rooted
from search.errors import RiragError
from search.messages.codes import CODES

LOG = logging.getLogger("rirag.server")

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A kind of refusal, as the documentation lists it."""

    status: int
    meaning: str


REFUSALS: Mapping[str, Refusal] = {
    "request.malformed": Refusal(
        400, "The body is not valid JSON, or a header or form cannot be read."
    ),
    "request.not-json": Refusal(415, "The body must have the content type application/json."),
    "request.not-multipart": Refusal(415, "Files must be sent as multipart/form-data."),
    "request.invalid": Refusal(422, "A field is missing, unknown, or of the wrong type or size."),
    "request.not-available": Refusal(422, "A parameter of a later version was given."),
    "request.not-found": Refusal(404, "The address does not exist."),
    "request.method": Refusal(405, "The address does not support this method."),
    "request.too-large": Refusal(413, "The body or upload is larger than the limit."),
    "request.too-slow": Refusal(408, "The body did not arrive in time."),
    "request.host": Refusal(421, "The Host header names a server other than this one."),
    "request.origin": Refusal(403, "A browser sent this request from another site."),
    "request.timeout": Refusal(504, "The work took longer than the limit."),
    "key.missing": Refusal(401, "The request has no key."),
    "key.unknown": Refusal(401, "The key is not in the keys file, or was revoked."),
    "key.scope": Refusal(403, "The key may not do this."),
    "limit.rate": Refusal(429, "The key sent more requests per minute than it may."),
    "limit.busy": Refusal(429, "All workers for this kind of request are busy."),
    "limit.answers": Refusal(429, "The key has as many answers running as it may."),
    "question.too-long": Refusal(422, "The question has more words than the limit."),
    "chat.unknown-model": Refusal(404, "The chat names a model that the server does not have."),
    "document.taken": Refusal(
        409, "The DocumentID is in use by a document that the key cannot see."
    ),
    "answer.unknown": Refusal(404, "No stored answer has this ID."),
    "job.unknown": Refusal(404, "No job has this ID."),
    "job.ended": Refusal(409, "The job has already ended."),
    "server.read-only": Refusal(403, "The server was started with --read-only."),
    "server.stopping": Refusal(503, "The server is shutting down."),
    "server.failed": Refusal(500, "Internal error; the log has the details under the request ID."),
}
"""What only a server refuses, by code."""

STATUSES: tuple[tuple[str, int], ...] = (
    ("document.unknown", 404),
    ("passage.unknown", 404),
    ("index.busy", 409),
    ("index.invalid-name", 422),
    ("index.", 503),
    ("engine.", 503),
    ("encoder.mismatch", 503),
    ("load.ended", 503),
    ("storage.", 507),
    ("model.unknown", 422),
    ("model.", 503),
    ("judge.", 503),
    ("dependency.missing", 501),
    ("llm.not-configured", 422),
    ("llm.unknown-role", 422),
    ("llm.invalid-setting", 422),
    ("llm.timeout", 504),
    ("llm.late", 504),
    ("llm.", 502),
    ("error.other", 500),
    ("work.cancelled", 503),
)
"""What a code of the library is or begins with → its status; the first that fits decides."""


def refusals() -> dict[str, Refusal]:
    """Return code → status and meaning of all that can be refused."""
    library = {code: Refusal(_status(code), meaning) for code, meaning in CODES.items()}
    return dict(sorted({**library, **REFUSALS}.items()))


def _status(code: str) -> int:
    if code in REFUSALS:
        return REFUSALS[code].status
    return next((status for begin, status in STATUSES if code.startswith(begin)), 422)


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
        """Refuse with a code of `refusals`; further fields go into the body as they are."""
        super().__init__(status or _status(code), detail, headers)
        self.code = code
        self.fields = fields

    def to_json(self, instance: str) -> dict[str, Any]:
        """Return the body of the response."""
        return {
            "type": rooted(f"/docs#{self.code}"),
            "title": HTTPStatus(self.status_code).phrase,
            "status": self.status_code,
            "detail": self.detail,
            "instance": rooted(instance),
            "code": self.code,
            **self.fields,
        }


_FOLDERS = re.compile(r"(?<![\w:/.])/(?:[^\s/'\",;:]+/)+(?=[^\s/])")
"""The folders of an absolute path: clients need not know where the server keeps its files."""

_COMMAND = re.compile(r"; list them with: rirag .*\Z", re.DOTALL)
"""The end of a refusal that helps on the command line alone."""


def problem_of(error: RiragError) -> Problem:
    """Return the refusal that an error of the library is."""
    return Problem(error.code, _FOLDERS.sub("", _COMMAND.sub(".", str(error))))


def told(error: Exception, event: str, **where: Any) -> Problem:
    """Return the refusal that work ends in; a defect is logged, and says nothing of itself.

    Args:
        error: what ended the work.
        event: what the log calls it.
        where: further fields of the line in the log.
    """
    if isinstance(error, Problem):
        return error
    if isinstance(error, RiragError):
        return problem_of(error)
    LOG.error(event, exc_info=error, extra=where)
    return Problem("server.failed", "internal error; the log has the details.")


def invalid(found: Sequence[tuple[str, str]]) -> Problem:
    """Return the refusal of a request with wrong fields, each with what is wrong with it."""
    field, wrong = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return Problem(
        "request.invalid",
        f"{field}: {wrong}{more}.",
        errors=[{"field": name, "problem": why} for name, why in found[:20]],
    )


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
            (
                f"{given[0]!r} is not supported in this version: the server answers from "
                "the text in the index; leave the parameter out."
            ),
            parameter=given[0],
        )
