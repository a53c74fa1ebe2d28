"""Data larger than memory: each store in a memory group of its own, over files on a disk."""

from dataclasses import dataclass
from typing import Tuple

import beyond_memory as task
import device
import memory_group
from suite.experiments.parts import stores_here
from suite.model import (DEBIAN, OWN, PLAIN, Experiment, Plot, Run, Series, Shown, Table, latency,
                         rate, result_of)
from suite.scale import GIB, KIB, MIB, show_bytes

VALUE = 1024
TUNED = "RocksDB, tuned"
STORES = [(OWN, "leveldb"), (PLAIN, "leveldb"), (DEBIAN, "leveldb"), ("RocksDB", "rocksdb"),
          (TUNED, "rocksdb"), ("LMDB", "lmdb"), ("WiredTiger", "wiredtiger")]
FIGURES = [(task.FILL, "fill"), ("readrandom", "readrandom"), ("readmissing", "readmissing"),
           ("readseq_values", "readseq"), ("seekrandom_values", "seek + 100")]
DEVICE = "the device"


@dataclass(frozen=True)
class Sizes:
    memory: int
    ratios: Tuple[int, ...]  # of data to memory
    seconds: float           # time limit of a workload that reads, and of each of YCSB's
    fill_seconds: float      # time limit of a fill, and of a load
    letters: str             # of YCSB
    ycsb_ratios: Tuple[int, ...]  # the ratios at which YCSB's workloads run


def sizes_of(scale):
    return scale.choose(
        test=Sizes(64 * MIB, (2,), 0.02, 60, "ae", (2,)),
        quick=Sizes(64 * MIB, (2, 4), 0.4, 15, "abcdef", (2,)),
        small=Sizes(1 * GIB, (2, 4, 8), 10, 300, "abcdef", (2, 4, 8)),
        paper=Sizes(8 * GIB, (2, 4, 8), 60, 7200, "abcdef", (2, 4, 8)))


def data_bytes(scale, sizes, ratio):
    # At the test's scale the results have no meaning.
    return scale.data if scale.name == "test" else ratio * sizes.memory


def make(scale, sizes, store, binding, ratio):
    data = data_bytes(scale, sizes, ratio)
    has_tier = store == OWN
    values = task.settings(binding, sizes.memory, data, has_tier, store == TUNED)
    return Run(
        key="%d times, %s" % (ratio, store), kind="beyond",
        benchmarks=",".join(task.WORKLOADS), num=data // (task.KEY_SIZE + VALUE),
        value_size=VALUE, pool=task.pool_bytes(sizes.memory) if has_tier else 0,
        # The space of a B-tree whose pages are copied on write, or of tables and their
        # replacements.
        disk=3 * data + 64 * MIB, memory=sizes.memory, flags=tuple(task.assignments(values)),
        library="debian" if store == DEBIAN else "own",
        labels={"store": store, "binding": binding, "ratio": ratio, "memory": sizes.memory,
                "seconds": sizes.seconds, "fill_seconds": sizes.fill_seconds,
                "letters": sizes.letters if ratio in sizes.ycsb_ratios else ""})


def runs(scale):
    sizes = sizes_of(scale)
    most = data_bytes(scale, sizes, max(sizes.ratios))
    found = [Run(key=DEVICE, kind="device", disk=min(most, 4 * GIB), value_size=0, memory=64 * MIB,
                 labels={"part": DEVICE, "seconds": min(5, sizes.seconds)})]
    return found + [make(scale, sizes, store, binding, ratio) for ratio in sizes.ratios
                    for store, binding in stores_here(STORES)]


def obstacle(scale, places):
    """Returns why it cannot be measured here, as a sentence, or ""."""
    return (device.refusal_of(places.disk) or
            memory_group.find_obstacle(sizes_of(scale).memory))


def per_operation(run, name, figure):
    return task.per_operation(result_of(run, name), figure)


def kilobytes_read(run, name):
    value = per_operation(run, name, "device_read_bytes")
    return None if value is None else value / KIB


def has_done(run, name):
    return result_of(run, name).get("operations", 0) > 0


def cells(run, names, figure):
    return [figure(run, name) if has_done(run, name) else None for name in names]


def uses(run):
    values = run.get("values", {})
    return [run.get("library"), megabytes_of(values.get("group_peak_bytes")),
            megabytes_of(values.get("space_bytes")), values.get("written_bytes_a_user_byte"),
            latency(run, task.FILL, "p99.9"), latency(run, "readrandom", "p99.9")]


def megabytes_of(count):
    return None if count is None else count / 1e6


def quotient(one, two):
    return None if one is None or not two else one / two


def against_device(run, limits):
    """Returns [(name, the store's rate, the device's rate)] of workloads that only the device
    limits."""
    found = []
    reads = per_operation(run, "readrandom", "device_reads")
    if reads is not None and rate(run, "readrandom"):
        found.append(("random reads at depth 1", reads * rate(run, "readrandom"),
                      limits.get("random_reads_depth_1")))
    megabytes = result_of(run, "readseq_values").get("megabytes_per_second")
    if megabytes and limits.get("sequential_bytes"):
        found.append(("MB in order", megabytes * MIB / 1e6, limits["sequential_bytes"] / 1e6))
    return found


def device_table(limits):
    rows = [[name.replace("_bytes", "").replace("_", " "),
             value / 1e6 if name.endswith("_bytes") else value,
             "MB/s" if name.endswith("_bytes") else "reads/s"]
            for name, value in limits.items() if name != "read_ahead_kb"]
    rows.append(["read-ahead of the kernel", limits.get("read_ahead_kb"), "KiB"])
    return Table(["the device", "value", "unit"], rows, "The device at best")


def device_limits(outcomes):
    run = outcomes.one(part=DEVICE)
    return (run or {}).get("values", {})


def plot_of(measured, ratios, name, words, figure, kind, y_label):
    series = []
    for store in measured:
        ys = [figure(measured[store].get(ratio), name)
              if has_done(measured[store].get(ratio), name) else None for ratio in ratios]
        if any(y is not None for y in ys):
            series.append(Series(store, ["%d times" % ratio for ratio in ratios], ys))
    return Plot("%s-%s" % (kind, name.replace("_", "-")), words, "bars",
                "data, in times of the memory", y_label, series, y_log=True)


def plots_of(measured, ratios, figures):
    found = [plot_of(measured, ratios, name, words, rate, "rates", "operations/s")
             for name, words in figures]
    # Workloads that read one entry or some. A store that has read nothing has no bar: the
    # logarithmic axis has no zero.
    found += [plot_of(measured, ratios, name, words + ": read from the device",
                      lambda run, name: kilobytes_read(run, name) or None,
                      "bytes", "KiB an operation")
              for name, words in figures
              if name in ("readrandom", "readmissing", "seekrandom_values", "ycsba", "ycsbc")]
    return [plot for plot in found if plot.has_data()]


def show(outcomes):
    ratios = outcomes.values("ratio")
    measured = {store: {ratio: outcomes.one(store=store, ratio=ratio) for ratio in ratios}
                for store in outcomes.values("store")}
    known = {result["name"] for run in outcomes for result in run["results"]}
    figures = [(name, words) for name, words in
               FIGURES + [("ycsb" + letter, "YCSB " + letter.upper()) for letter in "abcdef"]
               if name in known]
    names = [name for name, _ in figures]
    columns = ["store", "data"] + [words for _, words in figures]
    tables = {"rates": [], "bytes": [], "reads": [], "uses": [], "limits": []}
    limits = device_limits(outcomes)
    for ratio in ratios:
        for store, by_ratio in measured.items():
            run = by_ratio[ratio]
            if run is None:
                continue
            head = [store, "%dx" % ratio]
            tables["rates"].append(head + cells(run, names, rate))
            tables["bytes"].append(head + cells(run, names, kilobytes_read))
            tables["reads"].append(head + cells(
                run, names, lambda run, name: per_operation(run, name, "device_reads")))
            tables["uses"].append(head + uses(run))
            tables["limits"] += [head + [what, own, most, quotient(own, most)]
                                 for what, own, most in against_device(run, limits)]
    shown = [Table(columns, tables["rates"], "Operations a second"),
             Table(columns, tables["bytes"], "KiB read from the device for each operation"),
             Table(columns, tables["reads"], "Device reads for each operation"),
             Table(["store", "data", "version", "group's peak MB", "space MB", "written/user byte",
                    "fill p99.9 us", "read p99.9 us"], tables["uses"], "What they took")]
    if limits:
        shown.append(device_table(limits))
    if tables["limits"]:
        shown.append(Table(["store", "data", "what", "store", "device", "ratio"], tables["limits"],
                           "Against the device"))
    notes = [text for run in outcomes for text in run.get("text", {}).values()]
    memory = outcomes.values("memory")
    return Shown([table for table in shown if table.rows], plots_of(measured, ratios, figures), [
        "Memory of each store: %s, of which are its heap, the page cache of its files and the "
        "pool, which is a quarter." % ", ".join(show_bytes(size) for size in memory),
        "A read of a device is the kernel's, so that several pages that it reads ahead are one.",
    ] + notes)


EXPERIMENT = Experiment(
    name="beyond-memory",
    question="What if the data are larger than the memory?",
    method="peer_bench and ycsbc run each store alone in a memory group, over keys of 16 bytes and "
           "values of 1 KiB, not compressed, on a disk: fill in random order, then reads, each for "
           "a given time; YCSB A, B, C, F, D, E over one load. Memtables and caches have the same "
           "size for all; RocksDB runs once more as its tuning guide advises: a third of the "
           "memory as block cache, files opened for random reads, compactions that read ahead. "
           "The device's own limit is fio's.",
    runs=runs, show=show, program="peer_bench", obstacle=obstacle,
    program_sentence="this build has no peer_bench.")
