"""What the API takes and gives, as OpenAPI describes it.

Requests are checked strictly: no conversion of types, no unknown fields. Responses are the JSON of
records and are only described here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from generation.records import Answer
from generation.verification import Verification
from rirag.server.outline import OutlineEntry
from rirag.server.record_models import EXTRA, described
from rirag.server.storage.feedback import FeedbackEntry, Verdict
from rirag.server.storage.jobs import JobState
from rirag.settings import Mode
from search.pipeline import SearchResult
from search.records import DocumentSummary, Passage

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


class SearchRequest(_Request):
    """A search."""

    question: Text = Field(examples=["How soon must a material incident be notified?"])
    k: int = Field(10, ge=1, le=MOST_K, description="Number of hits.")
    filters: Filters = Field(default_factory=dict)
    profile: Name | None = Field(None, description="Name of a fusion profile.")
    explain: bool = Field(False, description="Whether to add `links` to each hit.")
    search_help: bool = Field(False, description=_HELP)
    neighbours: int = Field(
        0, ge=0, le=MOST_NEIGHBOURS, description="Number of passages before and after each hit."
    )


class AskRequest(_Request):
    """A question to answer."""

    question: Text = Field(examples=["How soon must a material incident be notified?"])
    mode: Mode | None = Field(None, description="How to answer; if left out, the server's default.")
    filters: Filters = Field(default_factory=dict)
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


class ProblemResponse(BaseModel):
    """A refusal (RFC 9457)."""

    model_config = EXTRA

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str


class JobResponse(BaseModel):
    """A job as it is now."""

    model_config = EXTRA

    job_id: str
    state: JobState
    created: str
    updated: str
    status_url: str
    files: list[dict[str, Any]]
    progress: dict[str, Any]
    problem: ProblemResponse | None


LATER = (
    "QuestionID", "RetrievedPassages", "RetrievedIDs", "state", "decisions", "statements",
    "left_out", "not_stated", "passages", "warnings", "filter", "trace",
)  # fmt: skip
"""Fields that a stored answer of an older rirag may lack."""

SearchResponse = described(
    "SearchResponse", "As `rirag search --json` prints it (docs/json.md).", SearchResult
)
AnswerResponse = described(
    "AnswerResponse", "As `rirag ask --json` prints it, with what identifies it.", Answer,
    sometimes=LATER, answer_id=str, created=str, index=dict[str, Any],
    filters=dict[str, list[str]],
)  # fmt: skip
VerificationResponse = described(
    "VerificationResponse", "As `rirag verify --json` prints it.", Verification
)
PassageResponse = described(
    "PassageResponse", "As `rirag documents show --json` prints one passage.", Passage
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
