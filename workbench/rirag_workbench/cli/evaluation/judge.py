"""Implement `rirag evaluate judge`: let a language model grade answers against official ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rirag.cli.options import FILE, make_settings, print_result
from rirag.cli.output.progress import Progress
from rirag_workbench.cli.options import options


@click.command(short_help="Let a language model grade answers against official ones.")
@click.argument("answers", type=FILE)
@options("evaluate-judge")
def judge(
    answers: Path,
    reference: Path,
    examples: int,
    planted: float,
    against: Path | None,
    cache: Path | None,
    seed: int,
    as_json: bool,
    **llm: Any,
) -> None:
    """Grade ANSWERS from 1 to 4 for correctness, completeness, citations and scope.

    The judge is measured too, with official answers and with corrupted ones (a changed number,
    party, negation, time or limit). The share of good answers is corrected for the judge's errors.
    """
    settings = make_settings(**llm)
    from rirag.inputs.answer_records import read_answers
    from rirag.service.language_models import language_model
    from rirag_workbench.evaluation.judge.cache import Cache
    from rirag_workbench.evaluation.judge.judging import (
        asking,
        judge_answers,
        read_references,
        to_table,
    )
    from rirag_workbench.evaluation.judge.rubric import fingerprint, shipped
    from rirag_workbench.evaluation.provenance import made_with
    from rirag_workbench.evaluation.significance import SEED

    records, official = read_answers(answers), read_references(reference)
    asked, model = language_model(settings), settings.llm_model or ""
    files, used = {"answers": answers, "reference": reference}, {"judge": model}
    if against is not None:
        from rirag_workbench.evaluation.judge import pairwise

        others, prefer = read_answers(against), pairwise.preferring(asked, model, Cache(cache))
        with Progress() as progress:
            step = progress.begin("judging", len(records))
            pairs = pairwise.judge_pairs(records, others, official, prefer, step)
        made = made_with({**files, "against": against}, used, [shipped("pairwise.txt")], SEED)
        form = {"model": settings.llm_model, **pairs.to_json(), "made_with": made}
        print_result(as_json, lambda: form, lambda: pairwise.to_table(pairs))
        return
    ask = asking(asked, model, examples, Cache(cache))
    with Progress() as progress:
        step = progress.begin("judging", len(records))
        found = judge_answers(records, official, ask, planted, seed, step)
    made = made_with(files, used, fingerprint(), seed)
    form = {
        "model": settings.llm_model, "examples": examples, **found.to_json(), "made_with": made,
    }  # fmt: skip
    print_result(as_json, lambda: form, lambda: to_table(found))
