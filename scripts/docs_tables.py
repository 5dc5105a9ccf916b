"""The tables of the docs that are made from the code, so that they cannot say anything else."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from docs_help import common_options

from rirag.server.openapi import attribute_docs
from rirag.server.problems import refusals
from rirag.settings import Settings
from search.ranking.profile_file import PROFILES_FILE, read_profiles
from search.ranking.profiles import AlphaStep, Profile

ROOT = Path(__file__).resolve().parent.parent

PACKAGES = ("rirag", "indexer", "search", "generation")
"""The packages that a user imports."""


def profiles() -> str:
    """Return the fusion profiles: `search/profiles.toml` as people read it."""
    numbers = (
        "alpha_covered", "alpha_unread", "document_weight", "heading_weight", "votes_weight",
        "depth", "rerank_count", "rerank_weight",
    )  # fmt: skip
    found = read_profiles(PROFILES_FILE).values()
    head = ("profile", "fusion", "α by words", *(name.replace("_", " ") for name in numbers))
    rows = [
        (f"`{p.name}`", p.fusion, _alpha(p), *(f"{getattr(p, name):g}" for name in numbers))
        for p in found
    ]
    sources = [f"- `{profile.name}`: {profile.source}" for profile in found]
    return _table(head, rows) + "\n" + "\n".join(sources) + "\n"


def settings() -> str:
    """Return every setting with its default and meaning."""
    docs = attribute_docs(inspect.getsource(Settings))
    rows = []
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else f"`{field.default}`"
        rows.append((f"`{name}`", default, docs.get(name, "").replace("|", "\\|")))
    return _table(("setting", "default", "meaning"), rows)


def public(package: str) -> str:
    """Return what a package offers: `__all__` with the first sentence of each docstring."""
    module = importlib.import_module(package)
    rows = [(f"`{package}.{name}`", _meaning(module, name)) for name in module.__all__]
    return _table(("name", "what it is"), rows)


def errors() -> str:
    """Return the codes of errors with their status in the HTTP API and their meanings."""
    rows = [(f"`{code}`", str(one.status), one.meaning) for code, one in refusals().items()]
    return _table(("code", "HTTP", "meaning"), rows)


def options() -> str:
    """Return the options that several commands have."""
    rows = [(f"`{option}`", meaning.replace("|", "\\|")) for option, meaning in common_options()]
    return _table(("option", "meaning"), rows)


def folders() -> str:
    """Return the folders of the packages and their subfolders with the first sentence of each."""
    names = (*PACKAGES[1:], PACKAGES[0], "workbench/rirag_workbench")
    tops = [ROOT / name / "__init__.py" for name in names]
    all_ = [one for top in tops for one in (top, *sorted(top.parent.glob("*/__init__.py")))]
    rows = [(f"`{one.parent.relative_to(ROOT)}/`", _first_sentence(one)) for one in all_]
    return _table(("folder", "what it is for"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "profiles": profiles,
    "folders": folders,
    "options": options,
    "settings": settings,
    "errors": errors,
    **{f"public {package}": partial(public, package) for package in PACKAGES},
}
"""What stands after `table:` → what makes it."""


def _first_sentence(module: Path) -> str:
    docs = ast.get_docstring(ast.parse(module.read_text("utf-8"))) or ""
    return re.split(r"(?<=[.?]) (?=[A-Z`])", " ".join(docs.split("\n\n")[0].split()))[0]


def _meaning(module: ModuleType, name: str) -> str:
    value = getattr(module, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        text = inspect.getdoc(value) or ""
    else:
        text = _home_docs(module, name).get(name, "")
    return text.partition("\n")[0].replace("|", "\\|")


def _home_docs(module: ModuleType, name: str) -> dict[str, str]:
    """Return the attribute docs of the module that a package takes a name from."""
    for statement in ast.walk(ast.parse(inspect.getsource(module))):
        imports = isinstance(statement, ast.ImportFrom) and statement.module
        if imports and name in {alias.name for alias in statement.names}:
            home = importlib.import_module(imports)
            return attribute_docs(Path(str(home.__file__)).read_text(encoding="utf-8"))
    return {}


def _alpha(profile: Profile) -> str:
    if len(profile.alpha) == 1:
        return f"{profile.alpha[0].value:g}"
    smooth = profile.alpha_shape == "smooth"
    return ", ".join(_step(step, smooth) for step in profile.alpha)


def _step(step: AlphaStep, smooth: bool) -> str:
    if smooth:
        return f"{step.value:g} at {step.words}"
    return f"{step.value:g} " + ("above" if step.words is None else f"up to {step.words}")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
