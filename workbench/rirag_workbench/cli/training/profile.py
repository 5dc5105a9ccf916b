"""Implement `rirag train profile`: fit a fusion profile to an encoder and a rulebook."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from rirag.cli.options import FILE, make_settings, print_result
from rirag.cli.output.progress import Progress
from rirag_workbench.cli.options import options

NAME = r"[\w-]+"
"""Pattern of a profile name, which needs no quotes."""
REQUESTED = (
    "rerank_questions", "learned", "training", "unanswerable", "unanswerable_held_out"
)  # fmt: skip
"""Options that are fields of a `ProfileRequest`."""


@click.command(short_help="Fit the weights of the retrievers, by the length of the question.")
@click.argument("questions", nargs=-1, required=True, type=FILE, metavar="QUESTIONS…")
@options("train-profile")
def profile(
    questions: tuple[Path, ...], output: Path, name: str | None, as_json: bool, **options: Any
) -> None:
    """Fit a fusion profile to QUESTIONS… (ObliQA JSON, or JSONL) and write it for `--profile FILE`.

    It fits the lexical weight by the length of the question, the weights of documents and answered
    questions, the number of candidates, and the depth and weight of a reranker. Each question is
    also used in a short form. Questions that the encoder was trained on, by the record beside it or
    by --training, are left out. All figures are cross-validated.
    """
    from rirag.files import refuse_output, write_text
    from rirag.service.opening import open_index
    from rirag_workbench.training.fitted.models import files_beside
    from rirag_workbench.training.profile.run import ProfileRequest, run_profile_fit
    from rirag_workbench.training.profile.toml_text import profile_toml
    from search.errors import InputError
    from search.ranking.profile_file import FILE_SUFFIX

    if output.suffix != FILE_SUFFIX:
        raise InputError(
            f"--output {output}: the name of a profile file must end in {FILE_SUFFIX}",
            code="option.invalid",
        )
    refuse_output(output, "the profile")
    for beside in files_beside(output) if options["learned"] else ():
        refuse_output(beside, "what is fitted beside the profile")
    if options["unanswerable"] and not options["learned"]:
        raise InputError(
            "--unanswerable calibrates what --learned fits; give both", code="option.invalid"
        )
    if options["unanswerable_held_out"] and not options["unanswerable"]:
        raise InputError(
            "--unanswerable-held-out reports on what --unanswerable calibrates; give both",
            code="option.invalid",
        )
    if name is not None and not re.fullmatch(NAME, name):
        raise InputError(
            f"--name {name!r}: use letters, digits, '-' and '_'", code="option.invalid"
        )
    wanted = {one: options.pop(one) for one in REQUESTED}
    no_rerank = options.pop("no_rerank")
    settings = make_settings(**options, rerank=False if no_rerank else None)
    with open_index(settings) as index, Progress() as progress:
        request = ProfileRequest(
            files=questions,
            name=name or re.sub(r"[^\w-]+", "-", output.stem),
            before=index.pipeline.profile(settings.profile),
            **wanted,
        )
        report = run_profile_fit(index, request, progress.begin)
    fitted = report.profile
    if report.models is not None:
        fitted = report.models.save(fitted, output)
    write_text(output, profile_toml(fitted), "the profile")
    written = f"\n\nwritten to {output}; use it with --profile {output}"
    print_result(as_json, report.to_json, lambda: report.to_table() + written)
