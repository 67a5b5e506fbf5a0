"""Addresses of Spark servers, and what is said where none answers; no server is started."""

from __future__ import annotations

import socket
import sys
from contextlib import closing

import pytest

from kbtui.data import spark
from kbtui.data.server import open_url
from kbtui.data.spark import SparkSource
from kbtui.errors import DataSourceError, SqlRefused
from kbtui.settings import keys
from kbtui.settings.secrets import redact
from kbtui.settings.sources import DataSource, parse_entry
from tests.support.databases import free_port


def opened(location: str, **environ: str) -> SparkSource:
    source = open_url(DataSource(name="shop", location=location), environ=environ)
    assert isinstance(source, SparkSource)
    return source


@pytest.mark.parametrize(
    ("location", "address"),
    [
        ("sc://localhost", "sc://localhost:15002"),
        ("sc://[::1]:15005", "sc://[::1]:15005"),
        ("sc://h:1/;use_ssl=true;schema=sales;catalog=lake", "sc://h:1/;use_ssl=true"),
        ("sc://h/;user_id=me", "sc://h:15002/;user_id=me"),
    ],
)
def test_the_client_is_given_its_own_part_of_the_address(location: str, address: str) -> None:
    assert opened(location)._address == address


def test_a_token_comes_from_the_address_a_variable_or_the_keyring_and_is_masked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = opened("sc://h/;token=${SPARK_TOKEN}", SPARK_TOKEN="dapi;0%41/9876543210")
    assert source._address == "sc://h:15002/;token=dapi%3B0%2541%2F9876543210"
    assert "9876543210" not in redact("the server said dapi;0%41/9876543210")
    monkeypatch.setattr(keys, "_read_keyring", lambda name: (f"kept-for-{name}", ""))
    assert opened("sc://h")._address.endswith(";token=kept-for-data_shop")


def test_a_source_is_named_after_its_schema_and_never_after_a_token() -> None:
    assert parse_entry("sc://h:1/;token=dapi9876543210").name == "spark"
    assert parse_entry("sc://h:1/;token=dapi9876543210;schema=sales").name == "sales"


def test_a_missing_client_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "grpc", None)
    with pytest.raises(DataSourceError, match="not installed") as caught:
        opened("sc://127.0.0.1").schema("basic")
    assert "kbtui[spark]" in caught.value.hint


def test_where_no_server_is_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without this the client takes a worker of the test runner for a run of its own doctests.
    monkeypatch.setattr(sys.modules["__main__"], "__file__", __file__, raising=False)
    pytest.importorskip("pyspark.sql.connect.client", reason="the extra kbtui[spark] is not installed")
    monkeypatch.setattr(spark, "CONNECT_S", 0.5)
    for place, says in ((f"127.0.0.1:{free_port()}", "nothing answers"), ("no-such-host.invalid", "no host")):
        with pytest.raises(DataSourceError, match=says) as caught:
            opened(f"sc://{place}").fingerprint()
        assert caught.value.hint
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        source = opened(f"sc://127.0.0.1:{other.getsockname()[1]}")
        with pytest.raises(DataSourceError, match="does not speak Spark Connect"):
            source.fingerprint()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT reflect('java.lang.System', 'exit', 0)",
        "SELECT `java_method` ('java.lang.System', 'exit', 0)",
        "SELECT reflect/**/('java.lang.System', 'exit', 0)",
        "SELECT identifier('reflect')('java.lang.System', 'exit', 0)",
        "SELECT TRANSFORM (id) USING 'cat' AS (x) FROM orders",
        "SELECT '${env:HOME}'",
    ],
)
def test_what_runs_java_programs_or_settings_is_refused_without_the_guard(sql: str) -> None:
    with pytest.raises(SqlRefused):
        opened("sc://h")._check_statement(sql)


def test_words_in_texts_and_joins_are_not_taken_for_those() -> None:
    opened("sc://h")._check_statement("SELECT 'reflect(1) -- using ''x''', id FROM a JOIN b USING (id)")
