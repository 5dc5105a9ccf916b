"""Which models can judge whether a passage supports a statement."""

from __future__ import annotations

from typing import Any

import pytest

from generation.verify import load_judge
from search.errors import InputError
from search.models.defaults import DEFAULT_CROSS_ENCODER


def test_the_shipped_cross_encoder_has_a_name_of_its_own() -> None:
    judge = load_judge("cross-encoder")
    assert judge.name == DEFAULT_CROSS_ENCODER
    passage = "A firm must report to its clients every quarter."
    near, far = judge.support([
        (passage, "The firm must report to clients every quarter."),
        (passage, "An auditor must be registered."),
    ])  # fmt: skip
    assert near > 5 * far


@pytest.mark.parametrize("name", [None, 5, b"nli"])
def test_a_judge_is_named_by_a_text(name: Any) -> None:
    with pytest.raises(InputError, match=r"^a judge must be a text or a path, not "):
        load_judge(name)
