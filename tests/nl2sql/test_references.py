"""References that no schema declares."""

from __future__ import annotations

from kbtui.nl2sql.query import Ref
from tests.nl2sql.sources import Memory


def _edges(memory: Memory) -> dict[str, str]:
    return {f"{edge.left.table}.{edge.left.column}": edge.right.table for edge in memory.catalogue().edges}


def test_columns_refer_to_tables_by_their_names_without_the_part_of_the_application() -> None:
    memory = Memory(
        """
        CREATE TABLE auth_user(id INTEGER PRIMARY KEY, username TEXT);
        CREATE TABLE auth_group(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE desk_ticket(id INTEGER PRIMARY KEY, subject TEXT, assigned_to_id INTEGER, closed_by_id INTEGER);
        CREATE TABLE desk_comment(id INTEGER PRIMARY KEY, ticket_id INTEGER, user_id INTEGER);
        """
    )
    memory.fill("auth_user", [(n, f"user{n}") for n in range(1, 9)])
    memory.fill("auth_group", [(n, f"group{n}") for n in range(1, 4)])
    memory.fill("desk_ticket", [(n, f"subject {n}", n % 8 + 1, n % 3 + 1) for n in range(1, 31)])
    memory.fill("desk_comment", [(n, n % 30 + 1, n % 8 + 1) for n in range(1, 61)])
    assert _edges(memory) == {
        "desk_ticket.assigned_to_id": "auth_user__assigned",
        "desk_ticket.closed_by_id": "auth_user__closed",
        "desk_comment.ticket_id": "desk_ticket",
        "desk_comment.user_id": "auth_user",
    }


def test_a_line_refers_to_the_order_of_its_own_part_of_the_application() -> None:
    memory = Memory(
        """
        CREATE TABLE purchase_order(id INTEGER PRIMARY KEY, vendor TEXT);
        CREATE TABLE sale_order(id INTEGER PRIMARY KEY, client TEXT);
        CREATE TABLE sale_order_line(id INTEGER PRIMARY KEY, order_id INTEGER, price REAL);
        """
    )
    for name in ("purchase_order", "sale_order"):
        memory.fill(name, [(n, f"{name} {n}") for n in range(1, 21)])
    memory.fill("sale_order_line", [(n, n % 20 + 1, n / 2) for n in range(1, 61)])
    assert _edges(memory) == {"sale_order_line.order_id": "sale_order"}


def test_the_number_of_a_post_in_its_topic_and_of_the_post_it_answers_refer_to_no_post() -> None:
    memory = Memory(
        """
        CREATE TABLE topics(id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE posts(id INTEGER PRIMARY KEY, topic_id INTEGER, post_number INTEGER, reply_to_post_number INTEGER,
          parent_post_id INTEGER);
        """
    )
    memory.fill("topics", [(n, f"Topic {n}") for n in range(1, 11)])
    memory.fill(
        "posts", [(n, n % 10 + 1, (n - 1) // 10 + 1, 1 if n > 10 else None, n // 2 or None) for n in range(1, 81)]
    )
    catalogue = memory.catalogue()
    assert {edge.left.column for edge in catalogue.edges if edge.left.table == "posts"} == {
        "topic_id",
        "parent_post_id",
    }
    assert catalogue.tables["posts"].grain != Ref("posts", "post_number")
