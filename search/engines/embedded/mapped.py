"""Arrays that stay in their files: read as they are used, and dropped when room is short."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def mapped(path: Path, dtype: type[Number]) -> NDArray[Number]:
    """Map a file as a flat array; an empty file, which cannot be mapped, gives an empty one."""
    if not path.stat().st_size:
        return np.empty(0, dtype)
    # A plain view of the map: reading single values of a memmap object is slow.
    return np.asarray(np.memmap(path, dtype=dtype, mode="r"))
