"""Several concurrent threads."""

from suite.experiments.parts import REST, process_memory, roomy_pool
from suite.model import Experiment, Plot, Run, Series, Shown, Table, kilo_rate, latency

VALUE = 1024
SHOWN = ["fillrandom", "readrandom", "readwhilewriting"]
PERCENTILES = ["p50", "p95", "p99", "p99.9", "p99.99"]


def runs(scale):
    num = scale.entries(VALUE)
    found = []
    for count in (1, 2, 4):
        # Each thread writes `num` times into the same keys.
        pool = roomy_pool(scale, num * (16 + VALUE) * (1 + count // 4))
        found.append(Run(
            key="%d threads" % count, num=num, value_size=VALUE, pool=pool,
            benchmarks="fillrandom,%s,readrandom,readwhilewriting" % REST,
            reads=min(num, scale.reads_max), flags=("--histogram", "--threads=%d" % count),
            memory=process_memory(scale, num), labels={"threads": count}))
    return found


def name_of(run):
    count = run["labels"]["threads"]
    return "%d thread%s" % (count, "" if count == 1 else "s")


def show(outcomes):
    rows = [[run["labels"]["threads"]] + [kilo_rate(run, name) for name in SHOWN] +
            [latency(run, name, "p99.9") for name in SHOWN] for run in outcomes]
    bars = [Series(name_of(run), SHOWN, [kilo_rate(run, name) for name in SHOWN])
            for run in outcomes]
    tails = [Series(name_of(run), PERCENTILES,
                    [latency(run, "fillrandom", name) for name in PERCENTILES])
             for run in outcomes]
    return Shown(
        [Table(["threads"] + [name + " k/s" for name in SHOWN] +
               [name + " p99.9 us" for name in SHOWN], rows)],
        [Plot("rates", "All threads together", "bars", "", "thousand operations/s", bars),
         Plot("tails", "Latency of fillrandom", "lines", "", "us", tails, y_log=True)],
        ["The pool of four threads, who write four times as much, is twice as large.",
         "Beside the threads of readwhilewriting one more writes. Where there are fewer cores than "
         "threads, a latency holds the time in which the thread did not run."])


EXPERIMENT = Experiment(
    name="threads",
    question="What do more threads bring?",
    method="1, 2 and 4 threads, each with all operations of the single one, over the same keys.",
    runs=runs, show=show)
