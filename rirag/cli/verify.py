"""Implement `rirag verify`: check every statement of answers against the passages they cite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import FILE, make_settings, options, print_json

if TYPE_CHECKING:
    from generation.verify import Verification
    from rirag.inputs.answer_records import AnswerRecord

NOT_SUPPORTED = 1
"""Exit code if a statement is not supported."""

CLAIMS_NOTHING = "The answer makes no claim; it says that the evidence is insufficient."
"""What is said of a refusal."""


@click.command()
@click.argument("file", type=FILE)
@options("verify")
def command(file: Path, as_json: bool, **options: Any) -> None:
    """Check each statement of the answers in FILE against the passages it cites.

    FILE is the output of `rirag ask --json`, for one question or many. The exit code is 0 if every
    statement is supported, and 1 otherwise.
    """
    from rirag.inputs.answer_records import read_answers
    from rirag.service.opening import passages_by_id
    from rirag.service.verifying import Verifier

    settings = make_settings(**options)
    answers = read_answers(file)
    held = None
    if options["index"] is not None:
        held = passages_by_id(settings, [one.id for answer in answers for one in answer.cited])
    verifier = Verifier(settings)
    found = [(one, verifier.verify(one, held)) for one in answers]
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


def _show(answer: AnswerRecord, verification: Verification, named: bool) -> None:
    from generation.text.sanitize import one_line
    from generation.verify import verification_text

    silent = CLAIMS_NOTHING if answer.claims_nothing else "The answer makes no statement."
    text = verification_text(verification.to_json()) or silent
    if named:
        text = f"{one_line(answer.question_id or answer.question or '?')}: {text}"
    click.echo(text)
