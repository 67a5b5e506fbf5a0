"""An S3 server on the loopback address, and one that refuses everything."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "planted-id",
    "AWS_SECRET_ACCESS_KEY": "planted-secret",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@contextmanager
def s3_server() -> Iterator[str]:
    """The address of a server that keeps objects in memory; skips the test where moto is not installed."""
    pytest.importorskip("boto3", reason="kbtui[s3] is not installed")
    server_module = pytest.importorskip("moto.server", reason="moto is not installed")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = server_module.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    import botocore.session

    with pytest.MonkeyPatch.context() as patch:
        # Each client would read the description of the service again.
        patch.setattr(botocore.session, "create_loader", cache(botocore.session.create_loader))
        yield f"http://{host}:{port}"
    server.stop()


def lead_to(endpoint: str, patch: pytest.MonkeyPatch) -> None:
    """Have the environment lead to a server."""
    for name, value in CREDENTIALS.items():
        patch.setenv(name, value)
    patch.setenv("AWS_ENDPOINT_URL", endpoint)


class Bucket:
    """A bucket, looked at from outside of kbtui."""

    def __init__(self, endpoint: str, name: str) -> None:
        import boto3

        self.name = name
        self._client: Any = boto3.client(
            "s3",
            endpoint_url=endpoint,
            aws_access_key_id="planted-id",
            aws_secret_access_key="planted-secret",
            region_name="us-east-1",
        )
        self._client.create_bucket(Bucket=name)

    def names(self, prefix: str = "") -> list[str]:
        found = self._client.list_objects_v2(Bucket=self.name, Prefix=prefix).get("Contents", [])
        return [item["Key"] for item in found]

    def read(self, key: str) -> bytes:
        data: bytes = self._client.get_object(Bucket=self.name, Key=key)["Body"].read()
        return data

    def write(self, key: str, data: bytes) -> None:
        self._client.put_object(Bucket=self.name, Key=key, Body=data)

    def delete(self, key: str) -> None:
        self._client.delete_object(Bucket=self.name, Key=key)


@contextmanager
def refusing_server(code: str, status: int = 403) -> Iterator[str]:
    """The address of a server that answers every request with this error of S3."""
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>".encode()

    class Refusal(BaseHTTPRequestHandler):
        def _refuse(self) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_PUT = do_POST = _refuse

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
