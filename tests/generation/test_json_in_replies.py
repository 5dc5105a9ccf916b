"""JSON that a model wrote, with whatever it wrote around it."""

from __future__ import annotations

from typing import Any

import pytest
from effort import no_runaway

from generation.delegate.challenge import CHALLENGE
from generation.delegate.juniors import FINDING
from generation.delegate.plan import PLAN
from generation.llm.protocol import ReplySchema
from generation.llm.schemas import misfit, objects_in, read_json
from generation.multi_step.references import REFERENCES
from generation.verify.judges.llm import VERDICTS
from search.errors import LLMError

SCHEMA = {
    "type": "object",
    "properties": {
        "steps": {"type": "array", "items": {"type": "object", "required": ["task"]}},
        "kind": {"enum": ["a", "b"]},
        "count": {"type": "integer"},
    },
    "required": ["steps"],
}


@pytest.mark.parametrize(
    "text",
    [
        '{"steps": [{"task": "x"}]}',
        'Here it is:\n```json\n{"steps": [{"task": "x"}]}\n```\nGood luck {friend}!',
        'Think: {"steps": 5} is wrong. {"steps": [{"task": "x"}]}',
        '<think>{</think> {"steps": [{"task": "x"}]} and more',
    ],
)
def test_object_is_found_wherever_it_stands(text: str) -> None:
    assert read_json(text, SCHEMA) == {"steps": [{"task": "x"}]}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "contains no JSON object"),
        ("no braces", "contains no JSON object"),
        ("{broken", "contains no JSON object"),
        ("[1, 2]", "contains no JSON object"),
        ("{}", "has no field 'steps'"),
        ('{"steps": {}}', "'steps' is not of type array"),
        ('{"steps": [1]}', "item 1 of 'steps' is not of type object"),
        ('{"steps": [{}]}', "item 1 of 'steps' has no field 'task'"),
        ('{"steps": [], "kind": "c"}', "'kind' must be one of a, b"),
        ('{"steps": [], "count": true}', "'count' is not of type integer"),
        ("{" * 100_000, "contains no JSON object"),
        ('{"a":' * 100_000, "contains no JSON object"),
    ],
)
def test_what_does_not_fit_is_one_clear_sentence(text: str, reason: str) -> None:
    with pytest.raises(LLMError, match="is not the requested JSON: .*" + reason) as caught:
        read_json(text, SCHEMA)
    assert len(str(caught.value)) < 200


def test_numbers_and_booleans_are_told_apart() -> None:
    assert misfit(1, {"type": "number"}) == ""
    assert misfit(True, {"type": "number"})
    assert misfit(True, {"type": "boolean"}) == ""
    assert misfit(None, {"type": "null"}) == ""


def objects_of(schema: Any) -> list[dict[str, Any]]:
    """Every object that a schema describes."""
    if schema["type"] == "array":
        return objects_of(schema["items"])
    fields = schema.get("properties", {}).values()
    own = [schema] if schema["type"] == "object" else []
    return own + [found for one in fields for found in objects_of(one)]


@pytest.mark.parametrize("shape", [PLAN, FINDING, CHALLENGE, REFERENCES, VERDICTS])
def test_shapes_are_such_as_servers_take_with_strict(shape: ReplySchema) -> None:
    for one in objects_of(shape.schema):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])


def test_a_fence_that_is_never_closed_costs_time_in_proportion_to_its_length() -> None:
    with no_runaway():
        assert list(objects_in("```json" + "\n" * 100_000)) == []
