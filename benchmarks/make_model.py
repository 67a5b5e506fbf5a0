"""Makes the package data in ``model/`` from the original weights: ``python benchmarks/make_model.py``.

``make model`` runs this. The graph is compared with sentence-transformers before anything is replaced: of the two
exporters of torch 2.13 one writes a model that runs and is wrong (cosine 0.09).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from _original import WEIGHTS_FILE, original_folder, verified_weights

from kbtui.knowledge.embedding.bundled import RECIPE
from kbtui.knowledge.embedding.model_files import (
    FOLDER,
    META_FILE,
    MODEL_FILE,
    TOKENIZER_FILE,
    WEIGHTS_SHA256,
    read_model,
)
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.embedding.runner import Runner
from kbtui.knowledge.embedding.runtimes import EARLY, EARLY_LAYERS, INPUTS, OUTPUTS

PROBES: Final = (
    "rollback",
    "Deploys are rolled back by re-pinning the last green image.",
    "def parse(text: str) -> list[int]:\n    return [int(part) for part in text.split(',')]",
    "What does the proposal change about reference counting, and which earlier one does it supersede? " * 3,
    "The on-call engineer announces the incident first, then opens a ticket, then pages the owner of the service. "
    * 30,
)
"""From one token to more than fit: a wrong mask, a frozen length or a wrong cut shows in at least one of them."""

LOWEST_COSINE: Final = 0.97
"""Between the made model and the original, on any of the probes."""

_WORDS: Final = "embeddings.word_embeddings.weight"
_PREFIX: Final = "transformer."
"""Of the exported names of the original's tensors."""

_TOOLS: Final = ("torch", "onnx", "onnxruntime", "sentence-transformers", "transformers")
_OPSET: Final = 17


class ExportRefused(Exception):
    """The made model does not agree with sentence-transformers."""


def export(source: Path, target: Path) -> float:
    """Write all files of the bundled model to ``target``.

    Args:
        source: Folder of the original sentence-transformers model.
        target: Replaced file by file when everything is verified; ``LICENSE`` in it stays.

    Returns:
        The lowest cosine over the probes.

    Raises:
        ExportRefused: The model does not agree with the original; ``target`` is as it was.
        OSError: ``target`` cannot be written.
    """
    verified_weights(source)
    from sentence_transformers import SentenceTransformer

    # Written out operation by operation, attention is what runtimes know to fuse: 14 % faster in int8.
    model = SentenceTransformer(str(source), device="cpu", model_kwargs={"attn_implementation": "eager"})
    reference = np.asarray(
        model.encode(list(PROBES), normalize_embeddings=True, show_progress_bar=False), dtype=np.float32
    )
    module = _sentence_module(model)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".model-") as name:
        scratch = Path(name)
        _to_onnx(module, scratch / "folded.onnx")
        quantise(scratch / "folded.onnx", scratch / MODEL_FILE)
        _quantise_words(scratch / MODEL_FILE)
        _expose_early(scratch / MODEL_FILE)
        shutil.copyfile(source / TOKENIZER_FILE, scratch / TOKENIZER_FILE)
        files = (MODEL_FILE, TOKENIZER_FILE)
        meta: dict[str, Any] = {"files": {name: _sha256(scratch / name) for name in files}}
        _write(scratch / META_FILE, meta)
        cosine = round(agreement(scratch, reference), 5)
        if cosine < LOWEST_COSINE:
            raise ExportRefused(f"cosine {cosine:.4f} to the original")
        tools = {tool: version(tool).partition("+")[0] for tool in _TOOLS}
        meta |= {"weights": {WEIGHTS_FILE: WEIGHTS_SHA256}, "recipe": RECIPE, "lowest_cosine": cosine, "tools": tools}
        _write(scratch / META_FILE, meta)
        for file in (*files, META_FILE):
            (scratch / file).replace(target / file)
    return cosine


def agreement(folder: Path, reference: Vectors) -> float:
    """Lowest cosine over the probes between the model in ``folder``, run as it will be, and the reference."""
    vectors = Runner(read_model(folder)).encode(PROBES)
    lowest = float((vectors * reference).sum(axis=1).min())
    return lowest if np.isfinite(lowest) else -1.0


def _sentence_module(model: Any) -> Any:
    """The transformer with mean pooling and normalisation, as one module from token ids to vectors and states."""
    import torch

    transformer = model[0].auto_model.eval()

    class Sentence(torch.nn.Module):  # type: ignore[misc]
        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            states = transformer(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            weights = attention_mask.unsqueeze(-1).to(states.dtype)
            mean = (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, p=2, dim=1), states

    sentence = Sentence()
    sentence.transformer = transformer
    return sentence.eval()


def _to_onnx(module: Any, path: Path) -> None:
    import torch

    axes = {0: "batch", 1: "length"}
    sample = torch.ones((2, 12), dtype=torch.long)
    with warnings.catch_warnings(action="ignore"):
        torch.onnx.export(
            module,
            (sample, sample),
            str(path),
            dynamo=False,
            opset_version=_OPSET,
            do_constant_folding=True,
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes={"input_ids": axes, "attention_mask": axes, "vectors": {0: "batch"}, "states": axes},
        )


def quantise(source: Path, target: Path) -> None:
    """Weights of matrix products in int8 by channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(source), str(target), weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"]
    )


def _quantise_words(path: Path) -> None:
    """Look words up in a table of int8 rows with a scale each: 91 MB of weights become 24 MB.

    A word costs one multiplication more. On 640 texts the mean cosine to the original is .9940, as with a float table.
    """
    import onnx
    from onnx import helper, numpy_helper

    model: Any = onnx.load(str(path))
    graph = model.graph
    table = next(tensor for tensor in graph.initializer if tensor.name == _PREFIX + _WORDS)
    lookup = next(node for node in graph.node if node.op_type == "Gather" and node.input[0] == table.name)
    rows = numpy_helper.to_array(table)
    scales = np.maximum(np.abs(rows).max(axis=1, keepdims=True) / 127, 1e-12).astype(np.float32)
    quantised = np.rint(rows / scales).astype(np.int8)
    words, factors, ids, output = f"{table.name}_int8", f"{table.name}_scale", lookup.input[1], lookup.output[0]
    graph.initializer.remove(table)
    graph.initializer.extend([numpy_helper.from_array(quantised, words), numpy_helper.from_array(scales, factors)])
    position = list(graph.node).index(lookup)
    graph.node.remove(lookup)
    nodes = (
        helper.make_node("Gather", [words, ids], [f"{output}_int8"]),
        helper.make_node("Cast", [f"{output}_int8"], [f"{output}_float"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Gather", [factors, ids], [f"{output}_scale"]),
        helper.make_node("Mul", [f"{output}_float", f"{output}_scale"], [output]),
    )
    for offset, node in enumerate(nodes):
        graph.node.insert(position + offset, node)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def _expose_early(path: Path) -> None:
    """Make the states after the first layers an output: the cross-encoder begins with them (`cross.py`)."""
    import onnx
    from onnx import TensorProto, helper

    model: Any = onnx.load(str(path))
    graph = model.graph
    own = f"/transformer/encoder/layer.{EARLY_LAYERS - 1}/output/LayerNorm/LayerNormalization_output_0"
    producer = next(node for node in graph.node if own in node.output)
    graph.node.insert(list(graph.node).index(producer) + 1, helper.make_node("Identity", [own], [EARLY]))
    width = graph.output[0].type.tensor_type.shape.dim[-1].dim_value
    graph.output.append(helper.make_tensor_value_info(EARLY, TensorProto.FLOAT, ["batch", "length", width]))
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(path: Path, meta: dict[str, Any]) -> None:
    path.write_text(json.dumps(meta, indent=2) + "\n", "utf-8")


def main() -> int:
    """Make the files anew and print the agreement. 0: made; 1: refused, nothing was replaced."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    try:
        cosine = export(original_folder(), FOLDER)
    except ExportRefused as error:
        print(f"Not exported: {error}", file=sys.stderr)
        return 1
    print(f"{FOLDER / MODEL_FILE}: lowest cosine to sentence-transformers {cosine}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
