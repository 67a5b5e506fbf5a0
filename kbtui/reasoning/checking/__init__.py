"""Checks the citations of a chat model's answer: each mark must point at lines that support its sentence."""

from __future__ import annotations

from kbtui.reasoning.checking.checked import CheckedAnswer, Doubt, Source
from kbtui.reasoning.checking.checker import AnswerChecker

__all__ = ["AnswerChecker", "CheckedAnswer", "Doubt", "Source"]
