"""`rirag verify`: check every statement of answers against the passages that they cite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.asking.judges import judge_option, load_judge, wants_llm
from rirag.cli.asking.language_model import language_model, llm_options
from rirag.cli.options import json_option, make_settings, print_json

if TYPE_CHECKING:
    from generation.verify import Verification
    from rirag.inputs.answer_records import AnswerRecord
    from rirag.settings import Settings
    from search.records import Passage

Check = Callable[[str, Mapping[int, "Passage"], str], "Verification"]
"""From an answer, its passages and its question to the verdicts."""

NOT_SUPPORTED = 1
"""Exit code where a statement is not supported."""

CLAIMS_NOTHING = "The answer claims nothing: it says that the evidence does not do."
"""What is said of a refusal."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--index", metavar="URL", help="Look the passages up in this index.  [default: "
              "those in FILE]")  # fmt: skip
@judge_option("cross-encoder")
@llm_options
@json_option
def command(file: Path, as_json: bool, **options: Any) -> None:
    """Check each statement of the answers in FILE against the passages it cites.

    FILE is what `rirag ask --json` wrote, for one question or for many. The exit code is 0 when
    every statement is supported, and 1 when one is not.
    """
    from rirag.inputs.answer_records import read_answers

    settings = make_settings(**options)
    answers = read_answers(file)
    held = None if options["index"] is None else _passages(answers, settings)
    check = _check(settings)
    found = [(one, _verified(one, held, check)) for one in answers]
    if as_json and len(found) == 1:
        print_json(found[0][1].to_json())
    for answer, verification in found:
        if as_json and len(found) > 1:
            line = {"QuestionID": answer.question_id, **verification.to_json()}
            print_json(line, indent=None)
        elif not as_json:
            _show(answer, verification, len(found) > 1)
    if any(verification.doubtful for _, verification in found):
        click.get_current_context().exit(NOT_SUPPORTED)


def _passages(answers: list[AnswerRecord], settings: Settings) -> Mapping[str, Passage]:
    from rirag.inputs.answer_records import ids_of
    from rirag.server_settings import server_options
    from search.engines import locate

    wanted = ids_of(answers)
    if not wanted.fields["id"]:
        return {}
    with closing(locate(settings.index, server_options(settings)).open(settings.index)) as engine:
        return {passage.id: passage for _, passage in engine.find(wanted)}


def _verified(
    answer: AnswerRecord, held: Mapping[str, Passage] | None, check: Check
) -> Verification:
    """Return the verdicts on an answer; a refusal claims nothing, so that there are none."""
    from generation.verify import Verification
    from rirag.inputs.answer_records import passages_of

    if answer.claims_nothing:
        return Verification(())
    return check(answer.text, passages_of(answer, held), answer.question)


def _check(settings: Settings) -> Check:
    """Return what verifies an answer, its passages and its question: one judge for all answers."""
    from generation.verify.verifying import verify, verify_by_llm

    if wants_llm(settings.judge):
        from rirag.inputs.own_prompts import read_prompts

        prompts = read_prompts(settings.prompts)
        return partial(
            verify_by_llm,
            llm=language_model(settings),
            prompts=prompts,
            calls_at_once=settings.llm_calls_at_once,
        )
    return partial(verify, judge=load_judge(settings.judge))


def _show(answer: AnswerRecord, verification: Verification, named: bool) -> None:
    from generation.text.terminal import one_line
    from generation.verify import verification_text

    silent = CLAIMS_NOTHING if answer.claims_nothing else "The answer makes no statement."
    text = verification_text(verification) or silent
    if named:
        text = f"{one_line(answer.question_id or answer.question or '?')}: {text}"
    click.echo(text)
