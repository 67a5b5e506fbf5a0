"""Object storage that speaks S3, on loopback, which counts what is read of it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "testing-key-0001",
    "AWS_SECRET_ACCESS_KEY": "testing-secret-0001",
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def missing_storage() -> str:
    """Why none can be started here; empty when it can."""
    absent = [name for name in ("moto", "flask", "flask_cors", "boto3") if find_spec(name) is None]
    return f"not installed: {', '.join(absent)}" if absent else ""


class Storage:
    """One bucket, ``lake``; ``read`` has the bytes that were handed out of each of its objects."""

    def __init__(self) -> None:
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        self.read: Counter[str] = Counter()
        self._application = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._counted, threaded=True)
        self.url = f"http://127.0.0.1:{self._server.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _counted(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        body = list(self._application(environ, start_response))
        if environ["REQUEST_METHOD"] == "GET" and "list-type" not in environ.get("QUERY_STRING", ""):
            self.read[environ["PATH_INFO"].removeprefix("/lake/")] += sum(map(len, body))
        return body

    def put(self, folder: Path) -> int:
        """Upload the files of a folder under their paths; returns their bytes."""
        import boto3

        client = boto3.client(
            "s3",
            endpoint_url=self.url,
            region_name=ENVIRONMENT["AWS_REGION"],
            aws_access_key_id=ENVIRONMENT["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=ENVIRONMENT["AWS_SECRET_ACCESS_KEY"],
        )
        client.create_bucket(Bucket="lake")
        size = 0
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                size += path.stat().st_size
                client.put_object(Bucket="lake", Key=path.relative_to(folder).as_posix(), Body=path.read_bytes())
        return size

    def stop(self) -> None:
        self._server.shutdown()


@contextmanager
def running_storage() -> Iterator[Storage]:
    """A server for the block, gone after it."""
    storage = Storage()
    try:
        yield storage
    finally:
        storage.stop()
