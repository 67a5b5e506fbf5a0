"""What the last question was about, whichever language it was asked in: follow-ups may change the language."""

from __future__ import annotations

from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.topics_en import event_en, happening_en, plural_en, side_by_side, subject_en
from kbtui.reasoning.offline.followup.topics_zh import pair_zh, subject_zh, topic_of


def subject_of(said: Said, *, takes_place: bool = False) -> str:
    """What "it" and 它 mean; empty where nothing is sure.

    Args:
        takes_place: Something is said of it that only what is done can have: a duration, an approval.
    """
    return subject_zh(said) if said.language == "zh" else subject_en(said, takes_place=takes_place)


def event_of(said: Said) -> str:
    """What was asked about, as what is done where it is that: "rolling back a deploy", 续期证书."""
    return topic_of(said.question).event if said.language == "zh" else event_en(said)


def happening_of(said: Said) -> str:
    """What "that" alone means."""
    return subject_zh(said) if said.language == "zh" else happening_en(said)


def plural_of(said: Said) -> str:
    """What "they" means: people where who it is was asked for, both of two, else things."""
    if said.asks_who and (people := said.people()):
        return " and ".join(people)
    if pair := pair_of(said):
        return " and ".join(pair)
    return subject_zh(said) if said.language == "zh" else plural_en(said)


def pair_of(said: Said) -> tuple[str, ...]:
    """The two things that the last question put side by side."""
    return pair_zh(said.question) if said.language == "zh" else side_by_side(said.question)
