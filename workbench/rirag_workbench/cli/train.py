"""Implement `rirag train`: make pair files, and fine-tune models on them."""

from __future__ import annotations

from copy import copy

import click

from rirag_workbench.cli.dataset import build
from rirag_workbench.cli.training.encoder import encoder
from rirag_workbench.cli.training.obligations import obligations
from rirag_workbench.cli.training.pairs import pairs
from rirag_workbench.cli.training.profile import profile
from rirag_workbench.cli.training.ranker import ranker
from rirag_workbench.cli.training.reranker import reranker


@click.group()
def command() -> None:
    """Fine-tune the models of search on your own questions."""


command.add_command(pairs)
command.add_command(encoder)
command.add_command(reranker)
command.add_command(profile)
command.add_command(ranker)
command.add_command(obligations)

questions = copy(build)  # training begins with them where nobody wrote any
questions.hidden = True  # listed once, as `rirag dataset build`
command.add_command(questions, "questions")
