"""What a second thread brings, and what a writer costs the reader beside it."""

import statistics

from figures.bench import WRITE_BUFFER
from figures.pace import best_pace, had_best_pace, nanos_at_best_pace

# (what they do, value size, writes in all, write buffer, bound): time of two, relative to one. At
# first into a single memtable, so that nothing is merged. Keys are drawn from as many as a thread
# writes, so that two write each twice as often.
INTO_ONE_MEMTABLE = ("into one memtable", 1024, 300000, 512 << 20, 1 / 1.4)
WHO_GO_ON = ("who go on", 1024, 3000000, WRITE_BUFFER, 1.0)
WRITERS_POOL = 8 << 30
# (value size, entries, pool)
READERS = (1024, 1000000, 6 << 30)
TWO_READERS_TIME = 1 / 1.9
BESIDE_WRITER_TIME = 1 / 0.75


def result_of(bench, place, threads, benchmark, num, value_size, flags):
    report = bench.run(place, benchmark, num, value_size, flags + ["--threads=%d" % threads])
    return report["by_name"][benchmark]


def write(bench, what):
    """Results of one writer and of two, a pair for each round. The pools are large, so each is gone
    before the next is made."""
    _, value_size, count, write_buffer, _ = what
    flags = bench.touched_pool(WRITERS_POOL) + ["--write_buffer_size=%d" % write_buffer, "--pace"]
    rounds = []
    for _ in range(bench.arguments.rounds):
        results = []
        for threads in (1, 2):
            with bench.new_place() as place:
                results.append(result_of(bench, place, threads, "fillrandom",
                                         bench.entries(count) // threads, value_size, flags))
        rounds.append(results)
    return rounds


def times_of_two(rounds):
    return [one["operations_per_second"] / two["operations_per_second"] for one, two in rounds]


def times_of_two_at_best_pace(rounds):
    """(time of two, of the median of one; nanoseconds of each of the two; share of operations) of
    the rounds of two that had the best pace of all. Of two threads each is judged by its own."""
    best = best_pace([result for results in rounds for result in results])
    alone, both = ([result for result in results if had_best_pace(result, best)]
                   for results in zip(*rounds))
    if not alone:
        return []
    one = statistics.median(nanos_at_best_pace(result) for result in alone)
    return [(nanos_at_best_pace(result) / 2 / one, nanos_at_best_pace(result),
             result["paced"]["share"]) for result in both]


def measure_writers(bench, table):
    """Two writers need both processors, so what slows down one of them delays two more often: the
    time at the best pace is held against the bound. Not where writers go on: there what was left
    undone at a slow pace is done at a good one."""
    words, *_, bound = INTO_ONE_MEMTABLE
    rounds = write(bench, INTO_ONE_MEMTABLE)
    table.add_at_best_pace("time of two writers %s, of one" % words,
                           times_of_two_at_best_pace(rounds), bound, times_of_two(rounds))
    words, *_, bound = WHO_GO_ON
    table.add_median("time of two writers %s, of one" % words,
                     times_of_two(write(bench, WHO_GO_ON)), "", bound)


def measure_readers(bench, table):
    value_size, count, pool = READERS
    num = bench.entries(count)
    flags = bench.touched_pool(pool)
    two, beside = [], []
    for _ in range(bench.arguments.rounds):
        with bench.new_place() as place:
            # Then everything is merged, so that both runs over it find the same.
            report = bench.run(place, "fillseq,overwrite,waitforcompaction,readrandom,"
                               "readwhilewriting,compact,waitforcompaction", num, value_size,
                               flags)["by_name"]
            beside.append(report["readwhilewriting"]["micros_per_operation"] /
                          report["readrandom"]["micros_per_operation"])
            speeds = [result_of(bench, place, threads, "readrandom", num, value_size,
                                flags + ["--use_existing_db"])["operations_per_second"]
                      for threads in (1, 2)]
            two.append(speeds[0] / speeds[1])
    table.add_median("time of two readers, of one", two, "", TWO_READERS_TIME)
    table.add_median("time of a read beside a writer, of one alone", beside, "",
                     BESIDE_WRITER_TIME)


def measure_threads(bench, table):
    measure_writers(bench, table)
    measure_readers(bench, table)
