"""Mixing trained weights with those of the base, so that less of what it knew is lost.

The mean of both models' weights often keeps the gain in the new field and the base's quality
elsewhere (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models", section 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHARES = (1.0, 0.75, 0.5)
"""Shares of the trained weights that are tried; the best on validation is kept."""


def blend(base: Mapping[str, Any], trained: Mapping[str, Any], share: float) -> dict[str, Any]:
    """Return `share` of the trained tensors plus the rest of the base's.

    Tensors that are not floating-point numbers, such as position ids, are the trained ones.
    """
    return {
        name: tensor if not tensor.is_floating_point() else share * tensor
        + (1 - share) * base[name].to(tensor.device)
        for name, tensor in trained.items()
    }  # fmt: skip
