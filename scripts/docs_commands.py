"""Runs the commands that the docs show, in a folder that holds an index of the sample rulebook."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SETUP = "rirag ingest examples/rulebook"
"""Was run before the commands of any page; a page that shows it shows this first run."""

COLUMNS = "88"
"""Width of the terminal that commands believe to have."""

_EXIT = re.compile(r" \(exit (\d+)\)$")


class CommandFailedError(Exception):
    """A command of the docs ended in another way than its page says."""


class Workspace:
    """A folder to run commands in, made once and copied for every page."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Copy the examples of the repository at `root` into `folder`, and index the rulebook."""
        self._folder = folder
        self._base = folder / "base"
        shutil.copytree(root / "examples", self._base / "examples")
        self._setup = output_of(SETUP, self._base)
        self._pages = 0

    def for_page(self) -> PageCommands:
        """Return the commands of one more page, with a copy of the folder of their own."""
        self._pages += 1
        copy = self._folder / f"page-{self._pages}"
        shutil.copytree(self._base, copy)
        return PageCommands(copy, self._setup)


class PageCommands:
    """The commands and input files of one page, in its order."""

    def __init__(self, folder: Path, setup: str) -> None:
        self._folder = folder
        self._setup = setup

    def run(self, command: str, _old: str) -> str:
        """Return a command as it is typed, and its output."""
        found = _EXIT.search(command)
        command = _EXIT.sub("", command)
        expected = int(found[1]) if found else 0
        output = self._setup if command == SETUP else output_of(command, self._folder, expected)
        return f"$ {command}\n{output}"

    def write(self, name: str, content: str) -> None:
        """Write an input file that the page shows."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def output_of(command: str, folder: Path, expected: int = 0) -> str:
    """Run a command in a shell and return what it prints, errors among it.

    Raises:
        CommandFailedError: its exit code is not the expected one.
    """
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    output = done.stdout.decode()
    if done.returncode != expected:
        raise CommandFailedError(
            f"`{command}` ended with exit code {done.returncode} instead of {expected}:\n{output}"
        )
    return output if not output or output.endswith("\n") else output + "\n"


def _environment() -> dict[str, str]:
    """Return an environment in which no setting of the user changes an output."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("RIRAG_") and name != "OPENAI_API_KEY"
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}"
    return kept | {"PATH": path, "COLUMNS": COLUMNS, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
