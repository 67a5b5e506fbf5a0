"""A stand-in for Trino: its protocol of requests over HTTP, with DuckDB behind it. It is no Trino server.

What the client sends, follows and cancels is real; what a statement means is DuckDB's, after sqlglot has translated it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from typing import Any

import duckdb
import sqlglot

_RAW = {"BIGINT": "bigint", "INTEGER": "integer", "DATE": "date", "DOUBLE": "double", "BOOLEAN": "boolean"}


def missing_trino() -> str:
    """Why the client is not there; empty when it is."""
    return "" if find_spec("trino") else "the extra kbtui[trino] is not installed"


class TrinoStandIn:
    """``running`` has the statements that a client has not been given the end of; ``stopped`` those it cancelled.

    A statement with the word ``endless`` runs until it is cancelled.
    """

    def __init__(self, *statements: str) -> None:
        self.connection = duckdb.connect()
        self.connection.execute("CREATE SCHEMA sales; SET schema = 'sales'")
        for statement in statements:
            self.connection.execute(statement)
        self.asked: list[str] = []
        self.running: dict[str, str] = {}
        self.stopped: list[str] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, database: str = "lake/sales") -> str:
        return f"trino://me@127.0.0.1:{self.port}/{database}?kbtui_read_only=account"

    def begin(self, sql: str) -> dict[str, Any]:
        with self._lock:
            self.asked.append(sql)
            number = str(len(self.asked))
            self.running[number] = sql
        return self._page(number, "QUEUED")

    def go_on(self, number: str) -> dict[str, Any]:
        sql = self.running.get(number)
        if sql is None:
            said = {"message": "Query was canceled", "errorName": "USER_CANCELED", "errorType": "USER_ERROR"}
            return {**self._page(number, "FAILED", last=True), "error": {**said, "errorCode": 3}}
        if "endless" in sql:
            time.sleep(0.02)
            return self._page(number, "RUNNING")
        try:
            with self._lock:
                translated = sqlglot.transpile(sql, read="trino", write="duckdb")[0]
                found = self.connection.execute(translated)
                types = [str(column[1]) for column in found.description or ()]
                names = [column[0] for column in found.description or ()]
                rows = found.fetchall()
        except (duckdb.Error, sqlglot.errors.SqlglotError) as error:
            said = {"message": str(error).split("\n")[0], "errorName": "SYNTAX_ERROR", "errorType": "USER_ERROR"}
            return {**self._page(number, "FAILED", last=True), "error": {**said, "errorCode": 1}}
        finally:
            self.running.pop(number, None)
        columns = [
            {"name": name, "type": raw, "typeSignature": {"rawType": raw, "arguments": []}}
            for name, raw in zip(names, [_RAW.get(each, "varchar") for each in types], strict=True)
        ]
        data = [[cell if isinstance(cell, int | float | None) else str(cell) for cell in row] for row in rows]
        return {**self._page(number, "FINISHED", last=True), "columns": columns, "data": data}

    def cancel(self, number: str) -> None:
        sql = self.running.pop(number, None)
        if sql is not None:
            self.stopped.append(sql)

    def _page(self, number: str, state: str, *, last: bool = False) -> dict[str, Any]:
        stats = {"state": state, "queued": False, "scheduled": True, "nodes": 1}
        page: dict[str, Any] = {"id": number, "infoUri": "", "stats": stats}
        return page if last else {**page, "nextUri": f"http://127.0.0.1:{self.port}/v1/statement/{number}"}

    def stop(self) -> None:
        self._server.shutdown()


def _handler(stand_in: TrinoStandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sql = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if self.headers["X-Trino-User"] == "nobody":
                self.send_error(401)
                return
            self._send(stand_in.begin(sql))

        def do_GET(self) -> None:
            self._send(stand_in.go_on(self.path.rpartition("/")[2]))

        def do_DELETE(self) -> None:
            stand_in.cancel(self.path.rpartition("/")[2])
            self.send_response(204)
            self.end_headers()

        def _send(self, page: dict[str, Any]) -> None:
            body = json.dumps(page).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def running_stand_in(*statements: str) -> Iterator[TrinoStandIn]:
    """A stand-in for the block, gone after it."""
    started = TrinoStandIn(*statements)
    try:
        yield started
    finally:
        started.stop()
