from __future__ import annotations

from kbtui.analysis.request_cues import RequestCues, cues, kinds


def test_only_the_kinds_that_are_asked_about_are_looked_for() -> None:
    cues.cache_clear()
    found = RequestCues("plot the revenue by month")
    assert "visualization" in found
    assert cues.cache_info().currsize == 1


def test_what_is_found_is_named_by_the_words_that_say_it() -> None:
    found = RequestCues("latest news about openai")
    assert [(one.name, one.detail) for one in found["web_search"]] == [("news", "news")]
    assert "consultation" not in found
    assert found.get("consultation", ()) == ()


def test_all_kinds_of_a_request_are_listed() -> None:
    text = "why did revenue drop, and plot the revenue"
    assert set(RequestCues(text)) == {kind for kind in kinds() if kind in RequestCues(text)}
    assert {"data", "visualization", "multi_step_analysis"} <= set(RequestCues(text))


def test_a_signal_that_does_not_count_leaves_its_kind_out() -> None:
    text = "which handbook"
    assert "knowledge" in RequestCues(text)
    assert "knowledge" not in RequestCues(text, lambda kind, signal: signal.name != "documents")


def test_a_long_passage_is_shortened_where_it_is_shown() -> None:
    (signal,) = [
        one
        for one in RequestCues("analyze sales of the whole last year by every region and explain")[
            "multi_step_analysis"
        ]
        if one.name == "analysed and more"
    ]
    assert len(signal.detail) == 40
