"""PostgreSQL and MariaDB as Debian packages them, started on loopback for the tests, in folders of their own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PASSWORD = "corr:ect h/rse@9"
"""Of every user; full of signs that mean something in a URL."""

_PATIENCE_S = 60.0
_POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Postgres:
    """A PostgreSQL server; ``boss`` is its superuser, ``reader`` may only read."""

    def __init__(self, folder: Path) -> None:
        self.bin = _POSTGRES[0]
        self.folder = folder
        self.port = free_port()
        # The server refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)
        secret = folder / "secret"
        secret.write_text(PASSWORD)
        self._run(
            *("initdb", "-D", folder / "data", "-U", "boss", "-A", "scram-sha-256", "--pwfile", secret),
            *("--no-sync", "-E", "UTF8", "--locale", "C.UTF-8"),
        )
        self.start()
        self.sql("CREATE DATABASE shop", database="postgres")
        self.sql(f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")

    def _run(self, program: str, *arguments: str | Path) -> None:
        subprocess.run(
            [self.bin / program, *arguments],
            check=True,
            user=self.user,
            capture_output=program == "initdb",
            cwd="/",
            stdout=None if program == "initdb" else subprocess.DEVNULL,
        )

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c fsync=off -c max_connections=20"
        self._run("pg_ctl", "-D", self.folder / "data", "-o", options, "-w", "-l", self.folder / "log", "start")

    def stop(self) -> None:
        """As if the machine had lost power."""
        self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "stop")

    def sql(self, *statements: str, database: str = "shop") -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(
            host="127.0.0.1", port=self.port, user="boss", password=PASSWORD, dbname=database, autocommit=True
        ) as connection:
            for statement in statements:
                cursor = connection.execute(statement)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def url(self, user: str = "boss", database: str = "shop") -> str:
        return f"postgresql://{user}:${{SHOP_PASSWORD}}@127.0.0.1:{self.port}/{database}"


class MariaDb:
    """A MariaDB server; ``boss`` may do anything, ``reader`` may only read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.user = ["--user=root"] if os.geteuid() == 0 else []
        subprocess.run(
            [
                *("mariadb-install-db", "--no-defaults", f"--datadir={folder / 'data'}", *self.user),
                *("--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"),
            ],
            check=True,
            capture_output=True,
        )
        self.start()
        self.sql(
            "CREATE DATABASE shop CHARACTER SET utf8mb4",
            f"CREATE USER boss@'%' IDENTIFIED BY '{PASSWORD}'",
            "GRANT ALL ON *.* TO boss@'%' WITH GRANT OPTION",
            f"CREATE USER reader@'%' IDENTIFIED BY '{PASSWORD}'",
            "GRANT SELECT ON shop.* TO reader@'%'",
            database=None,
        )

    def start(self) -> None:
        program = shutil.which("mariadbd") or "/usr/sbin/mariadbd"
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(program, "--no-defaults", f"--datadir={self.folder / 'data'}", f"--port={self.port}", *self.user),
                    *("--bind-address=127.0.0.1", f"--socket={self.folder / 'socket'}", "--skip-name-resolve"),
                    *("--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M"),
                    f"--pid-file={self.folder / 'pid'}",
                ],
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                self.sql("SELECT 1", database=None)
                return
            except Exception:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise
                time.sleep(0.1)

    def stop(self) -> None:
        """As if the machine had lost power."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def sql(self, *statements: str, database: str | None = "shop") -> list[tuple[Any, ...]]:
        import pymysql

        connection = pymysql.connect(
            unix_socket=str(self.folder / "socket"), user="root", database=database, autocommit=True, charset="utf8mb4"
        )
        with connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    def url(self, user: str = "boss", database: str = "shop") -> str:
        return f"mysql://{user}:${{SHOP_PASSWORD}}@127.0.0.1:{self.port}/{database}"


def missing(kind: type[Postgres | MariaDb]) -> str:
    """Why a server cannot be started here; empty when it can."""
    if kind is Postgres:
        return "" if _POSTGRES else "PostgreSQL is not installed"
    found = shutil.which("mariadb-install-db") and (shutil.which("mariadbd") or Path("/usr/sbin/mariadbd").exists())
    return "" if found else "MariaDB is not installed"


@contextmanager
def running(kind: type[Postgres | MariaDb]) -> Iterator[Postgres | MariaDb]:
    """A server for the block, gone after it."""
    # A short path: the name of a socket has room for a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="kb"))
    folder.chmod(0o755)
    server = None
    try:
        server = kind(folder)
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
