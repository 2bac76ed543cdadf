"""A cluster of Ray on this machine: workers, nodes and the head die, and one output is left, byte for byte that of one process.

Left out where Ray is not installed.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("pyarrow")

from ray.cluster_utils import Cluster

from outflank import batch, cluster
from outflank.cluster import LocalPool
from outflank.ray import RayPool, Solve

BOARDS = batch.random_positions(1200, 12, seed=4)
OPTIONS: dict[str, Any] = {"hash_mb": 1, "part_rows": 400, "chunk_seconds": 0.02, "omit_seconds": True}
SETTINGS: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}


def new_cluster() -> Cluster:
    """A head that computes nothing, and two nodes with a processor each."""
    os.environ["RAY_AUTH_MODE"] = "disabled"
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": 100 << 20})
    for _ in range(2):
        made.add_node(num_cpus=1, object_store_memory=100 << 20)
    made.wait_for_nodes()
    return made


def end(made: Cluster) -> None:
    """The end of a cluster and of the connection to it."""
    ray.shutdown()
    made.shutdown()


@pytest.fixture(name="nodes")
def _nodes() -> Iterator[Cluster]:
    made = new_cluster()
    ray.init(address=made.address, **SETTINGS)
    yield made
    end(made)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What one process writes."""
    out = tmp_path_factory.mktemp("one") / "o.parquet"
    return content(cluster.solve(BOARDS, out, pool=LocalPool(1), **OPTIONS).result())


def content(out: Path) -> list[bytes]:
    """The bytes of the parts, of which nothing else is left."""
    assert not out.with_name(out.name + ".work").exists()
    return [path.read_bytes() for path in sorted(out.iterdir())]


@pytest.mark.ray
def test_workers_and_nodes_die(nodes: Cluster, wanted: list[bytes], tmp_path: Path) -> None:
    out = tmp_path / "o.parquet"
    job = cluster.solve(BOARDS, out, pool=RayPool(), **OPTIONS)
    ends = [100, 500]
    lost = 0
    for progress in job:
        if ends and progress.rows > ends[0]:
            if len(ends) == 2:
                os.kill(worker_process(), signal.SIGKILL)
            else:
                nodes.remove_node(nodes.list_all_nodes()[-1], allow_graceful=False)
                nodes.add_node(num_cpus=1, object_store_memory=100 << 20)
            ends.pop(0)
        lost = progress.lost
    assert not ends and lost >= 2 and job.failed == 0
    assert content(out) == wanted


def worker_process() -> int:
    """The number of the process of an actor: Ray gives it a title."""
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if status.read_bytes().startswith(b"ray::_Worker"):
                return int(status.parent.name)
        except OSError:
            continue
    raise AssertionError("no actor is alive")


@pytest.mark.ray
def test_the_head_dies_and_another_cluster_goes_on(wanted: list[bytes], tmp_path: Path) -> None:
    out, chance = tmp_path / "o.parquet", random.Random(1)
    resume = False
    for run in range(2):
        made = new_cluster()
        try:
            ray.init(address=made.address, **SETTINGS)
            # The driver leaves three times, then the head takes the cluster with it.
            for _ in range(3 if run == 0 else 1):
                steps = iter(cluster.solve(BOARDS, out, pool=RayPool(), resume=resume, **OPTIONS))
                resume = True
                until = chance.randint(10, 200) if run == 0 else len(BOARDS)
                begun = None
                for progress in steps:
                    begun = progress.rows if begun is None else begun
                    if progress.rows >= min(begun + until, len(BOARDS)) and run == 0:
                        break
                steps.close()  # type: ignore[attr-defined]
        finally:
            end(made)
    assert content(out) == wanted


@pytest.mark.ray
def test_a_pipeline_of_ray_data_solves(nodes: Cluster) -> None:
    boards = BOARDS[:64]
    table = {"player": boards[:, 0], "opponent": boards[:, 1]}
    added = Solve(hash_mb=1)(table)
    assert np.array_equal(added["value"], batch.solve(boards).value)
    assert set(added) == {"player", "opponent", "value", "best", "kind", "nodes"}
