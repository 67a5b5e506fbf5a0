"""The chat model usage of a run."""

from __future__ import annotations

from msgspec import Struct


class Usage(Struct, frozen=True, kw_only=True):
    """Usage summed over calls; two of them are added with ``+``.

    Attributes:
        calls: Requests sent, including repairs and retries.
        tokens_in: Prompt tokens as the provider counted them (0 where it does not report them).
        tokens_out: Answer tokens, likewise.
        cost_usd: Cost in US dollars; None where the price of the model is not known.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost_usd=sum(costs) if costs else None,
        )
