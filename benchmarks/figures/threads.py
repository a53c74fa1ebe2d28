"""Measures the gain of a second thread, and the cost of a concurrent writer to a reader."""

import statistics
from typing import NamedTuple

from figures.bench import WRITE_BUFFER


class Writing(NamedTuple):
    """The work of two concurrent writers; one writer does as much in two phases, over the same
    keys, of which there are half as many as writes."""
    words: str
    writes: int
    write_buffer: int
    before: list  # runs first, and is not measured
    phases: list  # those of one writer; the first is also that of two
    bound: float  # of the time of two, relative to one


VALUE_SIZE = 1024
# The first case writes into a single memtable, so that nothing is merged. Its memory was touched
# before, as the pool was: a thread that touches memory occupies a processor, which is free with one
# writer only.
WRITINGS = [Writing("into one memtable", 300000, 512 << 20,
                    ["fillrandom", "compact", "waitforcompaction"], ["overwrite"] * 2, 1 / 1.4),
            Writing("who go on", 3000000, WRITE_BUFFER, [], ["fillrandom", "overwrite"], 1.0)]
# The pairs per round: they are short, and other processes disturb each.
PAIRS = 3
# In a smaller pool even the first memtable would have no space for its log.
WRITERS_POOL = 8 << 30
# (entries, pool)
READERS = (1000000, 6 << 30)
TWO_READERS_TIME = 1 / 1.9
BESIDE_WRITER_TIME = 1 / 0.75


def speed_of(bench, place, threads, benchmark, num, flags):
    report = bench.run(place, benchmark, num, VALUE_SIZE, flags + ["--threads=%d" % threads])
    return report["by_name"][benchmark]["operations_per_second"]


def time_of_two_writers(bench, what):
    """Returns the time of two writers relative to one. The pools are large, so each is removed
    before the next is created."""
    flags = bench.touched_pool(WRITERS_POOL) + ["--write_buffer_size=%d" % what.write_buffer]
    times = []
    for threads, phases in ((1, what.phases), (2, what.phases[:1])):
        with bench.new_place() as place:
            report = bench.run(place, ",".join(what.before + phases),
                               bench.entries(what.writes) // 2, VALUE_SIZE,
                               flags + ["--threads=%d" % threads])
            times.append(statistics.mean(1 / result["operations_per_second"]
                                         for result in report["results"][len(what.before):]))
    return times[1] / times[0]


def measure_writers(bench, table):
    for what in WRITINGS:
        times = [time_of_two_writers(bench, what)
                 for _ in range(PAIRS * bench.arguments.rounds)]
        table.add_median("time of two writers %s, of one" % what.words, times, "", what.bound)


def measure_readers(bench, table):
    count, pool = READERS
    num = bench.entries(count)
    flags = bench.touched_pool(pool)
    two, beside = [], []
    for _ in range(bench.arguments.rounds):
        with bench.new_place() as place:
            # After the reads everything is merged, so that both runs find the same state.
            report = bench.run(place, "fillseq,overwrite,waitforcompaction,readrandom,"
                               "readwhilewriting,compact,waitforcompaction", num, VALUE_SIZE,
                               flags)["by_name"]
            beside.append(report["readwhilewriting"]["micros_per_operation"] /
                          report["readrandom"]["micros_per_operation"])
            speeds = [speed_of(bench, place, threads, "readrandom", num,
                               flags + ["--use_existing_db"])
                      for threads in (1, 2)]
            two.append(speeds[0] / speeds[1])
    table.add_median("time of two readers, of one", two, "", TWO_READERS_TIME)
    table.add_median("time of a read beside a writer, of one alone", beside, "",
                     BESIDE_WRITER_TIME)


def measure_threads(bench, table):
    measure_writers(bench, table)
    measure_readers(bench, table)
