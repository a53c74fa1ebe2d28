"""Carries out one run: a program in directories of its own, which are removed afterwards."""

import functools
import json
import os
import re
import shutil

import beyond_memory
import device
from memory_group import MemoryGroup
from programs import (ROOT, CannotMeasure, find_debian_library, find_file, found_in, link_library,
                      make_directory, read_report, run_and_kill, run_program, workload_file)

REST = "waitforcompaction"
PREFIX = "bushstore_suite"
# Words that replace temporary directories in printed commands.
PM_WORD, DISK_WORD = "$PM", "$DIR"


class LeftOut(Exception):
    """Tells why a run is not possible with this build, as a sentence."""


class WrongData(Exception):
    """Tells which data the store has lost or made up, as a sentence."""


class Place:
    """Directories for the pool, the database and the report of a run. Leaving the context removes
    them."""

    def __init__(self, places):
        self._directories = []
        try:
            self.pools = self._make(places.pm)
            self.disk = self._make(places.disk)
        except OSError as reason:
            self.remove()
            raise CannotMeasure("cannot make a directory: %s" % reason) from reason
        self.database = os.path.join(self.disk, "db")
        self.report = os.path.join(self.disk, "report.json")

    def _make(self, parent):
        path = make_directory(parent, PREFIX)
        self._directories.append(path)
        return path

    @staticmethod
    def empty(path):
        """Removes a directory with its contents."""
        shutil.rmtree(path, ignore_errors=True)

    def empty_pools(self):
        for name in os.listdir(self.pools):
            path = os.path.join(self.pools, name)
            if os.path.isdir(path):
                self.empty(path)
            else:
                os.remove(path)

    def remove(self):
        for path in self._directories:
            shutil.rmtree(path, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.remove()

    def tell(self, command):
        """Returns the command in a form that can be repeated elsewhere."""
        words = " ".join(command)
        words = words.replace(self.pools, PM_WORD).replace(self.disk, DISK_WORD)
        return re.sub(r"^\S*/", "", words)


def tier_flags(run, place):
    if not run.pool:
        return []
    return ["--use_pm=1", "--pm_path=" + place.pools, "--pm_size=%d" % run.pool,
            "--pm_prefault=%s" % ("true" if run.prefault else "false")]


def benchmarks_of(text, scale):
    """Returns the benchmarks, without the wait for background work at a scale whose figures mean
    nothing."""
    names = [name for name in text.split(",") if scale.rests or name != REST]
    return ",".join(names)


def db_bench_command(program, run, place, scale, benchmarks=None):
    command = [program, "--db=" + place.database, "--num=%d" % run.num,
               "--value_size=%d" % run.value_size,
               "--write_buffer_size=%d" % (run.write_buffer or scale.write_buffer)]
    if run.reads is not None:
        command.append("--reads=%d" % run.reads)
    return (command + tier_flags(run, place) + list(run.flags) +
            ["--benchmarks=" + (benchmarks or benchmarks_of(run.benchmarks, scale))])


class Bench:
    """Carries out runs with the programs of a build."""

    def __init__(self, build, places, scale):
        self.build = build
        self.places = places
        self.scale = scale

    def program(self, name):
        return find_file(self.build, name)

    def has(self, name):
        try:
            find_file(self.build, name)
            return True
        except CannotMeasure:
            return False

    def files_of(self, run):
        """Returns the files that a run depends on, besides db_bench and the library."""
        files = [self.program(name) for name in PROGRAMS.get(run.kind, [])]
        return files + ([workload_file(run.benchmarks)] if run.kind == "ycsb" else [])

    def carry_out(self, run):
        """Returns the part of the run's result that is kept; see results.py."""
        with Place(self.places) as place:
            return KINDS[run.kind](self, run, place)


def keep(report, commands):
    """Returns the part of a report of db_bench that is kept: without texts and histograms."""
    kept = {"commands": commands, "results": [], "open_seconds": report["open_seconds"],
            "peak_resident_bytes": report["peak_resident_bytes"],
            "library": report["library"]["version"]}
    for result in report["results"]:
        kept["results"].append({name: value for name, value in result.items() if name != "text"})
    return kept


def environment_of(run, place):
    """Returns None for the environment of this process."""
    if run.library != "debian":
        return None
    links = link_library(find_debian_library(), os.path.join(place.disk, "lib"))
    return dict(os.environ, LD_LIBRARY_PATH=links)


def run_and_report(run, place, command):
    """Returns the report that the command has written to its file."""
    run_program(command, environment_of(run, place))
    with open(place.report, encoding="utf-8") as file:
        report = json.load(file)
    check_library(run, report)
    return report


def check_library(run, report):
    used = report["library"]["file"]
    # A figure must not be attributed to a library that was not loaded.
    if run.library == "debian" and os.path.realpath(used) != os.path.realpath(
            find_debian_library()):
        raise CannotMeasure("Debian's library was to be used, and %s was." % used)


def run_db_bench(bench, run, place):
    command = db_bench_command(bench.program("db_bench"), run, place, bench.scale)
    report = run_and_report(run, place, command + ["--report=" + place.report])
    return keep(report, [told_command(run, place, command)])


def open_existing(bench, run, place, benchmarks, flags=()):
    command = db_bench_command(bench.program("db_bench"), run, place, bench.scale,
                               benchmarks) + ["--use_existing_db"] + list(flags)
    run_program(command + ["--report=" + place.report])
    return command, read_report(place.report)


def run_recovery(bench, run, place):
    """Fills and kills; opens (replaying), closes, and opens again, with checked reads in between.
    """
    program = bench.program("db_bench")
    # The killed process ends with readrandom, so that writes are complete, if not flushed.
    fill = db_bench_command(program, run, place, bench.scale,
                            "fillrandom,readrandom,waitforcompaction")
    before = found_in(run_and_kill(fill, "readrandom"))
    command, killed = open_existing(bench, run, place, "readrandom")
    # The seed is the same, and so are the keys.
    after = killed["by_name"]["readrandom"]["found"]
    if after != before:
        raise WrongData("%d keys were found before the kill, and %d of them after it" %
                        (before, after))
    _, clean = open_existing(bench, run, place, "readseq", ["--reads=-1"])
    kept = keep(killed, [place.tell(fill) + "  # killed after readrandom", place.tell(command)])
    kept["values"] = {"open_after_kill_millis": 1e3 * killed["open_seconds"],
                      "open_after_close_millis": 1e3 * clean["open_seconds"],
                      "keys": clean["by_name"]["readseq"]["operations"],
                      "user_bytes": clean["by_name"]["readseq"]["bytes"]}
    return kept


def run_limits(bench, run, place):
    path = place.report
    command = [bench.program("pmem_bench"), "--pm_path=" + place.pools,
               "--size=%d" % bench.scale.limits_size, "--rounds=3"]
    run_program(command + ["--json=" + path])
    with open(path, encoding="utf-8") as file:
        limits = json.load(file)
    return {"commands": [place.tell(command)], "values": limits["nanos"], "results": [],
            "text": {"medium": limits["medium"], "persist": limits["persist"]}}


def tier_properties(run, prefix):
    if not run.pool:
        return []
    return ["%spm_size=%d" % (prefix, run.pool),
            "%spm_prefault=%s" % (prefix, "true" if run.prefault else "false")]


@functools.lru_cache(maxsize=None)
def help_of(program):
    return run_program([program, "--help"])


def check_binding(program, run):
    """Returns the store's binding; it is leveldb unless the run names another."""
    binding = run.labels.get("binding", "leveldb")
    if re.search(r"\b%s \(not built\)" % binding, help_of(program)):
        raise LeftOut("this build has no binding for %s; install its package and build again" %
                      binding)
    return binding


def places_of(run, place):
    """Returns the directory of a store that may be on the medium of pools, and its pool, or None
    without one."""
    pool = os.path.join(place.pools, "pool")
    if run.pool:
        os.mkdir(pool)
    database = os.path.join(place.pools, "store") if run.on_pm or run.pool else place.database
    return database, pool if run.pool else None


def told_command(run, place, command):
    told = place.tell(command).replace(ROOT + os.sep, "")
    return ("LD_LIBRARY_PATH=<Debian's libleveldb1d> " if run.library == "debian" else "") + told


def run_ycsb(bench, run, place):
    """The run's flags are properties; `benchmarks` names the workload's file."""
    program = bench.program("ycsbc")
    database, pool = places_of(run, place)
    command = [program, "-db", check_binding(program, run), "-dbpath", database]
    if pool:
        command += ["-pmpath", pool]
    command += ["-threads", "1", "-load", "-run", "-latency", "-P", workload_file(run.benchmarks)]
    for assignment in (["recordcount=%d" % run.num, "operationcount=%d" % (run.reads or run.num)] +
                       list(run.flags) + tier_properties(run, "leveldb.")):
        command += ["-p", assignment]
    report = run_and_report(run, place, command + ["-json", place.report])
    return {"commands": [told_command(run, place, command)], "results": report["phases"],
            "library": report["library"]["version"]}


def run_peer(bench, run, place):
    """All stores are on the medium of pools. `benchmarks` are the workloads."""
    program = bench.program("peer_bench")
    database, pool = places_of(run, place)
    command = [program, "--db=" + check_binding(program, run), "--path=" + database,
               "--num=%d" % run.num, "--value_size=%d" % run.value_size,
               "--reads=%d" % run.reads]
    if pool:
        command.append("--pm_path=" + pool)
    properties = list(run.flags) + tier_properties(run, "leveldb.")
    command += ["--" + assignment for assignment in properties]
    if not bench.scale.rests:
        command.append("--rest_millis=0")
    command.append("--workloads=" + run.benchmarks)
    report = run_and_report(run, place, command + ["--json=" + place.report])
    kept = ("open_seconds", "written_bytes_a_user_byte", "space_bytes", "live_bytes",
            "peak_resident_bytes", "peak_anonymous_bytes")
    return {"commands": [told_command(run, place, command)], "results": report["results"],
            "library": report["library"]["version"],
            "values": {name: report.get(name) for name in kept}}


def run_device(bench, run, place):
    """Measures the limits of the device under the directory of tables, with fio."""
    if not device.has_fio():
        raise LeftOut("%s." % device.NO_FIO)
    limits, commands = device.measure(place.disk, run.disk, run.labels["seconds"])
    limits["read_ahead_kb"] = device.read_ahead_kb(place.disk)
    return {"commands": [place.tell(command) for command in commands], "values": limits,
            "results": []}


def run_beyond(bench, run, place):
    """Runs one store in a memory group. `benchmarks` are peer_bench's workloads; labels have the
    rest."""
    labels = run.labels
    peer_bench, ycsbc = bench.program("peer_bench"), bench.program("ycsbc")
    binding = check_binding(peer_bench, run)
    pool = place.pools if run.pool else None
    values = dict(flag.split("=", 1) for flag in run.flags)
    task = beyond_memory.Task(binding, place.disk, pool, values, run.num, run.value_size,
                              labels["seconds"], labels["fill_seconds"],
                              1000 if bench.scale.rests else 0)
    environment = environment_of(run, place)
    kept = ("written_bytes_a_user_byte", "space_bytes", "peak_resident_bytes",
            "peak_anonymous_bytes")
    with MemoryGroup(labels["memory"], device.disk_of(place.disk)) as group:
        report, command = beyond_memory.run_peer_bench(
            task, peer_bench, group, run.benchmarks.split(","), environment)
        check_library(run, report)
        results, commands = list(report["results"]), [told_command(run, place, command)]
        place.empty(os.path.join(place.disk, "store"))
        place.empty_pools()
        is_cut, done = len(results) == 1, []
        # A store that does not fill in time does not load in time.
        if labels["letters"] and not is_cut:
            done = beyond_memory.run_ycsb(task, ycsbc, group, labels["letters"], environment)
            is_cut = not done
        for name, one, command in done:
            results.append(dict(beyond_memory.phase_of(one), name=name))
            commands.append(told_command(run, place, command))
        peak, version = group.peak_bytes(), report["library"]["version"]
    notes = {}
    if is_cut:
        notes["cut"] = ("%s: a fill may take %g s, and did not come to its end, so that nothing "
                        "more is measured." % (run.key, labels["fill_seconds"]))
    return {"commands": commands, "results": results, "library": version, "text": notes,
            "values": dict({name: report.get(name) for name in kept}, group_peak_bytes=peak)}


PROGRAMS = {"limits": ["pmem_bench"], "ycsb": ["ycsbc"], "peer": ["peer_bench"],
            "beyond": ["peer_bench", "ycsbc"]}
KINDS = {"db_bench": run_db_bench, "recovery": run_recovery, "limits": run_limits,
         "ycsb": run_ycsb, "peer": run_peer, "device": run_device, "beyond": run_beyond}
