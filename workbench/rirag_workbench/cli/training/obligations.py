"""Implement `rirag train obligations`: fit a classifier of sentences, and compare it with the
rules.
"""

from __future__ import annotations

from pathlib import Path

import click

from rirag.cli.options import FILE, print_result
from rirag_workbench.cli.options import options


@click.command(short_help="Fit a classifier of obligations to labelled sentences.")
@click.argument("data", type=FILE)
@options("train-obligations")
def obligations(data: Path, output: Path, as_json: bool) -> None:
    """Fit a classifier to the sentences of DATA, a JSON list of Text and Obligation.

    It uses the built-in encoder. The output has accuracy, precision and recall by cross-validation,
    beside those of the rules that rirag uses by default. `rirag evaluate answers --repass
    --obligations FOLDER` uses the classifier.
    """
    from rirag.files import refuse_output_folder
    from rirag_workbench.training.obligations.fit import Quality, export, fit, read_labelled
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
