#!/usr/bin/env python3
"""Compares this library with other stores.

  tier        this library, with a pool on persistent memory that was touched before
  tier_cold   the same, the pool never touched before
  plain       this library without
  debian      Debian's LevelDB: the same program with another library in LD_LIBRARY_PATH
  rocksdb, lmdb, wiredtiger
  rocksdb_tuned   with --memory: RocksDB by its tuning guide's advice for data on a disk

In each round each store runs db_bench's workloads (peer_bench) and those of YCSB (ycsbc) over data
that it created itself, on the same medium; the order of the stores rotates. The output shows the
medians over the rounds in microseconds per operation and, in brackets, the speed of this library
relative to that store, with the tier if it takes part. In class `sync` every write is on the medium
when it returns, class `nosync` leaves that to the system; with a pool it is there either way.

With --memory each store runs in a control group of its own of that size, on a disk, over data that
are larger. Next to each figure are the bytes that it read from the device per operation; fio
measures the device's own limit. If no such group can be made, a sentence says why, and nothing is
measured.

Exit status: 0; 1 if it cannot be measured; 2 if an option is invalid; 3 if a store gave wrong data,
or with --goals if this library misses a goal; 130 after Ctrl-C.
"""

import contextlib
import json
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(HERE))
from programs import (BAD_USAGE, CANNOT, FOUND_BAD, LIBRARY, CannotMeasure, ProgramFailed,
                      end_by_exception, find_debian_library, find_file,
                      link_library, make_directory, run_program, sweep_leftovers,
                      workload_file)
from suite.machine import memory_figure, mount_of

import beyond_memory
import device
import memory_group

import goals
from options import data_bytes, parse_arguments
from store_figures import Figures, print_beyond, print_class
from stores import BINDINGS, TIERS, TUNED
from workloads import CLASSES, YCSB, steps_for

# The divisor of the number of operations if each write is synced.
SYNC_SHARE = 20

# With --memory: the time limit of a fill, in multiples of that of reads; and the limits of the
# device's measurement.
FILL_TIMES = 20
DEVICE_SECONDS_MOST = 10
DEVICE_FILE_MOST = 4 << 30
# The prefix of the directories that a run creates.
PREFIX = "peers"
CACHE = WRITE_BUFFER = 64 << 20
BLOOM_BITS = 10
# The space of the largest store: a B-tree whose pages are two thirds full, copied on write, or a
# log and its contents; and the memory of its process.
SPACE_FACTOR = 5
SPACE_BASE = 64 << 20
MEMORY_BASE = CACHE + 4 * WRITE_BUFFER

class WrongData(Exception):
    """Tells the fault of a store, as a sentence."""


def pool_bytes(arguments):
    if arguments.memory:
        return beyond_memory.pool_bytes(arguments.memory)
    return 3 * data_bytes(arguments) + (64 << 20 if arguments.scale == "tiny"
                                        else 4 * WRITE_BUFFER)


def check_room(arguments):
    """Checks the space: a run that fills the disk or the memory would measure something else, or be
    killed."""
    space = SPACE_FACTOR * data_bytes(arguments) + SPACE_BASE
    # A tier takes its pool, and the data that overflows.
    pool = pool_bytes(arguments) if set(TIERS) & set(arguments.stores) else 0
    memory = arguments.memory or min(data_bytes(arguments), MEMORY_BASE) + 8 * arguments.num
    for path in {arguments.dir, arguments.pm_path}:
        needed = max(space, pool)
        if arguments.memory and path != arguments.dir:
            needed = pool
        free = shutil.disk_usage(path).free
        if free < needed:
            raise CannotMeasure(
                "%s has %d MB free, and the largest store may take %d MB; give fewer keys with "
                "--num or name another place with --dir or --pm_path" %
                (path, free >> 20, needed >> 20))
        # A pool on tmpfs is part of the group's memory.
        if mount_of(path)[1] in ("tmpfs", "ramfs") and not arguments.memory:
            memory += needed
    available = memory_figure("MemAvailable")
    if available < memory:
        raise CannotMeasure(
            "%d MB of memory are free, and the run may take %d MB; give fewer keys with --num" %
            (available >> 20, memory >> 20))


@contextlib.contextmanager
def wrong_data_is_shouted():
    try:
        yield
    except ProgramFailed as failed:
        if failed.gave_wrong_data:
            raise WrongData(str(failed)) from failed
        raise


def run(command, environment=None):
    """Runs one of our programs, which is killed if this one is interrupted."""
    with wrong_data_is_shouted():
        return run_program(command, dict(os.environ, **(environment or {})))


class Runner:
    """Runs one store's share of a round."""

    def __init__(self, arguments, scratch, pools):
        self.arguments = arguments
        self.scratch = scratch
        self.pools = pools
        self.peer_bench = find_file(arguments.build, "peer_bench")
        self.ycsbc = find_file(arguments.build, "ycsbc")
        self.libraries = {"ours": os.path.abspath(find_file(arguments.build, LIBRARY))}
        self.left_out = {}
        if "debian" in arguments.stores:
            try:
                self.libraries["debian"] = find_debian_library()
            except CannotMeasure as reason:
                self.left_out["debian"] = str(reason).rstrip(".")
        for store in arguments.stores:
            reason = self.left_out.get(store) or self.find_reason(store)
            if reason:
                self.left_out[store] = reason
        self.stores = [store for store in arguments.stores if store not in self.left_out]

    def environment(self, store):
        variables = {}
        if BINDINGS[store] == "leveldb":
            side = "debian" if store == "debian" else "ours"
            links = os.path.join(self.scratch, "lib_" + side)
            if not os.path.isdir(links):
                link_library(self.libraries[side], links)
            variables["LD_LIBRARY_PATH"] = links
        return variables

    def find_reason(self, store):
        """Returns why a store cannot take part, or "". It runs the store with next to no work."""
        place = tempfile.mkdtemp(dir=self.scratch)
        command = [self.peer_bench, "--workloads=fillseq", "--num=1", "--rest_millis=0",
                   "--path=" + os.path.join(place, "store")] + self.store_options(store, "nosync")
        try:
            run(command, self.environment(store))
        except ProgramFailed as failed:
            said = failed.output.strip().split("\n")[-1]
            if failed.code == BAD_USAGE or "Not implemented" in said:
                return said.split(": ", 1)[-1].rstrip(".")
            raise
        finally:
            self.clean_up(place)
        return ""

    def clean_up(self, place):
        shutil.rmtree(place, ignore_errors=True)
        self.empty_pools()

    def empty_pools(self):
        shutil.rmtree(self.pools)
        os.mkdir(self.pools)

    def settings(self, store, durability):
        """Returns the store's properties, as `name=value`; options with the same meaning have the
        same value in all stores."""
        binding = BINDINGS[store]
        if self.arguments.memory:
            return beyond_memory.assignments(beyond_memory.settings(
                binding, self.arguments.memory, data_bytes(self.arguments), store in TIERS,
                store == TUNED))
        values = {"sync": "true" if durability == "sync" else "false"}
        if binding != "lmdb":
            values.update(cache_size=CACHE, compression="none")
        if binding in ("leveldb", "rocksdb"):
            values.update(write_buffer_size=WRITE_BUFFER, bloom_bits=BLOOM_BITS)
        if binding == "lmdb":
            values["map_size"] = max(1 << 30, 4 * SPACE_FACTOR * data_bytes(self.arguments))
        if store in TIERS:
            values["pm_size"] = pool_bytes(self.arguments)
            values["pm_prefault"] = "true" if store == "tier" else "false"
        return ["%s.%s=%s" % (binding, name, value) for name, value in values.items()]

    def store_options(self, store, durability):
        options = ["--db=" + BINDINGS[store]]
        options += ["--" + setting for setting in self.settings(store, durability)]
        return options + (["--pm_path=" + self.pools] if store in TIERS else [])

    def count(self, durability):
        share = SYNC_SHARE if durability == "sync" else 1
        return max(1, self.arguments.num // share)

    def read_report(self, store, path):
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        self.check_library(store, report)
        return report

    def check_library(self, store, report):
        if BINDINGS[store] == "leveldb":
            wanted = self.libraries["debian" if store == "debian" else "ours"]
            if os.path.realpath(wanted) != os.path.realpath(report["library"]["file"]):
                raise CannotMeasure("%s was to use %s and used %s" %
                                    (store, wanted, report["library"]["file"]))

    def run_beyond_memory(self, store, names):
        """Runs all workloads of a store in a memory group of its own; returns (report of peer_bench
        or None, [(workload, report of ycsbc)], peak memory)."""
        arguments = self.arguments
        place = tempfile.mkdtemp(dir=self.scratch)
        values = dict(setting.split("=", 1) for setting in self.settings(store, "nosync"))
        task = beyond_memory.Task(
            BINDINGS[store], place, self.pools if store in TIERS else None, values, arguments.num,
            arguments.value_size, arguments.seconds, FILL_TIMES * arguments.seconds,
            arguments.rest_millis)
        environment = dict(os.environ, **self.environment(store))
        letters = [name[-1] for name in names if name in YCSB]
        steps = steps_for(names, beyond_memory.FILL)
        report, ycsb = None, []
        with wrong_data_is_shouted(), memory_group.MemoryGroup(
                arguments.memory, device.disk_of(arguments.dir)) as group:
            if len(letters) < len(names):
                report, _ = beyond_memory.run_peer_bench(task, self.peer_bench, group, steps,
                                                         environment)
                self.check_library(store, report)
                shutil.rmtree(os.path.join(place, "store"))
                self.empty_pools()
            # A store that does not fill in time does not load in time.
            if report is not None and len(report["results"]) < len(steps):
                print("%s did not fill in %g s; nothing more is measured of it." % (
                    store, task.fill_seconds))
            elif letters:
                ycsb = [(name, one) for name, one, _ in beyond_memory.run_ycsb(
                    task, self.ycsbc, group, letters, environment)]
            peak = group.peak_bytes()
        self.clean_up(place)
        return report, ycsb, peak

    def run_workloads(self, store, durability, names):
        """Returns the report of peer_bench."""
        place = tempfile.mkdtemp(dir=self.scratch)
        report = os.path.join(place, "report.json")
        run([self.peer_bench, "--path=" + os.path.join(place, "store"), "--json=" + report,
             "--num=%d" % self.count(durability), "--value_size=%d" % self.arguments.value_size,
             "--rest_millis=%d" % self.arguments.rest_millis,
             "--workloads=" + ",".join(steps_for(names))] +
            self.store_options(store, durability), self.environment(store))
        result = self.read_report(store, report)
        self.clean_up(place)
        return result

    def run_ycsb(self, store, durability, name):
        """Returns the report of ycsbc: the records are loaded, then the store is opened again."""
        place = tempfile.mkdtemp(dir=self.scratch)
        report = os.path.join(place, "report.json")
        command = [self.ycsbc, "-db", BINDINGS[store], "-dbpath", os.path.join(place, "store"),
                   "-load", "-run", "-latency", "-json", report, "-P",
                   workload_file("workload" + name[-1])]
        count = self.count(durability)
        # Records have one field, written as a whole, so that an update needs no read.
        for setting in ["recordcount=%d" % count, "operationcount=%d" % count, "fieldcount=1",
                        "fieldlength=%d" % self.arguments.value_size, "writeallfields=true"]:
            command += ["-p", setting]
        for setting in self.settings(store, durability):
            command += ["-p", setting]
        if store in TIERS:
            command += ["-pmpath", self.pools]
        run(command, self.environment(store))
        result = self.read_report(store, report)
        self.clean_up(place)
        return result


def print_device(limits):
    """Prints the limits of the device."""
    print("\nThe device of %s: read-ahead %s KiB" % (
        limits["directory"], limits["read_ahead_kb"] if limits["read_ahead_kb"] is not None
        else "unknown"))
    for name, value in limits["limits"].items():
        print("  %-24s%12.0f" % (name.replace("_bytes", ", MB/s").replace("_", " "),
                                 value / 1e6 if name.endswith("_bytes") else value))
    sys.stdout.flush()


def measure_device(arguments, scratch):
    limits = {"directory": arguments.dir, "read_ahead_kb": device.read_ahead_kb(arguments.dir),
              "limits": {}}
    if device.has_fio():
        size = min(data_bytes(arguments), DEVICE_FILE_MOST)
        limits["limits"] = device.measure(
            scratch, size, min(arguments.seconds, DEVICE_SECONDS_MOST))[0]
    print_device(limits)
    if not device.has_fio():
        print("%s." % device.NO_FIO)
    return limits


def measure_beyond(runner, reports):
    """Runs all rounds with data larger than memory."""
    arguments = runner.arguments
    figures = Figures()
    for number in range(arguments.rounds):
        shift = number % len(runner.stores)
        for store in runner.stores[shift:] + runner.stores[:shift]:
            print("memory of %d MB: round %d of %d, %s" % (
                arguments.memory >> 20, number + 1, arguments.rounds, store), file=sys.stderr)
            report, ycsb, peak = runner.run_beyond_memory(store, arguments.workloads)
            if report is not None:
                figures.add_workloads(store, report, arguments.workloads)
                reports.append({"class": "nosync", "store": store, "report": report})
            for name, one in ycsb:
                if name in arguments.workloads:
                    figures.add_ycsb(store, one, name)
                reports.append({"class": "nosync", "store": store, "workload": name,
                                "report": one})
            figures.use.setdefault(store, {}).setdefault("group_peak_bytes", []).append(peak)
    return figures


def measure(runner, durability, reports):
    """Runs all rounds of one class."""
    arguments = runner.arguments
    names = [name for name in CLASSES[durability] if name in arguments.workloads]
    ycsb = [name for name in names if name in YCSB]
    figures = Figures()
    for number in range(arguments.rounds if names else 0):
        shift = number % len(runner.stores)
        for store in runner.stores[shift:] + runner.stores[:shift]:
            print("%s: round %d of %d, %s" % (durability, number + 1, arguments.rounds, store),
                  file=sys.stderr)
            if len(ycsb) < len(names):
                report = runner.run_workloads(store, durability, names)
                figures.add_workloads(store, report, names)
                reports.append({"class": durability, "store": store, "report": report})
            for name in ycsb:
                report = runner.run_ycsb(store, durability, name)
                figures.add_ycsb(store, report, name)
                reports.append({"class": durability, "store": store, "workload": name,
                                "report": report})
    return figures


def compare(arguments, scratch, pools):
    """Returns the outcome, in the form that docs/benchmarking.md describes."""
    check_room(arguments)
    runner = Runner(arguments, scratch, pools)
    for store, reason in runner.left_out.items():
        print("%s is left out: %s." % (store, reason))
    if not runner.stores:
        raise CannotMeasure("no store is left to compare")
    outcome = {"program": "peers",
               "options": {name: getattr(arguments, name) for name in
                           ("num", "value_size", "rounds", "stores", "workloads", "classes", "dir",
                            "pm_path", "scale")},
               "left_out": runner.left_out, "stores": {}, "classes": [], "reports": []}
    if arguments.memory:
        outcome["options"].update(memory=arguments.memory, seconds=arguments.seconds)
        outcome["device"] = measure_device(arguments, scratch)
    for durability in arguments.classes:
        figures = (measure_beyond(runner, outcome["reports"]) if arguments.memory
                   else measure(runner, durability, outcome["reports"]))
        if not figures.micros:
            continue
        if arguments.memory:
            print_beyond(figures, runner.stores, arguments)
        else:
            print_class(durability, figures, runner.stores, runner.count(durability))
        outcome["classes"].append({"name": durability, "operations": runner.count(durability),
                                   "workloads": figures.rows(), "use": figures.use_medians()})
    for entry in outcome["reports"]:
        outcome["stores"][entry["store"]] = entry["report"]["library"]
        outcome["machine"] = entry["report"]["machine"]
        outcome["date"] = entry["report"]["date"]
    return outcome


def judge(outcome):
    """Returns whether every goal with figures holds; prints those that do not."""
    count, missed = 0, []
    value_size = outcome["options"]["value_size"]
    for part in outcome["classes"]:
        if part["name"] != "nosync":
            continue
        for goals_held, lines in (goals.missed(part["workloads"], value_size),
                                  goals.missed_in_memory(part["workloads"], part["use"],
                                                         value_size)):
            count += goals_held
            missed += lines
    if count == 0:
        raise CannotMeasure("no goal is about these stores and workloads")
    print("\n%s" % "\n".join(missed + ["%d of %d goals hold" % (count - len(missed), count)]))
    return not missed


def main():
    arguments = parse_arguments(__doc__)
    end_by_exception()
    made = []
    try:
        if arguments.memory:
            obstacle = memory_group.find_obstacle(arguments.memory)
            if obstacle:
                print("Nothing is measured with --memory: %s" % obstacle)
                return 0
        for path in (arguments.dir, arguments.pm_path):
            sweep_leftovers(path, PREFIX)
            made.append(make_directory(path, PREFIX))
        outcome = compare(arguments, *made)
        if arguments.json is not None:
            with open(arguments.json, "w", encoding="utf-8") as file:
                json.dump(outcome, file, indent=1)
        if arguments.goals and not judge(outcome):
            return FOUND_BAD
    except WrongData as what:
        print("\npeers: WRONG DATA from a store, so no figure counts:\n%s" % what, file=sys.stderr)
        return FOUND_BAD
    except (CannotMeasure, OSError) as reason:
        print("peers: %s" % str(reason).rstrip(".") + ".", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        print("\npeers: interrupted.", file=sys.stderr)
        return 130
    finally:
        for place in made:
            shutil.rmtree(place, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
