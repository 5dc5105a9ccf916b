"""`rirag train`: make pair files, and fine-tune an encoder or a reranker on them."""

from __future__ import annotations

import click

from rirag.cli.train_encoder import encoder
from rirag.cli.train_pairs import pairs
from rirag.cli.train_profile import profile
from rirag.cli.train_questions import questions
from rirag.cli.train_ranker import ranker
from rirag.cli.train_reranker import reranker


@click.group()
def command() -> None:
    """Fine-tune the models of search on your own questions."""


command.add_command(pairs)
command.add_command(questions)
command.add_command(encoder)
command.add_command(reranker)
command.add_command(profile)
command.add_command(ranker)
