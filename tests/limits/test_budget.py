"""`Budget`: passing a bound raises the refusal that names the limit, the bound and what was seen."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, Refusal
from fumehood.limits.budget import RATIO_GRACE, Budget
from fumehood.limits.policy import LIMIT_NAMES

COUNTED = [name for name in LIMIT_NAMES if name not in ("wall_seconds", "cpu_seconds")]


@pytest.mark.parametrize("name", COUNTED)
def test_up_to_the_bound_is_given_and_one_more_is_refused(name: str) -> None:
    budget = Budget(Limits())
    bound = getattr(budget.limits, name)
    budget.spend(name, int(bound))
    assert budget.left(name) == 0
    with pytest.raises(Refusal) as caught:
        budget.spend(name)
    assert (caught.value.limit, caught.value.bound, caught.value.observed) == (name, bound, int(bound) + 1)


@pytest.mark.parametrize("name", COUNTED)
def test_a_check_spends_nothing(name: str) -> None:
    budget = Budget(Limits())
    budget.check(name, getattr(budget.limits, name))
    assert budget.used(name) == 0
    with pytest.raises(Refusal):
        budget.check(name, getattr(budget.limits, name) + 1)


@given(st.lists(st.integers(0, 40), max_size=20))
def test_the_sum_is_what_counts(amounts: list[int]) -> None:
    budget = Budget(Limits(nodes=100))
    if sum(amounts) <= 100:
        for amount in amounts:
            budget.spend("nodes", amount)
        assert budget.used("nodes") == sum(amounts)
    else:
        with pytest.raises(Refusal):
            list(map(partial(budget.spend, "nodes"), amounts))


def test_the_ratio_says_nothing_of_small_output() -> None:
    Budget(Limits()).inflate(RATIO_GRACE, RATIO_GRACE, 10)


def test_the_ratio_counts_beyond() -> None:
    with pytest.raises(Refusal) as caught:
        Budget(Limits()).inflate(RATIO_GRACE + 1, RATIO_GRACE + 1, 10_000)
    assert caught.value.code == "zip-ratio"


def test_the_stage_is_the_budgets() -> None:
    with pytest.raises(Refusal) as caught:
        Budget(Limits(nodes=1), stage="precheck").spend("nodes", 2)
    assert caught.value.stage == "precheck"
