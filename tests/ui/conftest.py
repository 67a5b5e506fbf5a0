"""What every test of a screen would wait for, or do again, that is the same in each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual import _wait
from textual._compositor import Compositor
from textual.app import App
from textual.css import stylesheet
from textual.css.model import RuleSet


@pytest.fixture(scope="session", autouse=True)
def parsed_once() -> Iterator[None]:
    """Each app parses the same style sheets, with the variables of one of few themes: a tenth of the time of a test.

    Textual only reads what it has parsed.
    """
    tokenize, parse = stylesheet.tokenize_values, stylesheet.parse
    tokens: dict[frozenset[tuple[str, str]], Any] = {}
    rules: dict[tuple[Any, ...], list[RuleSet]] = {}

    def tokenize_once(values: dict[str, str]) -> Any:
        key = frozenset(values.items())
        if key not in tokens:
            tokens[key] = tokenize(values)
        return tokens[key]

    def parse_once(*args: Any, variable_tokens: Any, **options: Any) -> list[RuleSet]:
        key = (args, id(variable_tokens), tuple(options.items()))
        if key not in rules:
            rules[key] = list(parse(*args, variable_tokens=variable_tokens, **options))
        return rules[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stylesheet, "tokenize_values", tokenize_once)
        patch.setattr(stylesheet, "parse", parse_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def drawn_when_looked_at() -> Iterator[None]:
    """Without a terminal, Textual draws every frame and throws it away: a third of the time of a test.

    A test draws what it looks at, and what is on the screen in the end is drawn in any case.
    """
    render_update, run_test = Compositor.render_update, App.run_test

    def nothing(self: Compositor, full: bool = False, **options: Any) -> Any:
        if full:
            return render_update(self, full, **options)
        self._dirty_regions.clear()
        return None

    @asynccontextmanager
    async def drawn_at_the_end(self: App[Any], **options: Any) -> AsyncIterator[Any]:
        async with run_test(self, **options) as pilot:
            yield pilot
            if self.is_running:
                self.screen._compositor.render_strips()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compositor, "render_update", nothing)
        patch.setattr(App, "run_test", drawn_at_the_end)
        yield


@pytest.fixture(autouse=True)
def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's pilot waits until the process is idle, and looks 50 times a second; here it looks more often.

    Each key and each pause costs two looks or one: thousands in all, which were a third of the time of a test.
    """
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 1 / 200)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 1 / 200 / 20)


@pytest.fixture(autouse=True)
def all_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of the screen do not depend on the terminal in which the tests are run."""
    monkeypatch.setenv("COLORTERM", "truecolor")
