"""The language models that the settings name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rirag.refusals import unusable

if TYPE_CHECKING:
    from pydantic import SecretStr

    from generation import LLM
    from rirag.settings import Settings


AS_SET = (
    "timeout_s", "reply_timeout_s", "max_tokens", "temperature", "key_header", "context_tokens",
    "prompt_price", "reply_price",
)  # fmt: skip
"""Settings of each model that have the same name behind `llm_`."""


def language_model(settings: Settings, otherwise: str = "") -> LLM:
    """Return the language model of the settings.

    Args:
        settings: with its URL and name.
        otherwise: what else a user can do, added to the refusal.
    """
    url, model = settings.llm_url, settings.llm_model
    if not (url and model):
        raise unusable("llm.not-configured", otherwise=otherwise)
    return _model(settings, url, model, settings.llm_api_key)


def language_models(settings: Settings, otherwise: str = "") -> dict[str, LLM]:
    """Return the language models by role: the default one (`""`), and those of their own."""
    from rirag.settings import MODEL_ROLES

    models = {"": language_model(settings, otherwise)}
    for role in MODEL_ROLES:
        own_url = getattr(settings, f"llm_url_{role}")
        own_model = getattr(settings, f"llm_model_{role}")
        if own_url or own_model:
            url = own_url or settings.llm_url or ""
            key = getattr(settings, f"llm_api_key_{role}") or _shared_key(settings, url)
            name = role.replace("_", "-")
            models[name] = _model(settings, url, own_model or settings.llm_model or "", key)
    return models


def wanted_models(settings: Settings) -> dict[str, LLM] | None:
    """Return the models by role; None where none is named and none is needed."""
    from rirag.service.judges import wants_llm

    if wants_llm(settings.judge):
        return language_models(settings, "; without one use another --judge")
    half_named = settings.mode is None and (settings.llm_url or settings.llm_model)
    if settings.answer_mode != "extractive" or half_named:
        return language_models(settings, "; without one use --mode extractive")
    return language_models(settings) if settings.llm_url and settings.llm_model else None


def _shared_key(settings: Settings, url: str) -> SecretStr | None:
    """Return the default model's key if a URL is on its server: no other server may see it."""
    here, there = urlsplit(settings.llm_url or ""), urlsplit(url)
    same = (here.scheme, here.netloc) == (there.scheme, there.netloc)
    return settings.llm_api_key if same else None


def _model(settings: Settings, url: str, model: str, key: SecretStr | None) -> LLM:
    from generation import LLMSettings, OpenAILLM
    from rirag.settings import names_in

    given = {name: getattr(settings, f"llm_{name}") for name in AS_SET}
    without, extra = names_in(settings.llm_without), json.loads(settings.llm_extra or "{}")
    return OpenAILLM(
        LLMSettings(url=url, model=model, api_key=key, without=without, extra=extra, **given)
    )
