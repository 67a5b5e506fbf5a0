"""Follow-up questions without a chat model: what a question leaves to the conversation is put into words first.

After an answer people seldom ask whole questions: "and for staging?", 为什么？, "who wrote it?". `condense` puts such a
question in full; `FollowUpRouter` does so in front of any router.
"""

from __future__ import annotations

from kbtui.reasoning.offline.followup.router import Condensed, FollowUpRouter, condense

__all__ = ["Condensed", "FollowUpRouter", "condense"]
