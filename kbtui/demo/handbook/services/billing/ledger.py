"""An append-only ledger that remembers keys for 400 days."""

from __future__ import annotations

from decimal import Decimal

KEY_RETENTION_DAYS = 400


class Ledger:
    """Books amounts under idempotency keys."""

    def __init__(self) -> None:
        self._entries: dict[str, Decimal] = {}

    def book(self, key: str, amount: Decimal) -> bool:
        """True when the amount was booked, False when the key was known."""
        if key in self._entries:
            return False
        self._entries[key] = amount
        return True

    def total(self) -> Decimal:
        return sum(self._entries.values(), Decimal(0))
