"""How long a loop may go on: calls, tokens, seconds and money, the last call of each kept for the answer."""

from __future__ import annotations

import time
from typing import Final

from kbtui.agent.loop.state import LoopContext, LoopState

_NEAR: Final = 0.8
"""Share of tokens, seconds and money after which the model is told to end."""
_IDLE_ROUNDS: Final = 2
"""Rounds in a row without anything new after which it is told so, too."""
LEAST_S: Final = 5.0
"""What a call is given at least."""


def is_last(state: LoopState, context: LoopContext) -> bool:
    """Whether the call that comes next must be the one that answers."""
    settings, used = context.settings, context.client.usage
    calls = state["round"] + 1
    if calls >= settings.loop_calls or used.calls + 1 >= settings.max_calls or state["repeats"] >= _IDLE_ROUNDS:
        return True
    tokens = used.tokens_in + used.tokens_out
    limits = [limit for limit in (settings.loop_tokens, settings.max_run_tokens) if limit]
    if any(tokens >= _NEAR * limit for limit in limits):
        return True
    if settings.max_run_usd and (used.cost_usd or 0.0) >= _NEAR * settings.max_run_usd:
        return True
    return time.monotonic() - state["began"] >= _NEAR * settings.loop_s


def may_ask_again(state: LoopState, context: LoopContext) -> bool:
    """Whether an answer may be sent back: there is a call left for it."""
    settings, used = context.settings, context.client.usage
    if state["round"] >= settings.loop_calls or used.calls >= settings.max_calls:
        return False
    return time.monotonic() - state["began"] < settings.loop_s


def deadline(state: LoopState, context: LoopContext) -> float:
    """When the call that begins now must have ended, by ``time.monotonic()``."""
    end = state["began"] + context.settings.loop_s
    return min(context.client.deadline("loop"), max(end, time.monotonic() + LEAST_S))
