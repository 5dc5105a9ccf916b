"""What a list's passages should be scored like: as the questions say, and as a teacher says."""

from __future__ import annotations

import torch
from torch import Tensor


def wanted_shares(lists: Tensor, labels: Tensor, taught: Tensor | None) -> Tensor:
    """Return the wanted share of each passage of each list, shape (lists, passages).

    That of the positive is 1, and that of the negatives 0; with a teacher it is the mean of these
    and the teacher's shares (Hinton et al. 2015, "Distilling the Knowledge in a Neural Network",
    section 2).

    Args:
        lists: scores, the positive's first, shape (lists, passages).
        labels: the number of each list's row, shape (lists,).
        taught: the teacher's share of each passage of each row, shape (rows, passages).
    """
    wanted = torch.zeros(lists.shape, device=lists.device)
    wanted[:, 0] = 1.0
    if taught is None:
        return wanted
    return (wanted + taught[labels.long().cpu()].to(lists.device)) / 2
