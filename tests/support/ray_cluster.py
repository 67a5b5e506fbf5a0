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

        self._cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add(self, gpus: int = 0) -> Any:
        """Another machine with a core; Ray believes what it is told about GPUs."""
        return self._cluster.add_node(num_cpus=1, num_gpus=gpus)

    def kill(self, node: Any) -> None:
        """As if that machine had lost power."""
        self._cluster.remove_node(node, allow_graceful=False)

    def stop(self) -> None:
        self._cluster.shutdown()


@contextmanager
def running_cluster() -> Iterator[RayCluster]:
    """A cluster for the block, gone after it; those who connect need the token that the environment has then."""
    before = {name: os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_USAGE_STATS_ENABLED")}
    os.environ.update(RAY_AUTH_TOKEN="5" * 64, RAY_USAGE_STATS_ENABLED="0")
    cluster = None
    try:
        cluster = RayCluster()
        yield cluster
    finally:
        if cluster is not None:
            cluster.stop()
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
