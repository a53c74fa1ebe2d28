"""Increasing amounts of data over the same pool."""

from suite.experiments.parts import REST, process_memory, tables_room
from suite.model import (Experiment, Plot, Run, Shown, Table, kilo_rate, latency, open_seconds,
                         sweep, tier)
from suite.scale import GB, GIB, MIB, show_bytes

VALUE = 1024
READS = (("fillrandom", "random writes"), ("readrandom", "random reads"))


def sizes(scale):
    return scale.choose(test=[64 << 10, 256 << 10],
                        quick=[size * MIB for size in (32, 64, 128, 256, 384)],
                        small=[size * MIB for size in (256, 512, 1024, 2048, 4096)],
                        paper=[size * GB for size in (40, 80, 120, 160, 200)])


def runs(scale):
    pool = scale.choose(test=scale.pool_least, quick=256 * MIB, small=2 * GIB, paper=180 * GB)
    found = []
    for data in sizes(scale):
        num = scale.entries(VALUE, data)
        found.append(Run(
            key=show_bytes(data), benchmarks="fillrandom,%s,readrandom,scankeys,readseq" % REST,
            num=num, value_size=VALUE, pool=pool, disk=tables_room(data),
            reads=min(num, scale.reads_max),
            flags=("--histogram", "--bloom_bits=10"), memory=process_memory(scale, num),
            labels={"data": data, "pool": pool}))
    return found


def show(outcomes):
    rows = [[show_bytes(run["labels"]["data"]), show_bytes(run["labels"]["pool"]),
             open_seconds(run), kilo_rate(run, "fillrandom"),
             latency(run, "fillrandom", "p99.9"), kilo_rate(run, "readrandom"),
             latency(run, "readrandom", "p99.9"), kilo_rate(run, "scankeys"),
             kilo_rate(run, "readseq"), tier(run, "pm-bytes-per-user-byte"),
             tier(run, "ssd-bytes-per-user-byte")] for run in outcomes]
    series = [sweep(outcomes, "data", lambda run, name=name: kilo_rate(run, name), words)
              for name, words in READS]
    return Shown(
        [Table(["data", "pool", "open s", "fill k/s", "fill p99.9 us", "read k/s",
                "read p99.9 us", "scan keys k/s", "scan values k/s", "PM bytes/user byte",
                "disk bytes/user byte"], rows)],
        [Plot("rates", "Writes and reads by the amount of data", "lines", "data",
              "thousand operations/s", series, x_log=True, x_bytes=True)])


EXPERIMENT = Experiment(
    name="data-size",
    question="Does the store get slower as data grows?",
    method="Random fills of 1 KiB values of growing number into a pool of the same size, which "
           "the larger ones outgrow; reads at rest.",
    runs=runs, show=show)
