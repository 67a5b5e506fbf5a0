"""Checks the citations of a chat model's answer: each mark must point at lines that support its sentence."""

from __future__ import annotations

from kbtui.reasoning.checking.checker import AnswerChecker, CheckedAnswer, Source

__all__ = ["AnswerChecker", "CheckedAnswer", "Source"]
