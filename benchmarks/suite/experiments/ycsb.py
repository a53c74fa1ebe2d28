"""The core workloads of YCSB."""

from suite.experiments.parts import process_memory, roomy_pool, tables_room
from suite.model import (OWN, PLAIN, Experiment, Plot, Run, Series, Shown, Table, kilo_rate,
                         result_of)
from suite.scale import KIB, show_bytes

WORKLOADS = "abcdef"
SHARES = (0, 25, 50, 75, 100)
PERCENTILES = ["p50", "p95", "p99", "p99.9", "p99.99"]


def make(scale, group, point, file, store=OWN, value=KIB, **properties):
    records = max(100, min(scale.data // (value + 24), scale.entries_max))
    # Updates write whole records; inserts of D and E add a little.
    data = 2 * records * (value + 64)
    fields = 10 if value >= KIB else 1
    flags = ["fieldcount=%d" % fields, "fieldlength=%d" % (value // fields),
             "writeallfields=true", "leveldb.write_buffer_size=%d" % scale.write_buffer]
    flags += ["%s=%s" % pair for pair in sorted(properties.items())]
    return Run(key="%s %s, %s" % (group, point, store), kind="ycsb", benchmarks=file,
               num=records, reads=min(records, scale.reads_max), value_size=value,
               pool=roomy_pool(scale, data) if store == OWN else 0,
               disk=0 if store == OWN else tables_room(data), flags=tuple(flags),
               memory=process_memory(scale, 16 * records),
               labels={"group": group, "point": point, "store": store, "value": value})


def runs(scale):
    letters = WORKLOADS if scale.name != "test" else "ae"
    sizes = scale.choose(test=[KIB], quick=[256, KIB, 4 * KIB, 16 * KIB])
    thetas = scale.choose(test=[0.99], quick=[0, 0.5, 0.9, 0.99, 1.1])
    found = [make(scale, "workload", letter.upper(), "workload" + letter, store)
             for letter in letters for store in (OWN, PLAIN)]
    found += [make(scale, "reads %", share, "reads%d" % share)
              for share in (SHARES if scale.name != "test" else (50,))]
    found += [make(scale, "value", size, "workloada", value=size) for size in sizes]
    found += [make(scale, "theta", theta, "workloada", zipfianvalue=theta) for theta in thetas]
    if scale.name in ("small", "paper"):
        found += [make(scale, "workload of 4 KiB", letter.upper(), "workload" + letter,
                       value=4 * KIB) for letter in letters]
    return found


def slowest(run, percentile):
    """Returns the greatest value of the percentile over all kinds of operations of the running
    phase."""
    figures = [kind.get("latency_micros", {}).get(percentile)
               for kind in result_of(run, "run").get("by_operation", [])]
    return max((figure for figure in figures if figure is not None), default=None)


def sweep_of(outcomes, group):
    own = outcomes.where(group=group)
    return Series(group, [run["labels"]["point"] for run in own],
                  [kilo_rate(run, "run") for run in own])


def show(outcomes):
    rows = []
    for run in outcomes:
        labels = run["labels"]
        point = show_bytes(labels["point"]) if labels["group"] == "value" else labels["point"]
        rows.append(["%s %s" % (labels["group"], point), labels["store"],
                     show_bytes(labels["value"]), kilo_rate(run, "load"), kilo_rate(run, "run")] +
                    [slowest(run, name) for name in ("p95", "p99", "p99.9", "p99.99")])
    bars, tails = [], []
    for store in outcomes.values("store"):
        own = outcomes.where(group="workload", store=store)
        bars.append(Series(store, [run["labels"]["point"] for run in own],
                           [kilo_rate(run, "run") for run in own]))
    for run in outcomes.where(group="workload", store=OWN):
        tails.append(Series(run["labels"]["point"], PERCENTILES,
                            [slowest(run, name) for name in PERCENTILES]))

    def plot(name, title, group, x_label, **more):
        return Plot(name, title, "lines", x_label, "thousand operations/s",
                    [sweep_of(outcomes, group)], **more)

    return Shown(
        [Table(["run", "store", "record", "load k/s", "run k/s", "p95 us", "p99 us", "p99.9 us",
                "p99.99 us"], rows)],
        [Plot("workloads", "Workloads A to F", "bars", "", "thousand operations/s", bars),
         Plot("tails", "Latency with PM, the slowest kind of operation", "lines", "", "us", tails,
              y_log=True),
         plot("reads", "By the share of reads", "reads %", "reads %"),
         plot("values", "Workload A by the size of records", "value", "record", x_log=True,
              x_bytes=True),
         plot("theta", "Workload A by how popular the popular are", "theta", "zipfian theta")],
        ["Every update writes a whole record, so that records never have to be read first."])


EXPERIMENT = Experiment(
    name="ycsb",
    question="How does the store do under the core workloads of YCSB?",
    method="ycsbc loads records of 1 KiB, ten fields each, and runs A to F, with PM and on files; "
           "then by the share of reads, the size of records and the skew. Every read is checked.",
    runs=runs, show=show, program="ycsbc",
    program_sentence="this build has no ycsbc.")
