"""Implement `rirag train`: make pair files, and train and fit models on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import FILE, make_settings, print_result
from rirag.cli.output.progress import Progress, say
from rirag.files import refuse_output
from rirag_workbench.cli.dataset import build
from rirag_workbench.cli.options import options
from rirag_workbench.cli.training import encoder, indexed_passages, reranker, training
from rirag_workbench.refusals import unusable

if TYPE_CHECKING:
    from rirag_workbench.training.data.pairs import Pair


@click.group()
def command() -> None:
    """Fine-tune the models of search on your own questions."""


command.add_command(encoder)
command.add_command(reranker)
questions = copy(build)  # training begins with them where nobody wrote any
questions.hidden = True  # listed once, as `rirag dataset build`
command.add_command(questions, "questions")


KINDS = ("questions", "keywords", "headings", "parents", "definitions")
FROM_INDEX_ALONE = ("headings", "parents", "definitions")


@command.command()
@click.argument("kind", type=click.Choice(KINDS), metavar="KIND")
@click.argument("source", required=False, type=FILE)
@options("train-pairs")
def pairs(kind: str, source: Path | None, output: Path, index: str | None) -> None:
    """Make a file of questions and passages, of one KIND.

    \b
    questions    from a question file (SOURCE), with the passages of an index
    keywords     from a question file: its questions as somebody types them in a hurry
    headings     from an index: each heading with the passages below it
    parents      from an index: each passage with those below it
    definitions  from an index: each defined term with its definition
    """
    refuse_output(output, "the pair file", [source])
    unknown: set[str] = set()
    made = list(_made(kind, source, index, unknown))
    kept = [one for one in made if one.positives]
    if not kept:
        what = f"{source} and the index" if source else "the index"
        raise unusable("option.invalid/no-pair", kind=kind, what=what)
    from rirag_workbench.training.data.pairs import write_pairs

    count = write_pairs(kept, output)
    click.echo(f"{output}: {count:,} pairs{_left_out(len(made) - count, len(unknown))}")


def _left_out(pairs: int, passages: int) -> str:
    parts = []
    if passages:
        parts.append(f"{passages:,} passages that the index does not hold")
    if pairs:
        parts.append(f"{pairs:,} pairs of which the index holds no passage")
    return f"; left out: {', and '.join(parts)}" if parts else ""


def _made(kind: str, source: Path | None, index: str | None, unknown: set[str]) -> Iterable[Pair]:
    """Return the pairs of a kind; those without positives are of no use."""
    if source is not None and kind in FROM_INDEX_ALONE:
        raise unusable("option.invalid/pairs-of-index", kind=kind, file=source)
    if source is None and kind not in FROM_INDEX_ALONE:
        raise unusable("option.invalid/pairs-of-file", kind=kind)
    from rirag.inputs.gold import noting_unknown, resolver
    from rirag.inputs.questions import read_questions
    from rirag_workbench.training.data import pair_sources
    from rirag_workbench.training.data.examples import pair_of

    passages = indexed_passages(index)
    if source is None:
        makers = {
            "headings": pair_sources.heading_pairs,
            "parents": pair_sources.parent_pairs,
            "definitions": pair_sources.definition_pairs,
        }
        return makers[kind](passages)
    resolve = noting_unknown(resolver(passages), unknown)
    questions = read_questions(source)
    if kind == "keywords":
        return pair_sources.keyword_pairs(questions, resolve)
    return [pair_of(question, resolve) for question in questions]


@command.command(short_help="Fit a classifier of obligations to labelled sentences.")
@click.argument("data", type=FILE)
@options("train-obligations")
def obligations(data: Path, output: Path, as_json: bool) -> None:
    """Fit a classifier to the sentences of DATA, a JSON list of Text and Obligation.

    It uses the built-in encoder. The output has accuracy, precision and recall by cross-validation,
    beside those of the rules that rirag uses by default. `rirag evaluate answers --repass
    --obligations FOLDER` uses the classifier.
    """
    from rirag.files import refuse_output_folder
    from rirag_workbench.training.fitted.obligations import Quality, export, fit, read_labelled
    from search.models.encoders import DEFAULT_ENCODER, MODELS_FOLDER, load_encoder

    refuse_output_folder(output, "the classifier")
    labelled = read_labelled(data)
    fitted = fit(labelled, load_encoder(DEFAULT_ENCODER).encode_questions)
    export(fitted, MODELS_FOLDER / DEFAULT_ENCODER, output)

    def line(name: str, one: Quality) -> str:
        return f"{name:12}  {one.accuracy:.4f}    {one.precision:.4f}     {one.recall:.4f}"

    head = f"{fitted.sentences:,} sentences     accuracy  precision  recall"
    rows = (line("classifier", fitted.classifier), line("rules", fitted.rules))
    form = {"output": str(output), **fitted.to_json()}
    print_result(as_json, lambda: form, lambda: "\n".join((head, *rows)))


@command.command(short_help="Fit the ranker that finds the articles behind a question.")
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
    from rirag_workbench.evaluation.articles import judged, read_act, read_article_questions
    from rirag_workbench.training.fitted.article_ranker import RankerSettings, fit_article_ranker

    if cross_encoder:
        refuse_output_folder(output, "the ranker")
    else:
        refuse_output(output, "the ranker", (questions, act))
    if cross_encoder != (base is not None):
        raise unusable("option.invalid/base-of-cross-encoder")
    if not cross_encoder and (encoder is not None or threads is not None):
        raise unusable("option.invalid/only-cross-encoder")
    asked, read = read_article_questions(questions), read_act(act)
    for note in judged(asked, read, questions)[1]:
        say(f"note: {printable(note)}")
    if base is not None:
        from rirag_workbench.training.runs.article_cross_encoder import train_cross_encoder
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


NAME = r"[\w-]+"
"""Pattern of a profile name, which needs no quotes."""
REQUESTED = (
    "rerank_questions", "learned", "training", "unanswerable", "unanswerable_held_out"
)  # fmt: skip
"""Options that are fields of a `ProfileRequest`."""


@command.command(short_help="Fit the weights of the retrievers, by the length of the question.")
@click.argument("questions", nargs=-1, required=True, type=FILE, metavar="QUESTIONS…")
@options("train-profile")
def profile(
    questions: tuple[Path, ...], output: Path, name: str | None, as_json: bool, **options: Any
) -> None:
    """Fit a fusion profile to QUESTIONS… (ObliQA JSON, or JSONL) and write it for `--profile FILE`.

    It fits the lexical weight by the length of the question, the weights of documents and answered
    questions, and the depth and weight of a reranker. Each question is also used in a short form.
    Questions that the encoder was trained on, by the record beside it or by --training, are left
    out. All figures are cross-validated.
    """
    from rirag.files import refuse_output, write_text
    from rirag.service.opening import open_index
    from rirag_workbench.training.fitted.models import files_beside
    from rirag_workbench.training.profile.run import ProfileRequest, run_profile_fit
    from rirag_workbench.training.profile.toml import profile_toml
    from search.ranking.profile_file import FILE_SUFFIX

    if output.suffix != FILE_SUFFIX:
        raise unusable("option.invalid/profile-name", output=output, file_suffix=FILE_SUFFIX)
    refuse_output(output, "the profile")
    for beside in files_beside(output) if options["learned"] else ():
        refuse_output(beside, "what is fitted beside the profile")
    if options["unanswerable"] and not options["learned"]:
        raise unusable("option.invalid/unanswerable")
    if options["unanswerable_held_out"] and not options["unanswerable"]:
        raise unusable("option.invalid/unanswerable-held-out")
    if name is not None and not re.fullmatch(NAME, name):
        raise unusable("option.invalid/name", name=name)
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
