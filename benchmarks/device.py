"""Describes the device under a directory, and measures its limits (with Debian's fio)."""

import json
import os
import re
import shutil

from programs import CannotMeasure, run_program
from suite.machine import mount_of, read_text

# The parameters of random reads of BLOCK bytes, and of reads in order.
DEPTHS = (1, 8, 32)
BLOCK, PIECE = 4096, 1 << 20
NO_FIO = "the device's own limit is not measured: install fio with apt-get install fio"


def refusal_of(directory):
    """Returns why data in a directory would never come from a device, as a sentence, or ""."""
    kind = mount_of(directory)[1]
    if kind not in ("tmpfs", "ramfs"):
        return ""
    return ("%s is on %s, so nothing would be read from a device; name a directory on a disk "
            "with --dir." % (directory, kind))


def disk_directories():
    """Returns candidates for a temporary directory, the usual ones first."""
    return [path for path in (os.environ.get("TMPDIR"), "/tmp", "/var/tmp", os.getcwd())
            if path and os.path.isdir(path)]


def default_directory():
    """Returns the first of them that is on a device, or else the first."""
    found = disk_directories()
    return next((path for path in found if not refusal_of(path)), found[0])


def number_of(directory):
    """Returns MAJOR:MINOR of the file system."""
    device = os.stat(directory).st_dev
    return "%d:%d" % (os.major(device), os.minor(device))


def disk_of(directory, sys="/sys"):
    """Returns MAJOR:MINOR of the whole disk under the directory, or None if the system does not
    tell it, for example for a file system of several disks."""
    entry = os.path.realpath(os.path.join(sys, "dev/block", number_of(directory)))
    if os.path.exists(os.path.join(entry, "partition")):
        entry = os.path.dirname(entry)
    found = read_text(os.path.join(entry, "dev"))
    return found if re.fullmatch(r"\d+:\d+", found) else None


def read_ahead_kb(directory, sys="/sys"):
    """Returns the kernel's read-ahead on the directory's file system, in KiB, or None."""
    found = read_text(os.path.join(sys, "class/bdi", number_of(directory), "read_ahead_kb"))
    return int(found) if found.isdigit() else None


def fio_command(path, size, seconds, depth, is_sequential):
    """Returns the command for reads of a file without the page cache; fio creates the file first.
    """
    return ["fio", "--name=limit", "--filename=" + path, "--size=%d" % max(size, 8 * PIECE),
            "--direct=1", "--rw=" + ("read" if is_sequential else "randread"),
            "--bs=%d" % (PIECE if is_sequential else BLOCK), "--iodepth=%d" % depth,
            "--ioengine=libaio", "--runtime=%dms" % (1000 * seconds), "--time_based",
            "--output-format=json"]


def parse_fio(output):
    """Returns (reads, bytes) per second. fio may print other text before its JSON."""
    try:
        job = json.loads(output[output.index("{"):])["jobs"][0]
        return job["read"]["iops"], job["read"]["bw_bytes"]
    except (ValueError, KeyError, IndexError) as reason:
        raise CannotMeasure("fio did not write what it found as JSON: %s" % reason) from reason


def has_fio():
    return shutil.which("fio") is not None


def measure(directory, size, seconds):
    """Returns the limits of the device, by name, in reads and bytes per second, and the commands
    that were used. Each takes `seconds`."""
    path = os.path.join(directory, "fio.data")
    found, commands = {}, []
    try:
        for name, depth, is_sequential in [
                ("random_reads_depth_%d" % depth, depth, False) for depth in DEPTHS] + [
                    ("sequential", 8, True)]:
            command = fio_command(path, size, seconds, depth, is_sequential)
            commands.append(command)
            reads, count = parse_fio(run_program(command))
            found[name + ("_bytes" if is_sequential else "")] = count if is_sequential else reads
    finally:
        if os.path.exists(path):
            os.remove(path)
    return found, commands
