"""Reclaiming the space of overwritten values."""

from suite.experiments.parts import REST, process_memory, tables_room
from suite.model import Experiment, Plot, Run, Shown, Table, kilo_rate, latency, sweep, tier
from suite.scale import MIB

VALUE = 1024
RATIOS = [0.1, 0.3, 0.5, 0.7, 0.9]


def runs(scale):
    num = scale.entries(VALUE, scale.choose(test=scale.pool_least // 2, quick=3 * scale.data,
                                            small=scale.data, paper=scale.data))
    data = num * (16 + VALUE)
    # Three overwrites fill the pool once over, so that space must be reclaimed.
    pool = max(scale.pool_least, -(-2 * data // MIB) * MIB)
    ratios = scale.choose(test=[0.5], quick=RATIOS, small=RATIOS, paper=RATIOS)
    return [Run(key="gc_ratio %g" % ratio,
                benchmarks="fillrandom,overwrite,overwrite,overwrite," + REST, num=num,
                value_size=VALUE, pool=pool, disk=tables_room(data),
                flags=("--histogram", "--gc_ratio=%g" % ratio),
                memory=process_memory(scale, num), labels={"ratio": ratio})
            for ratio in ratios]


def show(outcomes):
    rows = [[run["labels"]["ratio"], kilo_rate(run, "overwrite"),
             latency(run, "overwrite", "p99.9"), tier(run, "pm-bytes-per-user-byte"),
             tier(run, "garbage-share"), tier(run, "pool-use"),
             tier(run, "gc-jobs"), tier(run, "spills")] for run in outcomes]

    def series(name, words):
        return [sweep(outcomes, "ratio", lambda run: tier(run, name), words)]

    return Shown(
        [Table(["gc_ratio", "overwrite k/s", "overwrite p99.9 us", "PM bytes/user byte",
                "garbage", "pool in use", "GC jobs", "spills"], rows)],
        [Plot("rate", "The third overwrite", "lines", "gc_ratio", "thousand writes/s",
              [sweep(outcomes, "ratio", lambda run: kilo_rate(run, "overwrite"), "overwrite")]),
         Plot("bytes", "Bytes written to PM for each byte of keys and values", "lines",
              "gc_ratio", "bytes", series("pm-bytes-per-user-byte", "written")),
         Plot("garbage", "Share of the values' room that is garbage, at rest", "lines",
              "gc_ratio", "share", series("garbage-share", "garbage"))])


EXPERIMENT = Experiment(
    name="gc",
    question="What does it cost to reclaim the room of overwritten values, and when is it best?",
    method="A random fill and three times as many overwrites in a pool of twice the data, by "
           "--gc_ratio: the share of garbage from which on room is reclaimed.",
    runs=runs, show=show)
