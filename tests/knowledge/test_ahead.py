"""Loading the model while the rest is imported."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

from kbtui.errors import EmbeddingError
from kbtui.knowledge.base import load_model_ahead
from kbtui.settings.model import EmbeddingSettings


def knowledge(load: Any) -> Any:
    return SimpleNamespace(embedder=SimpleNamespace(load=load))


def test_the_model_is_loaded_in_another_thread() -> None:
    loaded_in: list[threading.Thread] = []
    thread = load_model_ahead(knowledge(lambda: loaded_in.append(threading.current_thread())), EmbeddingSettings())
    assert thread is not None
    thread.join()
    assert loaded_in == [thread] != [threading.current_thread()]


def test_another_model_than_the_bundled_one_waits_for_its_turn() -> None:
    assert load_model_ahead(knowledge(lambda: None), EmbeddingSettings(model="all-mpnet-base-v2")) is None


def test_what_goes_wrong_ahead_is_left_to_whoever_needs_the_model(capfd: Any) -> None:
    def fail() -> None:
        raise EmbeddingError("There is no such model.")

    thread = load_model_ahead(knowledge(fail), EmbeddingSettings())
    assert thread is not None
    thread.join()
    assert capfd.readouterr().err == ""
