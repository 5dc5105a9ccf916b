"""Where the language model is and how it is asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from generation.llm.openai.dialect import Dialect
from search.errors import InputError
from search.messages.redaction import without_secrets
from search.messages.refusals import unknown_name
from search.models.endpoints import Endpoint, is_sendable, is_web_address

PATH = "/chat/completions"
"""Where questions go, below the base of the API."""

FALLBACK_CONTEXT = 4096
"""Tokens assumed where neither the settings nor the server tell: the smallest context that
servers of current models start with by default (llama.cpp and Ollama: 4,096)."""


TIMEOUTS_A_REPLY = 10
"""So many times the longest pause a whole reply may take: 1,024 tokens at 2 a second take 500 s."""


class LLMSettings(BaseModel):
    """An OpenAI-compatible server and how to use it; invalid values are refused.

    The key may be given as a plain text; it is kept as a `SecretStr`, and is in no repr, log or
    error message.

    Raises:
        InputError: a field is missing, unknown, of another kind, or cannot work.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    """Base of the API, such as `http://127.0.0.1:8080/v1`; `/chat/completions` behind it is cut
    off, and a query (`?api-version=…`) is sent with every request."""
    model: str
    api_key: SecretStr | str | None = None
    timeout_s: float = 120.0
    """Seconds without a sign of the server after which it counts as hung."""
    reply_timeout_s: float | None = None
    """Most seconds that a whole reply takes, further attempts among them, whatever comes meanwhile;
    None: ten times `timeout_s`."""
    retries: int = 2
    """Further attempts after 429, 5xx, a time-out or a lost connection, with growing pauses."""
    temperature: float | None = 0.0
    """0 repeats itself best; None leaves it out."""
    without: tuple[str, ...] = ()
    """Optional parts of a request that are never sent (`dialect.OPTIONAL`); what a server refuses
    is found out without this."""
    extra: Mapping[str, Any] = Field(default_factory=dict)
    """More fields for the body of every request, such as `{"reasoning_effort": "low"}`; they
    replace those of the same name."""
    key_header: str | None = None
    """Header that carries the key; None: `Authorization`, and `api-key` for Azure."""
    max_tokens: int = 1024
    """The longest reply, in tokens."""
    context_tokens: int | None = None
    """Prompt and reply together, in tokens; None asks the server, which may not tell."""
    prompt_price: float | None = None
    """Cost of a million prompt tokens, in whatever currency; None: costs are not counted."""
    reply_price: float | None = None
    """Cost of a million reply tokens, in the same currency."""

    @model_validator(mode="wrap")
    @classmethod
    def _in_words(cls, values: Any, handler: Callable[[Any], Self]) -> Self:
        try:
            return handler(values)
        except ValidationError as error:
            # Without its cause, which shows every value that was given, the key too.
            raise _invalid(_refusal(error, tuple(cls.model_fields))) from None

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        if not is_web_address(url) or any(map(str.isspace, url)):
            raise _invalid(
                f"The language model's URL {_shown(url)!r} is not a web address; "
                "write it like http://127.0.0.1:8080/v1, without spaces or line "
                "breaks."
            )
        return url.rstrip("/")

    @field_validator("without")
    @classmethod
    def _check_without(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        Dialect.without(names)
        return names

    @field_validator("key_header")
    @classmethod
    def _check_header(cls, name: str | None) -> str | None:
        if name is not None and not (name.isascii() and name.replace("-", "").isalnum()):
            raise _invalid(f"{name!r:.40} is not a valid header name for the language model's key.")
        return name

    @field_validator("api_key")
    @classmethod
    def _check_key(cls, key: SecretStr | str | None) -> SecretStr | None:
        key = SecretStr(key) if isinstance(key, str) else key
        if key is not None and not is_sendable(key.get_secret_value()):
            raise _invalid(
                "The language model's API key cannot be used: a key must be one word of ASCII."
            )
        return key

    @field_validator("model")
    @classmethod
    def _check_model(cls, model: str) -> str:
        if not model.strip():
            raise _invalid(
                "The language model has no name; give the name of a model on the server."
            )
        return model

    @field_validator("timeout_s", "reply_timeout_s", "max_tokens", "context_tokens")
    @classmethod
    def _check_positive(cls, value: float | None) -> float | None:
        if value is not None and not (value > 0 and math.isfinite(value)):
            raise _invalid(f"A limit of the language model is {value}; it must be above 0.")
        return value

    @field_validator("prompt_price", "reply_price", "retries")
    @classmethod
    def _check_not_negative(cls, value: float | None, field: ValidationInfo) -> float | None:
        if value is not None and not (value >= 0 and math.isfinite(value)):
            told = (
                f"The language model's retries are {value}; they"
                if field.field_name == "retries"
                else f"A price of the language model is {value}; it"
            )
            raise _invalid(f"{told} must not be negative.")
        return value

    @property
    def longest_reply_s(self) -> float:
        """Most seconds that a whole reply takes."""
        return self.reply_timeout_s or self.timeout_s * TIMEOUTS_A_REPLY

    def cost(self, prompt_tokens: int | None, reply_tokens: int | None) -> float | None:
        """Return what a call costs; None where prices or counts are not known."""
        if None in (self.prompt_price, self.reply_price, prompt_tokens, reply_tokens):
            return None
        prompt = (self.prompt_price or 0.0) * (prompt_tokens or 0)
        return (prompt + (self.reply_price or 0.0) * (reply_tokens or 0)) / 1_000_000

    def public_url(self) -> str:
        """Return the URL without user name, password and query: fit to be shown."""
        return without_credentials(self.url)

    def shown_endpoint(self) -> str:
        """Return where questions go, fit to be shown."""
        return without_credentials(Endpoint.of(self.url, PATH).base) + PATH

    def dialect(self) -> Dialect:
        """Return how the server is asked before anything is found out about it."""
        return Dialect.without(self.without)

    def only_key_header(self, request: Any) -> None:
        """Leave the key in its own header alone; an event hook of the HTTP client."""
        Endpoint.of(self.url, PATH).only_key_header(self.key_header)(request)

    @property
    def plain_key(self) -> str:
        """The key as it is sent; empty: there is none."""
        return self.api_key.get_secret_value() if isinstance(self.api_key, SecretStr) else ""

    def client_options(self) -> dict[str, Any]:
        """Return the arguments of the `openai` client."""
        options = Endpoint.of(self.url, PATH).client_options(self.plain_key, self.key_header)
        return {**options, "timeout": self.timeout_s, "max_retries": self.retries}

    def __repr_args__(self) -> list[tuple[str | None, object]]:
        """Show the URL without its credentials."""
        shown = dict(super().__repr_args__())
        return list({**shown, "url": self.public_url()}.items())


def _invalid(problem: str) -> InputError:
    return InputError(problem, code="llm.invalid-setting")


def _refusal(error: ValidationError, known: tuple[str, ...]) -> str:
    """Return the first thing that is wrong with the fields; no value is repeated."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        return f"The language model's settings: {unknown_name('field', name, known)}"
    if first["type"] == "missing":
        return f"The language model's {name} is missing; give it to LLMSettings."
    problem = first["msg"][:1].lower() + first["msg"][1:]
    return f"The language model's {name} cannot be used: {problem}."


def _shown(url: str) -> str:
    """Return what is not a URL as far as it can hold no credentials."""
    return without_secrets(url) if "://" in url else url.rpartition("@")[2]


def without_credentials(url: str) -> str:
    """Return a URL without user name, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.rpartition("@")[2]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
