"""Values of a few bytes, where keys and records take more space than values."""

from programs import CannotMeasure, find_debian_library
from suite.experiments.parts import REST, process_memory, roomy_pool, tables_room
from suite.model import (DEBIAN, OWN, PLAIN, Experiment, Plot, Run, Series, Shown, Table,
                         kilo_rate, latency, open_seconds, tier)
from suite.scale import show_bytes

BENCHMARKS = "fillrandom,%s,readrandom,scankeys,readseq,seekrandom" % REST
SHOWN = ["fillrandom", "readrandom", "scankeys", "readseq", "seekrandom"]


def stores():
    found = [OWN, PLAIN]
    try:
        find_debian_library()
        found.append(DEBIAN)
    except CannotMeasure:
        pass
    return found


def runs(scale):
    found = []
    for size in (8, 32, 128):
        num = scale.entries(size)
        data = num * (16 + size)
        for store in stores():
            has_tier = store == OWN
            found.append(Run(
                key="%s %s" % (show_bytes(size), store), benchmarks=BENCHMARKS, num=num,
                value_size=size, pool=roomy_pool(scale, data + 64 * num) if has_tier else 0,
                disk=0 if has_tier else tables_room(data), reads=min(num, scale.reads_max),
                library="debian" if store == DEBIAN else "own",
                flags=("--histogram", "--bloom_bits=10"), memory=process_memory(scale, num),
                labels={"size": size, "store": store}))
    return found


def show(outcomes):
    rows = []
    for run in outcomes:
        rows.append([show_bytes(run["labels"]["size"]), run["labels"]["store"],
                     open_seconds(run)] +
                    [kilo_rate(run, name) for name in SHOWN] +
                    [latency(run, "fillrandom", "p99.9"),
                     tier(run, "pm-bytes-per-user-byte")])
    plots = []
    for size in outcomes.values("size"):
        series = []
        for store in outcomes.values("store"):
            run = outcomes.one(size=size, store=store)
            if run is not None:
                series.append(Series(store, SHOWN, [kilo_rate(run, name) for name in SHOWN],
                                     "reference" if store == DEBIAN else "main"))
        plots.append(Plot("values-of-%d" % size, "Values of %d bytes" % size, "bars", "",
                          "thousand operations/s", series))
    return Shown([Table(["value", "store", "open s"] + [name + " k/s" for name in SHOWN] +
                        ["fill p99.9 us", "PM bytes/user byte"], rows)], plots,
                 ["Stores on files write to the directory of --dir and acknowledge what is in the "
                  "page cache; with PM every acknowledged write is persistent."])


EXPERIMENT = Experiment(
    name="small-values",
    question="How does the store do with values of 8, 32 and 128 bytes?",
    method="Filled at random, read and scanned at rest; the same program with the tier, on files "
           "and, where it is installed, with Debian's LevelDB.",
    runs=runs, show=show)
