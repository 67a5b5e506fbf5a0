"""The sample handbook and database behind ``kbtui demo``: a fictional company that runs parcel lockers."""

from __future__ import annotations

from collections.abc import Mapping
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

SUGGESTIONS: Mapping[str, tuple[str, ...]] = {
    "en": (*QUESTIONS, "Compare ADR-6 and ADR-9 and list what both say about billing"),
    "zh": (
        "如何回滚部署？",
        "哪个 ADR 取代了 ADR-2？",
        "HEARTBEAT_TIMEOUT_S 是什么？",
        "台北试点有多少个柜机？",
        "哪些工单阻塞了 HL-118？",
        "每个代码的事故数量柱状图",
        "事故最多的代码是哪个？",
    ),
}
"""What the screen offers to begin with, by the language of the interface."""


def handbook_path() -> Path:
    """The folder of the sample handbook."""
    return Path(__file__).parent / "handbook"
