"""A cluster of Ray on the loopback address: a head and workers, each with processes and a core of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any


def missing_ray() -> str:
    """Why no cluster can be started here; empty when one can."""
    return "" if find_spec("ray") is not None else "the extra kbtui[ray] is not installed"


class RayCluster:
    """A head that has a core, and machines that are added to it."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster: Any = Cluster()
        self.add(include_dashboard=False)

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add(self, gpus: int = 0, **more: Any) -> Any:
        """Another machine with a core; Ray believes what it is told about GPUs."""
        for is_last in (False, False, True):
            try:
                return self._cluster.add_node(num_cpus=1, num_gpus=gpus, **more)
            except Exception as error:
                # Ray waits 30 s for the processes of a machine, which is little where many tests run.
                if is_last or "timed out during startup" not in str(error):
                    raise
        raise AssertionError

    def kill(self, node: Any) -> None:
        """As if that machine had lost power."""
        self._cluster.remove_node(node, allow_graceful=False)

    def stop(self) -> None:
        self._cluster.shutdown()


_ENVIRONMENT = {
    "RAY_AUTH_TOKEN": "5" * 64,
    "RAY_USAGE_STATS_ENABLED": "0",
    # A busy machine takes longer to start the processes of a node than Ray waits for them.
    "RAY_agent_register_timeout_ms": "120000",
}


@contextmanager
def running_cluster() -> Iterator[RayCluster]:
    """A cluster for the block, gone after it; those who connect need the token that the environment has then."""
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(_ENVIRONMENT)
    cluster = None
    try:
        cluster = RayCluster()
        yield cluster
    finally:
        if cluster is not None:
            cluster.stop()
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
