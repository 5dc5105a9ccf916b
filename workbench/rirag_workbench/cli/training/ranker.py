"""Implement `rirag train ranker`: fit the ranker that finds the articles behind a question."""

from __future__ import annotations

from pathlib import Path

import click

from rirag.cli.options import FILE, print_result
from rirag.cli.output.progress import say
from rirag_workbench.cli.options import options
from rirag_workbench.cli.training.options import (
    training,
)
from search.errors import InputError


@click.command(short_help="Fit the ranker that finds the articles behind a question.")
@click.argument("questions", type=FILE, metavar="QA")
@options("train-ranker")
def ranker(
    questions: Path,
    act: Path,
    output: Path,
    cross_encoder: bool,
    base: str | None,
    encoder: str | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Fit a ranker of articles to the Q&As of QA and write it for `rirag evaluate articles`.

    By default, small decision trees weigh references, BM25 and signals learned from the Q&As;
    cross-validation measures them. With --cross-encoder, a model is fine-tuned on pairs of question
    and article: 20 negatives from ranks 250 to 300, binary cross-entropy, 4 epochs
    (docs/articles.md).
    """
    from generation.text.sanitize import printable
    from rirag.files import refuse_output, refuse_output_folder
    from rirag_workbench.evaluation.articles.act_file import read_act
    from rirag_workbench.evaluation.articles.questions import judged, read_article_questions
    from rirag_workbench.training.articles.ranker import RankerSettings, fit_article_ranker

    if cross_encoder:
        refuse_output_folder(output, "the ranker")
    else:
        refuse_output(output, "the ranker", (questions, act))
    if cross_encoder != (base is not None):
        raise InputError(
            "--cross-encoder and --base go together; give the model to start from with --base",
            code="option.invalid",
        )
    if not cross_encoder and (encoder is not None or threads is not None):
        raise InputError(
            "--encoder and --threads need --cross-encoder; drop them.", code="option.invalid"
        )
    asked, read = read_article_questions(questions), read_act(act)
    for note in judged(asked, read, questions).notes:
        say(f"note: {printable(note)}")
    if base is not None:
        from rirag_workbench.training.articles.cross_encoder import train_cross_encoder
        from search.models.encoders import DEFAULT_ENCODER, load_encoder

        with training(threads):
            chosen = load_encoder(encoder or DEFAULT_ENCODER)
            report = train_cross_encoder(read, asked, chosen, base, output, say, source=questions)
        best = f"best F1 {report['f1']:.3f}; written to {output}"
        print_result(as_json, lambda: report, lambda: best)
        return
    fitted = fit_article_ranker(read, asked, RankerSettings(), say, source=questions)
    fitted.ranker.save(output)
    text = f"{fitted.questions} questions; written to {output}"
    print_result(as_json, fitted.to_json, lambda: text)
