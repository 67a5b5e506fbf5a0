"""One exchange with a server that may mean harm: the address is checked and then dialled itself, everything is
counted, and no server can hold a run for longer than it was given.

httpx limits each read, so a server that sends a byte every few seconds would be listened to for hours; here every
read and write shares one deadline and notices when the run is stopped.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

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
_SHOWN: Final = 200

Resolve = Callable[[str, int], list[str]]
Connect = Callable[[str, int, float], socket.socket]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a server answered.

    Attributes:
        url: The address that was asked, without credentials.
        media_type: Without parameters, lower case.
        charset: As the server names it, if it does.
        body: Read only where the status is one of success.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    media_type: str
    charset: str | None = None
    body: bytes = b""


def resolve(host: str, port: int) -> list[str]:
    return list(dict.fromkeys(str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))


def dial(address: str, port: int, timeout: float) -> socket.socket:
    """A connection to one address; no name is resolved here."""
    made = socket.create_connection((address, port), timeout)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def waited(work: Callable[[], T], seconds: float, cancel: CancelToken, name: str = "web") -> T | None:
    """What ``work`` returns, or None once ``seconds`` have passed; see `waited_all`.

    Raises:
        Cancelled: The run was stopped meanwhile.
        Exception: Whatever ``work`` raises.
    """
    [result] = waited_all([work], seconds, cancel, name)
    if isinstance(result, BaseException):
        raise result
    return result


def waited_all(
    works: Sequence[Callable[[], T]], seconds: float, cancel: CancelToken, name: str = "web"
) -> list[T | Exception | None]:
    """Do all of ``works`` side by side: what each returned or raised, None for those not done after ``seconds``.

    For what can neither be limited nor interrupted (the resolver of the system, a library); what takes longer is left
    behind in a thread of its own, which does not keep the program from ending.

    Raises:
        Cancelled: The run was stopped meanwhile.
    """
    results: list[T | Exception | None] = [None] * len(works)

    def run(index: int) -> None:
        try:
            results[index] = works[index]()
        except Exception as error:  # noqa: BLE001 - handed to whoever waits
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
    """What exchanges of one errand share: a deadline, a way to stop, and how the network is reached.

    Attributes:
        cancel: The run's.
        seconds: For all exchanges together.
        resolve, connect, transport, clock: The network and the time, for tests.
    """

    cancel: CancelToken
    seconds: float = MAX_SECONDS
    resolve: Resolve = resolve
    connect: Connect = dial
    transport: httpx.BaseTransport | None = None
    clock: Callable[[], float] = time.monotonic
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = self.clock() + self.seconds

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
        """Send one request to the checked address of ``target`` and read its answer; redirects are not followed.

        Proxies of the environment are not used: behind one, the address that is reached could not be checked.

        Args:
            accept: Given the reply before its body is read; raises where that is not worth reading.

        Raises:
            ToolError: The address is not allowed, or the exchange failed, took too long or brought too much.
            Cancelled: The run was stopped.
        """
        import httpcore
        import httpx

        shown = one_line(bare(target), _SHOWN)
        address = self.checked_address(target, allow_private)
        broken = (httpx.HTTPError, httpx.InvalidURL, httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError)
        transport = self.transport
        if transport is None:
            from kbtui.tools.web_transport import WatchedTransport

            transport = WatchedTransport(self)
        with httpx.Client(transport=transport, trust_env=False, timeout=self.seconds) as client:
            try:
                request = _pinned(client, method, target, address, headers or {}, content)
                response = client.send(request, stream=True)
                try:
                    return self._read(response, bare(target), accept, max_bytes)
                finally:
                    response.close()
            except (httpx.TimeoutException, httpcore.TimeoutException) as error:
                raise ToolError(f"{shown} did not answer in time.", "Try again later.") from error
            except broken as error:
                reason = one_line(str(error), _SHOWN) or "no connection"
                raise ToolError(
                    f"{shown} could not be opened: {reason}.", "Check the address and the network."
                ) from error

    def checked_address(self, target: httpx.URL, allow_private: bool) -> str:
        """The address to dial, once all addresses of the host are found to be allowed."""
        self.cancel.check()
        host, port = target.host, target.port or (443 if target.scheme == "https" else 80)
        shown = one_line(host, _SHOWN)
        try:
            found = waited(lambda: self.resolve(host, port), self.left(), self.cancel, "resolve")
        except (OSError, UnicodeError, ValueError) as error:
            raise ToolError(f"There is no host {shown}.", "Check the address and the network.") from error
        if found is None:
            raise ToolError(f"The address of {shown} could not be found in time.", "Check the network.")
        if not found:
            raise ToolError(f"There is no host {shown}.", "Check the address and the network.")
        # All of them: a name with one public and one private address would be a way around.
        for address in found:
            if not is_allowed(address, allow_private):
                raise ToolError(
                    f"{shown} is at {one_line(address, _SHOWN)}, inside a private network, and is not opened.",
                    "Set `web.allow_private` to true if you mean to reach your own network.",
                )
        return found[0]

    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - self.clock()

    def _read(self, response: httpx.Response, url: str, accept: Callable[[Reply], None], max_bytes: int) -> Reply:
        shown = one_line(url, _SHOWN)
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
            raise ToolError(f"{shown} came compressed although it was asked not to.", "Give another address.")
        too_large = ToolError(f"{shown} is larger than {max_bytes / 1024**2:.0f} MB.", "Only smaller pages are read.")
        declared = response.headers.get("content-length", "")
        if declared.isdecimal() and len(declared) < 20 and int(declared) > max_bytes:
            raise too_large
        body = bytearray()
        for part in response.iter_raw():
            self.cancel.check()
            body += part
            if len(body) > max_bytes:
                raise too_large
            if self.left() < 0:
                raise ToolError(f"{shown} took longer than {self.seconds:.0f} seconds.", "Try again later.")
        return replace(reply, body=bytes(body))


def bare(target: httpx.URL) -> str:
    """An address without the name and password that may stand in it."""
    return str(target.copy_with(username=None, password=None)) if target.userinfo else str(target)


def _pinned(
    client: httpx.Client,
    method: str,
    target: httpx.URL,
    address: str,
    headers: Mapping[str, str],
    content: bytes | None,
) -> httpx.Request:
    """A request to the address that was checked: asking the resolver again could give another one."""
    host = target.host if ":" not in target.host else f"[{target.host}]"
    shown = host if target.port is None else f"{host}:{target.port}"
    return client.build_request(
        method,
        target.copy_with(host=address, username=None, password=None, fragment=None),
        headers={
            "Host": shown,
            "User-Agent": "kbtui",
            # A compressed page could unpack to any size before it can be counted.
            "Accept-Encoding": "identity",
            **headers,
        },
        content=content,
        extensions={"sni_hostname": target.host},
    )
