"""Sizes of memtables and trees chosen by measured speeds, compared with fixed ones."""

from suite.experiments.parts import REST, process_memory, roomy_pool
from suite.model import (Experiment, Plot, Run, Series, Shown, Table, kilo_rate, latency,
                         open_seconds, tier)
from suite.scale import MIB, show_bytes

VALUE = 1024
SHOWN = ["fillrandom", "overwrite", "readrandom", "scankeys", "readseq"]


def runs(scale):
    fixed = scale.choose(test=[MIB], quick=[16 * MIB, 64 * MIB, 256 * MIB],
                         small=[size * MIB for size in (16, 32, 64, 128, 256)])
    if scale.name == "paper":
        fixed = [size * MIB for size in (16, 32, 64, 128, 256)]
    num = scale.entries(VALUE, 3 * scale.data if scale.name == "quick" else scale.data)
    pool = roomy_pool(scale, num * (16 + VALUE))
    found = []
    for size in [0] + fixed:
        name = "fixed %s" % show_bytes(size) if size else "dynamic"
        found.append(Run(
            key=name, benchmarks="fillrandom,overwrite,%s,readrandom,scankeys,readseq" % REST,
            num=num, value_size=VALUE, pool=pool, write_buffer=size,
            reads=min(num, scale.reads_max),
            flags=("--histogram", "--dynamic_tree=%s" % ("false" if size else "true")),
            memory=process_memory(scale, num, size), labels={"name": name}))
    return found


def show(outcomes):
    rows = [[run["labels"]["name"], open_seconds(run)] + [kilo_rate(run, name) for name in SHOWN] +
            [latency(run, "overwrite", "p99.9"), tier(run, "pm-bytes-per-user-byte")]
            for run in outcomes]
    series = [Series(run["labels"]["name"], SHOWN, [kilo_rate(run, name) for name in SHOWN])
              for run in outcomes]
    return Shown([Table(["trees", "open s"] + [name + " k/s" for name in SHOWN] +
                        ["overwrite p99.9 us", "PM bytes/user byte"], rows)],
                 [Plot("rates", "Dynamic and fixed sizes", "bars", "", "thousand operations/s",
                       series)])


EXPERIMENT = Experiment(
    name="dynamic-tree",
    question="Is the size that the store chooses for memtables and trees as good as a fixed one?",
    method="The same writes and reads of 1 KiB values with --dynamic_tree, and without it at "
           "fixed --write_buffer_size.",
    runs=runs, show=show)
