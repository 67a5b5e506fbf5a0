"""A Spark Connect server of the package ``pyspark``, started on loopback for the tests, in a folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.support.databases import free_port

_PATIENCE_S = 180.0
_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def _home() -> Path | None:
    """The folder with Spark's own programs; the client's package has none."""
    named = os.environ.get("SPARK_HOME")
    spec = find_spec("pyspark") if not named else None
    folder = Path(named) if named else Path(str(spec.origin)).parent if spec else None
    return folder if folder is not None and (folder / "bin" / "spark-submit").is_file() else None


def missing_spark() -> str:
    """Why no server can be started here; empty when one can."""
    if find_spec("pyspark") is None or find_spec("grpc") is None:
        return "the extra kbtui[spark] is not installed"
    if _home() is None:
        return "SPARK_HOME names no Spark, and the package pyspark is not installed whole"
    return "" if shutil.which("java") else "Java is not installed"


class Spark:
    """A server with two cores and 1 GB of memory; whoever asks may do anything."""

    def __init__(self, folder: Path) -> None:
        home = _home()
        assert home is not None
        self.folder = folder
        self.port = free_port()
        settings = {
            "spark.ui.enabled": "false",
            "spark.connect.grpc.binding.port": str(self.port),
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.session.timeZone": "Asia/Tokyo",
        }
        given = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(str(home / "bin" / "spark-submit"), "--class", _SERVER, "--master", "local[2]"),
                    *("--driver-memory", "1g", *given, "spark-internal"),
                ],
                stdout=log,
                stderr=log,
                cwd=folder,
                env={**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"},
                start_new_session=True,
            )
        until = time.monotonic() + _PATIENCE_S
        while not self._listens():
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError((folder / "log").read_text(errors="replace")[-2000:])
            time.sleep(0.2)

    def _listens(self) -> bool:
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def url(self) -> str:
        return f"sc://127.0.0.1:{self.port}"

    def sql(self, *statements: str) -> list[tuple[Any, ...]]:
        """What the last statement gives, asked without kbtui."""
        from pyspark.sql.connect.session import SparkSession

        session = SparkSession(connection=self.url)
        try:
            for statement in statements:
                found = [tuple(row) for row in session.sql(statement).toLocalIterator()]
            return found
        finally:
            session.stop()

    def busy_s(self) -> float:
        """Seconds of processor time that it has taken."""
        return sum(map(int, Path(f"/proc/{self.process.pid}/stat").read_text().split()[13:15])) / os.sysconf(
            "SC_CLK_TCK"
        )

    def stop(self) -> None:
        """As if the machine had lost power."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextmanager
def running_spark() -> Iterator[Spark]:
    """A server for the block, gone after it."""
    folder = Path(tempfile.mkdtemp(prefix="kb"))
    server = None
    try:
        server = Spark(folder)
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
