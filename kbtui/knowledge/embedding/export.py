"""Turns the bundled weights into an ONNX model, once: ``python -m …embedding.export SOURCE TARGET int8``.

This runs as a child process, because it needs torch (6 s, 400 MB, and a lock that breaks inside a running terminal
application), while everything else needs neither. The last line of its standard output is a JSON object for the parent.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.embedding.runner import MODEL_FILE, TOKENIZER_FILE, Runner
from kbtui.knowledge.embedding.runtime_onnx import INPUTS, OUTPUTS
from kbtui.knowledge.embedding.runtimes import Precision

VERSION: Final = 2
"""Part of the fingerprint: raised when an export made by this code is no longer the same function."""

PROBES: Final = (
    "rollback",
    "Deploys are rolled back by re-pinning the last green image.",
    "def parse(text: str) -> list[int]:\n    return [int(part) for part in text.split(',')]",
    "What does the proposal change about reference counting, and which earlier one does it supersede? " * 3,
    "The on-call engineer announces the incident first, then opens a ticket, then pages the owner of the service. "
    * 30,
)
"""From one token to more than fit: a wrong mask, a frozen length or a wrong cut shows in at least one of them."""

_EXACT = 0.9999
_QUANTISED = 0.95


class ExportRefused(Exception):
    """No exporter made a model that agrees with sentence-transformers."""


def export(source: Path, target: Path, precision: Precision) -> dict[str, Any]:
    """Write ``model.onnx`` and ``tokenizer.json`` to ``target``, verified against sentence-transformers.

    Args:
        source: Folder of the sentence-transformers model.
        target: An existing, empty folder.
    Returns:
        ``{"exporter", "dimension", "cosine"}``: the lowest cosine over the probe texts.

    Raises:
        ExportRefused: No exporter agreed.
        OSError: ``target`` cannot be written.
    """
    from sentence_transformers import SentenceTransformer

    # Written out operation by operation, attention is what runtimes know to fuse: 14 % faster in int8.
    model = SentenceTransformer(str(source), device="cpu", model_kwargs={"attn_implementation": "eager"})
    reference = np.asarray(
        model.encode(list(PROBES), normalize_embeddings=True, show_progress_bar=False), dtype=np.float32
    )
    module = _sentence_module(model)
    refusals = []
    for name, exporter in _exporters().items():
        with tempfile.TemporaryDirectory(dir=target, prefix=".fp32-") as scratch:
            folder = Path(scratch)
            shutil.copyfile(source / TOKENIZER_FILE, folder / TOKENIZER_FILE)
            try:
                exporter(module, folder / MODEL_FILE)
                cosine = _agreement(folder, "fp32", reference)
                if cosine < _EXACT:
                    refusals.append(f"{name}: cosine {cosine:.4f}")
                    continue
                if precision == "int8":
                    _quantise(folder / MODEL_FILE)
                    cosine = _agreement(folder, precision, reference)
                    if cosine < _QUANTISED:
                        refusals.append(f"{name}, int8: cosine {cosine:.4f}")
                        continue
            except OSError:
                raise
            except Exception as error:  # noqa: BLE001 - exporters raise anything; the next one may work
                refusals.append(f"{name}: {type(error).__name__}: {error}")
                continue
            for file in (MODEL_FILE, TOKENIZER_FILE):
                (folder / file).replace(target / file)
        return {"exporter": name, "dimension": int(reference.shape[1]), "cosine": round(cosine, 6)}
    raise ExportRefused("; ".join(refusals))


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


def _exporters() -> dict[str, Callable[[Any, Path], None]]:
    """Ways to export, the one that is known to be right first. Which of them works changes with torch's versions."""
    return {"torchscript": _export_torchscript, "dynamo": _export_dynamo}


def _sample() -> tuple[Any, Any]:
    import torch

    return torch.ones((2, 12), dtype=torch.long), torch.ones((2, 12), dtype=torch.long)


def _export_torchscript(module: Any, path: Path) -> None:
    import torch

    axes = {0: "batch", 1: "length"}
    torch.onnx.export(
        module,
        _sample(),
        str(path),
        dynamo=False,
        opset_version=17,
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "vectors": {0: "batch"}, "states": axes},
    )


def _export_dynamo(module: Any, path: Path) -> None:
    import torch

    shape = {0: torch.export.Dim("batch", min=1, max=256), 1: torch.export.Dim("length", min=2, max=512)}
    torch.onnx.export(
        module,
        _sample(),
        str(path),
        dynamo=True,
        verbose=False,
        external_data=False,
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_shapes={"input_ids": shape, "attention_mask": shape},
    )


def _quantise(path: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    exact = path.with_suffix(".fp32")
    path.replace(exact)
    quantize_dynamic(
        str(exact), str(path), weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"]
    )
    exact.unlink()


def _agreement(folder: Path, precision: Precision, reference: Vectors) -> float:
    """Lowest cosine over the probes between the exported model, run as it will be, and the reference."""
    lowest = float((Runner(folder, precision).encode(PROBES) * reference).sum(axis=1).min())
    return lowest if np.isfinite(lowest) else -1.0


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Nothing a library prints reaches the terminal, not even from C: only the parent speaks to people."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    saved = os.dup(1), os.dup(2)
    void = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(void, 1)
        os.dup2(void, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, copy in enumerate(saved, start=1):
            os.dup2(copy, number)
            os.close(copy)
        os.close(void)


def main(arguments: list[str]) -> int:
    """Run the export and say as JSON how it went. 0: exported; 1: nothing verified; 2: the disk refused."""
    source, target, wanted = arguments
    precision: Precision = "int8" if wanted == "int8" else "fp32"
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    try:
        with _silence():
            result = export(Path(source), Path(target), precision)
    except OSError as error:
        print(json.dumps({"error": error.strerror or str(error), "errno": error.errno}))
        return 2
    except Exception as error:  # noqa: BLE001 - the parent falls back to sentence-transformers and says why
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}))
        return 1
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
