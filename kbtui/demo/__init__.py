"""The sample handbook and database behind ``kbtui demo``: a fictional company that runs parcel lockers."""

from __future__ import annotations

from pathlib import Path

from kbtui.demo.sample_database import sample_database

__all__ = ["QUESTIONS", "SUGGESTIONS", "handbook_path", "sample_database"]

QUESTIONS: tuple[str, ...] = (
    "How do I roll back a deploy?",
    "Which ADR superseded ADR-2?",
    "What is HEARTBEAT_TIMEOUT_S?",
    "find files about billing",
    "台北试点有多少个柜机？",
    "show a bar chart of the number of incidents by code",
    "first find the code with the most incidents, then the average minutes of incidents with that code",
)
"""What the demo answers where there is no terminal: one question of each kind, one of them in Chinese."""

SUGGESTIONS: tuple[str, ...] = (*QUESTIONS, "Compare ADR-6 and ADR-9 and list what both say about billing")
"""What the screen offers to begin with."""


def handbook_path() -> Path:
    """The folder of the sample handbook."""
    return Path(__file__).parent / "handbook"
