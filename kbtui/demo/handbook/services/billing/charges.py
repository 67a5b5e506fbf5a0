"""Books a charge when a parcel is dropped off (ADR-9)."""

from __future__ import annotations

from decimal import Decimal

from services.billing.ledger import Ledger

BASE_PRICE = {"S": Decimal("3.20"), "M": Decimal("4.60"), "L": Decimal("7.90")}
STORAGE_SURCHARGE = Decimal("0.80")
FREE_DAYS = 3


def idempotency_key(parcel: str, kind: str, counter: int) -> str:
    """The key of ADR-5: parcel number, kind of movement, counter."""
    return f"{parcel}:{kind}:{counter}"


def price(size: str, days: int) -> Decimal:
    """Base price by size, and a surcharge for each day after the third."""
    return BASE_PRICE[size] + STORAGE_SURCHARGE * max(0, days - FREE_DAYS)


def charge_for_drop_off(ledger: Ledger, parcel: str, size: str) -> bool:
    """Book the base price once, however often the event is delivered."""
    return ledger.book(idempotency_key(parcel, "charge", 0), BASE_PRICE[size])
