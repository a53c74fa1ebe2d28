"""Workloads on data larger than memory, and the settings of each store for them; used by the
experiment of that name and by peers.py --memory.

Each store's programs run in a memory group of their own, over files that they created themselves. A
workload has a time limit: it reports what it has done until then.
"""

import json
import os
import resource

from programs import TookTooLong, run_program, workload_file

MIB = 1 << 20
KEY_SIZE = 16
# The workloads in the order in which peer_bench runs them; seekrandom reads the next 100 entries as
# well.
FILL = "filluniquerandom"  # each key once, in random order
WORKLOADS = [FILL, "readrandom", "readmissing", "readseq_values", "seekrandom_values"]
# The YCSB workloads on one load: D and E insert, and so come last.
YCSB_ORDER = "abcfde"
# The buffers of all stores, unless the memory is so small that these would be a good part of it.
BUFFER_MOST, BUFFER_SHARE = 64 * MIB, 32
POOL_SHARE = 4
# The tuning guide of RocksDB gives a third of the memory to the block cache, and lets compactions
# read ahead. It opens files with the advice of random reads, which has become the default since.
TUNED_CACHE_SHARE = 3
TUNED_READ_AHEAD = 2 * MIB
# The most that LevelDB accepts.
OPEN_FILES_MOST, OPEN_FILES_SPARE = 50_000, 200
MAP_FACTOR = 8


def buffer_bytes(memory):
    """Returns the bytes of memtables, and of block and page caches."""
    return min(BUFFER_MOST, max(MIB, memory // BUFFER_SHARE))


def pool_bytes(memory):
    return memory // POOL_SHARE


def open_files():
    """Returns the number of tables that can be open, as far as the limits of this process allow."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY:
        return OPEN_FILES_MOST
    return max(74, min(OPEN_FILES_MOST, most - OPEN_FILES_SPARE))


def settings(binding, memory, data, has_tier=False, is_tuned=False):
    """Returns a store's properties, by name; options with the same meaning have the same value in
    all stores."""
    values = {"sync": "false"}
    if binding != "lmdb":
        values.update(cache_size=buffer_bytes(memory), compression="none")
    if binding in ("leveldb", "rocksdb"):
        values.update(write_buffer_size=buffer_bytes(memory), bloom_bits=10)
    if binding == "lmdb":
        values["map_size"] = max(1 << 30, MAP_FACTOR * data)
    if binding == "leveldb":
        values["open_files"] = open_files()
    if has_tier:
        values.update(pm_size=pool_bytes(memory), pm_prefault="true")
    if is_tuned:
        values.update(cache_size=memory // TUNED_CACHE_SHARE, advise_random_on_open="true",
                      compaction_readahead_size=TUNED_READ_AHEAD)
    return {"%s.%s" % (binding, name): value for name, value in values.items()}


def assignments(values):
    return ["%s=%s" % pair for pair in values.items()]


class Task:
    """A store in its group: its programs and their directories. `seconds` is the time limit of a
    workload that reads, `fill_seconds` that of a fill; 0 means no limit."""

    def __init__(self, binding, place, pool, values, num, value_size, seconds, fill_seconds=0,
                 rest_millis=1000):
        self.binding = binding
        self.place = place       # a directory
        self.pool = pool         # a directory, or None
        self.values = values
        self.num = num
        self.value_size = value_size
        self.seconds = seconds
        self.fill_seconds = fill_seconds
        self.rest_millis = rest_millis

    def peer_bench_command(self, program, workloads, account):
        command = [program, "--db=" + self.binding,
                   "--path=" + os.path.join(self.place, "store"), "--num=%d" % self.num,
                   "--value_size=%d" % self.value_size, "--seeks=%d" % self.num,
                   "--workloads=" + ",".join(workloads), "--max_seconds=%g" % self.seconds,
                   "--max_fill_seconds=%g" % self.fill_seconds, "--settle=true",
                   "--rest_millis=%d" % self.rest_millis]
        command += ["--" + assignment for assignment in assignments(self.values)]
        if self.pool:
            command.append("--pm_path=" + self.pool)
        return command + (["--device_account=" + account] if account else [])

    def ycsbc_command(self, program, letter, account):
        """Returns the command for a run of that workload, or, with None, for the load."""
        command = [program, "-db", self.binding, "-dbpath", os.path.join(self.place, "ycsb"),
                   "-run" if letter else "-load", "-latency",
                   "-P", workload_file("workload" + (letter or "a"))]
        properties = {"recordcount": self.num, "operationcount": self.num, "fieldcount": 1,
                      "fieldlength": self.value_size, "writeallfields": "true",
                      "maxexecutiontime": "%g" % self.seconds}
        for assignment in assignments(properties) + assignments(self.values):
            command += ["-p", assignment]
        if self.pool:
            command += ["-pmpath", self.pool]
        return command + (["-deviceaccount", account] if account else [])


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def run_peer_bench(task, program, group, workloads, environment=None):
    """Returns (report, command). A report without reads is of a fill that took too long."""
    command = task.peer_bench_command(program, workloads, group.account_file())
    path = os.path.join(task.place, "report.json")
    run_program(command + ["--json=" + path], environment, group)
    return read_json(path), command


def run_ycsb(task, program, group, letters, environment=None):
    """Returns [(name, report, command)] of the load and of each of the workloads in `letters`, in
    the order in which they run; [] if the load took too long."""
    path = os.path.join(task.place, "report.json")
    done = []
    for letter in [None] + [letter for letter in YCSB_ORDER if letter in letters]:
        command = task.ycsbc_command(program, letter, group.account_file())
        limit = None if letter else task.fill_seconds or None
        try:
            run_program(command + ["-json", path], environment, group, limit)
        except TookTooLong:
            if letter:
                raise
            return done
        done.append(("ycsb" + (letter or " load"), read_json(path), command))
        if letter is None:
            os.sync()  # so that no writes disturb the reads
    return done


def phase_of(report):
    """Returns the only phase of a report of ycsbc."""
    return report["phases"][0]


def per_operation(result, name):
    """Returns the member `name` (device_read_bytes or device_reads) per operation, of a result of
    peer_bench or a phase of ycsbc; None if it is not known."""
    value = result.get(name)
    operations = result.get("operations")
    return None if value is None or not operations else value / operations
