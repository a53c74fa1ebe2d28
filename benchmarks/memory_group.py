"""A control group with a limit of memory, for one benchmark.

    with MemoryGroup(256 << 20) as group:
        run_program(command, group=group)
        print(group.peak_bytes())

It works with both versions of control groups, also if the present group is not the root, as in a
container: the new group is made below the present one. All memory that the programs touch first is
charged to it: their heap, the page cache of their files, and pools on tmpfs. It gets no swap. At
the end of the `with`, its page cache is dropped and the group is removed.

The memory group does not count the bytes read from devices. The programs themselves report them
(`read_bytes` of /proc/self/io, which is per process); account_file() returns the file in which the
kernel counts the number of reads, if a group for that can be made, too.
"""

import os
import re
import resource
import signal
import time

from programs import has_ended

PREFIX = "bushstore"
REMEDY = ("run it as root, or as a user in a scope of its own: systemd-run --user --scope "
          "-p Delegate=yes COMMAND")
NO_LIMIT_IN_V1 = 1 << 62
READS_MAX = (1 << 32) - 2  # a second, of version 1; one more would be no limit
REMOVE_SECONDS = 10


class NoGroup(Exception):
    """Tells why no group can be made, as a sentence without a full stop."""


class System:
    """The files and system calls that the groups use. Tests replace them by a tree of plain files.
    """

    proc = "/proc"

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def exists(self, path):
        return os.path.exists(path)

    def make(self, path):
        os.mkdir(path)

    def remove(self, path):
        os.rmdir(path)

    def list(self, path):
        return os.listdir(path)

    def kill(self, pid):
        os.kill(pid, signal.SIGKILL)


def unescape(text):
    """Decodes a path in mountinfo: "\\040" is a space."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found.group(1), 8)), text)


class Mount:
    """A mounted hierarchy: its mount point, and which of its groups is there."""

    def __init__(self, point, root):
        self.point = point
        self.root = root

    def directory_of(self, group):
        """Returns the directory of a group as /proc/PID/cgroup names it."""
        root = self.root.rstrip("/")
        if group == root or group.startswith(root + "/"):
            group = group[len(root):]
        elif self.root != "/":
            # In a container that sees neither, its own group is mounted.
            group = ""
        return os.path.join(self.point, group.strip("/")).rstrip("/")


def mounts_of(system):
    """Returns the mounts by version 1's controllers, and by "" for version 2."""
    found = {}
    for line in system.read(os.path.join(system.proc, "self/mountinfo")).splitlines():
        before, _, after = line.partition(" - ")
        fields, more = before.split(" "), after.split(" ")
        if len(fields) < 5 or len(more) < 3:
            continue
        mount = Mount(unescape(fields[4]), unescape(fields[3]))
        if more[0] == "cgroup2":
            found.setdefault("", mount)
        elif more[0] == "cgroup":
            for option in more[2].split(","):
                found.setdefault(option, mount)
    return found


def groups_of(system):
    """Returns the present group of each hierarchy, by the same names."""
    found = {}
    for line in system.read(os.path.join(system.proc, "self/cgroup")).splitlines():
        number, controllers, group = line.split(":", 2)
        for name in controllers.split(",") if number != "0" else [""]:
            found[name] = group
    return found


def present_directory(system, controller):
    """Returns the directory of the present group in a hierarchy, or None if it is not mounted."""
    mounts, groups = mounts_of(system), groups_of(system)
    if controller not in mounts or controller not in groups:
        return None
    directory = mounts[controller].directory_of(groups[controller])
    return directory if system.exists(directory) else None


def why_not(system, path, reason):
    return NoGroup("No group with a limit of memory can be made below %s (%s); %s" % (
        path, reason, REMEDY))


class Directory:
    """The directory of a group and its files."""

    def __init__(self, system, path):
        self.system = system
        self.path = path

    def file(self, name):
        return os.path.join(self.path, name)

    def has(self, name):
        return self.system.exists(self.file(name))

    def write(self, name, text):
        self.system.write(self.file(name), text)

    def try_write(self, name, text):
        try:
            self.write(name, text)
            return True
        except OSError:
            return False

    def number(self, name):
        """Returns the number in the file, or None if there is no such file."""
        try:
            return int(self.system.read(self.file(name)).split()[0])
        except (OSError, ValueError, IndexError):
            return None

    def field(self, name, field):
        """Returns the number after a word in a file of lines "WORD NUMBER"."""
        try:
            for line in self.system.read(self.file(name)).splitlines():
                words = line.split()
                if len(words) == 2 and words[0] == field:
                    return int(words[1])
        except (OSError, ValueError):
            pass
        return None

    def processes(self):
        try:
            return [int(word) for word in self.system.read(self.file("cgroup.procs")).split()]
        except OSError:
            return []

    def remove(self):
        """Removes the group and kills all processes that are still in it. Gives up after a while: a
        process that waits for a device cannot be killed before the device answers."""
        deadline = time.monotonic() + REMOVE_SECONDS
        while True:
            for pid in self.processes():
                try:
                    self.system.kill(pid)
                except OSError:
                    pass
            try:
                self.system.remove(self.path)
                return True
            except FileNotFoundError:
                return True
            except OSError:
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.02)


def sweep(system, parent):
    """Removes the groups of sessions that were killed."""
    try:
        names = system.list(parent)
    except OSError:
        return
    for name in names:
        match = re.fullmatch(PREFIX + r"\.(\d+)\.\d+", name)
        if match and has_ended(int(match.group(1))):
            Directory(system, os.path.join(parent, name)).remove()


class Version1:
    """Version 1 of control groups. The group is made below the present group of the hierarchy that
    has the controller."""

    LIMIT, PEAK = "memory.limit_in_bytes", "memory.max_usage_in_bytes"

    def __init__(self, system, parent):
        self.system = system
        self.parent = parent
        self._counts = False

    def prepare(self):
        pass

    def leave(self):
        pass

    def limit(self, group, limit):
        # memsw also counts swap; it must not be less than the limit of memory alone.
        group.write(self.LIMIT, str(limit))
        group.try_write("memory.memsw.limit_in_bytes", str(limit))
        group.try_write("memory.swappiness", "0")

    def parents_limit(self):
        found = Directory(self.system, self.parent).number(self.LIMIT)
        return None if found is None or found >= NO_LIMIT_IN_V1 else found

    def drop_cache(self, group):
        group.try_write("memory.force_empty", "0")

    def kills(self, group):
        return group.field("memory.oom_control", "oom_kill") or 0

    def account(self, name, disk):
        """Makes the group in which reads are counted, or returns None: it is in another hierarchy
        than memory's. Reads are counted only if they are limited; the limit is higher than any
        device reaches."""
        self._counts = False
        parent = present_directory(self.system, "blkio")
        if parent is None:
            return None
        group = Directory(self.system, os.path.join(parent, name))
        try:
            sweep(self.system, parent)
            self.system.make(group.path)
        except OSError:
            return None
        self._counts = disk is not None and group.try_write(
            "blkio.throttle.read_iops_device", "%s %d" % (disk, READS_MAX))
        return group

    def account_file(self, _memory, account):
        name = "blkio.throttle.io_serviced"
        return account.file(name) if self._counts and account.has(name) else None


class Version2:
    """Version 2 of control groups. The group is made below the present group, which then must not
    have processes of its own, unless it is the root."""

    LIMIT, PEAK = "memory.max", "memory.peak"

    def __init__(self, system, parent):
        self.system = system
        self.parent = parent
        self._leaf = None      # the group to which this process has moved
        self._enabled = []

    def _enable(self, controller):
        present = Directory(self.system, self.parent)
        if controller in self.system.read(present.file("cgroup.subtree_control")).split():
            return
        present.write("cgroup.subtree_control", "+" + controller)
        self._enabled.append(controller)

    def prepare(self):
        present = Directory(self.system, self.parent)
        if "memory" not in self.system.read(present.file("cgroup.controllers")).split():
            raise why_not(self.system, self.parent, "it has no controller of memory")
        try:
            self._enable("memory")
        except OSError as reason:
            # A group that has other members, too, must not be emptied.
            if present.processes() != [os.getpid()]:
                raise why_not(self.system, self.parent,
                              reason.strerror or "it has processes of its own") from reason
            leaf = Directory(self.system, os.path.join(
                self.parent, "%s.%d.0" % (PREFIX, os.getpid())))
            self.system.make(leaf.path)
            self._leaf = leaf
            leaf.write("cgroup.procs", str(os.getpid()))
            self._enable("memory")
        try:
            self._enable("io")
        except OSError:
            pass

    def leave(self):
        present = Directory(self.system, self.parent)
        for controller in self._enabled:
            present.try_write("cgroup.subtree_control", "-" + controller)
        self._enabled = []
        if self._leaf is not None:
            present.try_write("cgroup.procs", str(os.getpid()))
            self._leaf.remove()
            self._leaf = None

    def limit(self, group, limit):
        group.write(self.LIMIT, str(limit))
        group.try_write("memory.swap.max", "0")

    def parents_limit(self):
        return Directory(self.system, self.parent).number(self.LIMIT)

    def drop_cache(self, group):
        current = group.number("memory.current")
        if current:
            group.try_write("memory.reclaim", str(current))

    def kills(self, group):
        return group.field("memory.events", "oom_kill") or 0

    def account(self, _name, _disk):
        return None

    def account_file(self, memory, _account):
        return memory.file("io.stat") if memory.has("io.stat") else None


def version_of(system):
    """Returns the version that has the controller of memory here."""
    try:
        found = present_directory(system, "memory")
        if found is not None:
            return Version1(system, found)
        found = present_directory(system, "")
    except OSError as reason:
        raise NoGroup("This system does not tell its control groups (%s), so memory cannot be "
                      "limited; run it on Linux with /proc mounted" % reason) from reason
    if found is None:
        raise NoGroup("No hierarchy of control groups with memory is mounted, so memory cannot be "
                      "limited; mount one: mount -t cgroup2 none /sys/fs/cgroup")
    return Version2(system, found)


class MemoryGroup:
    """Must be used in a `with`; the constructor raises NoGroup. Groups of one process have distinct
    names, but benchmarks use one at a time. `disk` (MAJOR:MINOR) is the device whose reads are
    counted, which version 1 must be told."""

    _count = 0

    def __init__(self, limit, disk=None, system=None):
        self._system = system or System()
        self._version = version_of(self._system)
        self._group = None
        self._account = None
        self._disk = disk
        self.limit = limit
        parents = self._version.parents_limit()
        if parents is not None and parents < limit:
            raise NoGroup("The present group of %s has a limit of %d MB, which is less than the "
                          "%d MB asked for; ask for less memory" % (
                              self._version.parent, parents >> 20, limit >> 20))

    def __enter__(self):
        MemoryGroup._count += 1
        name = "%s.%d.%d" % (PREFIX, os.getpid(), MemoryGroup._count)
        parent = self._version.parent
        try:
            sweep(self._system, parent)
            self._version.prepare()
            self._group = Directory(self._system, os.path.join(parent, name))
            self._system.make(self._group.path)
            self._version.limit(self._group, self.limit)
            self._account = self._version.account(name, self._disk)
        except OSError as reason:
            self.__exit__()
            raise why_not(self._system, parent, reason.strerror or str(reason)) from reason
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *ignored):
        if self._group is not None and self._system.exists(self._group.path):
            self.drop_cache()
        for group in (self._group, self._account):
            if group is not None:
                group.remove()
        self._group = self._account = None
        self._version.leave()

    def enter_child(self):
        """Moves the calling process into the group, for a child before it executes a program. Also
        raises its limit of open files to the maximum."""
        for group in (self._group, self._account):
            if group is not None:
                group.write("cgroup.procs", str(os.getpid()))
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    def account_file(self):
        """Returns the file in which the kernel counts the reads of the group, or None."""
        return self._version.account_file(self._group, self._account)

    def peak_bytes(self):
        """Returns the peak of the memory charged to the group; None if the kernel does not record
        it."""
        return self._group.number(self._version.PEAK)

    def kills(self):
        """Returns how many processes were killed because of the memory limit."""
        return self._version.kills(self._group)

    def drop_cache(self):
        """Drops the page cache that is charged to the group. On version 1, pages stay charged to
        the group that touched them first, also if another one uses them later."""
        self._version.drop_cache(self._group)


def find_obstacle(limit, system=None):
    """Returns why no group of that limit can be made here, as a sentence, or "". It tries to make
    one."""
    try:
        with MemoryGroup(limit, system=system):
            return ""
    except NoGroup as reason:
        return "%s." % reason


def drop_pages(directory):
    """Drops the page cache of all files under a directory."""
    for place, _, files in os.walk(directory):
        for name in files:
            try:
                descriptor = os.open(os.path.join(place, name), os.O_RDONLY)
            except OSError:
                continue
            try:
                os.fsync(descriptor)  # dirty pages stay
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            except OSError:
                pass
            finally:
                os.close(descriptor)
