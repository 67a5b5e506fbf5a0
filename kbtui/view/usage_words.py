"""Model usage of a run as text, in several lengths: a status line has less room than an export."""

from __future__ import annotations

from kbtui.domain.usage import Usage
from kbtui.i18n import _, ngettext


def usage_forms(usage: Usage) -> tuple[str, ...]:
    """Texts from ``3 calls · 2.1k in 240 out · $0.0012`` down to ``3 calls``; empty if no model was called."""
    if not usage.calls:
        return ()
    calls = ngettext("{count} call", "{count} calls", usage.calls)
    cost = (cost_text(usage.cost_usd),) if usage.cost_usd is not None else ()
    forms = [(calls, *cost), (calls,)]
    if usage.tokens_in or usage.tokens_out:
        counts = token_counts_text(usage.tokens_in, usage.tokens_out)
        total = _("{count} tokens", count=count_text(usage.tokens_in + usage.tokens_out))
        forms = [(calls, counts, *cost), (calls, total, *cost), *forms]
    return tuple(dict.fromkeys(" · ".join(parts) for parts in forms))


def usage_text(usage: Usage) -> str:
    """The longest text of the usage; empty if no model was called."""
    return next(iter(usage_forms(usage)), "")


def token_counts_text(tokens_in: int, tokens_out: int) -> str:
    """Numbers of tokens read and written, such as ``2.1k in 240 out``."""
    return _("{read} in {written} out", read=count_text(tokens_in), written=count_text(tokens_out))


def count_text(count: int) -> str:
    """A number of tokens in at most five characters: ``240``, ``2.1k``, ``21k``, ``1.3M``."""
    if count < 1_000:
        return str(count)
    # A number that rounds up to the next unit is given in that unit: 999,600 is 1.0M, not 1000k.
    unit, letter = (1_000, "k") if count < 999_500 else (1_000_000, "M")
    amount = count / unit
    return f"{amount:.1f}{letter}" if amount < 9.95 else f"{amount:.0f}{letter}"


def cost_text(dollars: float) -> str:
    """A cost with about two significant digits: ``$0.0012``, ``$0.45``, ``$12.30``."""
    if dollars <= 0:
        return "$0"
    if dollars < 0.0001:
        return "<$0.0001"
    return f"${dollars:.4f}" if dollars < 0.1 else f"${dollars:.2f}"
