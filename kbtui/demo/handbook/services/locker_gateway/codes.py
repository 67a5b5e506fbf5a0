"""Door codes that a locker can check by itself (ADR-3)."""

from __future__ import annotations

import hashlib
import hmac
import time

WINDOW_S = 48 * 3600


def derive_code(seed: bytes, window: int) -> str:
    """Six digits for one window of 48 hours."""
    digest = hmac.new(seed, window.to_bytes(8, "big"), hashlib.sha256).digest()
    return f"{int.from_bytes(digest[:4], 'big') % 1_000_000:06d}"


def valid_code(seed: bytes, code: str, now: float | None = None) -> bool:
    """A code is valid in its own window and in the one after it."""
    window = int((now or time.time()) // WINDOW_S)
    return any(hmac.compare_digest(code, derive_code(seed, window - age)) for age in (0, 1))
