"""Who is next: by the time taken, hosts first, and order within one who waits."""

from collections import Counter

import pytest

from rookery.server.net.fair import HOSTS_KEPT, Flow, Shares


def serve(shares: Shares, costs: dict[Flow, int], turns: int) -> Counter[Flow]:
    """Let all of these take turns, who always want more; how much each has taken."""
    taken: Counter[Flow] = Counter()
    for flow in costs:
        shares.wait(flow)
    for _ in range(turns):
        found = shares.next()
        assert found is not None
        taken[found] += costs[found]
        shares.charge(found, costs[found])
        shares.again(found)
    return taken


def test_who_takes_long_has_fewer_turns() -> None:
    shares = Shares()
    dear, cheap = shares.flow("a"), shares.flow("b")
    taken = serve(shares, {dear: 1000, cheap: 10}, 2000)
    assert abs(taken[dear] - taken[cheap]) <= 1000


def test_a_host_with_many_flows_has_one_hosts_share() -> None:
    shares = Shares()
    many = [shares.flow("many") for _ in range(500)]
    one = shares.flow("one")
    taken = serve(shares, dict.fromkeys([*many, one], 10), 20_000)
    assert abs(taken[one] - sum(taken[flow] for flow in many)) <= 20


def test_within_a_host_every_flow_has_its_share() -> None:
    shares = Shares()
    flows = [shares.flow("a") for _ in range(10)]
    costs = {flow: 10 * (n + 1) for n, flow in enumerate(flows)}
    taken = serve(shares, costs, 20_000)
    assert max(taken.values()) - min(taken.values()) <= 200


@pytest.mark.parametrize("host", ["a", "b"])
@pytest.mark.parametrize("flooding", [1, 10, 500])
def test_who_asks_little_is_next_whatever_others_ask(host: str, flooding: int) -> None:
    shares = Shares()
    modest = shares.flow(host)
    costs = {shares.flow("a"): 1000 for _ in range(flooding)}
    serve(shares, costs, 3 * flooding)
    for _ in range(100):
        assert shares.is_first(modest)
        shares.wait(modest)
        assert shares.next() is modest
        shares.charge(modest, 1)
        for _ in range(flooding):
            flow = shares.next()
            assert flow is not None
            shares.charge(flow, 1000)
            shares.again(flow)


def test_who_was_passed_over_keeps_its_place() -> None:
    shares = Shares()
    first, second = shares.flow("a"), shares.flow("b")
    serve(shares, {second: 100}, 3)
    shares.wait(first)
    assert shares.next() is first
    shares.again(first)
    assert shares.next() is first


def test_nobody_owes_anything_once_nobody_waits() -> None:
    shares = Shares()
    busy, late = shares.flow("a"), shares.flow("b")
    shares.wait(busy)
    assert shares.next() is busy
    shares.charge(busy, 1_000_000)
    assert not shares
    shares.wait(busy)
    shares.wait(late)
    assert shares.next() is busy  # which came first


def test_hosts_that_owe_nothing_are_forgotten() -> None:
    shares = Shares()
    for n in range(10 * HOSTS_KEPT):
        flow = shares.flow(f"host {n}")
        shares.wait(flow)
        shares.next()
        shares.charge(flow, 10)
        shares.leave(flow)
    assert len(shares) <= 2 * HOSTS_KEPT
