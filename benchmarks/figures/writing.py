"""Measures whether writing is steady: the tails of latencies, and the slowest second."""

import statistics

from figures.bench import thousands

# (value size, entries, pool)
TAILS = (1024, 5000000, 10 << 30)
# (name, unit, bound, function of latency and the whole result)
TAIL_FIGURES = [
    ("p50 of a write", "us", None, lambda latency, _: latency["p50"]),
    ("p99 of a write, in p50", "", 3.0, lambda latency, _: latency["p99"] / latency["p50"]),
    ("p99.9 of a write", "us", 25.0, lambda latency, _: latency["p99.9"]),
    ("p99.99 of a write", "us", None, lambda latency, _: latency["p99.99"]),
    ("p99.99 beyond the control thread's", "us", 100.0,
     lambda latency, result: latency["p99.99"] - result["control_rare_pause_micros"]),
    ("longest pause of the control thread", "ms", None,
     lambda _, result: result["control_pause_micros"] / 1e3),
    ("longest write beyond that", "ms", 10.0,
     lambda latency, result: (latency["max"] - result["control_pause_micros"]) / 1e3)]
SUSTAINED = (1024, 10000000, 4 << 30)
MEDIAN_IN_SLOWEST_SECONDS = 3.0
WHOLE_SECOND = 0.95  # as the meter measures it, which reads the clock only now and then


def fill(bench, case, flags):
    """Returns the result of each round."""
    value_size, count, pool = case
    results = []
    for _ in range(bench.arguments.rounds):
        with bench.new_place() as place:
            report = bench.run(place, "fillrandom", bench.entries(count), value_size,
                               bench.touched_pool(pool) + flags)
        results.append(report["by_name"]["fillrandom"])
    return results


def measure_tails(bench, table):
    results = fill(bench, TAILS, ["--histogram", "--control_thread"])
    for words, unit, bound, figure in TAIL_FIGURES:
        values = [figure(result["latency_micros"], result) for result in results]
        table.add_median(words, values, unit, bound)


def speeds_of_seconds(result):
    """Returns the writes per second of each whole second. A run without one counts as one."""
    speeds = []
    end = 0
    for sample in result.get("throughput", ()):
        if sample["end_seconds"] - end >= WHOLE_SECOND:
            speeds.append(sample["operations_per_second"])
        end = sample["end_seconds"]
    return speeds or [result["operations_per_second"]]


def measure_sustained(bench, table):
    _, count, pool = SUSTAINED
    shares, pauses = [], []
    for result in fill(bench, SUSTAINED, ["--throughput"]):
        speeds = speeds_of_seconds(result)
        shares.append(statistics.median(speeds) / max(min(speeds), 1e-9))
        pauses.append(max((sample["longest_pause_millis"]
                           for sample in result.get("throughput", ())), default=0))
    table.add_median("median second of %s writes into %d GB, in slowest" % (
        thousands(bench.entries(count)), pool >> 30), shares, "", MEDIAN_IN_SLOWEST_SECONDS)
    table.add_median("longest pause in them", pauses, "ms", None)
