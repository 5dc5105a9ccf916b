"""The description of a response follows from its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter

from rirag.server.openapi import described
from search.json_form import Record


@dataclass(frozen=True, slots=True)
class Fee(Record):
    """A fee that is due."""

    payer: str
    """Who pays; None: nobody."""
    amount: float | None = None
    kind: Literal["annual", "late"] = "annual"


@dataclass(frozen=True, slots=True)
class Bill(Record):
    """Several fees."""

    fees: tuple[Fee, ...]
    by_year: Mapping[str, Fee]
    place: tuple[int, str]

    @property
    def total(self) -> int:
        """How much it is."""
        return len(self.fees)

    json_form = "fees by_year total payers=fees.payer years=by_year.keys at=place.1"


SCHEMA = TypeAdapter(described("BillResponse", "A bill.", Bill, id=str)).json_schema()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fees", {"type": "array", "items": {"$ref": "#/$defs/Fee"}}),
        ("by_year", {"type": "object", "additionalProperties": {"$ref": "#/$defs/Fee"}}),
        ("total", {"type": "integer", "description": "How much it is."}),
        ("payers", {"type": "array", "items": {"type": "string"}}),
        ("years", {"type": "array", "items": {"type": "string"}}),
        ("at", {"type": "string"}),
        ("id", {"type": "string"}),
    ],
)
def test_a_field_has_the_type_and_the_words_of_its_record(
    name: str, expected: dict[str, Any]
) -> None:
    assert without_title(SCHEMA["properties"][name]) == expected


def test_a_model_says_what_is_always_there_and_allows_more() -> None:
    assert SCHEMA["required"] == ["fees", "by_year", "total", "payers", "years", "at", "id"]
    assert SCHEMA["description"] == "A bill."
    assert SCHEMA["additionalProperties"] is True
    fee = SCHEMA["$defs"]["Fee"]
    assert fee["description"] == "A fee that is due."
    assert fee["required"] == ["payer", "amount", "kind"]
    properties = {name: without_title(one) for name, one in fee["properties"].items()}
    assert properties == {
        "payer": {"type": "string", "description": "Who pays; null: nobody."},
        "amount": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "kind": {"type": "string", "enum": ["annual", "late"]},
    }


def without_title(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in schema.items() if name != "title"}
