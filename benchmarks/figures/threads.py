"""What a second thread brings, and what a writer costs the reader beside it."""

from figures.bench import WRITE_BUFFER

# (what they do, value size, writes in all, write buffer, bound): time of two, relative to one. At
# first into a single memtable, so that nothing is merged. Keys are drawn from as many as a thread
# writes, so that two write each twice as often.
TWO_WRITERS = [("into one memtable", 1024, 300000, 512 << 20, 1 / 1.4),
               ("who go on", 1024, 3000000, WRITE_BUFFER, 1.0)]
WRITERS_POOL = 8 << 30
# (value size, entries, pool)
READERS = (1024, 1000000, 6 << 30)
TWO_READERS_TIME = 1 / 1.9
BESIDE_WRITER_TIME = 1 / 0.75


def speed_of(bench, place, threads, benchmark, num, value_size, flags):
    """Operations a second of all threads."""
    report = bench.run(place, benchmark, num, value_size, flags + ["--threads=%d" % threads])
    return report["by_name"][benchmark]["operations_per_second"]


def measure_writers(bench, table):
    """The pools are large, so each is gone before the next is made."""
    for words, value_size, count, write_buffer, bound in TWO_WRITERS:
        flags = bench.touched_pool(WRITERS_POOL) + ["--write_buffer_size=%d" % write_buffer]
        times = []
        for _ in range(bench.arguments.rounds):
            speeds = []
            for threads in (1, 2):
                with bench.new_place() as place:
                    speeds.append(speed_of(bench, place, threads, "fillrandom",
                                           bench.entries(count) // threads, value_size, flags))
            times.append(speeds[0] / speeds[1])
        table.add_median("time of two writers %s, of one" % words, times, "", bound)


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
            speeds = [speed_of(bench, place, threads, "readrandom", num, value_size,
                               flags + ["--use_existing_db"]) for threads in (1, 2)]
            two.append(speeds[0] / speeds[1])
    table.add_median("time of two readers, of one", two, "", TWO_READERS_TIME)
    table.add_median("time of a read beside a writer, of one alone", beside, "",
                     BESIDE_WRITER_TIME)


def measure_threads(bench, table):
    measure_writers(bench, table)
    measure_readers(bench, table)
