"""What is wrong with a value, in plain words, where pydantic found it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "unexpected_keyword_argument": "there is no such field",
    "string_too_short": "it must not be empty",
    "string_too_long": "it must have at most {max_length} characters",
    "string_type": "it must be a text",
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "list_type": 'it must be a list, such as ["value"]',
    "dict_type": 'it must be an object, such as {{"field": ["value"]}}',
    "too_short": "it must have at least {min_length} values",
    "too_long": "it must have at most {max_length} values",
    "literal_error": "it must be {expected}",
    "greater_than_equal": "it must be at least {ge}",
    "less_than_equal": "it must be at most {le}",
    "greater_than": "it must be more than {gt}",
}
_BEGINNINGS = {
    "int_": "it must be a whole number",
    "float_": "it must be a number",
    "finite_number": "it must be a number",
    "model_": "it must be an object",
}


def plain_error(found: Mapping[str, Any]) -> str:
    """Return what a value must be; `found` is one of `ValidationError.errors()`."""
    kind = str(found["type"])
    if kind in _WORDS:
        limits = {name: _plain_number(one) for name, one in found.get("ctx", {}).items()}
        return _WORDS[kind].format(**limits)
    begins = (words for beginning, words in _BEGINNINGS.items() if kind.startswith(beginning))
    said = str(found["msg"]).removeprefix("Value error, ")[:300]
    return next(begins, said[:1].lower() + said[1:])


def _plain_number(value: object) -> object:
    """Return a limit as people write it: 0 for 0.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
