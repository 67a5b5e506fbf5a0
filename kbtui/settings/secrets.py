"""What must not be shown: keys, tokens and passwords, wherever a setting or a URL holds one."""

from __future__ import annotations

import re
from typing import Any

MASK = "********"

_KEY = re.compile(r"(?i)(?:^|[._-])(?:keys?|tokens?|secrets?|password|passwd|pwd|credentials?)$")
_IN_URL = re.compile(r"(?<=://)([^/@\s:?#]*):[^/\s?#]+@")
_IN_QUERY = re.compile(r"(?i)([?&;][^=&;\s]*(?:key|token|secret|password|passwd|pwd)[^=&;\s]*=)[^&;\s]*")


def masked(key: str, value: Any) -> Any:
    """The value of a setting as it may be shown; lists become lists of what may be shown."""
    if isinstance(value, (list, tuple)):
        return [masked(key, item) for item in value]
    if not isinstance(value, str) or not value:
        return value
    return MASK if _KEY.search(key) else masked_text(value)


def masked_text(text: str) -> str:
    """A text with the passwords of the URLs in it masked."""
    return _IN_QUERY.sub(rf"\1{MASK}", _IN_URL.sub(rf"\1:{MASK}@", text))
