"""Session ids: readable, sorted by time, safe as file names."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime

from kbtui.errors import SessionError

_SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def utc_now() -> datetime:
    """The current time in UTC, the default clock of the program."""
    return datetime.now(UTC)


def random_token() -> str:
    """Four hex digits, which distinguish sessions of the same second."""
    return secrets.token_hex(2)


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
