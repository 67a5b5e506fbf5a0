"""The bundled model as it is installed: package data whose SHA-256 sums are checked whenever it is loaded.

``model/`` holds ``model.onnx`` (int8, 24 MB), ``tokenizer.json`` and ``meta.json`` with the sums. ``make model`` writes
all of them. ``cross/`` holds the upper layers of the cross-encoder, made by ``benchmarks/fit_cross.py``;
``multilingual/`` is described in `multilingual`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding.runner import ModelBytes

FOLDER: Final = Path(__file__).with_name("model")
CROSS_FOLDER: Final = Path(__file__).with_name("cross")
CROSS_FILE: Final = "cross.onnx"
MULTILINGUAL_FOLDER: Final = Path(__file__).with_name("multilingual")
MULTILINGUAL_FILE: Final = "multilingual.onnx"
META_FILE: Final = "meta.json"
TOKENIZER_FILE: Final = "tokenizer.json"
MODEL_FILE: Final = "model.onnx"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the original weights of all-MiniLM-L6-v2, which the model is made from."""

_REINSTALL: Final = "Run `pip install --force-reinstall --no-deps kbtui`."


def read_model(folder: Path = FOLDER) -> ModelBytes:
    """The model in ``folder``, whose bytes are the ones that were checked.

    Raises:
        EmbeddingError: A file is missing or differs from its sum in ``meta.json``.
    """
    sums = _sums(folder)
    return ModelBytes(onnx=_checked(folder, MODEL_FILE, sums), tokenizer=_checked(folder, TOKENIZER_FILE, sums))


def read_cross(folder: Path = CROSS_FOLDER) -> bytes:
    """The upper layers of the cross-encoder, whose bytes are the ones that were checked.

    Raises:
        EmbeddingError: The file is missing or differs from its sum in ``meta.json``.
    """
    return _checked(folder, CROSS_FILE, _sums(folder))


def read_multilingual(folder: Path = MULTILINGUAL_FOLDER) -> ModelBytes:
    """The multilingual model in ``folder``, whose bytes are the ones that were checked.

    Raises:
        EmbeddingError: A file is missing or differs from its sum in ``meta.json``.
    """
    sums = _sums(folder)
    return ModelBytes(onnx=_checked(folder, MULTILINGUAL_FILE, sums), tokenizer=_checked(folder, TOKENIZER_FILE, sums))


def multilingual_sum() -> str:
    """The SHA-256 that the multilingual model should have: part of the fingerprint of its vectors.

    Raises:
        EmbeddingError: ``meta.json`` is missing or damaged.
    """
    return _sums(MULTILINGUAL_FOLDER)[MULTILINGUAL_FILE]


def _sums(folder: Path) -> dict[str, str]:
    try:
        files = json.loads((folder / META_FILE).read_text("utf-8"))["files"]
        return {str(name): str(digest) for name, digest in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(folder / META_FILE, f"cannot be read ({type(error).__name__})") from error


def _checked(folder: Path, name: str, sums: dict[str, str]) -> bytes:
    try:
        content = (folder / name).read_bytes()
    except OSError as error:
        raise _damaged(folder / name, f"cannot be read ({error.strerror or error})") from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != sums.get(name):
        raise _damaged(
            folder / name,
            f"is not the one kbtui came with (SHA-256 {digest[:12]}…, expected {sums.get(name, '')[:12]}…)",
        )
    return content


def _damaged(path: Path, reason: str) -> EmbeddingError:
    return EmbeddingError(f"The bundled embedding model is damaged: {path} {reason}.", _REINSTALL)
