"""Keeps one connection to each locker and turns messages into parcel events (ADR-4)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from services.locker_gateway.codes import valid_code
from services.locker_gateway.retry import with_backoff

HEARTBEAT_TIMEOUT_S = 900
MAX_STORED_EVENTS = 10_000


@dataclass
class Locker:
    """A locker as the gateway sees it."""

    locker_id: str
    seed: bytes
    last_heartbeat: float = 0.0
    stored_events: list[dict[str, str]] = field(default_factory=list)

    def is_offline(self, now: float | None = None) -> bool:
        """True when no heartbeat came for HEARTBEAT_TIMEOUT_S seconds."""
        return (now or time.time()) - self.last_heartbeat > HEARTBEAT_TIMEOUT_S


class Gateway:
    """All lockers of a region."""

    def __init__(self, lockers: dict[str, Locker]) -> None:
        self.lockers = lockers

    def heartbeat(self, locker_id: str, now: float) -> None:
        self.lockers[locker_id].last_heartbeat = now

    @with_backoff(attempts=5)
    def soft_restart(self, locker_id: str) -> None:
        """Restart without touching the doors (HL-118)."""
        self._send(locker_id, "restart", keep_doors=True)

    def open_door(self, locker_id: str, code: str) -> bool:
        locker = self.lockers[locker_id]
        return valid_code(locker.seed, code)

    def _send(self, locker_id: str, command: str, **options: object) -> None:
        raise ConnectionError(f"{locker_id} does not answer {command} {options}")
