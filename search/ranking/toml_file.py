"""Read TOML files that people write; a mistake is reported with its line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from search.errors import InputError


def changed_at(path: Path, what: str, code: str) -> int:
    """Return when a file was changed, in nanoseconds.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise InputError(_unreadable(what, error), path, code=code) from None


def read_toml(path: Path, what: str, code: str) -> tuple[str, dict[str, Any]]:
    """Return the text of a file, and what it holds.

    Args:
        path: of the file.
        what: how an error calls it: `the profile file`.
        code: of the errors.

    Raises:
        InputError: it cannot be read, or is not TOML.
    """
    line = None
    try:
        text = path.read_text(encoding="utf-8-sig")
        return text, tomllib.loads(text)
    except OSError as error:
        problem = _unreadable(what, error)
    except UnicodeDecodeError:
        problem = f"{what} is not UTF-8; save it as UTF-8."
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else None
        problem = f"this is not valid TOML: {error}."
    except ValueError:
        problem = "this TOML cannot be read: a number has too many digits."
    except RecursionError:
        problem = "this TOML cannot be read: it is nested too deep."
    raise InputError(problem, path, line, code=code)


def _unreadable(what: str, error: OSError) -> str:
    return f"{what} cannot be read: {error.strerror}."
