"""Try again with growing pauses: 1, 2, 4 … seconds, with jitter, at most 30."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable
from typing import Any


def with_backoff(attempts: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def tried(*args: Any, **kwargs: Any) -> Any:
            for attempt in range(attempts):
                try:
                    return function(*args, **kwargs)
                except ConnectionError:
                    if attempt == attempts - 1:
                        raise
                    time.sleep(min(30, 2**attempt) * random.uniform(0.5, 1.0))
            return None

        return tried

    return wrap
