# SPDX-License-Identifier: Apache-2.0
"""Others' own code looks for the capacity of a simulated server, over a pipe; the argument names the method.

The first line read has the natural load, the largest one (requests/s), the parts that may be slow and may fail, and the
limit of the latency (ms). "try LOAD SECONDS" is answered with seconds, arrivals, served, slow, completed, failed, and
the latency (ms) at the percentile of the rule, nan when nothing was answered. The last line written is
"found ESTIMATE LOW HIGH", "exhausted ESTIMATE" or "none".
"""

import logging
import math
import sys
from collections import namedtuple

Server = namedtuple("Server", "natural largest slow_allowed failed_allowed limit_millis")
Trial = namedtuple("Trial", "seconds arrivals served slow completed failed millis")


def numbers():
    return [float(word) for word in sys.stdin.readline().split()]


def attempt(load, seconds):
    print("try", load, seconds, flush=True)
    return Trial(*numbers())


def mlrsearch(server, **goal):
    """FD.io's MLRsearch (IETF BMWG) with its defaults. A loss is what breaks the SLA, in proportion."""
    from MLRsearch import AbstractMeasurer, Config, MeasurementResult, MultipleLossRatioSearch, SearchGoal

    class Measurer(AbstractMeasurer):
        def measure(self, intended_duration, intended_load):
            seen = attempt(intended_load, intended_duration)
            spent = max(
                seen.slow / max(1, seen.served) / server.slow_allowed,
                seen.failed / max(1, seen.completed) / server.failed_allowed,
            )
            return MeasurementResult(
                intended_duration=intended_duration,
                intended_load=intended_load,
                offered_count=int(seen.arrivals),
                loss_count=min(int(seen.arrivals), math.ceil(spent * server.slow_allowed * seen.arrivals)),
            )

    config = Config()
    config.min_load = server.natural / 2
    config.max_load = server.largest
    config.goals = [SearchGoal(loss_ratio=server.slow_allowed, fail_fast=False, **goal)]
    ((_, result),) = MultipleLossRatioSearch(config=config).search(Measurer()).items()
    low, high = result.relevant_lower_bound, result.relevant_upper_bound
    if low is None:
        return "none"
    if high is None:
        return f"exhausted {float(low)}"
    return f"found {float(result.conditional_throughput)} {float(low)} {float(high)}"


def mlrsearch60(server):
    """The same with a goal as RFC 2544 has it: a load holds when a minute of it does."""
    return mlrsearch(server, final_trial_duration=60, duration_sum=60, exceed_ratio=0)


def aiperf(server):
    """NVIDIA AIPerf's smooth_isotonic planner with its defaults: it doubles the load, fits, and tries again.

    Its dimension is an integer: thousandths of the largest load.
    """
    from aiperf.common.models.export_models import JsonMetricResult
    from aiperf.config.config import BenchmarkConfig
    from aiperf.config.sweep import AdaptiveSearchSweep
    from aiperf.orchestrator.models import RunResult
    from aiperf.orchestrator.search_planner.smooth_isotonic import SmoothIsotonicSLAPlanner

    path = "phases.profiling.concurrency"
    unit = server.largest / 1000
    base = BenchmarkConfig.model_validate(
        {
            "models": ["simulated"],
            "endpoint": {"urls": ["http://localhost"]},
            "dataset": {"type": "synthetic"},
            "phases": [{"name": "profiling", "type": "concurrency", "concurrency": 1, "duration": 600}],
        }
    )
    sweep = AdaptiveSearchSweep.model_validate(
        {
            "planner": "smooth_isotonic",
            "max_iterations": 30,
            "search_space": [{"path": path, "lo": round(server.natural / unit), "hi": 1000, "kind": "int"}],
            "objectives": [{"metric": "request_throughput", "stat": "avg", "direction": "maximize"}],
            "sla_filters": [
                {"metric_tag": "request_latency", "stat": "avg", "op": "le", "threshold": server.limit_millis},
                {"metric_tag": "error_ratio", "stat": "avg", "op": "le", "threshold": server.failed_allowed},
            ],
        }
    )
    planner = SmoothIsotonicSLAPlanner(base, sweep)
    while (asked := planner.ask()) is not None:
        config, variation = asked
        load = variation.values[path] * unit
        for phase in config.phases:
            seconds = phase.duration if phase.requests is None else min(phase.duration, phase.requests / load)
            seen = attempt(load, seconds)
        seen_metrics = {"error_ratio": JsonMetricResult(unit="ratio", avg=seen.failed / max(1, seen.completed))}
        if not math.isnan(seen.millis):
            seen_metrics["request_latency"] = JsonMetricResult(unit="ms", avg=seen.millis)
        planner.tell(variation, [RunResult(label=variation.label, success=True, summary_metrics=seen_metrics)])
    if planner.feasible_max is None:
        return "none"
    low = planner.feasible_max * unit
    if planner.infeasible_min is None:
        return f"exhausted {low}"
    return f"found {low} {low} {planner.infeasible_min * unit}"


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    methods = {method.__name__: method for method in (mlrsearch, mlrsearch60, aiperf)}
    print(methods[sys.argv[1]](Server(*numbers())), flush=True)
