"""Measures how long a database takes to open, after a close and after a kill."""

import statistics

from figures.bench import thousands
from programs import CannotMeasure, found_in

# (value size, milliseconds). n writes of random keys below n cover 63.2 % of them: 2 M different
# keys.
OPEN_KEYS = 3170000
OPEN = [(1024, 200), (100, 400)]
# The number of reads that must find the same keys before and after a kill, and of reads with a
# concurrent writer.
CHECKED_READS = 20000
READS_BESIDE_WRITES = 300000


def open_after_kills(bench, place, num, value_size):
    """Returns the milliseconds of each opening after a kill."""
    reads = ["--reads=%d" % CHECKED_READS]
    before = found_in(bench.run_and_kill(place, "fillrandom,readrandom", num, value_size, reads))
    times = []
    for number in range(bench.arguments.rounds):
        existing = ["--use_existing_db"]
        if number > 0:
            bench.run_and_kill(place, "readwhilewriting", num, value_size,
                               existing + ["--reads=%d" % READS_BESIDE_WRITES])
        report = bench.run(place, "readrandom", num, value_size, existing + reads)
        times.append(1e3 * report["open_seconds"])
        after = report["by_name"]["readrandom"]["found"]
        if number == 0 and after != before:
            raise CannotMeasure("%d keys were found before the kill, and %d after it" %
                                (before, after))
    return times


def open_after_closing(bench, place, num, value_size):
    return [1e3 * bench.run(place, "stats", num, value_size, ["--use_existing_db"])["open_seconds"]
            for _ in range(bench.arguments.rounds)]


def measure_open(bench, table):
    num = bench.entries(OPEN_KEYS)
    for value_size, bound in OPEN:
        with bench.new_place() as place:
            killed = open_after_kills(bench, place, num, value_size)
            closed = open_after_closing(bench, place, num, value_size)
        for how, times in (("a clean close", closed), ("SIGKILL", killed)):
            table.add("open after %s, %s keys of %d B values" % (
                how, thousands(int(0.632 * num)), value_size), statistics.median(times), "ms",
                bound, "all: " + ", ".join("%.1f" % each for each in times))
