"""One folder and one index for all of these tests, and a key that must never be seen."""

from __future__ import annotations

import sqlite3
import ssl
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.settings.model import Settings
from tests.conftest import PAGES, written
from tests.llm.running import KEY, QUESTION
from tests.support.model_server import ModelServer
from tests.support.perfect_model import perfect

ASIDE = {"runbooks/announce.md": "# Announcing a deploy\n\nA deploy is announced in the channel before it begins.\n"}
"""About the same thing, and no answer to the question: a model may take it for one."""


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory, shared_model: None) -> tuple[Path, Path]:
    """The handbook and the cache in which its index is."""
    folder = written(tmp_path_factory.mktemp("llm") / "handbook", {**PAGES, **ASIDE})
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        Engine(Settings(), folder, record=False).answer_query(QUESTION)
    return folder, cache


authorities = cache(ssl.create_default_context)


@pytest.fixture(autouse=True)
def planted(home: Path, indexed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own, the index there is, and the key.

    Clients read the list of certificate authorities when they are made, which takes as long as a run, and these servers
    speak plain HTTP: it is read once.
    """
    monkeypatch.setattr(ssl, "create_default_context", authorities)
    monkeypatch.setenv("XDG_CACHE_HOME", str(indexed[1]))
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(variable, KEY)


@pytest.fixture
def folder(indexed: tuple[Path, Path]) -> Path:
    return indexed[0]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(perfect) as running:
        yield running


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A database of customers and their orders."""
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """
            CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
            CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers, total REAL);
            INSERT INTO customers VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Bergen'), (3, 'Cy', 'Oslo');
            INSERT INTO orders VALUES (1, 1, 10.0), (2, 1, 30.0), (3, 2, 5.0), (4, 3, 7.0);
            """
        )
    connection.close()
    return path
