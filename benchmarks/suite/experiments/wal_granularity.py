"""How many acknowledged bytes need not be persistent yet, and the effect on latencies."""

from suite.experiments.parts import process_memory, roomy_pool
from suite.model import Experiment, Plot, Run, Series, Shown, Table, kilo_rate, latency
from suite.scale import KIB

VALUE = 1024
PERCENTILES = ["average", "p95", "p99", "p99.9", "p99.99"]
STEPS = [("each write", 0), ("4 KiB", 4 * KIB), ("16 KiB (1/32 page)", 16 * KIB),
         ("512 KiB (a page)", 512 * KIB)]
# Published microseconds of YCSB-like writes of 1 KB.
PUBLISHED = [
    ("BushStore", [2.915, 3, 4, 46, 116]), ("BushStore, 1/32 page", [3.083, 10, 11, 15, 26]),
    ("MioDB", [10.21, 19, 22, 32, 62]), ("MatrixKV", [20.54, 18, 199, 1100, 1107]),
    ("NoveLSM", [20.58, 24, 27, 60, 527]), ("SLM-DB", [33.98, 18, 1085, 1195, 1225]),
    ("RocksDB", [18.87, 26, 41, 1097, 1113])]
MARK = " (published)"


def runs(scale):
    # Few writes exceed p99.99.
    num = scale.entries(VALUE, 4 * scale.data if scale.name == "quick" else scale.data)
    return [Run(key=name, benchmarks="fillrandom,overwrite", num=num, value_size=VALUE,
                pool=roomy_pool(scale, num * (16 + VALUE)), memory=process_memory(scale, num),
                flags=("--histogram", "--wal_persist_bytes=%d" % size),
                labels={"name": name}) for name, size in STEPS]


def show(outcomes):
    rows, series = [], []
    for run in outcomes:
        figures = [latency(run, "fillrandom", name) for name in PERCENTILES]
        rows.append([run["labels"]["name"], kilo_rate(run, "fillrandom")] + figures)
        series.append(Series(run["labels"]["name"], PERCENTILES, figures))
    for name, figures in PUBLISHED:
        rows.append([name + MARK, None] + figures)
        if name.startswith("BushStore") or name == "MioDB":
            series.append(Series(name + MARK, PERCENTILES, figures, "reference"))
    return Shown(
        [Table(["persisted", "fillrandom k/s"] + [name + " us" for name in PERCENTILES], rows)],
        [Plot("latency", "Latency of writes of 1 KiB", "lines", "", "us", series, y_log=True)],
        ["Rows marked as published were measured by their authors, on other hardware (modules of "
         "persistent memory) and with other programs. They show shapes, not who is faster.",
         "All but \"each write\" may lose as many of the newest acknowledged bytes in a power "
         "failure as the row says; synced writes are persistent in any case."])


EXPERIMENT = Experiment(
    name="wal-granularity",
    question="What does it cost to make each single write persistent?",
    method="fillrandom of 1 KiB values with --wal_persist_bytes of 0, 4 KiB, 16 KiB and 512 KiB.",
    runs=runs, show=show)
