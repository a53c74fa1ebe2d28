#!/usr/bin/env python3
"""Counts the instructions of writes, reads, steps of scans, background work and replay, and
compares them with the kept counts.

Times depend on the machine and on its load; instructions of one thread hardly do. For each kind of
operation db_bench runs under valgrind's callgrind, which counts what the thread executes between
entering and leaving the database, and the count is divided by the operations. figures.json, next to
this script, keeps the counts of a release build by GCC 12 for x86-64.

Exit status: 0; 1 if it cannot be counted; 2 if an option is invalid; 3 if an operation takes over 5
% more instructions than its kept count, or has none. Operations that take over 5 % fewer are
reported: keep the new count with --update, or the gain may be lost unnoticed.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(HERE))
from programs import (CANNOT, FOUND_BAD, CannotMeasure, find_file, new_parser,
                      read_report, run_program)

KEPT = os.path.join(HERE, "figures.json")
BOUND = 0.05

# The C library selects its functions to copy and compare by the processor. This setting makes it
# use those that every x86-64 processor supports.
ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX,-ERMS,-FSRM,"
                                 "-SSE4_2,-SSE4_1,-SSSE3"}

PUT = ("leveldb::DbImpl::Put*",)
DELETE = ("leveldb::DbImpl::Delete*",)
BATCH = ("leveldb::DbImpl::Write(*",)
GET = ("leveldb::DbImpl::Get(*",)
STEP = ("*DbIter::Next*",)
STEP_BACK = ("*DbIter::Prev*",)
# Includes the creation of the iterator.
SEEK = ("leveldb::DbImpl::NewIterator*", "*DbIter::Seek(*")
FLUSH = ("*FlushJob::WriteTree(*", "*FlushJob::WriteTable(*")
# Flushes, merges and compactions.
BACKGROUND = ("leveldb::Scheduler::RunNextTask(*",)
REPLAY = ("*OpenSteps::ReplayLogs(*",)


@dataclass(frozen=True)
class Case:
    name: str
    benchmarks: str  # the last one is counted, unless the count is per key
    functions: Tuple[str, ...]
    value_size: int = 1024
    write_buffer_mib: int = 4
    per_key: bool = False  # per key of the database: the counted work belongs to no benchmark
    num_divisor: int = 1  # the divisor of the number of keys
    runs: int = 1  # the count is the least of this many


# A flush, another one over it, and the background work that follows.
TWICE = "fillrandom,compact,overwrite,compact,waitforcompaction"
# Reads find one tree or one run of tables, whatever the timing of the threads was: otherwise the
# count would depend on it.
CASES = [
    Case("put", "fillrandom", PUT),
    Case("put small", "fillrandom", PUT, 100),
    Case("put in a batch", "fillbatch", BATCH, 100),
    Case("delete", "fillrandom,compact,deleterandom", DELETE),
    Case("get", "fillrandom,compact,readrandom", GET),
    Case("get small", "fillrandom,compact,readrandom", GET, 100),
    Case("get from memory", "fillrandom,readrandom", GET, write_buffer_mib=64),
    Case("get missing", "fillrandom,compact,readmissing", GET),
    # Timing decides whether steps prefetch values, so the count varies.
    Case("next", "fillrandom,compact,scankeys", STEP, runs=5),
    Case("next small", "fillrandom,compact,scankeys", STEP, 100),
    Case("prev", "fillrandom,compact,readreverse", STEP_BACK, runs=5),
    Case("seek", "fillrandom,compact,seekrandom", SEEK),
    Case("flush", "fillrandom,compact", FLUSH, per_key=True),
    # The memtables have room for all entries, so that the timing of threads has no effect.
    Case("background", TWICE, BACKGROUND, per_key=True, write_buffer_mib=64),
    Case("background small", TWICE, BACKGROUND, 100, per_key=True, write_buffer_mib=64),
    # So few keys need no second thread, whose work would not be counted.
    Case("replay", "fillrandom,open", REPLAY, per_key=True, write_buffer_mib=64, num_divisor=4),
]
STORES = ["tier", "plain"]


def parse_arguments():
    parser = new_parser(__doc__)
    parser.add_argument("--pm_path", default="/dev/shm",
                        help="directory for pools and databases (default: %(default)s)")
    parser.add_argument("--num", type=int, default=20000,
                        help="keys; those kept were counted with %(default)s")
    parser.add_argument("--cases", default="", metavar="WORD",
                        help="only those that have this word, as in tier, plain or get")
    parser.add_argument("--kept", default=KEPT, help="the figures (default: %(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N",
                        help="so many are counted at a time (default: %(default)s)")
    parser.add_argument("--update", action="store_true", help="keep what is counted")
    arguments = parser.parse_args()
    if arguments.num < 1 or arguments.jobs < 1:
        parser.error("--num and --jobs must be positive")
    if not os.path.isdir(arguments.pm_path):
        parser.error("there is no directory %s" % arguments.pm_path)
    return arguments


def instructions_in(output):
    """Returns the count that callgrind reports."""
    found = re.search(r"Collected : (\d+)", output)
    if found is None:
        raise CannotMeasure("valgrind did not say what it counted:\n" + output)
    return int(found.group(1))


def count(arguments, store, case):
    """Returns the instructions of one operation."""
    return min(count_once(arguments, store, case) for _ in range(case.runs))


def count_once(arguments, store, case):
    num = max(1, arguments.num // case.num_divisor)
    with tempfile.TemporaryDirectory(prefix="regress.", dir=arguments.pm_path) as place:
        report = os.path.join(place, "report.json")
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no",
                   "--callgrind-out-file=" + os.path.join(place, "callgrind")]
        command += ["--toggle-collect=" + function for function in case.functions]
        command += [find_file(arguments.build, "db_bench"), "--db=" + os.path.join(place, "db"),
                    "--num=%d" % num, "--value_size=%d" % case.value_size,
                    "--compression=none", "--bloom_bits=10",
                    "--write_buffer_size=%d" % (case.write_buffer_mib << 20),
                    "--benchmarks=" + case.benchmarks, "--report=" + report]
        if store == "tier":
            pools = os.path.join(place, "pools")
            os.mkdir(pools)
            # How far value-log garbage collection gets before the database is closed depends on the
            # machine, so it is off.
            command += ["--use_pm=1", "--pm_path=" + pools, "--pm_size=256M", "--gc_ratio=1"]
        instructions = instructions_in(run_program(command, dict(os.environ, **ENVIRONMENT)))
        operations = num if case.per_key else read_report(report)["results"][-1]["operations"]
    if instructions == 0:
        raise CannotMeasure("valgrind met none of %s: is the build stripped?" %
                            " ".join(case.functions))
    return instructions / operations


def judge(name, kept, now):
    """Returns (a line of the table, whether the count is too high)."""
    if kept is None:
        return "%-20s %10s %10.0f %10s  not kept: --update" % (name, "-", now, ""), True
    change = now / kept - 1
    note = "  more than kept" if change > BOUND else "  fewer: --update" if change < -BOUND else ""
    return "%-20s %10.0f %10.0f %+8.1f %%%s" % (name, kept, now, 100 * change, note), change > BOUND


def read_kept(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}
    except ValueError as reason:
        raise CannotMeasure("%s is damaged (%s)" % (path, reason)) from reason


def write_kept(path, figures):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1, sort_keys=True)
        file.write("\n")


def compare(arguments):
    if shutil.which("valgrind") is None:
        raise CannotMeasure("valgrind is not there; install it with: apt-get install valgrind")
    kept = read_kept(arguments.kept)
    too_much = []
    chosen = {"%s %s" % (store, case.name): (store, case) for store in STORES for case in CASES
              if arguments.cases in "%s %s" % (store, case.name)}
    print("%-20s %10s %10s" % ("instructions", "kept", "now"))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        counts = pool.map(lambda each: count(arguments, *each), chosen.values())
        for name, now in zip(chosen, counts):
            line, is_too_much = judge(name, kept.get(name), now)
            print(line, flush=True)
            kept[name] = round(now)
            too_much += [name] if is_too_much else []
    if arguments.update:
        write_kept(arguments.kept, kept)
        return 0
    if too_much:
        print("\nOver 5 %% more than is kept, or not kept: %s." % ", ".join(too_much),
              file=sys.stderr)
    return FOUND_BAD if too_much else 0


def main():
    arguments = parse_arguments()
    try:
        return compare(arguments)
    except (CannotMeasure, OSError) as reason:
        print("regress: %s" % str(reason).rstrip(".") + ".", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
