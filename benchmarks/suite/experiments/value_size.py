"""Filling, reading and scanning with different sizes of values."""

from suite.experiments.parts import REST, process_memory, roomy_pool
from suite.model import (Experiment, Plot, Run, Shown, Table, kilo_rate, latency, megabytes,
                         sweep)
from suite.scale import show_bytes

READS = "readrandom,scankeys,readseq"


def sizes(scale):
    return scale.choose(test=[8, 1024], quick=[8, 64, 256, 1024, 4096, 16384, 65536],
                        small=[8, 32, 128, 256, 1024, 4096, 16384, 65536],
                        paper=[8, 32, 128, 256, 1024, 4096, 16384, 65536])


def runs(scale):
    found = []
    for order, fill in (("random", "fillrandom"), ("sequential", "fillseq")):
        for size in sizes(scale):
            num = scale.entries(size)
            data = num * (16 + size)
            # Small values take less space than their keys and trees.
            pool = roomy_pool(scale, data + 64 * num)
            for warm in ((True, False) if order == "random" else (True,)):
                found.append(Run(
                    key="%s %s%s" % (order, show_bytes(size), "" if warm else " cold"),
                    benchmarks="%s,%s,%s" % (fill, REST, READS) if warm else fill,
                    num=num, value_size=size, pool=pool, prefault=warm,
                    reads=min(num, scale.reads_max), flags=("--histogram",),
                    memory=process_memory(scale, num),
                    labels={"order": order, "size": size, "warm": warm, "fill": fill}))
    return found


def both_orders(outcomes, figure_of_fill):
    return [sweep(outcomes, "size", lambda run: figure_of_fill(run, run["labels"]["fill"]),
                  name, style, order=order, warm=warm)
            for name, order, warm, style in (
                ("random order", "random", True, "main"),
                ("in order", "sequential", True, "main"),
                ("random order, cold pool", "random", False, "cold"))]


def size_plot(name, title, unit, series, y_log=True):
    return Plot(name, title, "lines", "size of values", unit, series, x_log=True, y_log=y_log,
                x_bytes=True)


def show(outcomes):
    def reads(benchmark, name):
        return sweep(outcomes, "size", lambda run: megabytes(run, benchmark), name,
                     order="random", warm=True)

    def tail(percentile):
        return sweep(outcomes, "size", lambda run: latency(run, "fillrandom", percentile),
                     percentile, order="random", warm=True)

    rows = []
    for run in outcomes:
        labels = run["labels"]
        rows.append([show_bytes(labels["size"]), labels["order"],
                     "prefaulted" if labels["warm"] else "cold",
                     run["open_seconds"], kilo_rate(run, labels["fill"]),
                     latency(run, labels["fill"], "p99.9"), kilo_rate(run, "readrandom"),
                     kilo_rate(run, "scankeys"), kilo_rate(run, "readseq"),
                     megabytes(run, "readseq")])
    return Shown(
        [Table(["value", "order", "pool", "open s", "fill k/s", "fill p99.9 us", "read k/s",
                "scan keys k/s", "scan values k/s", "scan values MB/s"], rows)],
        [size_plot("fill", "Filling", "thousand writes/s", both_orders(outcomes, kilo_rate)),
         size_plot("fill-mb", "Filling, in bytes", "MB/s", both_orders(outcomes, megabytes)),
         size_plot("scan", "Scanning: keys and sizes only, and every value read", "MB/s",
                   [reads("scankeys", "keys and sizes only"), reads("readseq", "values read")]),
         size_plot("read", "Reading at random", "thousand reads/s",
                   [sweep(outcomes, "size", lambda run: kilo_rate(run, "readrandom"),
                          "random reads", order="random", warm=True)], y_log=False),
         size_plot("fill-latency", "Latency of filling in random order", "us",
                   [tail(name) for name in ("p50", "p95", "p99", "p99.9", "p99.99", "max")])],
        ["\"open s\" is mostly the prefault: touching the whole pool before the first write. A "
         "cold pool is touched while it is written, which shows in its filling.",
         "A scan of keys and sizes tells how fast the store walks; its MB/s are those of values it "
         "did not touch."])


EXPERIMENT = Experiment(
    name="value-size",
    question="How fast are filling, reading and scanning, by the size of values?",
    method="Each size fills a fresh, prefaulted pool that holds everything; then keys are read at "
           "random and scanned after background work has come to rest. Every read is checked.",
    runs=runs, show=show)
