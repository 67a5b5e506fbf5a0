"""From a database that nobody has seen to the right answer, by keyboard, reading nothing but the screen."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.support.terminal import Terminal, kbtui


def database(path: Path) -> Path:
    """Orders of two regions, and why they were returned."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, revenue REAL)")
    rows = [("north", 10.0), ("south", 20.0), ("north", 5.0), ("south", 30.0), ("north", 1.0)]
    connection.executemany("INSERT INTO orders (region, revenue) VALUES (?, ?)", rows)
    connection.commit()
    connection.close()
    return path


def test_the_columns_of_a_table_are_seen_and_a_question_about_them_is_answered(kb: Path, tmp_path: Path) -> None:
    source = database(tmp_path / "shop.sqlite")
    with Terminal(kbtui("--data", str(source), str(kb)), cols=100, rows=36) as terminal:
        terminal.wait("5 rows · 3 columns")
        terminal.wait("ask about handbook")
        terminal.keys("Escape")
        terminal.wait("→ open")
        terminal.type("/")
        terminal.type("orders")
        terminal.wait("orders.region")
        terminal.keys("Enter")
        terminal.keys("Enter")
        terminal.wait("› @orders")
        terminal.type("total revenue by region")
        terminal.keys("Enter")
        screen = terminal.wait(lambda screen: "50" in screen and "16" in screen)
        assert "south" in screen


def test_what_is_here_is_answered_and_a_refused_question_leads_on_by_a_figure(tmp_path: Path) -> None:
    source = database(tmp_path / "shop.sqlite")
    (tmp_path / "empty").mkdir()
    with Terminal(kbtui("--data", str(source), str(tmp_path / "empty")), cols=90, rows=36) as terminal:
        terminal.wait("5 rows · 3 columns")
        terminal.type("what is here?")
        terminal.keys("Enter")
        terminal.wait("shop has 1 table")
        terminal.type("average wobbliness of orders by region")
        terminal.keys("Enter")
        terminal.wait(lambda screen: "not known   wobbliness" in screen and " 1 " in screen)
        terminal.type("1")
        terminal.wait(lambda screen: "Read as:" in screen)
