"""Collects the results of a comparison of stores, and prints them."""

import statistics
import sys

import beyond_memory
from options import data_bytes
from stores import OURS
from workloads import KNOWN

FIGURES = ["open_seconds", "written_bytes_a_user_byte", "space_bytes", "live_bytes",
           "peak_resident_bytes", "peak_anonymous_bytes"]
DEVICE_FIGURES = ["device_read_bytes", "device_reads"]
PERCENTILES = ["average", "p50", "p95", "p99", "p99.9", "p99.99", "max"]


def micros(result):
    return 1e6 * result["elapsed_seconds"] / max(result["operations"], 1)


class Figures:
    """The results of one class of durability: by workload and store, a figure for each round."""

    def __init__(self):
        self.micros = {}
        self.latencies = {}
        self.use = {}
        self.device = {}  # by workload, store and name: what a round read per operation

    def add_workloads(self, store, report, names):
        for result in report["results"]:
            if result["name"] in names and result["operations"]:
                self.add_device(result["name"], store, result)
                self.add(result["name"], store, micros(result),
                         {"ALL": result["latency_micros"]})
        for name in FIGURES:
            self.use.setdefault(store, {}).setdefault(name, []).append(report[name])

    def add_ycsb(self, store, report, name):
        phase = next(phase for phase in report["phases"] if phase["name"] == "run")
        if not phase["operations"]:
            return
        self.add_device(name, store, phase)
        self.add(name, store, micros(phase),
                 {kind["name"]: kind["latency_micros"] for kind in phase["by_operation"]
                  if "latency_micros" in kind})

    def add_device(self, name, store, result):
        for figure in DEVICE_FIGURES:
            of_stores = self.device.setdefault(name, {}).setdefault(figure, {})
            of_stores.setdefault(store, []).append(beyond_memory.per_operation(result, figure))

    def device_medians(self, name, figure):
        """Returns the medians by store, of those for which the figure is known in every round."""
        return {store: statistics.median(values)
                for store, values in self.device.get(name, {}).get(figure, {}).items()
                if None not in values}

    def add(self, name, store, value, latencies):
        self.micros.setdefault(name, {}).setdefault(store, []).append(value)
        kinds = self.latencies.setdefault(name, {}).setdefault(store, {})
        for kind, latency in latencies.items():
            kinds.setdefault(kind, []).append(latency)

    def rows(self):
        """Returns one row for each workload that has been run, in the documented form."""
        rows = []
        for name in KNOWN:
            if name not in self.micros:
                continue
            by_store = self.micros[name]
            medians = {store: statistics.median(values) for store, values in by_store.items()}
            reference = next((store for store in OURS if store in medians), None)
            rows.append({
                "name": name, "micros_per_operation": medians,
                "operations_per_second": {store: 1e6 / value for store, value in medians.items()},
                "spread": {store: (max(values) - min(values)) / statistics.median(values)
                           for store, values in by_store.items()},
                "ratio": {store: value / medians[reference] for store, value in medians.items()
                          if reference is not None and store != reference},
                "device_read_bytes": self.device_medians(name, "device_read_bytes"),
                "device_reads": self.device_medians(name, "device_reads"),
                "latency_micros": {
                    store: {kind: {part: statistics.median(latency[part] for latency in rounds)
                                   for part in PERCENTILES} for kind, rounds in kinds.items()}
                    for store, kinds in self.latencies[name].items()}})
        return rows

    def use_medians(self):
        return {store: {name: None if None in values else statistics.median(values)
                        for name, values in figures.items()}
                for store, figures in self.use.items()}


def print_class(durability, figures, stores, count):
    rows = figures.rows()
    print("\n%s: %d keys and operations; us/op, and (our speed / theirs)" % (durability, count))
    print("  %-18s" % "" + "".join("%20s" % store for store in stores))
    for row in rows:
        cells = []
        for store in stores:
            ratio = "(%.2f)" % row["ratio"][store] if store in row["ratio"] else ""
            cells.append("%11.3f %8s" % (row["micros_per_operation"][store], ratio))
        print("  %-18s%s" % (row["name"], "".join(cells)))
    print("\n  %-18s%s" % ("operations/s", "".join("%20s" % store for store in stores)))
    for row in rows:
        print("  %-18s%s" % (row["name"], "".join(
            "%11.0f %8s" % (row["operations_per_second"][store], "") for store in stores)))
    print_latencies(rows, stores)
    print_use(figures, stores)


def print_latencies(rows, stores):
    """Prints the greatest value of each percentile over the kinds of operation."""
    print("\n  %-18s%s" % ("p50/p99/p99.9 us", "".join("%20s" % store for store in stores)))
    for row in rows:
        cells = []
        for store in stores:
            kinds = row["latency_micros"][store].values()
            shown = "/".join("%.3g" % max(kind[part] for kind in kinds)
                             for part in ("p50", "p99", "p99.9")) if kinds else "-"
            cells.append(" %19s" % shown)
        print("  %-18s%s" % (row["name"], "".join(cells)))


def print_use(figures, stores):
    """Prints the resource use of the stores."""
    print()
    for name, label, divisor in (
            ("open_seconds", "making it, ms", 1e-3),
            ("written_bytes_a_user_byte", "written/user byte", 1),
            ("space_bytes", "space, MB", 1 << 20), ("live_bytes", "  of it data, MB", 1 << 20),
            ("peak_resident_bytes", "peak memory, MB", 1 << 20),
            ("peak_anonymous_bytes", "  without files, MB", 1 << 20),
            ("group_peak_bytes", "group's peak, MB", 1 << 20)):
        values = [figures.use_medians().get(store, {}).get(name) for store in stores]
        if any(value is not None for value in values):
            cells = ["-" if value is None else "%.2f" % (value / divisor) for value in values]
            print("  %-18s%s" % (label, "".join("%11s %8s" % (cell, "") for cell in cells)))
    sys.stdout.flush()


def print_beyond(figures, stores, arguments):
    """Prints the figures of data larger than memory, and next to each what was read from the
    device."""
    rows = figures.rows()
    print("\n%d keys, %d MB of data, %d MB of memory; operations/s, and (our speed / theirs)" % (
        arguments.num, data_bytes(arguments) >> 20, arguments.memory >> 20))
    print_cells(rows, stores, "operations/s", lambda row, store: "%.0f %8s" % (
        row["operations_per_second"][store],
        "(%.2f)" % row["ratio"][store] if store in row["ratio"] else ""),
                "operations_per_second")
    print_cells(rows, stores, "KiB read/op", lambda row, store: "%.2f %8s" % (
        row["device_read_bytes"][store] / 1024, ""), "device_read_bytes")
    print_cells(rows, stores, "device reads/op", lambda row, store: "%.3f %8s" % (
        row["device_reads"][store], ""), "device_reads")
    print_cells(rows, stores, "p99.9 us", lambda row, store: "%.4g %8s" % (
        max(kind["p99.9"] for kind in row["latency_micros"][store].values()), ""),
                "latency_micros")
    print_use(figures, stores)


def print_cells(rows, stores, title, cell, member):
    if not any(row[member] for row in rows):
        return
    print("\n  %-18s%s" % (title, "".join("%20s" % store for store in stores)))
    for row in rows:
        print("  %-18s%s" % (row["name"], "".join(
            "%20s" % (cell(row, store) if row[member].get(store) is not None else "-" + " " * 9)
            for store in stores)))
