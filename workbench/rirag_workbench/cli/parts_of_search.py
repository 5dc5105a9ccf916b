"""Implement `rirag evaluate ablation` and `articles`: measure search part by part."""

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
    retriever, reciprocal rank fusion and the profile bdd-finlegal alone; by length of the question.
    """
    settings = make_settings(**options, rerank=False if no_rerank else None)
    from rirag.files import refuse_output, write_text
    from rirag.service.opening import open_index
    from rirag_workbench.ablation.report import to_html, to_table
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


@click.command(short_help="Measure how well the articles behind Q&As are found.")
@click.argument("questions", type=FILE, metavar="QA")
@options("evaluate-articles")
def articles(
    questions: Path,
    act: Path,
    run: Path | None,
    ranker: Path | None,
    as_json: bool,
) -> None:
    """Measure, step by step, how well the articles that the Q&As of QA are about are found.

    Each line of QA is a JSON object with qa_id, article, question and, if there is one, background.
    Article 99 and articles that the act does not have are left out. The run uses article numbers
    such as 92 and 129b.
    """
    from rirag.files import refuse_output
    from rirag_workbench.evaluation.articles import (
        evaluate_articles,
        judged,
        read_act,
        read_article_questions,
    )
    from rirag_workbench.evaluation.retrieval.runs import write_run
    from search.articles.ranker import SHIPPED, ArticleFinder, load_ranker

    if run is not None:
        refuse_output(run, "the run", (questions, act, ranker))
    asked = read_article_questions(questions)
    read = read_act(act)
    kept, notes = judged(asked, read, questions)
    finder = ArticleFinder(read, load_ranker(ranker or SHIPPED))
    if finder.ranker is None:
        notes.append(f"the ranker was fitted to another act than {read.title} and was not used.")
    evaluation = evaluate_articles(kept, finder, notes)
    if run is not None:
        write_run(run, evaluation.steps[-1].run)
    print_result(as_json, evaluation.to_json, evaluation.to_table)
