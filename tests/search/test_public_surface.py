"""What is public is listed here: a change of these names is a change for users."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PUBLIC = {
    "rirag": """Answer Answered Citation DocumentSummary Hit IngestReport Passage Query RiragError
        SearchResult Service Settings Verification ask load open search verify""",
    "search": """AlphaStep DocumentSummary EncodedPassages Encoder EncoderMismatchError Filters
        Hit Index IndexBusyError IndexCorruptError IndexDescription IndexUnavailableError
        InputError AnsweredQuestion LLMError RetrieverScore Links MissingDependencyError
        ModelError Passage Plan Profile Reranker RiragError Scores SearchResult SearchTrace
        ServerOptions StorageError load_encoder load_profile load_reranker open
        Change Comparison Version as_of""",
    "indexer": """EncodeReport FORMATS GRANULARITIES IngestReport Place Progress QuestionsReport
        ReindexReport SkippedFile Stage Structure UnknownPassage add_questions encode ingest
        list_questions read reindex remove_questions rollback structure
        MergeReport merge""",
    "generation": """Answer AnswerSettings AnswerWarning Call Citation Completion
        Decision DelegateSettings Example FilterResult FilterSettings AnswerContext
        IndexLibrary LLM LLMSettings Library Limits MODES Message OpenAILLM Prompt
        Trace answer answer_async answer_text filter_hits printable remarks sources_text""",
}

HEAVY = {
    "numpy", "onnxruntime", "tokenizers", "openai", "tantivy", "torch", "transformers",
    "sentence_transformers", "FlagEmbedding", "ir_measures", "pydantic_settings",
}  # fmt: skip


@pytest.mark.parametrize("package", PUBLIC)
def test_the_public_names_are_these(package: str) -> None:
    assert sorted(import_module(package).__all__) == sorted(PUBLIC[package].split())


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_there_and_described(package: str) -> None:
    module = import_module(package)
    for name in module.__all__:
        found = getattr(module, name)
        described = inspect.isclass(found) or inspect.isroutine(found)
        assert not described or found.__doc__, f"{package}.{name} has no docstring"


@pytest.mark.parametrize("package", [*PUBLIC, "generation.verify"])
def test_dir_lists_every_public_name(package: str) -> None:
    code = f"import {package}; print(*dir({package}))"  # before any name is loaded
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert set(import_module(package).__all__) <= set(done.stdout.split())


@pytest.mark.parametrize("package", PUBLIC)
def test_no_public_name_is_that_of_a_module(package: str) -> None:
    """Importing the module would put it in the place of the function."""
    modules = {one.stem for one in (ROOT / package).iterdir()}
    assert not modules & set(import_module(package).__all__)


@pytest.mark.parametrize("package", PUBLIC)
def test_every_package_tells_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_a_name_that_is_not_public_is_refused() -> None:
    import search

    with pytest.raises(AttributeError, match="module 'search' has no attribute 'nope'"):
        _ = search.nope


@pytest.mark.parametrize("package", [*PUBLIC, "rirag.cli", "rirag.settings"])
def test_importing_loads_no_engine_encoder_or_client(package: str) -> None:
    allowed = {"pydantic_settings"} if package == "rirag.settings" else set()
    code = f"import sys, {package}; print(*sorted({HEAVY - allowed} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == []


def test_only_four_names_are_taken_in_a_users_environment() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert sorted(wheel["packages"]) == ["generation", "indexer", "rirag", "search"]
