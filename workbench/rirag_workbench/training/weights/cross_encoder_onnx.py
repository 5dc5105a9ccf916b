"""Build the ONNX graph of a BERT cross-encoder, for speed: it reads its passages in every search.

Matrices have one scale an output, and inputs are quantised while the model runs, with one scale a
row: `MatMulIntegerToFloat` then multiplies some three times as fast as `MatMulNBits` does block by
block. No scale spans two rows, so that a passage's score does not depend on the passages beside it.
Weights go from -64 to 64: two products of such a weight and an 8-bit input fit 16 bits, in which
processors without VNNI add them up, and full 8-bit weights would not.

Logits of 600 pairs of validation questions err by .05 (root mean square; .009 block by block, and
they spread by .86), which changes the AP@10 of what the reranker sorts by less than .002
(docs/training.md). The vectors of an encoder would stray too far
(`rirag_workbench.training.weights.bert_onnx`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rirag_workbench.training.weights.bert_onnx import ORT_DOMAIN, Array, BertGraph, quantise

LARGEST_WEIGHT = 64
LARGEST_INPUT = 127
ZERO = 128
"""What stands for 0 among quantised inputs, which have no sign."""
LEAST = 1e-12
"""Stands for the largest input of a row of zeros, by which nothing can be divided."""


class CrossEncoderGraph(BertGraph):
    """Builds the graph of a classifier of pairs with one output: question first, then passage."""

    INPUTS = ("input_ids", "attention_mask", "token_type_ids")

    def __init__(
        self, config: Mapping[str, Any], weights: Mapping[str, Array], float32: bool = False
    ) -> None:
        super().__init__(
            config, {name.removeprefix("bert."): value for name, value in weights.items()}, float32
        )
        self._constants: set[str] = set()

    def _segmented(self, words: str) -> str:
        segments = self._weights["embeddings.token_type_embeddings.weight"]
        graph = self._graph
        # Relative to the first segment, which is in the positions already.
        table = graph.weight("segments", segments - segments[0])
        (second,) = graph.add("Gather", [table, "token_type_ids"])
        return graph.add("Add", [words, second])[0]

    def _head(self, states: str) -> tuple[str, list[str | int]]:
        graph = self._graph
        first = graph.weight("first_token", np.array([0], dtype=np.int64))
        (kept,) = graph.add("Gather", [states, first], axis=1)
        (state,) = graph.add("Flatten", [kept], axis=1)
        (pooled,) = graph.add("Tanh", [self._dense("pooler.dense", state)])
        self._dense("classifier", pooled)
        return "logits", ["batch", 1]

    def _matmul(self, name: str, inputs: str, weight: Array) -> str:
        """Multiply by a weight of shape (outputs, inputs), each row of the inputs by its scale."""
        if self._float32:
            return super()._matmul(name, inputs, weight)
        graph = self._graph
        quantised, scales = quantise(weight, LARGEST_WEIGHT)
        (sizes,) = graph.add("Abs", [inputs])
        (largest,) = graph.add("ReduceMax", [sizes, self._constant("last_axis", [-1], np.int64)])
        (largest,) = graph.add("Max", [largest, self._constant("least", LEAST)])
        (rows,) = graph.add("Mul", [largest, self._constant("step", 1 / LARGEST_INPUT)])
        (divided,) = graph.add("Div", [inputs, rows])
        one, zero = self._constant("one", 1), self._constant("zero", ZERO, np.uint8)
        (integers,) = graph.add("QuantizeLinear", [divided, one, zero])
        operands = [
            integers,
            graph.weight(f"{name}.weight", quantised.T),
            one,
            graph.weight(f"{name}.weight.scales", scales[:, 0]),
            zero,
        ]
        (product,) = graph.add("MatMulIntegerToFloat", operands, domain=ORT_DOMAIN)
        return graph.add("Mul", [product, rows])[0]

    def _half_matmul(self, name: str, inputs: str, weight: Array) -> str:
        """Do what `_matmul` does: nothing is spared."""
        return self._matmul(name, inputs, weight)

    def _add_and_norm(self, prefix: str, inner: str, skipped: str) -> str:
        """Do what `SkipLayerNormalization` does, whose implementation is three times as slow."""
        projected = self._linear(f"{prefix}dense", inner)
        graph = self._graph
        (total,) = graph.add("Sum", [projected, skipped, self._copy(f"{prefix}dense.bias")])
        parameters = [f"{prefix}LayerNorm.weight", f"{prefix}LayerNorm.bias"]
        return graph.add(
            "LayerNormalization", [total, *map(self._copy, parameters)],
            epsilon=self._config["layer_norm_eps"],
        )[0]  # fmt: skip

    def _constant(self, name: str, value: Any, kind: type[np.generic] = np.float32) -> str:
        """Return the name of a constant, which all layers share."""
        if name not in self._constants:
            self._constants.add(self._graph.weight(name, np.array(value, kind)))
        return name

    def _dense(self, name: str, inputs: str) -> str:
        """Multiply and add in float32: these layers see one token a pair."""
        graph = self._graph
        operands = [inputs, self._copy(f"{name}.weight"), self._copy(f"{name}.bias")]
        return graph.add("Gemm", operands, transB=1)[0]
