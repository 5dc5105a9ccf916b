"""One round of training: the library's trainer over rows, with checkpoints by the clock."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import TrainerCallback

from rirag.training.runs.checkpoints import COMPLETE_MARK, Round
from rirag.training.runs.settings import TrainingSettings
from rirag.training.weights.model_card import without_examples

CHECKPOINT_MINUTES = 3.0
"""What a `kill -9` may cost. Writing a checkpoint of a small encoder takes a second."""
LOG_STEPS = 10
CHECKPOINTS_KEPT = 2

Report = Callable[[str], None]
"""Takes one line of progress."""


class Supervisor(TrainerCallback):  # type: ignore[misc]
    """Has checkpoints written by the clock and at the end, and logs the loss."""

    def __init__(self, this: Round, report: Report) -> None:
        self._round = this
        self._report = report
        self._saved = time.monotonic()

    def on_step_end(self, _args: Any, state: Any, control: Any, **_: Any) -> Any:
        """Decide whether to save, which does not change what is learned."""
        due = time.monotonic() - self._saved >= 60 * CHECKPOINT_MINUTES
        if due or state.global_step == state.max_steps:
            control.should_save = True
            now = time.monotonic()
            self._round.add_minutes((now - self._saved) / 60)
            self._saved = now
        return control

    def on_save(self, _args: Any, state: Any, control: Any, **_: Any) -> Any:
        """Mark the checkpoint that was just written as whole."""
        (self._round.folder / f"checkpoint-{state.global_step}" / COMPLETE_MARK).touch()
        return control

    def on_log(
        self, _args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **_: Any
    ) -> Any:
        """Append the loss to the curve."""
        if logs and "loss" in logs:
            point = {"step": state.global_step, "loss": logs["loss"], "rate": logs["learning_rate"]}
            with self._round.curve.open("a", encoding="utf-8") as file:
                file.write(json.dumps(point) + "\n")
            place = f"step {state.global_step:,} of {state.max_steps:,}"
            self._report(f"round {self._round.number}: {place}, loss {logs['loss']:.3f}")
        return control


@dataclass(slots=True)
class Optimisation:
    """Optimiser and learning rate of a whole run; they continue from round to round."""

    optimizer: Any
    scheduler: Any

    @classmethod
    def of(cls, model: Any, settings: TrainingSettings, steps: int) -> Optimisation:
        """Set up AdamW with a linear warm-up and a linear fall to zero over `steps`."""
        rising = max(1, round(settings.warmup * steps))

        def factor(step: int) -> float:
            if step < rising:
                return (step + 1) / rising
            return max(0.0, (steps - step) / max(1, steps - rising))

        optimizer = torch.optim.AdamW(
            model.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay
        )
        return cls(optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, factor))

    def restore(self, checkpoint: Path) -> None:
        """Take over the state at the end of an earlier round."""
        for part, name in ((self.optimizer, "optimizer.pt"), (self.scheduler, "scheduler.pt")):
            part.load_state_dict(torch.load(checkpoint / name, map_location="cpu"))


def run_round(
    this: Round,
    optimisation: Optimisation,
    settings: TrainingSettings,
    report: Report,
    *,
    trainer_class: type,
    arguments_class: type,
    **trainer_options: Any,
) -> None:
    """Train one round to its end, from its last checkpoint if it has one.

    Args:
        this: where checkpoints and the curve go.
        optimisation: of the whole run.
        settings: of the whole run.
        report: told the loss now and then.
        trainer_class: a trainer of sentence-transformers.
        arguments_class: the training arguments that belong to it.
        trainer_options: model, data and loss, as the trainer takes them.
    """
    use_cpu = not torch.cuda.is_available()
    arguments = arguments_class(
        output_dir=str(this.folder),
        num_train_epochs=1,
        per_device_train_batch_size=settings.batch_size,
        dataloader_drop_last=True,
        seed=settings.seed + this.number,
        bf16=settings.bf16,
        use_cpu=use_cpu,
        save_strategy="steps",
        save_steps=10**9,
        save_total_limit=CHECKPOINTS_KEPT,
        logging_steps=LOG_STEPS,
        disable_tqdm=True,
        report_to="none",
    )
    without_examples(trainer_options["model"])
    trainer = trainer_class(
        args=arguments,
        callbacks=[Supervisor(this, report)],
        optimizers=(optimisation.optimizer, optimisation.scheduler),
        **trainer_options,
    )
    _silence(trainer)
    checkpoint = this.checkpoint()
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)


def _silence(trainer: Any) -> None:
    """Keep the trainer from printing each log line: whoever watches sees our own progress."""
    from transformers.trainer_callback import PrinterCallback

    trainer.remove_callback(PrinterCallback)
