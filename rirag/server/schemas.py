"""What the API takes and gives, as OpenAPI describes it.

Requests are checked strictly: no conversion of types, no unknown fields. Responses are the JSON
forms of the library and are only described here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from rirag.server.storage.feedback import Verdict
from rirag.server.storage.jobs import JobState
from rirag.settings import Mode

MOST_K = 100
MOST_NEIGHBOURS = 10
MOST_TEXT = 1_000_000

Text = Annotated[str, StringConstraints(min_length=1, max_length=MOST_TEXT)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Filters = Annotated[
    dict[Name, Annotated[list[Annotated[str, StringConstraints(max_length=2000)]],
                         Field(min_length=1, max_length=100)]],
    Field(max_length=32, description="Field → values, of which any may match.",
          examples=[{"document": ["COND"]}]),
]  # fmt: skip


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


class _Response(BaseModel):
    model_config = ConfigDict(extra="allow")


class SearchRequest(_Request):
    """A search."""

    question: Text = Field(examples=["How soon must a material incident be notified?"])
    k: int = Field(10, ge=1, le=MOST_K, description="Number of hits.")
    filters: Filters = Field(default_factory=dict)
    profile: Name | None = Field(None, description="Name of a fusion profile.")
    explain: bool = Field(False, description="Whether to add `links` to each hit.")
    neighbours: int = Field(
        0, ge=0, le=MOST_NEIGHBOURS, description="Number of passages before and after each hit."
    )


class AskRequest(_Request):
    """A question to answer."""

    question: Text = Field(examples=["How soon must a material incident be notified?"])
    mode: Mode | None = Field(None, description="How to answer; if left out, the server's default.")
    filters: Filters = Field(default_factory=dict)
    profile: Name | None = None
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


class ChatMessage(BaseModel):
    """A turn of a conversation, in OpenAI's form."""

    model_config = ConfigDict(strict=True, extra="allow")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[dict[str, Any]] | None = None


class ChatStreamOptions(BaseModel):
    """How to stream, in OpenAI's form."""

    model_config = ConfigDict(strict=True, extra="allow")

    include_usage: bool | None = Field(None, description="Whether a last chunk has the `usage`.")


class ChatFormat(BaseModel):
    """The format of the answer, in OpenAI's form."""

    model_config = ConfigDict(strict=True, extra="allow")

    type: Literal["text"]


class ChatRequest(BaseModel):
    """A request in OpenAI's form; fields that are not listed have no effect."""

    model_config = ConfigDict(strict=True, extra="allow")

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
    profile: Name | None = Field(None, description="Name of a fusion profile.")


class VerifyRequest(BaseModel):
    """An answer as `POST /v1/ask` returns it."""

    model_config = ConfigDict(extra="allow")

    Answer: str = Field(max_length=MOST_TEXT)


class ProblemResponse(_Response):
    """A refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str


class SearchResponse(_Response):
    """As `rirag search --json` prints it (docs/json.md)."""

    question: str
    plan: dict[str, Any]
    hits: list[dict[str, Any]]


class AnswerResponse(_Response):
    """As `rirag ask --json` prints it, with what identifies it."""

    answer_id: str
    created: str
    index: dict[str, Any]
    filters: dict[str, list[str]]
    Question: str
    Answer: str
    mode: str
    insufficient_evidence: bool
    refused_by: str | None
    citations: list[dict[str, Any]]
    verification: dict[str, Any] | None


class VerificationResponse(_Response):
    """As `rirag verify --json` prints it."""

    statements: list[dict[str, Any]]
    score: float | None


class DocumentSummaryResponse(_Response):
    """One document of the list."""

    document_id: str
    title: str
    passages: int
    metadata: dict[str, Any]


class DocumentsResponse(_Response):
    """A page of documents."""

    documents: list[DocumentSummaryResponse]
    next: str | None


class OutlineEntry(_Response):
    """A passage that others are below, with what is below it."""

    number: str
    heading: str
    id: str
    children: list[OutlineEntry]


class DocumentResponse(DocumentSummaryResponse):
    """One document with its outline."""

    outline: list[OutlineEntry]


class PassageResponse(_Response):
    """As `rirag documents show --json` prints one passage."""

    id: str
    document_id: str
    passage_id: str
    passage: str


class UploadResponse(_Response):
    """Where to ask what becomes of an upload."""

    job_id: str
    status_url: str


class JobResponse(_Response):
    """A job as it is now."""

    job_id: str
    state: JobState
    created: str
    updated: str
    status_url: str
    files: list[dict[str, Any]]
    progress: dict[str, Any]
    problem: ProblemResponse | None


class JobsResponse(_Response):
    """A page of jobs, newest first."""

    jobs: list[JobResponse]
    next: str | None


class FeedbackResponse(_Response):
    """A page of feedback, newest first."""

    feedback: list[dict[str, Any]]
    next: str | None


class ModelResponse(_Response):
    """A name that `POST /v1/chat/completions` takes, in OpenAI's form."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ModelsResponse(_Response):
    """The names that `POST /v1/chat/completions` takes, in OpenAI's form."""

    object: Literal["list"]
    data: list[ModelResponse]


class ReadinessResponse(_Response):
    """What is usable."""

    ready: bool
    checks: dict[str, Any]
