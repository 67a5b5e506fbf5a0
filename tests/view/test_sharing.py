from __future__ import annotations

from pathlib import Path

from kbtui.sessions.recording import Recording
from kbtui.view.export import FORMATS, export_session
from kbtui.view.sharing import shareable
from tests.sessions.runs import answered

KEY = "sk-proj-abcdef1234567890abcd"


def recording() -> Recording:
    return Recording(path=Path("s1.jsonl"), events=tuple(answered(query=f"is {KEY} in /kb/handbook or /kb/handbooks?")))


def test_the_home_folder_and_keys_are_in_no_format_when_they_are_not_wanted() -> None:
    shared = shareable(recording(), home=Path("/kb/handbook"), secrets=True)
    for format_ in FORMATS:
        text = export_session(shared, format_)
        assert KEY not in text
        assert "/kb/handbook or" not in text
        assert "in ~ or /kb/handbooks?" in text.replace("\\", ""), "a longer name is another folder"
    assert [event.kind for event in shared.events] == [event.kind for event in recording().events]


def test_without_a_wish_the_recording_is_as_it_was() -> None:
    whole = recording()
    assert shareable(whole) is whole
    assert shareable(whole, home=Path("/")).events == whole.events
