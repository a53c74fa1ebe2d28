"""Megabytes per second, second by second."""

from suite.experiments.parts import process_memory, roomy_pool, tables_room
from suite.model import Experiment, Plot, Run, Series, Shown, Table, latency, megabytes, result_of
from suite.scale import GB, MIB, GIB, show_bytes

VALUE = 1024
WRITES = ("fillrandom", "overwrite")
OVERWRITES = 2


def runs(scale):
    data = scale.choose(test=512 << 10, quick=384 * MIB, small=2 * GIB, paper=80 * GB)
    num = data // (16 + VALUE)
    found = []
    # This little data is written in a moment: it is overwritten more often, so that the run lasts
    # several seconds.
    often = scale.choose(test=OVERWRITES, quick=8 * OVERWRITES, small=2 * OVERWRITES,
                         paper=OVERWRITES)
    for name, pool, overwrites in (
            ("everything in PM", roomy_pool(scale, data), often),
            ("PM of a quarter", max(scale.pool_least, data // 4), OVERWRITES)):
        found.append(Run(
            key=name, benchmarks=",".join(["fillrandom"] + overwrites * ["overwrite"]), num=num,
            value_size=VALUE,
            pool=pool, disk=0 if pool > data else tables_room(data),
            flags=("--throughput", "--histogram", "--control_thread"),
            memory=process_memory(scale, num), labels={"pool": pool, "name": name}))
    return found


def timeline(run):
    """Returns (seconds since the fill began, lines of --throughput) through all benchmarks of a
    run."""
    began = 0.0
    for result in run["results"]:
        lines = result.get("throughput")
        # A benchmark shorter than a line's interval is shown by its average, and its longest
        # operation.
        for line in lines or [{"end_seconds": result["elapsed_seconds"],
                               "megabytes_per_second": result["megabytes_per_second"],
                               "longest_pause_millis": result["latency_micros"]["max"] / 1e3}]:
            yield began + line["end_seconds"], line
        began += result["elapsed_seconds"]


def show(outcomes):
    speed, pauses, rows = [], [], []
    for run in outcomes:
        name = run["labels"]["name"]
        lines = list(timeline(run))
        seconds = [round(end, 2) for end, _ in lines]
        speed.append(Series(name, seconds, [line["megabytes_per_second"] for _, line in lines]))
        pauses.append(Series(name, seconds, [line["longest_pause_millis"] for _, line in lines]))
        for benchmark in WRITES:
            control = result_of(run, benchmark).get("control_pause_micros")
            rows.append([name, show_bytes(run["labels"]["pool"]), benchmark,
                         megabytes(run, benchmark), latency(run, benchmark, "average"),
                         latency(run, benchmark, "p99.9"), latency(run, benchmark, "max"),
                         control])
    return Shown(
        [Table(["run", "pool", "benchmark", "MB/s", "average us", "p99.9 us", "longest us",
                "machine's own us"], rows)],
        [Plot("speed", "Throughput over time: fillrandom, then overwrites", "lines",
              "seconds", "MB/s", speed),
         Plot("pauses", "The longest pause of each second", "lines", "seconds", "ms", pauses,
              y_log=True)],
        ["\"machine's own\" is the longest pause of a thread that only watched the clock: a write "
         "that took no longer is not known to have waited for the store."])


EXPERIMENT = Experiment(
    name="throughput",
    question="Does writing go on evenly, or does it stall?",
    method="Random writes of 1 KiB values, and as many again over them several times, with a line "
           "a second: in a pool that holds everything, and in one of a quarter, which spills.",
    runs=runs, show=show)
