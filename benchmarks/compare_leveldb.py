#!/usr/bin/env python3
"""Compares this library with Debian's LevelDB (package libleveldb1d), using the same db_bench.

db_bench is one binary that is run with either library in LD_LIBRARY_PATH. In every round each
library runs all benchmarks over databases that it created itself; the two take turns at going
first. The output shows the medians over the rounds, in microseconds per operation, the speed of
this library relative to Debian's, and the spread: the range of the rounds of one library, relative
to their median. Ratios mean little if it is large.

Exit status: 0 if every target holds, 1 if the comparison cannot be made, 2 if an option is invalid,
3 if a target is missed.
"""

import json
import os
import shutil
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import (CANNOT, FOUND_BAD, LIBRARY, CannotMeasure, find_debian_library, find_file,
                      link_library, new_parser, read_report, run_program)

# The benchmarks in the order in which they run. The fills begin with an empty database; the later
# ones use the database of fillrandom and overwrite, after its background work has ended.
FILLS = ["fillseq", "fillbatch", "fill100K", "fillsync", "fillrandom"]
ON_FILLED_DATABASE = [
    "overwrite", "readrandom", "readmissing", "readhot", "readseq", "readreverse", "seekrandom",
    "seekordered", "compact", "deleterandom", "deleteseq"]
# readwhilewriting runs in a process and a database of its own: the faster its writer is, the more
# data it leaves.
BESIDE_WRITER = "readwhilewriting"
BENCHMARKS = FILLS + ON_FILLED_DATABASE + [BESIDE_WRITER]
REST = "waitforcompaction"

# The required speed relative to Debian's library. fillsync is bound by the device, fill100K by
# copying to files, and compressed data mostly by the compression.
TARGET = 1.5
TARGETS = {"fill100K": 0.97, "fillsync": 0.97}
COMPRESSED_TARGET = 0.97
COMPRESSED_TARGETS = {"fillrandom": 1.3, "overwrite": 1.3, "readrandom": 1.3, "seekrandom": 1.3}
MEMORY_TARGET = 1.2

COMMON_FLAGS = ["--bloom_bits=10", "--write_buffer_size=%d" % (64 << 20),
                "--cache_size=%d" % (64 << 20)]


def parse_arguments():
    parser = new_parser(__doc__)
    parser.add_argument("--dir", default=None,
                        help="where the databases are made (default: /dev/shm if it is there, "
                        "otherwise the temporary directory)")
    parser.add_argument("--num", type=int, default=1000000, help="entries (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default: %(default)s)")
    parser.add_argument("--values", default="100,1024",
                        help="value sizes in bytes (default: %(default)s)")
    parser.add_argument("--compression", default="none,snappy",
                        help="compressions (default: %(default)s)")
    parser.add_argument("--benchmarks", default=",".join(BENCHMARKS),
                        help="which to compare (default: all: %(default)s)")
    parser.add_argument("--flags", default="",
                        help="more flags for db_bench, separated by spaces")
    parser.add_argument("--json", default=None, help="write all figures to this file, too")
    arguments = parser.parse_args()
    arguments.benchmarks = arguments.benchmarks.split(",")
    arguments.compression = arguments.compression.split(",")
    for name in arguments.benchmarks:
        if name not in BENCHMARKS:
            parser.error("%s is not one of %s" % (name, ", ".join(BENCHMARKS)))
    try:
        arguments.values = [int(size) for size in arguments.values.split(",")]
    except ValueError:
        parser.error("--values takes numbers separated by commas")
    if arguments.rounds < 1 or arguments.num < 1:
        parser.error("--rounds and --num must be positive")
    if arguments.dir is None:
        arguments.dir = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()
    return arguments


def plan(benchmarks):
    """Returns the lists for db_bench, one per process: the requested benchmarks, and those that
    they need."""
    steps = [name for name in FILLS if name in benchmarks]
    later = [name for name in ON_FILLED_DATABASE if name in benchmarks and name != "overwrite"]
    if later or "overwrite" in benchmarks:
        steps = [name for name in steps if name != "fillrandom"] + ["fillrandom", "overwrite"]
    if later:
        steps += [REST] + later
    processes = [steps] if steps else []
    if BESIDE_WRITER in benchmarks:
        processes.append(["fillrandom", REST, BESIDE_WRITER])
    return processes


def check_space(arguments):
    needed = arguments.num * (16 + max(arguments.values)) * 4
    free = shutil.disk_usage(arguments.dir).free
    if free < needed:
        raise CannotMeasure("%s has %d MB free, and the largest database may take %d MB; "
                            "name another place with --dir." %
                            (arguments.dir, free >> 20, needed >> 20))


def run_process(db_bench, library, benchmarks, flags, scratch):
    """Returns the report of one process."""
    place = tempfile.mkdtemp(dir=scratch)
    report_path = os.path.join(place, "report.json")
    command = [db_bench, "--db=" + os.path.join(place, "db"), "--report=" + report_path,
               "--benchmarks=" + ",".join(benchmarks)] + flags
    links = link_library(library, os.path.join(place, "lib"))
    run_program(command, dict(os.environ, LD_LIBRARY_PATH=links))
    report = read_report(report_path)
    del report["by_name"]
    if os.path.realpath(library) != os.path.realpath(report["library"]["file"]):
        raise CannotMeasure("db_bench was to use %s and used %s." %
                            (library, report["library"]["file"]))
    shutil.rmtree(place)
    return report


def run_round(db_bench, library, configuration, arguments, scratch):
    """Runs one library's share of a round; returns the reports of its processes."""
    flags = COMMON_FLAGS + ["--num=%d" % arguments.num,
                            "--value_size=%d" % configuration.value_size,
                            "--compression=" + configuration.compression] + arguments.flags.split()
    return [run_process(db_bench, library, benchmarks, flags, scratch)
            for benchmarks in plan(arguments.benchmarks)]


class Configuration:
    """The measurements with one value size and one compression."""

    def __init__(self, value_size, compression):
        self.value_size = value_size
        self.compression = compression
        self.rounds = {"ours": [], "debian": []}  # of each round, the reports of its processes

    def figures(self, side, benchmark, figure="micros_per_operation"):
        """Returns the figure of each round; that of the first run if a benchmark ran more than
        once."""
        return [next(result[figure] for report in reports for result in report["results"]
                     if result["name"] == benchmark) for reports in self.rounds[side]]

    def median(self, side, benchmark, figure="micros_per_operation"):
        return statistics.median(self.figures(side, benchmark, figure))

    def spread(self, benchmark):
        spreads = []
        for side in self.rounds:
            figures = self.figures(side, benchmark)
            median = statistics.median(figures)
            spreads.append((max(figures) - min(figures)) / median if median > 0 else 0)
        return max(spreads)

    def median_memory(self, side, figure):
        return statistics.median(max(report[figure] for report in reports)
                                 for reports in self.rounds[side])

    def target(self, benchmark):
        if self.compression == "none":
            return TARGETS.get(benchmark, TARGET)
        return COMPRESSED_TARGETS.get(benchmark, COMPRESSED_TARGET)

    def compare(self, benchmarks):
        """Returns one row for each benchmark, then one for memory."""
        rows = []
        for name in BENCHMARKS:
            if name in benchmarks:
                ours = self.median("ours", name)
                debian = self.median("debian", name)
                ratio = debian / ours if ours > 0 else float("inf")
                target = self.target(name)
                rows.append({"name": name, "unit": "us/op", "debian": debian, "ours": ours,
                             "ratio": ratio, "spread": self.spread(name), "target": target,
                             "holds": ratio >= target})
        rows.append(self.compare_memory("peak memory", "peak_resident_bytes", MEMORY_TARGET))
        rows.append(self.compare_memory("  without files", "peak_anonymous_bytes", None))
        return rows

    def compare_memory(self, name, figure, target):
        ours = self.median_memory("ours", figure) / 2**20
        debian = self.median_memory("debian", figure) / 2**20
        ratio = ours / debian if debian > 0 else float("inf")
        return {"name": name, "unit": "MB", "debian": debian, "ours": ours, "ratio": ratio,
                "spread": None, "target": target, "holds": target is None or ratio <= target}


def print_rows(configuration, rows, rounds):
    print("\nvalues of %d bytes, compression %s (medians of %d rounds)" %
          (configuration.value_size, configuration.compression, rounds))
    print("  %-18s %-6s %12s %12s %8s %8s" % ("", "", "Debian's", "ours", "ratio", "spread"))
    for row in rows:
        note = ""
        if row["target"] is None:
            note = "(no target)"
        elif not row["holds"]:
            limit = "at most" if row["unit"] == "MB" else "at least"
            note = "<-- MISSED, must be %s %.2f" % (limit, row["target"])
        spread = "" if row["spread"] is None else "%.0f %%" % (100 * row["spread"])
        print(("  %-18s %-6s %12.3f %12.3f %8.2f %8s  %s" % (
            row["name"], row["unit"], row["debian"], row["ours"], row["ratio"], spread,
            note)).rstrip())
    sys.stdout.flush()


def print_writer(configuration):
    """Prints the rate of the concurrent writer of readwhilewriting: the faster it is, the slower
    are the reads."""
    figure = "writes_per_second_beside"
    print("  %-18s %-6s %12.0f %12.0f" % (
        "  writes beside", "1/s", configuration.median("debian", BESIDE_WRITER, figure),
        configuration.median("ours", BESIDE_WRITER, figure)))


def measure(configuration, db_bench, libraries, arguments, scratch):
    for number in range(arguments.rounds):
        sides = ["debian", "ours"] if number % 2 == 0 else ["ours", "debian"]
        for side in sides:
            print("values of %d bytes, compression %s: round %d of %d, %s" % (
                configuration.value_size, configuration.compression, number + 1, arguments.rounds,
                side), file=sys.stderr)
            configuration.rounds[side].append(
                run_round(db_bench, libraries[side], configuration, arguments, scratch))


def compare(arguments):
    libraries = {"ours": find_file(arguments.build, LIBRARY), "debian": find_debian_library()}
    db_bench = find_file(arguments.build, "db_bench")
    check_space(arguments)
    print("ours:     %s\nDebian's: %s\ndatabases of %d entries in %s" % (
        libraries["ours"], libraries["debian"], arguments.num, arguments.dir))
    scratch = tempfile.mkdtemp(prefix="compare_leveldb.", dir=arguments.dir)
    outcome = []
    try:
        for value_size in arguments.values:
            for compression in arguments.compression:
                configuration = Configuration(value_size, compression)
                measure(configuration, db_bench, libraries, arguments, scratch)
                rows = configuration.compare(arguments.benchmarks)
                print_rows(configuration, rows, arguments.rounds)
                if BESIDE_WRITER in arguments.benchmarks:
                    print_writer(configuration)
                outcome.append({"value_size": value_size, "compression": compression,
                                "rows": rows, "reports": configuration.rounds})
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        if arguments.json is not None:
            with open(arguments.json, "w", encoding="utf-8") as file:
                json.dump({"num": arguments.num, "rounds": arguments.rounds,
                           "configurations": outcome}, file, indent=1)
    return outcome


def main():
    arguments = parse_arguments()
    try:
        outcome = compare(arguments)
    except CannotMeasure as reason:
        print("compare_leveldb: %s" % reason, file=sys.stderr)
        return CANNOT
    missed = ["%s (%d bytes, %s)" % (row["name"].strip(), part["value_size"], part["compression"])
              for part in outcome for row in part["rows"] if not row["holds"]]
    if missed:
        print("\n%d targets are missed: %s" % (len(missed), ", ".join(missed)))
        return FOUND_BAD
    print("\nevery target holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
