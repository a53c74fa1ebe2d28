"""The same run repeated between the others: the range of figures within this session."""

import statistics

from suite.experiments.parts import REST, process_memory, roomy_pool
from suite.model import Experiment, Plot, Run, Series, Shown, Table, kilo_rate, latency

VALUE = 1024
ROUNDS = 5
FIGURES = [("fillrandom", "fill k/s"), ("readrandom", "read k/s"), ("scankeys", "scan keys k/s"),
           ("readseq", "scan values k/s")]


def runs(scale):
    num = scale.entries(VALUE)
    return [Run(
        key="round %d" % number, num=num, value_size=VALUE,
        benchmarks="fillrandom,%s,readrandom,scankeys,readseq" % REST,
        pool=roomy_pool(scale, num * (16 + VALUE)), reads=min(num, scale.reads_max),
        flags=("--histogram",), memory=process_memory(scale, num), labels={"round": number})
            for number in range(1, scale.choose(test=2, quick=ROUNDS) + 1)]


def spread(values):
    """Returns the range as a share of the median; None for fewer than two values."""
    known = [value for value in values if value]
    return (max(known) - min(known)) / statistics.median(known) if len(known) > 1 else None


def show(outcomes):
    columns = [[kilo_rate(run, name) for run in outcomes] for name, _ in FIGURES]
    columns.append([latency(run, "fillrandom", "p99.9") for run in outcomes])
    rounds = [run["labels"]["round"] for run in outcomes]
    rows = [[number] + [column[index] for column in columns]
            for index, number in enumerate(rounds)]
    known = [[value for value in column if value is not None] for column in columns]
    rows.append(["median"] + [statistics.median(values) if values else None for values in known])
    rows.append(["spread %"] + [None if spread(values) is None else 100 * spread(values)
                                for values in known])
    return Shown(
        [Table(["round"] + [words for _, words in FIGURES] + ["fill p99.9 us"], rows)],
        [Plot("rounds", "The same run, over the session", "lines", "round",
              "thousand operations/s",
              [Series(words, rounds, column) for (_, words), column in zip(FIGURES, columns)],
              y_log=True)],
        ["The spread is from the least to the most of the rounds, in parts of their median. "
         "Figures of other experiments are single runs: what lies closer together than this is not "
         "told apart by them."])


EXPERIMENT = Experiment(
    name="noise",
    question="How far apart are figures of the same run?",
    method="A fill, random reads and scans of values of 1 KiB, repeated in fresh pools, one round "
           "after each of the first experiments.",
    runs=runs, show=show)
