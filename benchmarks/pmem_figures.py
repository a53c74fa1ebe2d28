#!/usr/bin/env python3
"""Measures what the persistent-memory tier promises in figures, and holds each against its bound.

  amplification  bytes written to PM for each byte of the user, everything counted
  memory         DRAM for inner nodes and filters, for each key
  open           time to open a database, after it was closed and after it was killed
  stalls         the longest write while flushes and merges run, beside the longest pause of a
                 thread that only watches the clock; p99.9
  start          what linking the library costs a program that never uses the tier, compared with
                 Debian's LevelDB (package libleveldb1d)
  limits         what the medium can do (pmem_bench), and how near to that writes and point reads
                 come, on a pool that was touched before

Exit status: 0 when every bound holds; 1 when something cannot be measured; 2 when an option makes
no sense; 3 when a bound does not hold.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from programs import (CANNOT, FOUND_BAD, LIBRARY, CannotMeasure, allow_pools_on_tmpfs,
                      find_debian_library, find_file, found_in, link_library, new_parser,
                      read_report, run_and_kill, run_program)

# Bytes of a key, and of a write buffer.
KEY_SIZE = 16
WRITE_BUFFER = 64 << 20

# (value size, entries, bound)
AMPLIFICATION = [(1024, 1000000, 1.3), (100, 2000000, 3.5)]
# DRAM bytes a key.
MEMORY = (1024, 1000000, 4.0)
# (value size, milliseconds). Of random keys below n, n writes meet 63.2 %: 2 M different ones.
OPEN_KEYS = 3170000
OPEN = [(1024, 200), (100, 400)]
STALLS = (1024, 1000000, 10.0)  # milliseconds
START_RATIO = 1.10
STARTS = 1000
# (value size, entries), and (benchmark, what pmem_bench calls the limit, in words, bound)
LIMITED = (1024, 1000000)
LIMITS = [("fillrandom", "append_crc_fence", "appends with CRC and fence", 2.5),
          ("readrandom", "dependent_miss", "dependent cache misses", 8.0)]
# Reads that must find the same keys before and after a kill, and reads beside which it writes.
CHECKED_READS = 20000
READS_BESIDE_WRITES = 300000

FIGURES = ["limits", "amplification", "memory", "open", "stalls", "start"]


def parse_arguments():
    parser = new_parser(__doc__)
    parser.add_argument("--pm_path", default="/dev/shm",
                        help="directory for pools (default: %(default)s, where PM is emulated)")
    parser.add_argument("--pm_size", default="8G", help="ceiling of a pool (default: %(default)s)")
    parser.add_argument("--dir", default=None,
                        help="directory for databases (default: that for pools)")
    parser.add_argument("--figures", default=",".join(FIGURES),
                        help="what to measure (default: all: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3,
                        help="how often limits, stalls and openings are measured (default: "
                        "%(default)s)")
    parser.add_argument("--scale", type=float, default=1.0,
                        help="times the entries; the bounds are meant for 1 (default: 1)")
    parser.add_argument("--flags", default="",
                        help="more flags for db_bench, separated by spaces")
    parser.add_argument("--json", default=None, help="write all figures to this file, too")
    arguments = parser.parse_args()
    arguments.figures = arguments.figures.split(",")
    arguments.dir = arguments.dir or arguments.pm_path
    for name in arguments.figures:
        if name not in FIGURES:
            parser.error("%s is not one of %s" % (name, ", ".join(FIGURES)))
    if arguments.rounds < 1 or arguments.scale <= 0:
        parser.error("--rounds and --scale must be positive")
    return arguments


class Bench:
    """Runs db_bench with the tier, each run in a database and a pool directory given to it."""

    def __init__(self, arguments, scratch):
        self.arguments = arguments
        self.scratch = scratch
        self.program = find_file(arguments.build, "db_bench")

    def entries(self, count):
        return max(1000, int(count * self.arguments.scale))

    def new_place(self):
        return Place(self.scratch)

    def command(self, place, benchmarks, num, value_size, flags):
        return [self.program, "--use_pm=1", "--pm_path=" + place.pools,
                "--pm_size=" + self.arguments.pm_size, "--db=" + place.database,
                "--benchmarks=" + benchmarks, "--num=%d" % num, "--value_size=%d" % value_size,
                "--write_buffer_size=%d" % WRITE_BUFFER] + flags + self.arguments.flags.split()

    def run(self, place, benchmarks, num, value_size, flags=()):
        """Returns the report, and in it the last result of each benchmark by name."""
        command = self.command(place, benchmarks, num, value_size,
                               ["--report=" + place.report] + list(flags))
        run_program(command)
        return read_report(place.report)

    def run_and_kill(self, place, benchmarks, num, value_size, flags=()):
        """Kills db_bench when it has printed the last result. Returns its lines."""
        command = self.command(place, benchmarks + ",waitforcompaction", num, value_size,
                               list(flags))
        return run_and_kill(command, benchmarks.split(",")[-1])


class Place:
    """A database and the directory of its pool. Leave it to remove both."""

    def __init__(self, scratch):
        self.directory = tempfile.mkdtemp(dir=scratch)
        self.pools = os.path.join(self.directory, "pools")
        self.database = os.path.join(self.directory, "db")
        self.report = os.path.join(self.directory, "report.json")
        os.mkdir(self.pools)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        shutil.rmtree(self.directory, ignore_errors=True)


class Table:
    """The figures so far, printed as they come."""

    def __init__(self):
        self.rows = []

    def add(self, name, value, unit, bound=None, note=""):
        """A figure that must be at most `bound`, if there is one."""
        holds = bound is None or value <= bound
        self.rows.append({"name": name, "value": value, "unit": unit, "bound": bound,
                          "holds": holds, "note": note})
        limit = "" if bound is None else "at most %g" % bound
        verdict = "" if bound is None else "holds" if holds else "MISSED"
        print(("%-58s %10.3f %-9s %-13s %-7s %s" % (
            name, value, unit, limit, verdict, note)).rstrip())
        sys.stdout.flush()

    def missed(self):
        return [row["name"] for row in self.rows if not row["holds"]]


def thousands(number):
    return "{:,}".format(number)


def pm_bytes_per_user_byte(figures):
    """The library's own quotient, or that of the parts, whichever is more."""
    parts = ["log-bytes", "value-bytes", "flush-bytes", "merge-bytes", "sweep-bytes"]
    quotient = sum(figures[part] for part in parts) / max(figures["user-bytes"], 1)
    return max(quotient, figures["pm-bytes-per-user-byte"])


def describe_parts(figures):
    user = max(figures["user-bytes"], 1)
    parts = ["log", "value", "flush", "merge", "sweep"]
    return ", ".join("%s %.2f" % (part, figures[part + "-bytes"] / user) for part in parts)


def measure_amplification(bench, table):
    for value_size, count, bound in AMPLIFICATION:
        num = bench.entries(count)
        with bench.new_place() as place:
            report = bench.run(place, "fillrandom,waitforcompaction", num, value_size)
            figures = report["by_name"]["waitforcompaction"]["pmem"]
            table.add("PM bytes a user byte, fillrandom %s x %d B" % (thousands(num), value_size),
                      pm_bytes_per_user_byte(figures), "", bound, describe_parts(figures))


def measure_memory(bench, table):
    value_size, count, bound = MEMORY
    num = bench.entries(count)
    with bench.new_place() as place:
        report = bench.run(place, "fillrandom,waitforcompaction,readseq,compact,stats", num,
                           value_size)
        keys = report["by_name"]["readseq"]["operations"]
        for name, when in (("waitforcompaction", "after the fill"), ("compact", "compacted")):
            figures = report["by_name"][name]["pmem"]
            table.add("DRAM a key of %d B values, %s" % (value_size, when),
                      figures["dram-bytes"] / max(keys, 1), "bytes", bound,
                      "%s bytes for %s keys" % (thousands(figures["dram-bytes"]), thousands(keys)))


def open_after_kills(bench, place, num, value_size):
    """Milliseconds of each opening after a kill."""
    reads = ["--reads=%d" % CHECKED_READS]
    before = found_in(bench.run_and_kill(place, "fillrandom,readrandom", num, value_size, reads))
    times = []
    for number in range(bench.arguments.rounds):
        existing = ["--use_existing_db"]
        if number > 0:
            bench.run_and_kill(place, "readwhilewriting", num, value_size,
                               existing + ["--reads=%d" % READS_BESIDE_WRITES])
        report = bench.run(place, "readrandom", num, value_size, existing + reads)
        times.append(1e3 * report["open_seconds"])
        after = report["by_name"]["readrandom"]["found"]
        if number == 0 and after != before:
            raise CannotMeasure("%d keys were found before the kill, and %d after it" %
                                (before, after))
    return times


def open_after_closing(bench, place, num, value_size):
    return [1e3 * bench.run(place, "stats", num, value_size, ["--use_existing_db"])["open_seconds"]
            for _ in range(bench.arguments.rounds)]


def measure_open(bench, table):
    num = bench.entries(OPEN_KEYS)
    for value_size, bound in OPEN:
        with bench.new_place() as place:
            killed = open_after_kills(bench, place, num, value_size)
            closed = open_after_closing(bench, place, num, value_size)
        for how, times in (("a clean close", closed), ("SIGKILL", killed)):
            table.add("open after %s, %s keys of %d B values" % (
                how, thousands(int(0.632 * num)), value_size), statistics.median(times), "ms",
                bound, "all: " + ", ".join("%.1f" % each for each in times))


def measure_stalls(bench, table):
    value_size, count, bound = STALLS
    num = bench.entries(count)
    for number in range(bench.arguments.rounds):
        with bench.new_place() as place:
            result = bench.run(place, "fillrandom", num, value_size,
                               ["--histogram", "--control_thread"])["by_name"]["fillrandom"]
        latency = result["latency_micros"]
        longest = latency["max"] / 1e3
        control = result["control_pause_micros"] / 1e3
        table.add("longest write beyond the control's pause, round %d" % (number + 1),
                  longest - control, "ms", bound, "write %.2f, control %.2f" % (longest, control))
        table.add("p99.9 of a write, round %d" % (number + 1), latency["p99.9"], "us", None,
                  "average %.2f, p99 %.2f, p99.99 %.2f" % (
                      latency["average"], latency["p99"], latency["p99.99"]))


def seconds_to_run(program, environment):
    began = time.perf_counter()
    process = os.posix_spawn(program, [program], environment)
    _, status = os.waitpid(process, 0)
    taken = time.perf_counter() - began
    if status != 0:
        raise CannotMeasure("%s ended with status %d" % (program, status))
    return taken


def measure_start(bench, table):
    program = find_file(bench.arguments.build, "start_up")
    libraries = {"ours": find_file(bench.arguments.build, LIBRARY), "debian": find_debian_library()}
    environments = {}
    for side, library in libraries.items():
        links = os.path.join(bench.scratch, "lib_" + side)
        environments[side] = {"LD_LIBRARY_PATH": link_library(library, links)}
    times = {side: [] for side in libraries}
    for number in range(max(20, int(STARTS * min(1.0, bench.arguments.scale)))):
        for side in (("ours", "debian") if number % 2 == 0 else ("debian", "ours")):
            times[side].append(seconds_to_run(program, environments[side]))
    ratio = statistics.median(ours / debian for ours, debian in zip(times["ours"], times["debian"]))
    table.add("start of a program without the tier, ours / Debian's", ratio, "", START_RATIO,
              "medians %.3f ms, %.3f ms" % tuple(1e3 * statistics.median(times[side])
                                                 for side in ("ours", "debian")))


def limits_of_the_medium(bench):
    """Nanoseconds of what pmem_bench measures."""
    program = find_file(bench.arguments.build, "pmem_bench")
    path = os.path.join(bench.scratch, "limits.json")
    subprocess.run([program, "--pm_path=" + bench.scratch, "--json=" + path,
                    "--size=%d" % max(16 << 20, int(2**30 * min(1.0, bench.arguments.scale)))],
                   check=True)
    with open(path, encoding="utf-8") as file:
        return json.load(file)["nanos"]


def measure_limits(bench, table):
    """Each round takes the limits anew: the medium is as fast as the machine is at the time. Reads
    find what they look for: of random keys a third would be missing."""
    value_size, count = LIMITED
    ratios = {name: [] for name, _, _, _ in LIMITS}
    for _ in range(bench.arguments.rounds):
        nanos = limits_of_the_medium(bench)
        with bench.new_place() as place:
            report = bench.run(place, "fillrandom,fillseq,waitforcompaction,readrandom",
                               bench.entries(count), value_size, ["--pm_prefault"])
        for name, limit, _, _ in LIMITS:
            took = 1e3 * report["by_name"][name]["micros_per_operation"]
            ratios[name].append((took / nanos[limit], took))
    for name, _, words, bound in LIMITS:
        table.add("%s of %d B values, in %s" % (name, value_size, words),
                  statistics.median(ratio for ratio, _ in ratios[name]), "", bound,
                  "all: " + ", ".join("%.1f (%.0f ns)" % each for each in ratios[name]))


MEASURES = {"amplification": measure_amplification, "memory": measure_memory,
            "open": measure_open, "stalls": measure_stalls, "start": measure_start,
            "limits": measure_limits}


def main():
    arguments = parse_arguments()
    allow_pools_on_tmpfs()
    scratch = tempfile.mkdtemp(prefix="pmem_figures.", dir=arguments.dir)
    table = Table()
    try:
        bench = Bench(arguments, scratch)
        for name in FIGURES:
            if name in arguments.figures:
                MEASURES[name](bench, table)
    except (CannotMeasure, subprocess.CalledProcessError) as reason:
        print("pmem_figures: %s" % reason, file=sys.stderr)
        return CANNOT
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        if arguments.json is not None:
            with open(arguments.json, "w", encoding="utf-8") as file:
                json.dump(table.rows, file, indent=1)
    missed = table.missed()
    if missed:
        print("\n%d bounds are missed: %s" % (len(missed), "; ".join(missed)))
        return FOUND_BAD
    print("\nevery bound holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
