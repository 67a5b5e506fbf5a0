"""What the last question was about, whichever language it was asked in: follow-ups may change the language."""

from __future__ import annotations

from kbtui.reasoning.offline.followup import things_en as en
from kbtui.reasoning.offline.followup import things_zh as zh
from kbtui.reasoning.offline.followup.said import Said


def subject_of(said: Said, *, takes_place: bool = False) -> str:
    """What "it" and 它 mean; empty where nothing is sure.

    Args:
        takes_place: Something is said of it that only what is done can have: a duration, an approval.
    """
    return zh.subject(said.question) if said.language == "zh" else en.subject(said, takes_place=takes_place)


def event_of(said: Said) -> str:
    """What was asked about, as what is done where it is that: "rolling back a deploy", 续期证书."""
    return zh.topic_of(said.question).event if said.language == "zh" else en.happening(said)


def happening_of(said: Said) -> str:
    """What "that" alone means."""
    return zh.subject(said.question) if said.language == "zh" else en.happening(said)


def plural_of(said: Said) -> str:
    """What "they" means: people where who it is was asked for, both of two, else things."""
    if several := (said.people() if said.asks_who else ()) or pair_of(said):
        return " and ".join(several)
    if said.language == "zh":
        return said.few or zh.described(said.question) or zh.subject(said.question)
    return en.plural(said)


def pair_of(said: Said) -> tuple[str, ...]:
    """The two things that the last question put side by side."""
    return zh.pair(said.question) if said.language == "zh" else en.side_by_side(said.question)
