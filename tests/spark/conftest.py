"""One Spark cluster for all tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.servers.spark import Cluster, spark_cluster


@pytest.fixture(scope="session")
def lasting_cluster() -> Iterator[Cluster]:
    """Return a cluster that runs until the last test has ended."""
    with spark_cluster() as started:
        yield started


@pytest.fixture
def cluster(lasting_cluster: Cluster) -> Cluster:
    """Return the cluster with both workers, whatever the test before did to them."""
    lasting_cluster.fill()
    return lasting_cluster
