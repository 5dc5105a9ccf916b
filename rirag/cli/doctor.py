"""Implement `rirag doctor`: check the installation, the settings and the index."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from rirag.cli.options import make_settings, options, print_json
from rirag.findings import Finding
from search.errors import RiragError, installing

if TYPE_CHECKING:
    from rirag.settings import Settings, SettingSource
    from search import Index

PACKAGES = ("rirag", "tantivy", "numpy", "onnxruntime", "openai")
MOST_DOCUMENTS = 500
"""Documents whose language is looked at, and the passages that tell it."""
PASSAGES_READ = 20
NAMED_DOCUMENTS = 3

EXTRAS = {
    "elasticsearch": "elasticsearch",
    "opensearch-py": "opensearch",
    "sentence-transformers": "sentence-transformers",
    "FlagEmbedding": "flagembedding",
}
"""Optional package → the extra that installs it."""


@click.command()
@options("doctor")
def command(index: str | None, encoder: str | None, tuning: str | None, as_json: bool) -> None:
    """Check the installation, the settings and the index.

    The check reads everything that the index stores, loads every model that the settings name, and
    asks each language model a question. The exit code is 1 if something is wrong.
    """
    settings = make_settings(index=index, encoder=encoder, tuning=tuning)
    from rirag.settings import provenance, unknown_variables

    findings = [*_installed(), *_encoder(settings), *_index(settings), *_servers(settings)]
    findings += _named(settings)
    findings += [Finding("environment", True, f"ignored: {one}") for one in unknown_variables()]
    sources = provenance(settings)
    if as_json:
        print_json(
            {
                "findings": [asdict(one) for one in findings],
                "settings": [asdict(one) for one in sources],
            }
        )
    else:
        from generation.text.sanitize import printable

        for one in findings:
            mark = click.style("ok ", fg="green") if one.ok else click.style("BAD", fg="red")
            click.echo(f"{mark}  {one.what}: {printable(one.detail)}")
            if one.mend:
                click.echo(f"     {one.mend}")
        click.echo("\nsettings")
        for line in _settings_lines(sources):
            click.echo(line)
    if not all(one.ok for one in findings):
        raise click.exceptions.Exit(1)


def _settings_lines(sources: Sequence[SettingSource]) -> Iterator[str]:
    """Yield a line for each setting that has a value, and then the names of the others."""
    from generation.text.sanitize import printable
    from rirag.settings import NOT_SET

    shown = [one for one in sources if one.value != NOT_SET]
    width = max(len(one.name) for one in shown)
    for one in shown:
        yield f"  {one.name:{width}}  {printable(one.value)}  ({one.origin})"
    others = ", ".join(one.name for one in sources if one.value == NOT_SET)
    yield from wrap(f"not set: {others}", 100, initial_indent="  ", subsequent_indent="    ")


def _installed() -> list[Finding]:
    findings = [Finding("python", True, f"{platform.python_version()} on {platform.machine()}")]
    for name in PACKAGES:
        found = _version(name)
        findings.append(Finding(name, found is not None, found or "not installed"))
    for name, extra in EXTRAS.items():
        found = _version(name)
        mend = "" if found else installing(extra)
        findings.append(Finding(name, True, found or "not installed (optional)", mend))
    found = _version("rirag-workbench")
    mend = "" if found else installing(workbench=True)
    findings.append(Finding("rirag-workbench", True, found or "not installed (optional)", mend))
    return findings


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _encoder(settings: Settings) -> list[Finding]:
    from search.models.encoders import DEFAULT_ENCODER, load_encoder, load_question_encoder
    from search.ranking.profile_file import DEFAULT_PROFILE, load_profile

    name = settings.encoder or DEFAULT_ENCODER
    try:
        encoder = load_encoder(name)
        home = load_profile(DEFAULT_PROFILE, encoder.revision)
        partner = load_profile(home.elsewhere or home.name).question_encoder
        asked = f", questions by {load_question_encoder(partner).name}" if partner else ""
    except RiragError as error:
        return [Finding("encoder", False, str(error))]
    detail = f"{encoder.name}, {encoder.dimension} dimensions, revision {encoder.revision}"
    return [Finding("encoder", True, detail + asked)]


def _index(settings: Settings) -> list[Finding]:
    from indexer.load.report import count
    from rirag.service.opening import open_index

    try:
        with open_index(settings, reranking=False) as index:
            about = index.describe()
            problems = index.verify()
            memory = _answered_questions(index)
            tuning = _tuning(index)
            unread = _languages(index)
    except RiragError as error:
        return [Finding("index", False, str(error))]
    detail = (
        f"{about.url}: {count(about.passages, 'passage')} of "
        f"{count(about.documents, 'document')}, "
        f"{about.size_bytes / 2**20:.1f} MiB, encoder {about.encoder.name}, "
        f"filters {', '.join(about.filter_fields)}"
    )
    engine = Finding("engine", True, f"{about.engine}, vectors {about.vector_search}")
    wrong = [Finding("index", False, problem) for problem in problems]
    return [Finding("index", not problems, detail), *wrong, engine, *unread, *memory, *tuning]


def _servers(settings: Settings) -> list[Finding]:
    """Name the state of the servers that carry the index."""
    from rirag.service.server_settings import server_options
    from search.engines import locate

    try:
        found = locate(settings.index, server_options(settings)).health(settings.index)
    except RiragError as error:
        return [Finding("cluster", True, f"its health cannot be read: {error}")]
    if found is None:
        return []
    return [
        Finding("cluster", found.status != "red", f"{found.status}, {found.detail}", found.mend)
    ]


def _languages(index: Index) -> list[Finding]:
    """Name the documents in a language that the encoder hardly reads."""
    from indexer.languages import beginning
    from search.models.encoders.languages import hardly_reads
    from search.records import Filters

    engine, unread = index.pipeline.engine, []
    for one in engine.documents()[:MOST_DOCUMENTS]:
        found = engine.find(Filters({"document_id": (one.document_id,)}), PASSAGES_READ)
        if hardly_reads(index.pipeline.encoder, beginning(passage for _, passage in found)):
            unread.append(one.title)
    if not unread:
        return []
    more = ", …" if len(unread) > NAMED_DOCUMENTS else ""
    named = ", ".join(unread[:NAMED_DOCUMENTS]) + more
    detail = f"{len(unread):,} in a language that the encoder hardly reads: {named}"
    mend = "Ask about them in their own language and words; see docs/encoders.md."
    return [Finding("documents", True, detail, mend)]


def _answered_questions(index: Index) -> list[Finding]:
    """Count the answered questions, check their stored data, and say whether searches use them."""
    what, pipeline = "answered questions", index.pipeline
    if pipeline.answered_questions_note:
        return [Finding(what, False, pipeline.answered_questions_note)]
    if pipeline.answered_questions is None:
        return [Finding(what, True, "none")]
    wrong = [
        Finding(what, False, problem) for problem in pipeline.answered_questions.engine.verify()
    ]
    return [Finding(what, not wrong, f"{len(pipeline.answered_questions.questions()):,}"), *wrong]


def _tuning(index: Index) -> list[Finding]:
    """Count synonyms and pins, and name the pinned rules that the index lacks."""
    from indexer.load.report import count
    from search.lookup.pins import find_pinned
    from search.records import Filters

    pipeline = index.pipeline
    tuning = pipeline.tuning
    if not tuning.state:
        return []
    rules = dict.fromkeys(rule for pin in tuning.pins.phrases for rule in pin.meaning.rules)
    gone = [
        rule
        for rule in rules
        if not find_pinned(pipeline.engine, pipeline.names, rule, Filters()).passages
    ]
    words = f"words with synonyms: {len(tuning.synonyms.phrases):,}"
    detail = f"{words}, {count(len(tuning.pins.phrases), 'pin')}"
    if not gone:
        return [Finding("tuning", True, detail)]
    more = ", …" if len(gone) > NAMED_DOCUMENTS else ""
    named = ", ".join(gone[:NAMED_DOCUMENTS]) + more
    mend = "Name each rule by its ID, or by a document of the index and a number."
    return [Finding("tuning", False, f"{detail}; not in the index: {named}", mend)]


def _profile(settings: Settings) -> str:
    from search.ranking.profile_file import load_profile

    return load_profile(settings.profile).name


def _reranker(settings: Settings) -> str:
    from search.models.rerankers import load_reranker

    named = settings.reranker if settings.rerank else None
    return load_reranker(named).name if named else "none"


def _judge(settings: Settings) -> str:
    from rirag.service.judges import load_judge

    load_judge(settings.judge)
    return settings.judge or "that of each command"


def _answers(settings: Settings) -> str:
    from rirag.service.answering import Answering

    Answering(settings)
    return f"mode {settings.answer_mode}"


def _named(settings: Settings) -> list[Finding]:
    """Try everything that the settings name."""
    from rirag.service.model_checks import check_models

    findings = []
    checks = {"profile": _profile, "reranker": _reranker, "judge": _judge, "answers": _answers}
    for what, check in checks.items():
        try:
            findings.append(Finding(what, True, check(settings)))
        except RiragError as error:
            findings.append(Finding(what, False, str(error)))
    return [*findings, *check_models(settings)]
