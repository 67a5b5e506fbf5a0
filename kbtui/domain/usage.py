"""What a run used of a chat model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Counted over calls; adds up with ``+``.

    Attributes:
        calls: Requests that were sent, repairs and retries among them.
        tokens_in: Of the prompts, as the provider counted them (0 where it says nothing).
        tokens_out: Of the answers.
        cost_usd: In US dollars; None where the price of the model is not known.
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
