"""Implement `rirag evaluate articles`: measure how well the articles behind Q&As are found."""

from __future__ import annotations

from pathlib import Path

import click

from rirag.cli.options import FILE, print_result
from rirag_workbench.cli.options import options


@click.command(short_help="Measure how well the articles behind Q&As are found.")
@click.argument("questions", type=FILE, metavar="QA")
@options("evaluate-articles")
def articles(
    questions: Path,
    act: Path,
    run: Path | None,
    ranker: Path | None,
    encoder: str | None,
    as_json: bool,
) -> None:
    """Measure, step by step, how well the articles that the Q&As of QA are about are found.

    Each line of QA is a JSON object with qa_id, article, question and, if there is one, background.
    Article 99 and articles that the act does not have are left out. The run uses article numbers
    such as 92 and 129b.
    """
    from rirag.files import refuse_output
    from rirag_workbench.evaluation.articles.act_file import read_act
    from rirag_workbench.evaluation.articles.questions import judged, read_article_questions
    from rirag_workbench.evaluation.articles.ranking import evaluate_articles
    from rirag_workbench.evaluation.retrieval.runs import write_run
    from search.articles.ranker import SHIPPED, ArticleFinder, load_ranker
    from search.models.encoders import load_encoder

    if run is not None:
        refuse_output(run, "the run", (questions, act, ranker))
    asked = read_article_questions(questions)
    read = read_act(act)
    found = judged(asked, read, questions)
    finder = ArticleFinder(read, load_ranker(ranker or SHIPPED))
    notes = list(found.notes)
    if finder.ranker is None:
        notes.append(f"the ranker was fitted to another act than {read.title} and was not used.")
    chosen = None if encoder is None else load_encoder(encoder)
    evaluation = evaluate_articles(found.questions, finder, chosen, notes)
    if run is not None:
        write_run(run, evaluation.steps[-1].run)
    print_result(as_json, evaluation.to_json, evaluation.to_table)
