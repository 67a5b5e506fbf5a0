"""The budget of a loop (calls, tokens, seconds, money), with the last call reserved for the answer."""

from __future__ import annotations

import time
from typing import Final

from kbtui.agent.loop.state import LoopContext, LoopState

_NEAR: Final = 0.8
"""Share of the token, time and money budget after which the model is told to answer."""
_IDLE_ROUNDS: Final = 2
"""Consecutive rounds without new calls after which the model is told to answer."""
MIN_CALL_S: Final = 5.0
"""Smallest timeout of a call, in seconds."""


def is_last(state: LoopState, context: LoopContext) -> bool:
    """Whether the next call must give the answer."""
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
    """Whether the budget allows another call to revise an answer."""
    settings, used = context.settings, context.client.usage
    if state["round"] >= settings.loop_calls or used.calls >= settings.max_calls:
        return False
    return time.monotonic() - state["began"] < settings.loop_s


def deadline(state: LoopState, context: LoopContext) -> float:
    """The deadline of a call that starts now, by ``time.monotonic()``."""
    end = state["began"] + context.settings.loop_s
    return min(context.client.deadline("loop"), max(end, time.monotonic() + MIN_CALL_S))
