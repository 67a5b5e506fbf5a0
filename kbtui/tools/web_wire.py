"""HTTP exchanges with untrusted servers, within a size limit and a deadline.

The address of a host is checked, and the connection is made to that very address. httpx limits each read by itself, so
a server that sends a byte every few seconds could hold a run for hours; here an exchange runs in a thread that is
abandoned, and its connection closed, at the deadline or when the run is stopped.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.web_address import is_allowed

if TYPE_CHECKING:
    import httpx

MAX_BYTES: Final = 5 * 1024 * 1024
MAX_SECONDS: Final = 20.0
CONNECT_S: Final = 10.0
POLL_S: Final = 0.1
_MAX_PRINTED_CHARS: Final = 200

Resolve = Callable[[str, int], list[str]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The reply of a server.

    Attributes:
        url: The requested URL, without credentials.
        media_type: Without parameters, lower case.
        charset: As the server names it; None where it names none.
        body: Read only where the status is a success.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    media_type: str
    charset: str | None = None
    body: bytes = b""


def resolve(host: str, port: int) -> list[str]:
    return list(dict.fromkeys(str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))


def wait_for(work: Callable[[], T], seconds: float, cancel: CancelToken, name: str = "web") -> T | None:
    """The result of ``work``, or None once ``seconds`` have passed; see `wait_for_all`.

    Raises:
        Cancelled: The run was stopped.
        Exception: Whatever ``work`` raises.
    """
    [result] = wait_for_all([work], seconds, cancel, name)
    if isinstance(result, BaseException):
        raise result
    return result


def wait_for_all(
    works: Sequence[Callable[[], T]], seconds: float, cancel: CancelToken, name: str = "web"
) -> list[T | Exception | None]:
    """Call all of ``works`` in threads; what each returned or raised, None for those not done after ``seconds``.

    Meant for calls that have no timeout and cannot be interrupted, such as the resolver of the system. A call that
    takes longer is abandoned in its daemon thread, which does not keep the program from ending.

    Raises:
        Cancelled: The run was stopped.
    """
    results: list[T | Exception | None] = [None] * len(works)

    def run(index: int) -> None:
        try:
            results[index] = works[index]()
        except Exception as error:  # noqa: BLE001 - returned to the caller
            results[index] = error

    threads = [
        threading.Thread(target=run, args=(index,), name=f"kbtui-{name}", daemon=True) for index in range(len(works))
    ]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + seconds
    for thread in threads:
        while thread.is_alive() and (left := deadline - time.monotonic()) > 0:
            thread.join(min(POLL_S, left))
            cancel.check()
    return list(results)


@dataclass(slots=True, kw_only=True)
class Wire:
    """What the exchanges of one tool call share: a deadline, a cancel token, and access to the network.

    Attributes:
        cancel: The cancel token of the run.
        seconds: Time limit for all exchanges together.
        resolve, transport: The network, for tests.
    """

    cancel: CancelToken
    seconds: float = MAX_SECONDS
    resolve: Resolve = resolve
    transport: httpx.BaseTransport | None = None
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.seconds

    def exchange(
        self,
        method: str,
        target: httpx.URL,
        *,
        allow_private: bool,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
        accept: Callable[[Reply], None] = lambda _: None,
        max_bytes: int = MAX_BYTES,
    ) -> Reply:
        """Send one request to the checked address of ``target`` and read the reply; redirects are not followed.

        Proxies of the environment are not used, because the address that a proxy reaches cannot be checked.

        Args:
            accept: Receives the reply before its body is read, and raises where it should not be read.

        Raises:
            ToolError: The address is not allowed, or the exchange failed, took too long or exceeded ``max_bytes``.
            Cancelled: The run was stopped.
        """
        import httpcore
        import httpx

        printed_url = one_line(without_credentials(target), _MAX_PRINTED_CHARS)
        address = self.checked_address(target, allow_private)
        sockets: list[socket.socket] = []

        def trace(event: str, info: Mapping[str, Any]) -> None:
            if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
                sockets.append(info["return_value"].get_extra_info("socket"))

        def send() -> Reply:
            request = _pinned_request(client, method, target, address, headers or {}, content)
            request.extensions["trace"] = trace
            response = client.send(request, stream=True)
            try:
                return self._read(response, without_credentials(target), accept, max_bytes)
            finally:
                response.close()

        with httpx.Client(
            transport=self.transport,
            verify=httpcore.default_ssl_context(),
            trust_env=False,
            timeout=min(CONNECT_S, self.seconds),
        ) as client:
            try:
                reply = wait_for(send, self.left(), self.cancel)
            except httpx.TimeoutException:
                reply = None
            except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
                reason = one_line(str(error), _MAX_PRINTED_CHARS) or "no connection"
                raise ToolError(
                    f"{printed_url} could not be opened: {reason}.", "Check the address and the network."
                ) from error
            finally:
                # A thread that still reads is woken: closing the client alone would leave it waiting.
                for connection in sockets:
                    with suppress(OSError):
                        connection.shutdown(socket.SHUT_RDWR)
        if reply is None:
            raise ToolError(f"{printed_url} did not answer in time.", "Try again later.")
        return reply

    def checked_address(self, target: httpx.URL, allow_private: bool) -> str:
        """The address to connect to; all addresses of the host must be allowed.

        Raises:
            ToolError: There is no such host, or one of its addresses is not allowed.
        """
        self.cancel.check()
        host, port = target.host, target.port or (443 if target.scheme == "https" else 80)
        printed_host = one_line(host, _MAX_PRINTED_CHARS)
        try:
            addresses = wait_for(lambda: self.resolve(host, port), self.left(), self.cancel, "resolve")
        except (OSError, UnicodeError, ValueError) as error:
            raise ToolError(f"There is no host {printed_host}.", "Check the address and the network.") from error
        if addresses is None:
            raise ToolError(f"The address of {printed_host} could not be found in time.", "Check the network.")
        if not addresses:
            raise ToolError(f"There is no host {printed_host}.", "Check the address and the network.")
        # All of them must be allowed: a name with a public and a private address could lead to either.
        for address in addresses:
            if not is_allowed(address, allow_private):
                printed_address = one_line(address, _MAX_PRINTED_CHARS)
                raise ToolError(
                    f"{printed_host} is at {printed_address}, inside a private network, and is not opened.",
                    "Set `web.allow_private` to true if you mean to reach your own network.",
                )
        return addresses[0]

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()

    def _read(self, response: httpx.Response, url: str, accept: Callable[[Reply], None], max_bytes: int) -> Reply:
        printed_url = one_line(url, _MAX_PRINTED_CHARS)
        reply = Reply(
            url=url,
            status=response.status_code,
            headers=response.headers,
            media_type=response.headers.get("content-type", "").split(";", 1)[0].strip().lower(),
            charset=response.charset_encoding,
        )
        accept(reply)
        if not response.is_success:
            return reply
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise ToolError(f"{printed_url} came compressed although it was asked not to.", "Give another address.")
        too_large = ToolError(
            f"{printed_url} is larger than {max_bytes / 1024**2:.0f} MB.", "Only smaller pages are read."
        )
        declared = response.headers.get("content-length", "")
        if declared.isdecimal() and len(declared) < 20 and int(declared) > max_bytes:
            raise too_large
        body = bytearray()
        for part in response.iter_raw():
            body += part
            if len(body) > max_bytes:
                raise too_large
        return replace(reply, body=bytes(body))


def without_credentials(target: httpx.URL) -> str:
    """A URL without user name and password."""
    return str(target.copy_with(username=None, password=None)) if target.userinfo else str(target)


def _pinned_request(
    client: httpx.Client,
    method: str,
    target: httpx.URL,
    address: str,
    headers: Mapping[str, str],
    content: bytes | None,
) -> httpx.Request:
    """A request to the address that was checked, since resolving the name again could give another one."""
    host = target.host if ":" not in target.host else f"[{target.host}]"
    host_header = host if target.port is None else f"{host}:{target.port}"
    return client.build_request(
        method,
        target.copy_with(host=address, username=None, password=None, fragment=None),
        headers={
            "Host": host_header,
            "User-Agent": "kbtui",
            # A compressed body could unpack to any size before its length is known.
            "Accept-Encoding": "identity",
            **headers,
        },
        content=content,
        extensions={"sni_hostname": target.host},
    )
