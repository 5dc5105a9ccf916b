"""The working folder of a training run: what was finished, and where to continue."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from search.errors import InputError, RiragError

STARTED = "started.json"
STATE = "trainer_state.json"
"""File of a checkpoint in which the library keeps steps, losses and validation."""


def write_json(path: Path, value: object) -> None:
    """Write JSON so that a file of this name is always whole, even after a power cut."""
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("w", encoding="utf-8") as file:
        file.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


@contextmanager
def altered_refused(path: Path) -> Iterator[None]:
    """Refuse a file of which something is missing that `write_json` wrote.

    Raises:
        InputError: what the block takes out of it is not there.
    """
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(
            "this file does not belong to a training run; choose another --output.",
            path,
            code="training.other-run",
        ) from None


def read_json(path: Path) -> Any:
    """Read a JSON file that `write_json` wrote; None if there is none.

    Raises:
        InputError: somebody else wrote it.
    """
    if not path.exists():
        return None
    with altered_refused(path):
        return json.loads(path.read_text("utf-8"))


def claim(folder: Path, started: dict[str, Any], resume: bool) -> None:
    """Make a working folder, or make sure that the one there belongs to the same run.

    Args:
        folder: to work in.
        started: whatever decides the result: settings and hashes of the data.
        resume: whether to continue a run that was begun.

    Raises:
        InputError: the folder holds a run and `resume` was not asked for, or another run.
    """
    known = read_json(folder / STARTED)
    if known is None:
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / STARTED, started)
        return
    if not resume:
        raise InputError(
            "the folder holds an unfinished training run; continue it with --resume, "
            "or choose another --output.",
            folder,
            code="training.other-run",
        )
    with altered_refused(folder / STARTED):
        differing = [name for name in {**known, **started} if known.get(name) != started.get(name)]
    if differing:
        name = sorted(differing)[0]
        raise InputError(
            f"the run in this folder was started with other {name} "
            f"({_difference(known.get(name), started.get(name))}); resume it with the "
            "same, or choose another --output.",
            folder,
            code="training.other-run",
        )


def _difference(known: Any, now: Any) -> str:
    """Return what was and what is not: of settings those that differ, of data files their names."""
    if isinstance(known, dict) and isinstance(now, dict):
        names = [name for name in {**known, **now} if known.get(name) != now.get(name)]
        return ", ".join(f"{name} {known.get(name)}, not {now.get(name)}" for name in names)
    if isinstance(known, list) and isinstance(now, list):
        before, after = (", ".join(str(one["file"]) for one in files) for files in (known, now))
        same = f"{before}, which has changed since"
        return same if before == after else f"{before or 'none'}, not {after or 'none'}"
    return f"{known}, not {now}"


@contextmanager
def released_if_refused(folder: Path) -> Iterator[None]:
    """Give a claimed working folder back where nothing could be begun, such as of a wrong base.

    Another run can claim it then.

    Args:
        folder: to work in; one with the rows of a round in it stays claimed.
    """
    try:
        yield
    except RiragError:
        if not any(folder.glob("rows-*")):
            (folder / STARTED).unlink(missing_ok=True)
            with suppress(OSError):  # something else is in there
                folder.rmdir()
                folder.parent.rmdir()
        raise


def last_checkpoint(work: Path) -> Path | None:
    """Return the last whole checkpoint of a working folder; None if there is none."""
    # The library writes the state last, so that a folder without it was cut off.
    whole = [path.parent for path in work.glob(f"checkpoint-*/{STATE}")]
    return max(whole, key=lambda path: int(path.name.partition("-")[2]), default=None)
