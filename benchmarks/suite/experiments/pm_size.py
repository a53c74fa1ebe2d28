"""A pool from a tenth of the data to all of it: the cost of spilling."""

from suite.experiments.parts import REST, process_memory, tables_room
from suite.model import (Experiment, Plot, Run, Shown, Table, kilo_rate, latency, open_seconds,
                         sweep, tier)
from suite.scale import GIB, MIB, show_bytes

VALUE = 1024
ORDERS = (("random", "fillrandom"), ("sequential", "fillseq"))


def pools(scale, data):
    if scale.name == "paper":
        return [size * GIB for size in (8, 16, 32, 64, 96)]
    if scale.name == "test":
        return [scale.pool_least]
    return [-(-int(data * share) // MIB) * MIB for share in (0.1, 0.25, 0.5, 1.0, 1.5)]


def runs(scale):
    data = scale.choose(test=2 * scale.pool_least, quick=2 * scale.data, small=scale.data,
                        paper=scale.data)
    num = scale.entries(VALUE, data)
    found = []
    for order, fill in ORDERS:
        for pool in pools(scale, data):
            found.append(Run(
                key="%s, pool %s" % (order, show_bytes(pool)),
                benchmarks="%s,%s,readrandom,scankeys,readseq" % (fill, REST), num=num,
                value_size=VALUE, pool=pool, disk=tables_room(data),
                reads=min(num, scale.reads_max),
                flags=("--histogram", "--bloom_bits=10"), memory=process_memory(scale, num),
                labels={"order": order, "fill": fill, "share": round(pool / data, 3),
                        "pool": pool}))
    return found


def show(outcomes):
    rows = []
    for run in outcomes:
        fill = run["labels"]["fill"]
        rows.append([show_bytes(run["labels"]["pool"]), run["labels"]["share"],
                     run["labels"]["order"], open_seconds(run), kilo_rate(run, fill),
                     latency(run, fill, "p99.9"), kilo_rate(run, "readrandom"),
                     kilo_rate(run, "scankeys"), kilo_rate(run, "readseq"),
                     tier(run, "ssd-bytes-per-user-byte"), tier(run, "spills")])

    def series(figure):
        return [sweep(outcomes, "share", figure, order, order=order) for order, _ in ORDERS]

    def plot(name, title, figure):
        return Plot(name, title, "lines", "pool / data", "thousand operations/s", series(figure))

    return Shown(
        [Table(["pool", "of the data", "order", "open s", "fill k/s", "fill p99.9 us",
                "read k/s", "scan keys k/s", "scan values k/s", "disk bytes/user byte",
                "spills"], rows)],
        [plot("fill", "Filling", lambda run: kilo_rate(run, run["labels"]["fill"])),
         plot("read", "Reading at random", lambda run: kilo_rate(run, "readrandom"))],
        ["Tables are in the directory of --dir; where that is a disk, reads of spilled data may "
         "come from the page cache."])


EXPERIMENT = Experiment(
    name="pm-size",
    question="How much persistent memory does the data need?",
    method="The same data into pools from a tenth of its size upward, at random and in order; "
           "what a pool does not hold spills to tables.",
    runs=runs, show=show)
