"""What the passages of a list should be scored like."""

from __future__ import annotations

import torch
from torch import Tensor


def wanted_shares(lists: Tensor, labels: Tensor, wanted: Tensor | None) -> Tensor:
    """Return the wanted share of each passage of each list, shape (lists, passages).

    Args:
        lists: scores, the positive's first, shape (lists, passages).
        labels: the number of each list's row, shape (lists,).
        wanted: the shares of each passage of each row, shape (rows, passages), as
            `Teacher.wanted` gives them; None: that of the positive is 1, and all others 0.
    """
    if wanted is not None:
        return wanted[labels.long().cpu()].to(lists.device)
    shares = torch.zeros(lists.shape, device=lists.device)
    shares[:, 0] = 1.0
    return shares
