"""Define the settings of the command line, and record the source of each.

In order of priority: flags, environment (`RIRAG_*`), `rirag.toml` in the working directory (or the
file that `RIRAG_CONFIG` names), defaults.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    AliasChoices,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from rirag.config_file import (
    CONFIG_VARIABLE,
    ConfigFile,
    read_config_file,
    secret_refused,
)
from rirag.refusals import unusable
from search.errors import InputError
from search.messages.plain_errors import plain_error
from search.messages.redaction import without_secrets
from search.messages.refusals import unknown_name

Mode = Literal[
    "extractive", "rag", "advisor", "multi-step", "delegate", "zero-shot", "few-shot"
]  # fmt: skip
"""How an answer is written: by quoting the obligations, or by a language model in one of several
ways (docs/answers.md)."""

MOST_HITS = 1000
"""`search.pipeline.MAX_K`, which is not imported for the sake of a quick `--help`…"""
MOST_THREADS = 1024
"""… nor is `search.models.encoders.onnx.MOST_THREADS`."""

MODEL_ROLES = ("common_law", "civil_law", "junior", "challenger")
"""Roles that can have their own language model, as in the setting `llm_model_civil_law`."""

SECRETS = {
    "llm_api_key": ("RIRAG_LLM_API_KEY", "OPENAI_API_KEY"),
    "llm_api_key_common_law": ("RIRAG_LLM_API_KEY_COMMON_LAW",),
    "llm_api_key_civil_law": ("RIRAG_LLM_API_KEY_CIVIL_LAW",),
    "llm_api_key_junior": ("RIRAG_LLM_API_KEY_JUNIOR",),
    "llm_api_key_challenger": ("RIRAG_LLM_API_KEY_CHALLENGER",),
    "server_api_key": ("RIRAG_SERVER_API_KEY",),
    "server_password": ("RIRAG_SERVER_PASSWORD",),
}
"""Settings that only the environment may contain, with the variables read, in order of priority."""

SECRET_FILES = {
    "server_api_key": "server_api_key_file",
    "server_password": "server_password_file",
}
"""Secret → the setting that may name a file that contains it."""

_PREFIX = "RIRAG_"
_OTHER_VARIABLES = (
    CONFIG_VARIABLE, "RIRAG_EMBEDDING_URL", "RIRAG_EMBEDDING_API_KEY",
    "RIRAG_EMBEDDING_MAX_CHARACTERS", "RIRAG_RERANK_URL", "RIRAG_RERANK_API_KEY",
)  # fmt: skip
"""Variables that are not settings: the file's location, and servers of encoder and reranker."""

_ADDRESS = "it must begin with http:// or https:// and hold no white space"


class Settings(BaseSettings):
    """Everything that can be set once for all commands.

    `Settings(**flags)` takes the flags that were given; a flag that is None was not.

    Raises:
        InputError: a value cannot be used, a key of the file is unknown, or a secret is
            anywhere but in the environment. The message names the flag, variable or file and line.
    """

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True, frozen=True)

    index: str = Field("rirag-index", min_length=1)
    """Folder or URL of the index."""
    encoder: str | None = None
    """Encoder; None: that of the index, or the default at the first load."""
    profile: str = "default"
    """Fusion profile."""
    k: int = Field(10, ge=1, le=MOST_HITS)
    """Number of hits."""
    reranker: str | None = Field(None, min_length=1)
    """Reranker, such as `regulation-minilm-l3-reranker-int8`; None: no reranking."""
    rerank: bool = True
    """Whether to use the configured reranker."""
    answered_questions: bool = True
    """Whether answered questions of the index vote."""
    tuning: str | None = Field(None, min_length=1)
    """TOML file of synonyms and pinned rules (docs/tuning.md); None: there is none."""
    search_help: bool = True
    """Whether the language model, if one is configured, writes other words for a question that are
    searched too, before it is answered.
    """
    search_order: bool = False
    """Whether the language model puts the best 30 passages in order before it answers."""
    mode: Mode | None = None
    """How to answer; None: `rag` if a language model is configured, else `extractive`."""
    filter_limit: int = Field(10, ge=1, le=MOST_HITS)
    """Maximum number of passages in an answer (RIRAG, section 5.2)."""
    filter_drop: float = Field(0.2, ge=0, le=1, allow_inf_nan=False)
    """Passages after the first larger drop of the score are left out (same section)."""
    filter_floor: float = Field(0.7, ge=0, le=1, allow_inf_nan=False)
    """Minimum score of a passage in an answer (same section)."""
    filter_score: Literal["score", "relevance"] = "score"
    """What drop and floor apply to: `score` or `relevance`."""
    filter_answerable: float = Field(0.1, ge=0, le=1, allow_inf_nan=False)
    """Minimum probability that the index has an answer, if known; unless set, 0.2 if a calibration
    gives the probability.
    """
    filter_margin: float = Field(5.0, ge=0, le=100, allow_inf_nan=False)
    """Log-odds behind the likeliest statement at which a passage left out is read too; 0: none."""
    llm_url: str | None = Field(None, pattern=r"^https?://\S+$")
    """Base URL of an OpenAI-compatible server."""
    llm_model: str | None = None
    """Model on that server."""
    llm_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices(*SECRETS["llm_api_key"])
    )
    """Key of that server; only from the environment, also as OPENAI_API_KEY."""
    llm_timeout_s: float = Field(60.0, gt=0, allow_inf_nan=False)
    """Seconds to wait for the server."""
    llm_reply_timeout_s: float | None = Field(None, gt=0, allow_inf_nan=False)
    """Maximum seconds for a whole reply; None: ten times `llm_timeout_s`."""
    llm_context_tokens: int | None = Field(None, ge=256)
    """Tokens of prompt and reply together; None: as the server reports."""
    llm_max_tokens: int = Field(1024, ge=1)
    """Maximum length of a reply, in tokens, including reasoning."""
    llm_temperature: float = Field(0.0, ge=0, le=2, allow_inf_nan=False)
    """Sampling temperature; 0 gives the most repeatable replies."""
    llm_without: str | None = Field(None, min_length=1)
    """Optional parts of a request that are never sent, separated by commas (`temperature, system`);
    rejected parts are also detected automatically.
    """
    llm_extra: str | None = Field(None, min_length=1)
    """JSON object with additional fields of every request, such as `{"reasoning_effort": "low"}`.
    """
    llm_key_header: str | None = Field(None, min_length=1)
    """Header that carries the key; None: `Authorization`, and `api-key` for Azure."""
    llm_url_common_law: str | None = Field(None, pattern=r"^https?://\S+$")
    """Server for common law in mode `advisor`; None: that of `llm_url`."""
    llm_model_common_law: str | None = Field(None, min_length=1)
    """Its model; None: `llm_model`."""
    llm_api_key_common_law: SecretStr | None = None
    """Its key; only from the environment. Without one, the server of `llm_url` gets its own key."""
    llm_url_civil_law: str | None = Field(None, pattern=r"^https?://\S+$")
    """Server for civil law in mode `advisor`; None: that of `llm_url`."""
    llm_model_civil_law: str | None = Field(None, min_length=1)
    """Its model; None: `llm_model`."""
    llm_api_key_civil_law: SecretStr | None = None
    """Its key; only from the environment. Without one, the server of `llm_url` gets its own key."""
    llm_url_junior: str | None = Field(None, pattern=r"^https?://\S+$")
    """Server that reads parts in mode `delegate`; None: that of `llm_url`."""
    llm_model_junior: str | None = Field(None, min_length=1)
    """Its model; None: `llm_model`."""
    llm_api_key_junior: SecretStr | None = None
    """Its key; only from the environment. Without one, the server of `llm_url` gets its own key."""
    llm_url_challenger: str | None = Field(None, pattern=r"^https?://\S+$")
    """Server that challenges conclusions in mode `delegate`; None: that of `llm_url`."""
    llm_model_challenger: str | None = Field(None, min_length=1)
    """Its model; None: `llm_model`."""
    llm_api_key_challenger: SecretStr | None = None
    """Its key; only from the environment. Without one, the server of `llm_url` gets its own key."""
    llm_calls_at_once: int = Field(4, ge=1)
    """Maximum number of concurrent calls of a model."""
    llm_prompt_price: float | None = Field(None, ge=0, allow_inf_nan=False)
    """Cost of a million prompt tokens; with `llm_reply_price`, traces show the cost."""
    llm_reply_price: float | None = Field(None, ge=0, allow_inf_nan=False)
    """Cost of a million reply tokens, in the same currency."""
    delegate_steps: int = Field(12, ge=1)
    """Maximum number of steps of a plan in mode `delegate`."""
    delegate_tokens: int = Field(400_000, ge=1)
    """Maximum number of tokens of an answer of mode `delegate`, prompts and replies together."""
    delegate_cost: float | None = Field(None, gt=0, allow_inf_nan=False)
    """Maximum cost of an answer of mode `delegate`, if prices are set; None: no limit."""
    delegate_seconds: float = Field(900.0, gt=0, allow_inf_nan=False)
    """Maximum time of an answer of mode `delegate`."""
    regime: str | None = Field(None, min_length=1)
    """Legal regime of mode `advisor`: `common law` or `civil law`; None: detected."""
    examples: str | None = Field(None, min_length=1)
    """File of answered questions for modes `few-shot` and `multi-step`; None: for `few-shot` the
    answered questions of the index.
    """
    prompts: str | None = Field(None, min_length=1)
    """Folder of prompts that replace the built-in ones of the same name."""
    judge: str | None = Field(None, min_length=1)
    """Judge for statements in doubt: `none`, `cross-encoder`, a reranker, `nli:MODEL` or `llm`;
    None: `cross-encoder` in `rirag verify`, `none` in `rirag ask`.
    """
    require_supported: bool = False
    """Whether answers keep only statements that their cited passages support."""
    encoder_threads: int | None = Field(None, ge=1, le=MOST_THREADS)
    """Threads of an ONNX encoder or reranker; None: the number of cores, at most 4."""
    server_api_key: SecretStr | None = None
    """API key of the search server; only from the environment, or from a file."""
    server_api_key_file: str | None = Field(None, min_length=1)
    """File that contains only this key."""
    server_user: str | None = Field(None, min_length=1)
    """User name on that server, if it takes no key."""
    server_password: SecretStr | None = None
    """Password of that user; only from the environment, or from a file."""
    server_password_file: str | None = Field(None, min_length=1)
    """File that contains only this password."""
    server_ca_file: str | None = Field(None, min_length=1)
    """PEM file of the authority that signed the server's certificate; None: those of the system."""
    server_client_certificate: str | None = Field(None, min_length=1)
    """PEM file of the client certificate, if the server requires one."""
    server_client_key: str | None = Field(None, min_length=1)
    """PEM file of its private key."""
    server_timeout_s: float = Field(30.0, gt=0, le=86_400, allow_inf_nan=False)
    """Seconds to wait for the server's reply to a search."""
    server_shards: int | None = Field(None, ge=1)
    """Primary shards of a new or rebuilt index; None: as many as it has, or one."""
    server_replicas: int | None = Field(None, ge=0)
    """Copies of each shard; None: as many as the index has (a new one: one copy if the cluster has
    a second node, else none).
    """
    server_exact_up_to: int = Field(100_000, ge=0)
    """Maximum number of passages whose vectors are compared exactly; larger indexes use an HNSW
    graph.
    """
    server_keep_minutes: float = Field(60.0, ge=0, allow_inf_nan=False)
    """Minutes that a replaced state stays available to those who have it open; the last one always
    does.
    """

    _origins: dict[str, str] = PrivateAttr(default_factory=dict)

    def __init__(self, **flags: Any) -> None:
        given = {name: value for name, value in flags.items() if value is not None}
        _refuse_secrets(given)
        file = _config_file()
        _check_file(file)
        origins = _origins(given, file, _environment())
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise _readable(error, origins) from None
        self._origins = {name: origin.text for name, origin in origins.items()}

    @property
    def answer_mode(self) -> Mode:
        """Return the chosen mode, or the best one that the configuration allows."""
        return self.mode or ("rag" if self.llm_url and self.llm_model else "extractive")

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:  # fmt: skip
        """Return the sources, strongest first."""
        file = InitSettingsSource(settings_cls, init_kwargs=dict(_config_file().values))
        return init_settings, env_settings, file

    @field_validator("llm_without")
    @classmethod
    def _known_parts(cls, written: str | None) -> str | None:
        from generation.llm.openai.dialect import Dialect

        try:
            Dialect.without(names_in(written))
        except InputError as error:
            raise ValueError(str(error).rstrip(".")) from None
        return written

    @field_validator("llm_extra")
    @classmethod
    def _one_object(cls, written: str | None) -> str | None:
        try:
            is_object = written is None or isinstance(json.loads(written), dict)
        except ValueError:
            is_object = False
        if not is_object:
            raise ValueError('it must be a JSON object, such as {"reasoning_effort": "low"}')
        return written

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth_for_a_number(cls, value: object, info: ValidationInfo) -> object:
        kind = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool) and kind in (int, float, int | None, float | None):
            raise ValueError("it must be a number, not true or false")
        return value

    @model_validator(mode="after")
    def _answer_fits_context(self) -> Settings:
        if self.llm_context_tokens is not None and self.llm_max_tokens >= self.llm_context_tokens:
            raise ValueError(
                f"llm_max_tokens ({self.llm_max_tokens}) must be smaller than "
                f"llm_context_tokens ({self.llm_context_tokens}), which covers prompt "
                "and reply"
            )
        return self


def names_in(written: str | None) -> tuple[str, ...]:
    """Return the names of a list with commas."""
    return tuple(name.strip() for name in (written or "").split(",") if name.strip())


NOT_SET = "not set"
"""What is shown for a setting without a value."""


@dataclass(frozen=True, slots=True)
class SettingSource:
    """One setting as `rirag doctor` shows it."""

    name: str
    value: str
    """Secrets are only `set` or `not set`; user names and passwords in URLs are hidden."""
    origin: str
    """`flag --index`, `environment RIRAG_INDEX`, `rirag.toml:3`, or `default`."""


def provenance(settings: Settings) -> list[SettingSource]:
    """Return every setting with its value and source, in the order of declaration."""
    return [
        SettingSource(name, _shown(name, getattr(settings, name)), settings._origins[name])
        for name in Settings.model_fields
    ]


def unknown_variables() -> list[str]:
    """Return a sentence for each `RIRAG_*` variable of the environment that nothing reads."""
    settings = [variable for name in Settings.model_fields for variable in _variables(name)]
    ours = [name for name in (*settings, *_OTHER_VARIABLES) if name.startswith(_PREFIX)]
    return [
        unknown_name("variable", name, ours, _PREFIX)
        for name in sorted(_environment())
        if name.startswith(_PREFIX) and name not in ours
    ]


def _shown(name: str, value: object) -> str:
    if value is None:
        return NOT_SET
    return "set" if name in SECRETS else without_secrets(str(value))


@dataclass(frozen=True, slots=True)
class _Origin:
    text: str
    written: str = ""
    """Return the setting as the user wrote it, for messages."""
    source: Path | None = None
    line: int | None = None


def _config_file() -> ConfigFile:
    return read_config_file(list(Settings.model_fields), {n: _instead(n) for n in SECRETS})


def _instead(secret: str) -> str:
    """Say where a secret may be set."""
    way = f"set {SECRETS[secret][0]} in the environment"
    file = SECRET_FILES.get(secret)
    return f"{way}, or let {file} name a file that contains only the secret" if file else way


def _check_file(file: ConfigFile) -> None:
    """Refuse a value that cannot be used, even if a flag or variable overrides it."""
    fields: dict[str, Any] = {
        name: (field.annotation, field)
        for name, field in Settings.model_fields.items()
        if name in file.values
    }
    try:
        create_model("_File", **fields)(**file.values)
    except ValidationError as error:
        raise _readable(error, _origins({}, file, {})) from None


def _environment() -> dict[str, str]:
    return {name.upper(): value for name, value in os.environ.items() if value}


def _variables(name: str) -> tuple[str, ...]:
    return SECRETS.get(name, (f"{_PREFIX}{name.upper()}",))


def _origins(
    flags: Mapping[str, object], file: ConfigFile, environment: Mapping[str, str]
) -> dict[str, _Origin]:
    return {name: _origin(name, flags, environment, file) for name in Settings.model_fields}


def _origin(
    name: str, flags: Mapping[str, object], environment: Mapping[str, str], file: ConfigFile
) -> _Origin:
    if name in flags:
        flag = _flag(name, flags[name])
        return _Origin(f"flag {flag}", f"{flag} {_written(name, flags[name])}")
    for variable in _variables(name):
        if variable in environment:
            shown = _shown(name, environment[variable])
            return _Origin(f"environment {variable}", f"{variable}={shown}")
    if name in file.values and file.path is not None:
        line = file.lines[name]
        written = f"{name} = {_written(name, file.values[name])}"
        return _Origin(f"{file.path}:{line}", written, file.path, line)
    return _Origin("default")


def _written(name: str, value: object) -> str:
    return _shown(name, value) or "''"


def _flag(name: str, value: object = True) -> str:
    flag = f"--{name.replace('_', '-')}" if len(name) > 1 else f"-{name}"
    return flag.replace("--", "--no-", 1) if value is False else flag


def _readable(error: ValidationError, origins: Mapping[str, _Origin]) -> InputError:
    first = error.errors()[0]
    if not first["loc"]:
        return InputError(f"{plain_error(first)}.", code="setting.invalid")
    name = str(first["loc"][0])
    if name not in origins:
        return InputError(f"unknown setting {name!r}.", code="setting.unknown")
    origin = origins[name]
    values = {"written": origin.written, "reason": _plain(name, first)}
    return unusable("setting.invalid", origin.source, origin.line, **values)


def _plain(name: str, error: Mapping[str, Any]) -> str:
    """Return what the value of a setting must be."""
    if error["type"] == "string_pattern_mismatch":
        return _ADDRESS
    reason = plain_error(error)
    is_number = reason.endswith("number") and not reason.startswith("it must be a number,")
    return f"{reason}{_limits(name)}" if is_number else reason


def _limits(name: str) -> str:
    limits = {
        key: getattr(limit, key)
        for limit in Settings.model_fields[name].metadata
        for key in ("ge", "gt", "le")
        if hasattr(limit, key)
    }
    if "gt" in limits:
        return f" above {limits['gt']}" + (f", at most {limits['le']}" if "le" in limits else "")
    if "le" in limits:
        return f" between {limits['ge']} and {limits['le']}"
    return f" of at least {limits['ge']}"


def _refuse_secrets(flags: Mapping[str, object]) -> None:
    for name in SECRETS:
        if name in flags:
            raise secret_refused(name, _instead(name))
