"""Lines of a session file as events, without decoding those that tell nothing of what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kbtui.domain.events import Event
from kbtui.errors import SessionError


def telling(*kinds: str) -> re.Pattern[bytes]:
    """Found in lines of events of these kinds, near their beginning; a row of a table may hold the same words."""
    return re.compile(rb'"kind"\s*:\s*"(?:%s)"' % "|".join(kinds).encode())


def events_in(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events of those lines that hold one."""
    # Checking what comes from disk costs a tenth of a second to set up, which no first question should wait for.
    from kbtui.domain.codec import decode

    for line in lines:
        try:
            yield decode(line.decode("utf-8"))
        except (SessionError, UnicodeDecodeError):
            continue
