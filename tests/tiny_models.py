"""Random models of a real architecture, small enough to be made while a test runs."""

from __future__ import annotations

from pathlib import Path

from extras import require

WORDS = """
    a an the of to and or must may not client firm rule fund report record keep disclose capital
    risk conflict interest bank market authorised person manager what when who is are do
"""
HIDDEN = 32


def save_tokenizer(folder: Path) -> None:
    """Write a BERT tokenizer that knows `WORDS` and every single letter."""
    transformers = require("transformers")
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,?():"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split(), *letters]
    pieces += [f"##{letter}" for letter in letters]
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(dict.fromkeys(pieces)) + "\n")
    # transformers 5 calls the argument `vocab`, older ones `vocab_file`; each ignores the other.
    tokenizer = transformers.BertTokenizerFast(
        vocab=str(vocabulary), vocab_file=str(vocabulary), model_max_length=512
    )
    tokenizer.save_pretrained(folder)


def save_bert(folder: Path, seed: int = 0, labels: int | None = None) -> Path:
    """Write a random BERT encoder, or with `labels` a classifier of pairs with as many outputs."""
    torch, transformers = require("torch"), require("transformers")
    save_tokenizer(folder)
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=200, hidden_size=HIDDEN, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=512, num_labels=labels or 2,
        initializer_range=0.5,
    )  # fmt: skip
    kind = transformers.BertModel if labels is None else transformers.BertForSequenceClassification
    kind(config).eval().save_pretrained(folder)
    return folder
