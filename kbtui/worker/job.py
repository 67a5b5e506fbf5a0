"""What a worker can be asked for: a function with typed input and output, and what it may take."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

Request = TypeVar("Request")
Response = TypeVar("Response")

LARGEST_MESSAGE: Final = 64 << 20
"""Bytes of one message that the parent accepts, unless a job says otherwise."""


class Allowance(Struct, frozen=True, kw_only=True):
    """The limits of the kernel for the worker processes of a pool.

    Attributes:
        memory: Bytes of address space beyond what the process has mapped once its modules are imported.
        writes: Bytes of the largest file it may write; 0 lets it write none.
        idle_s: Seconds without a call after which a process ends by itself.
        environment: Beginnings of the names of further variables that it knows: the keys of what it reads.
    """

    memory: int = 1 << 30
    writes: int = 0
    idle_s: float = 300.0
    environment: tuple[str, ...] = ()


class Job(Generic[Request, Response]):
    """A module-level function that runs in a worker.

    The parent and the worker import the same job by its name, so both know the types of what they exchange; what
    arrives is decoded as that type and nothing else: dataclasses, ``msgspec.Struct`` classes or built-in types.

    Args:
        function: Given a request, returns the response. It runs in the worker.
        name: ``package.module:ATTRIBUTE`` under which this job is found.
        request: Type of the input.
        response: Type of the output.
        largest: Bytes of the largest response that the parent accepts.
    """

    def __init__(
        self,
        function: Callable[[Request], Response],
        *,
        name: str,
        request: type[Request] | Any,
        response: type[Response] | Any,
        largest: int = LARGEST_MESSAGE,
    ) -> None:
        self.function = function
        self.name = name
        self.largest = largest
        self._request = request
        self._response = response

    @cached_property
    def _request_decoder(self) -> msgspec.msgpack.Decoder[Request]:
        return msgspec.msgpack.Decoder(self._request)

    @cached_property
    def _response_decoder(self) -> msgspec.msgpack.Decoder[Response]:
        return msgspec.msgpack.Decoder(self._response)

    def run(self, request: bytes) -> bytes:
        """In the worker: the encoded response to an encoded request."""
        return msgspec.msgpack.encode(self.function(self._request_decoder.decode(request)))

    def decode(self, response: bytes) -> Response:
        """In the parent: the response, if it is of the declared type.

        Raises:
            msgspec.DecodeError: It is not.
        """
        return self._response_decoder.decode(response)


def find_job(name: str) -> Job[Any, Any]:
    """The job called ``package.module:ATTRIBUTE``; importing it may take a while."""
    module, _, attribute = name.partition(":")
    job = getattr(importlib.import_module(module), attribute)
    if not isinstance(job, Job):
        raise TypeError(f"{name} is no job")
    return job
