"""A connection to a cluster of Ray for the time of a run; all that this room needs of Ray's own API beside its stages.

Ray itself waits two minutes for an address at which nobody answers, so the address is tried first.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kbtui.errors import Cancelled, KbtuiError, RemoteError, UsageError
from kbtui.text.terminal import one_line
from kbtui.worker.cores import usable_cores

LOCAL: Final = "local"
"""The address of a cluster that is started for the run, on the cores of this machine."""

INSTALL_HINT: Final = "pip install 'kbtui[ray]'"
_SAME_HINT: Final = "Every machine of the cluster needs the same versions of Python, Ray and kbtui[ray]."
_BUSY_HINT: Final = "Ray waits 30 s for its processes to start, which a busy machine may take: try again."
_JOIN_HINT: Final = (
    "kbtui has to run on a machine of the cluster: `ray start --address=HOST:PORT` makes this machine one of them. "
    "A token is read from RAY_AUTH_TOKEN or ~/.ray/auth_token."
)
_ANSWER_S: Final = 5.0
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""How a client of HTTP/2, over which Ray speaks, begins: the fixed words, and a frame of settings without any."""
_SETTINGS_FRAME: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """What a connected cluster has.

    Attributes:
        cores: Number of cores of all machines.
        gpus: Number of GPUs of all machines.
        node: Ray's name of this machine.
    """

    cores: int
    gpus: int
    node: str


@contextlib.contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster at ``address``, for the block.

    Args:
        address: `LOCAL`, or ``HOST:PORT`` of the head of a cluster of which this machine is part.

    Raises:
        UsageError: It is no such address.
        RemoteError: Ray is not installed, nobody answers there, or the cluster cannot be used from here.
    """
    if address != LOCAL:
        check_address(address)
    ray = _imported_ray()
    on_end = signal.getsignal(signal.SIGTERM)
    try:
        _start(ray, address)
        # Ray has put a handler of its own in place of that of the command.
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGTERM, on_end)
        with cluster_errors():
            resources = ray.cluster_resources()
            yield Cluster(
                cores=max(1, int(resources.get("CPU", 1))),
                gpus=int(resources.get("GPU", 0)),
                node=ray.get_runtime_context().get_node_id(),
            )
    finally:
        ray.shutdown()


def _imported_ray() -> Any:
    # Without this, Ray reports its use to its maker.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise RemoteError("Indexing on a cluster needs the package ray.", INSTALL_HINT) from error
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    return ray


def _start(ray: Any, address: str) -> None:
    is_local = address == LOCAL
    own = {"num_cpus": usable_cores(), "include_dashboard": False} if is_local else {}
    try:
        with _quiet():
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, **own)
    except Exception as error:  # Ray raises errors of many types here, and some of none but Exception
        place = "on this machine" if is_local else f"at {one_line(address, 100)}"
        raise RemoteError(
            f"The cluster {place} cannot be used: {one_line(str(error), 300)}",
            _BUSY_HINT if "timed out" in str(error) else _SAME_HINT if _needs_same(error, is_local) else _JOIN_HINT,
        ) from error


def _needs_same(error: Exception, is_local: bool) -> bool:
    """Whether another version is the likely cause: no machine is missing, or Ray says so."""
    return is_local or "ersion" in str(error)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Ray prints a line about tokens to standard error, whatever its level of logging."""
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def check_address(address: str) -> None:
    """Find out within seconds whether something that may be Ray answers at ``HOST:PORT``.

    Raises:
        UsageError: It is no such address.
        RemoteError: Nobody answers, or something else does.
    """
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 1 << 16) or "/" in host:
        raise UsageError(
            f"{one_line(address, 100)} is no address of a cluster.",
            "Give `local`, or HOST:PORT as `ray start --head` prints it (6379 is its usual port).",
        )
    printed = one_line(address, 100)
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_S) as connection:
            if os.environ.get("RAY_USE_TLS", "0") != "0":
                return
            connection.sendall(_PREFACE)
            answer = connection.recv(9)
    except OSError as error:
        raise RemoteError(
            f"No cluster of Ray answers at {printed}: {error.strerror or error}.",
            "Is it running? `ray start --head` prints its address; `--ray local` needs none.",
        ) from error
    if len(answer) < 4 or answer[3] != _SETTINGS_FRAME:
        raise RemoteError(
            f"What answers at {printed} is no cluster of Ray.", "`ray start --head` prints the address of one."
        )


@contextlib.contextmanager
def cluster_errors() -> Iterator[None]:
    """Turn errors of Ray into errors of kbtui; one that kbtui raised on another machine is raised as itself.

    Raises:
        RemoteError: The cluster could not do its part.
    """
    import ray

    try:
        yield
    except (KbtuiError, Cancelled):
        raise
    except ray.exceptions.RayError as error:
        cause = _cause(error)
        if isinstance(cause, KbtuiError):
            raise cause from error
        raise RemoteError(
            f"The cluster could not do its part: {one_line(f'{type(cause).__name__}: {cause}', 300)}",
            f"What is indexed so far stays; run it again. {_SAME_HINT}",
        ) from error


def _cause(error: BaseException) -> BaseException:
    """The first error of kbtui among the causes of an error of Ray, else the innermost one."""
    while not isinstance(error, KbtuiError):
        inner = getattr(error, "cause", None) or error.__cause__
        if not isinstance(inner, BaseException) or inner is error:
            break
        error = inner
    return error
