"""Session ids: readable, sorted by time, safe as file names."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from kbtui.errors import SessionError
from kbtui.late_patterns import pattern

_SESSION_ID = pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def utc_now() -> datetime:
    """The current time in UTC, the default clock of the program."""
    return datetime.now(UTC)


def random_token() -> str:
    """Four hex digits, which distinguish sessions of the same second."""
    return os.urandom(2).hex()


def new_session_id(now: datetime, token: str) -> str:
    """``20261120-210301-7f3a``: date and time (UTC) first, so that names sort by age."""
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{token}"


def validated_id(session_id: str) -> str:
    """``session_id``, after a check that it is a plain file name.

    Raises:
        SessionError: It contains a separator, or anything else that could lead out of the sessions folder.
    """
    if not _SESSION_ID.fullmatch(session_id):
        raise SessionError(
            f"{session_id!r} cannot name a session.",
            "Session names are letters, digits, dots, dashes and underscores.",
        )
    return session_id
