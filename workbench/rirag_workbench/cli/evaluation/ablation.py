"""Implement `rirag evaluate ablation`: measure what each component of search contributes."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from rirag.cli.options import FILE, make_settings, print_result, this_command
from rirag.cli.output.progress import Progress
from rirag_workbench.cli.options import options


@click.command(short_help="Measure what each component of search contributes.")
@click.argument("questions", type=FILE)
@options("evaluate-ablation")
def ablation(
    questions: Path,
    untrained_index: str | None,
    training: tuple[Path, ...],
    html: Path | None,
    no_keywords: bool,
    sample: int | None,
    as_json: bool,
    no_rerank: bool,
    **options: Any,
) -> None:
    """Remove each component of search in turn and ask QUESTIONS again.

    The report compares the whole pipeline with the same pipeline without the trained encoder,
    adaptive α, document fusion, reranking or answered questions, and with BM25, the dense
    retriever, reciprocal rank fusion and the profile bdd-finlegal alone; by length of the question,
    and by whether its passages were in training.
    """
    settings = make_settings(**options, rerank=False if no_rerank else None)
    from rirag.files import refuse_output, write_text
    from rirag.service.opening import open_index
    from rirag_workbench.ablation.html import to_html
    from rirag_workbench.ablation.report import to_table
    from rirag_workbench.ablation.run import AblationRequest, run_ablation

    if html is not None:
        refuse_output(html, "the report", (questions, *training))
    other = settings.model_copy(update={"index": untrained_index, "encoder": None})
    with (
        open_index(settings) as index,
        open_index(other) if untrained_index else nullcontext() as untrained,
        Progress() as progress,
    ):
        profile = index.pipeline.profile(settings.profile)
        request = AblationRequest(
            questions=questions,
            profile=profile if settings.answered_questions else replace(profile, votes_weight=0.0),
            command=this_command(),
            training=training,
            keywords=not no_keywords,
            sample=sample,
        )
        found = run_ablation(index, untrained, request, progress.begin)
    if html is not None:
        write_text(html, to_html(found), "the report")
    print_result(as_json, found.to_json, lambda: to_table(found))
