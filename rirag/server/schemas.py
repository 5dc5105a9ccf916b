"""What the API takes and gives, as OpenAPI describes it.

Requests are checked strictly: no conversion of types, no unknown fields. Responses are the JSON of
records and are only described here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from generation.records import Answer
from generation.verification import Verification
from rirag.server.openapi import EXTRA, described
from rirag.server.outline import OutlineEntry
from rirag.server.storage.answers import FeedbackEntry, Verdict
from rirag.server.storage.jobs import JobState
from rirag.settings import Mode
from search.pipeline import SearchResult
from search.records import DocumentSummary, Passage, Status
from search.versions.changes import Amendment
from search.versions.compare import Comparison
from search.versions.works import VersionState

MOST_K = 100
MOST_NEIGHBOURS = 10
MOST_BATCH = 50
MOST_TEXT = 1_000_000

Text = Annotated[str, StringConstraints(min_length=1, max_length=MOST_TEXT)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Filters = Annotated[
    dict[Name, Annotated[list[Annotated[str, StringConstraints(max_length=2000)]],
                         Field(min_length=1, max_length=100)]],
    Field(max_length=32, description="Field → values, of which any may match.",
          examples=[{"document": ["COND"]}]),
]  # fmt: skip


_HELP = "Whether the language model is asked for other words, which are searched too."


class _Request(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _null_is_left_out(cls, body: Any) -> Any:
        """Return the body without optional fields that are null, as many clients send them."""
        if not isinstance(body, dict):
            return body
        needed = {name for name, field in cls.model_fields.items() if field.is_required()}
        known = cls.model_fields.keys() - needed
        return {name: one for name, one in body.items() if one is not None or name not in known}


_AS_OF = Field(
    "", max_length=40, examples=["2026-12-31"],
    description="Day whose law is asked for, or `all`. If left out, today.",
)  # fmt: skip
_VERSION = Field("", max_length=200, description="Version that is asked for, by its name or day.")


class SearchRequest(_Request):
    """A search."""

    question: Text = Field(examples=["How soon must a material incident be notified?"])
    k: int = Field(10, ge=1, le=MOST_K, description="Number of hits.")
    filters: Filters = Field(default_factory=dict)
    as_of: str = _AS_OF
    version: str = _VERSION
    profile: Name | None = Field(None, description="Name of a fusion profile.")
    explain: bool = Field(False, description="Whether to add `links` to each hit.")
    search_help: bool = Field(False, description=_HELP)
    neighbours: int = Field(
        0, ge=0, le=MOST_NEIGHBOURS, description="Number of passages before and after each hit."
    )
    cursor: str | None = Field(None, max_length=200, description="`next` of an earlier result.")
    facets: list[Name] = Field(
        default_factory=list, max_length=32, examples=[["document_id", "kind"]],
        description="Filter fields whose values are counted in all `total` passages.",
    )  # fmt: skip


class BatchRequest(_Request):
    """Several searches."""

    searches: list[SearchRequest] = Field(min_length=1, max_length=MOST_BATCH)


class AskRequest(_Request):
    """A question to answer."""

    question: Text = Field(examples=["How soon must a material incident be notified?"])
    mode: Mode | None = Field(None, description="How to answer; if left out, the server's default.")
    filters: Filters = Field(default_factory=dict)
    as_of: str = _AS_OF
    version: str = _VERSION
    profile: Name | None = None
    search_help: bool | None = Field(
        None, description=f"{_HELP} If left out, as the server is set."
    )
    background: str = Field("", max_length=MOST_TEXT, description="For mode `multi-step`.")
    topic: str = Field("", max_length=2000, description="For mode `multi-step`.")
    stream: bool = Field(False, description="Whether to send server-sent events.")


class FeedbackRequest(_Request):
    """What a reader says of an answer."""

    answer_id: Name
    verdict: Verdict
    citation: Annotated[str, StringConstraints(max_length=200)] | int = Field(
        "",
        description="One citation: its marker, such as `[2]`, its number, or its passage's `id`.",
    )
    comment: str = Field("", max_length=10_000)


class _OpenAI(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")


class ChatMessage(_OpenAI):
    """A turn of a conversation, in OpenAI's form."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None


class ChatStreamOptions(_OpenAI):
    """How to stream, in OpenAI's form."""

    include_usage: bool | None = Field(None, description="Whether a last chunk has the `usage`.")


class ChatFormat(_OpenAI):
    """The format of the answer, in OpenAI's form."""

    type: Literal["text"]


class ChatRequest(_OpenAI):
    """A request in OpenAI's form; fields that are not listed have no effect."""

    model: Name = Field(examples=["rirag"])
    messages: list[ChatMessage] = Field(min_length=1, max_length=1000)
    stream: bool | None = False
    stream_options: ChatStreamOptions | None = None
    n: Literal[1] | None = Field(None, description="Number of answers.")
    response_format: ChatFormat | None = None
    tool_choice: Literal["auto", "none"] | None = Field(None, description="No tool is called.")
    function_call: Literal["auto", "none"] | None = None
    modalities: list[Literal["text"]] | None = None
    logprobs: Literal[False] | None = None
    filters: Filters | None = None
    as_of: str = _AS_OF
    version: str = _VERSION
    profile: Name | None = Field(None, description="Name of a fusion profile.")


class VerifyRequest(BaseModel):
    """An answer as `POST /v1/ask` returns it."""

    model_config = ConfigDict(extra="allow")

    Answer: str = Field(max_length=MOST_TEXT)


class ProblemResponse(BaseModel):
    """A refusal (RFC 9457)."""

    model_config = EXTRA

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str


FacetResponse = described("FacetResponse", "A value of a field.", value=str, count=int)
SearchResponse = described(
    "SearchResponse", "As `rirag search --json` prints it (docs/json.md).", SearchResult,
    facets=NotRequired[dict[str, list[FacetResponse]]],  # type: ignore[valid-type]
    next=str | None,
)  # fmt: skip
BatchResponse = described(
    "BatchResponse", "A result for each search, in order; a problem for one that was refused.",
    results=[SearchResponse | ProblemResponse],
)  # fmt: skip
AnswerResponse = described(
    "AnswerResponse", "As `rirag ask --json` prints it, with what identifies it.", Answer,
    answer_id=str, created=str, index=dict[str, Any],
    filters=dict[str, list[str]],
)  # fmt: skip
VerificationResponse = described(
    "VerificationResponse", "As `rirag verify --json` prints it.", Verification
)
PassageResponse = described(
    "PassageResponse", "As `rirag documents show --json` prints one passage, with its days.",
    Passage, version_id=str | None, valid_from=str | None, valid_to=str | None, status=Status,
    standing=str,
)  # fmt: skip
VersionResponse = described("VersionResponse", "A version of a document.", VersionState)
VersionsResponse = described(
    "VersionsResponse", "As `rirag documents versions --json` prints them.",
    versions=[VersionResponse],
)  # fmt: skip
AmendmentResponse = described("AmendmentResponse", "What changed in a work on a day.", Amendment)
ChangesResponse = described(
    "ChangesResponse", "As `rirag changes --json` prints them.", changes=[AmendmentResponse]
)
ComparisonResponse = described(
    "ComparisonResponse", "As `rirag compare --json` prints it.", Comparison
)
DocumentSummaryResponse = described(
    "DocumentSummaryResponse", "One document of the list.", DocumentSummary
)
DocumentsResponse = described(
    "DocumentsResponse", "A page of documents.",
    documents=[DocumentSummaryResponse], next=str | None,
)  # fmt: skip
DocumentResponse = described(
    "DocumentResponse", "One document with its outline.", DocumentSummary,
    outline=[OutlineEntry],
)  # fmt: skip
JobResponse = described(
    "JobResponse", "A job as it is now.", job_id=str, state=JobState, created=str, updated=str,
    status_url=str, files=[dict[str, Any]], progress=dict[str, Any],
    problem=ProblemResponse | None,
)  # fmt: skip
UploadResponse = described(
    "UploadResponse", "Where to ask what becomes of an upload.", job_id=str, status_url=str
)
JobsResponse = described(
    "JobsResponse", "A page of jobs, newest first.", jobs=[JobResponse], next=str | None
)
FeedbackResponse = described(
    "FeedbackResponse", "A page of feedback, newest first.",
    feedback=[FeedbackEntry], next=str | None,
)  # fmt: skip
ModelResponse = described(
    "ModelResponse", "A name that `POST /v1/chat/completions` takes, in OpenAI's form.",
    id=str, object=Literal["model"], created=int, owned_by=str,
)  # fmt: skip
ModelsResponse = described(
    "ModelsResponse", "The names that `POST /v1/chat/completions` takes, in OpenAI's form.",
    object=Literal["list"], data=[ModelResponse],
)  # fmt: skip
ReadinessResponse = described(
    "ReadinessResponse", "What is usable.", ready=bool, checks=dict[str, Any]
)
