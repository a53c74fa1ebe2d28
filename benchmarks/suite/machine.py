"""Describes the machine of the suite for the report, and how much space it has."""

import functools
import hashlib
import json
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass

from programs import LIBRARY, ROOT, CannotMeasure, find_file
from suite.scale import MIB, show_bytes

RESERVE = 256 * MIB  # of memory, for the system and everything else


def read_text(path, otherwise=""):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return otherwise


def cpu_model():
    for line in read_text("/proc/cpuinfo").splitlines():
        if line.startswith(("model name", "Model")):
            return line.split(":", 1)[1].strip()
    return platform.machine() or "unknown"


def memory_figure(name):
    """Returns the bytes of a line of /proc/meminfo; 0 if there is none."""
    for line in read_text("/proc/meminfo").splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    return 0


def mount_of(path):
    """Returns (mount point, type, options) of the file system that holds `path`."""
    path = os.path.realpath(path)
    best = ("/", "unknown", "")
    for line in read_text("/proc/self/mounts").splitlines():
        fields = line.split(" ")
        if len(fields) < 4:
            continue
        point = fields[1].replace("\\040", " ")
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best[0]):
            best = (point, fields[2], fields[3])
    return best


def huge_pages(path):
    """Returns the setting of huge pages for files of that mount."""
    _, kind, options = mount_of(path)
    for option in options.split(","):
        if option.startswith("huge="):
            return option + " (mount option)"
    if kind == "tmpfs":
        modes = read_text("/sys/kernel/mm/transparent_hugepage/shmem_enabled")
        if "[force]" in modes:
            return "forced for all shared memory"
        return "none (tmpfs mounted without huge=)"
    return "the file system decides"


def git(*words):
    try:
        return subprocess.run(("git", "-C", ROOT) + words, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def commit():
    name = git("rev-parse", "--short=12", "HEAD")
    if not name:
        return "unknown"
    return name + (" with changes" if git("status", "--porcelain", "-uno") else "")


@functools.lru_cache(maxsize=None)
def digest_of_file(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def digest_of_programs(build):
    """Returns a digest that tells whether two sessions measured the same code."""
    return " ".join(digest_of_file(find_file(build, name)) for name in ("db_bench", LIBRARY))


def medium_words(path, build):
    """Returns what `bushstore info` of that build reports about the directory of pools. The
    programs treat memory files (tmpfs) as persistent, and so does this call."""
    try:
        program = find_file(build, "bushstore")
    except CannotMeasure:
        return "unknown: the build has no bushstore, whose `info` says it"
    done = subprocess.run([program, "info", path, "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, "LEVELDB_PMEM_ASSUME": "1"})
    try:
        device = json.loads(done.stdout)["device"]
    except (ValueError, KeyError):
        return "unknown: " + (done.stderr.strip() or "bushstore info says nothing")
    return "%s (%s)" % (device["medium_text"], device["file_system"])


def describe(places, build):
    """Returns a description for the report and the results."""
    return {
        "commit": commit(),
        "cpu": cpu_model(),
        "cores": os.cpu_count() or 1,
        "memory_bytes": memory_figure("MemTotal"),
        "kernel": "%s %s" % (platform.system(), platform.release()),
        "medium": medium_words(places.pm, build),
        "huge_pages": huge_pages(places.pm),
        "pm_free_bytes": places.room().pm,
        "disk_free_bytes": places.room().disk,
        "disk_kind": mount_of(places.disk)[1],
    }


def identity_of(places):
    """Returns what must be the same for figures to be in one table: processor and file systems."""
    kinds = []
    for path in (places.pm, places.disk):
        kinds.append("%s %s %s" % (os.path.realpath(path), mount_of(path)[1], huge_pages(path)))
    return "; ".join([cpu_model()] + kinds)


@dataclass(frozen=True)
class Room:
    """Free bytes of each directory, and whether directories share the same space."""
    pm: int
    disk: int
    memory: int
    pm_in_memory: bool
    disk_in_memory: bool
    same_mount: bool


@dataclass(frozen=True)
class Places:
    """The directories in which pools and databases are created."""
    pm: str
    disk: str

    def room(self):
        return Room(
            pm=shutil.disk_usage(self.pm).free, disk=shutil.disk_usage(self.disk).free,
            memory=max(0, memory_figure("MemAvailable") - RESERVE),
            pm_in_memory=mount_of(self.pm)[1] in ("tmpfs", "ramfs"),
            disk_in_memory=mount_of(self.disk)[1] in ("tmpfs", "ramfs"),
            same_mount=mount_of(self.pm)[0] == mount_of(self.disk)[0])


def lacks(run, room, places):
    """Returns why a run does not fit: the required and the available space. Empty if it fits."""
    pool = run.pool + run.on_pm
    in_memory = ((pool if room.pm_in_memory else 0) + (run.disk if room.disk_in_memory else 0)
                 + run.memory)
    on_pm = pool + (run.disk if room.same_mount else 0)
    for what, needed, there in (
            ("persistent memory in " + places.pm, on_pm if pool else 0, room.pm),
            ("disk in " + places.disk, run.disk, room.disk),
            ("memory", in_memory, room.memory)):
        if needed > there:
            return "it needs %s of %s, and %s are free" % (
                show_bytes(needed), what, show_bytes(there))
    return ""
