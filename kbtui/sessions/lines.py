"""Decodes the lines of a session file that hold events of wanted kinds, and skips the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kbtui.domain.events import Event
from kbtui.errors import SessionError


def kind_pattern(*kinds: str) -> re.Pattern[bytes]:
    """A pattern that is found in the lines of events of these kinds, near their beginning.

    A line of another kind, such as one with a table row of the same words, may match too.
    """
    return re.compile(rb'"kind"\s*:\s*"(?:%s)"' % "|".join(kinds).encode())


def events_in(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events of the lines; lines without a valid event are skipped."""
    # Imported late: setting up the decoder takes a tenth of a second, which the first question must not wait for.
    from kbtui.domain.codec import decode

    for line in lines:
        try:
            yield decode(line.decode("utf-8"))
        except (SessionError, UnicodeDecodeError):
            continue
