#!/usr/bin/env python3
"""memory_group_test.py: tests that groups are made, limited and removed correctly, in trees of
plain files that look like control groups of either version, and with real ones if possible; and
tests measurements in them."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import beyond_memory
import device
import memory_group
from memory_group import MemoryGroup, NoGroup
from programs import CannotMeasure

MIB = 1 << 20
OWN = os.getpid()
V1_FILES = {"memory.limit_in_bytes": "9223372036854771712", "memory.max_usage_in_bytes": "4096",
            "memory.memsw.limit_in_bytes": "9223372036854771712", "memory.swappiness": "60",
            "memory.force_empty": "", "memory.oom_control": "oom_kill_disable 0\noom_kill 0\n",
            "cgroup.procs": ""}
BLKIO_FILES = {"blkio.throttle.io_serviced": "Total 0\n", "blkio.throttle.read_iops_device": "",
               "cgroup.procs": ""}
V2_FILES = {"memory.max": "max", "memory.peak": "8192", "memory.swap.max": "max",
            "memory.current": "12288", "memory.reclaim": "", "io.stat": "",
            "memory.events": "low 0\noom 0\noom_kill 0\n", "cgroup.procs": "",
            "cgroup.subtree_control": "", "cgroup.controllers": "io memory"}


class FakeSystem(memory_group.System):
    """A tree of plain files. A new group gets the files of its hierarchy."""

    def __init__(self, root):
        self.root = root
        self.proc = os.path.join(root, "proc")
        self.events = []           # the calls, in order
        self.killed = []
        self.is_read_only = False
        self.is_busy = False       # version 2 only: the present group may not enable controllers
        self.files = {}            # by mount point
        os.makedirs(os.path.join(self.proc, "self"))

    def mount(self, point, kind, options, root, group, files):
        path = os.path.join(self.root, point)
        self.files[path] = files
        present = os.path.join(path, group)
        os.makedirs(present, exist_ok=True)
        self.fill(present, files)
        with open(os.path.join(self.proc, "self/mountinfo"), "a", encoding="utf-8") as file:
            file.write("35 31 0:32 %s %s rw,relatime shared:9 - %s %s %s\n" % (
                root, path.replace(" ", "\\040"), kind, kind, options))
        return present

    def groups(self, text):
        with open(os.path.join(self.proc, "self/cgroup"), "w", encoding="utf-8") as file:
            file.write(text)

    @staticmethod
    def fill(directory, files):
        for name, text in files.items():
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(text)

    def write(self, path, text):
        if self.is_busy and path.endswith("cgroup.subtree_control") and text[0] == "+":
            raise OSError(16, "Device or resource busy")
        if not os.path.exists(path):
            raise FileNotFoundError(2, "No such file or directory", path)
        self.events.append((os.path.basename(path), text))
        if path.endswith("cgroup.procs") and text == str(OWN):
            self.is_busy = False
        super().write(path, text)

    def make(self, path):
        if self.is_read_only:
            raise OSError(30, "Read-only file system")
        super().make(path)
        point = next(point for point in self.files if path.startswith(point + "/"))
        self.fill(path, self.files[point])
        self.events.append(("make", os.path.basename(path)))

    def remove(self, path):
        shutil.rmtree(path)
        self.events.append(("remove", os.path.basename(path)))

    def kill(self, pid):
        self.killed.append(pid)


class FakeTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="memory_group_test.")
        self.addCleanup(shutil.rmtree, self.root)
        self.system = FakeSystem(self.root)

    def version_1(self, root="/", group="/a/b", at="a/b", with_blkio=True):
        self.present = self.system.mount("memory", "cgroup", "rw,memory", root, at, V1_FILES)
        lines = "4:memory:%s\n0::/\n" % group
        if with_blkio:
            self.blkio = self.system.mount("blkio", "cgroup", "rw,blkio", root, at, BLKIO_FILES)
            lines = "7:blkio:%s\n" % group + lines
        self.system.groups(lines)

    def version_2(self, root="/", group="/", at=""):
        self.present = self.system.mount("unified", "cgroup2", "rw", root, at, V2_FILES)
        self.system.groups("0::%s\n" % group)

    def groups_left(self):
        return [name for _, names, _ in os.walk(self.root) for name in names
                if name.startswith(memory_group.PREFIX + ".")]

    def read(self, *names):
        with open(os.path.join(*names), encoding="utf-8") as file:
            return file.read()

    def group(self, limit=64 * MIB, disk=None):
        return MemoryGroup(limit, disk=disk, system=self.system)

    def path_of(self):
        found = self.groups_left()
        return os.path.join(self.present, found[0])


class Version1Test(FakeTest):
    def test_it_is_below_the_present_group_without_swap_and_goes(self):
        self.version_1()
        with self.group(disk="254:0") as group:
            path = self.path_of()
            self.assertEqual(self.read(path, "memory.limit_in_bytes"), str(64 * MIB))
            self.assertEqual(self.read(path, "memory.memsw.limit_in_bytes"), str(64 * MIB))
            self.assertEqual(self.read(path, "memory.swappiness"), "0")
            self.assertEqual(group.peak_bytes(), 4096)
            self.assertEqual(group.kills(), 0)
            self.assertEqual(self.read(self.present, "memory.limit_in_bytes"),
                             V1_FILES["memory.limit_in_bytes"])
        self.assertEqual(self.groups_left(), [])
        self.assertIn(("memory.force_empty", "0"), self.system.events)

    def test_memory_alone_is_limited_before_memory_and_swap(self):
        self.version_1()
        with self.group():
            names = [name for name, _ in self.system.events]
        self.assertLess(names.index("memory.limit_in_bytes"),
                        names.index("memory.memsw.limit_in_bytes"))

    def test_a_kernel_without_an_account_of_swap(self):
        files = {name: text for name, text in V1_FILES.items() if "memsw" not in name}
        self.system.mount("memory", "cgroup", "rw,memory", "/", "", files)
        self.system.groups("4:memory:/\n")
        with self.group():
            pass
        self.assertEqual(self.groups_left(), [])

    def test_reads_are_counted_in_the_other_hierarchy(self):
        self.version_1()
        with self.group(disk="254:0") as group:
            self.assertTrue(group.account_file().startswith(self.blkio))
            self.assertIn(("blkio.throttle.read_iops_device", "254:0 4294967294"),
                          self.system.events)
        with self.group() as group:
            self.assertIsNone(group.account_file())

    def test_without_the_other_hierarchy_they_are_not_counted(self):
        self.version_1(with_blkio=False)
        with self.group(disk="254:0") as group:
            self.assertIsNone(group.account_file())

    def test_the_child_is_moved_into_both(self):
        self.version_1()
        with self.group(disk="254:0") as group:
            group.enter_child()
            self.assertEqual(self.system.events[-2:], [("cgroup.procs", str(OWN))] * 2)
            self.system.write(os.path.join(self.path_of(), "cgroup.procs"), "")

    def test_in_a_container_whose_own_group_is_mounted(self):
        self.version_1(root="/docker/abc", group="/docker/abc", at="")
        with self.group():
            self.assertEqual(len(self.groups_left()), 2)
            self.assertTrue(os.path.isdir(self.path_of()))
        self.assertEqual(self.groups_left(), [])

    def test_in_a_container_with_a_group_below_its_own(self):
        self.version_1(root="/docker/abc", group="/docker/abc/job", at="job")
        with self.group():
            self.assertTrue(os.path.isdir(self.path_of()))

    def test_in_a_container_that_sees_another_root(self):
        self.version_1(root="/../..", group="/elsewhere", at="")
        with self.group():
            self.assertTrue(os.path.isdir(self.path_of()))

    def test_a_present_group_with_less_memory_is_told(self):
        self.version_1()
        with open(os.path.join(self.present, "memory.limit_in_bytes"), "w",
                  encoding="utf-8") as file:
            file.write(str(32 * MIB))
        with self.assertRaisesRegex(NoGroup, "has a limit of 32 MB, which is less than the 64 MB"):
            self.group()

    def test_an_interruption_kills_what_is_in_it_and_removes_it(self):
        self.version_1()
        with self.assertRaises(KeyboardInterrupt):
            with self.group():
                self.system.write(os.path.join(self.path_of(), "cgroup.procs"), "123456\n")
                raise KeyboardInterrupt
        self.assertEqual(self.system.killed[:1], [123456])
        self.assertEqual(self.groups_left(), [])

    def test_groups_of_the_dead_are_swept_and_those_of_the_living_are_not(self):
        self.version_1()
        ended = subprocess.Popen(["true"])
        ended.wait()
        for pid in (ended.pid, os.getppid()):
            self.system.make(os.path.join(self.present, "bushstore.%d.1" % pid))
        self.system.make(os.path.join(self.present, "another.1.1"))
        with self.group():
            pass
        self.assertEqual(self.groups_left(), ["bushstore.%d.1" % os.getppid()])

    def test_killed_processes_are_counted(self):
        self.version_1()
        with self.group() as group:
            self.system.write(os.path.join(self.path_of(), "memory.oom_control"),
                              "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
            self.assertEqual(group.kills(), 2)


class Version2Test(FakeTest):
    def test_it_is_below_the_present_group_without_swap_and_goes(self):
        self.version_2(group="/", at="")
        with self.group() as group:
            path = self.path_of()
            self.assertEqual(self.read(path, "memory.max"), str(64 * MIB))
            self.assertEqual(self.read(path, "memory.swap.max"), "0")
            self.assertEqual(group.peak_bytes(), 8192)
            self.assertEqual(group.kills(), 0)
            self.assertEqual(group.account_file(), os.path.join(path, "io.stat"))
            self.assertIn(("cgroup.subtree_control", "+memory"), self.system.events)
            self.assertIn(("cgroup.subtree_control", "+io"), self.system.events)
        self.assertEqual(self.groups_left(), [])
        self.assertIn(("memory.reclaim", "12288"), self.system.events)
        self.assertEqual(self.system.events[-2:], [("cgroup.subtree_control", "-memory"),
                                                   ("cgroup.subtree_control", "-io")])

    def test_what_is_enabled_already_stays(self):
        self.version_2()
        with open(os.path.join(self.present, "cgroup.subtree_control"), "w",
                  encoding="utf-8") as file:
            file.write("io memory")
        with self.group():
            pass
        self.assertNotIn("cgroup.subtree_control", [name for name, _ in self.system.events])

    def test_a_process_alone_in_its_group_moves_aside(self):
        self.version_2(group="/user.slice/a.scope", at="user.slice/a.scope")
        self.system.is_busy = True
        with open(os.path.join(self.present, "cgroup.procs"), "w", encoding="utf-8") as file:
            file.write("%d\n" % OWN)
        with self.group():
            self.assertEqual(len(self.groups_left()), 2)
        self.assertEqual(self.groups_left(), [])
        self.assertEqual(self.read(self.present, "cgroup.procs"), str(OWN))

    def test_a_group_of_several_processes_is_left_alone(self):
        self.version_2(group="/user.slice/a.scope", at="user.slice/a.scope")
        self.system.is_busy = True
        with open(os.path.join(self.present, "cgroup.procs"), "w", encoding="utf-8") as file:
            file.write("1\n%d\n" % OWN)
        with self.assertRaisesRegex(NoGroup, r"busy\); run it as root, or .*systemd-run"):
            with self.group():
                pass
        self.assertEqual(self.groups_left(), [])

    def test_a_group_without_the_controller(self):
        self.version_2()
        with open(os.path.join(self.present, "cgroup.controllers"), "w", encoding="utf-8") as file:
            file.write("cpu io")
        self.assertRegex(memory_group.find_obstacle(MIB, self.system),
                         r"^No group .* \(it has no controller of memory\); run it as root.*\.$")


class ObstacleTest(FakeTest):
    def test_no_right_is_one_sentence_with_the_remedy(self):
        for version in (self.version_1, self.version_2):
            version()
            self.system.is_read_only = True
            found = memory_group.find_obstacle(64 * MIB, self.system)
            self.assertRegex(found, r"^No group with a limit of memory can be made below .* "
                             r"\(Read-only file system\); run it as root, or as a user in a scope "
                             r"of its own: systemd-run .*\.$")
            self.assertEqual(self.groups_left(), [])

    def test_no_hierarchy(self):
        self.system.mount("cpu", "cgroup", "rw,cpu", "/", "", {})
        self.system.groups("1:cpu:/\n")
        self.assertRegex(memory_group.find_obstacle(MIB, self.system), "^No hierarchy of .*mount ")

    def test_no_proc(self):
        self.system.proc = "/no/such/place"
        self.assertRegex(memory_group.find_obstacle(MIB, self.system), "^This system does not tell")

    def test_a_path_with_a_space(self):
        present = self.system.mount("a place", "cgroup", "rw,memory", "/", "", V1_FILES)
        self.system.groups("4:memory:/\n")
        self.assertEqual(memory_group.find_obstacle(MIB, self.system), "")
        self.assertEqual(sorted(os.listdir(present)), sorted(V1_FILES))


OBSTACLE = memory_group.find_obstacle(32 * MIB)


@unittest.skipIf(OBSTACLE, OBSTACLE)
class RealTest(unittest.TestCase):
    LIMIT = 32 * MIB
    SHOW = "print(open('/proc/self/cgroup').read())"

    def run_python(self, group, program):
        return subprocess.run([sys.executable, "-c", program], preexec_fn=group.enter_child,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=False)

    def test_the_child_is_in_it_and_its_peak_is_known(self):
        with MemoryGroup(self.LIMIT) as group:
            done = self.run_python(group, self.SHOW)
            self.assertRegex(done.stdout, r"/bushstore\.%d\.\d+" % OWN)
            peak = group.peak_bytes()
            self.assertTrue(peak is None or 0 < peak <= self.LIMIT, peak)
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            self.assertNotIn("bushstore.%d." % OWN, file.read())

    def test_the_limit_holds(self):
        with MemoryGroup(self.LIMIT) as group:
            done = self.run_python(group, "block = b'x' * (64 << 20); print(len(block))")
            self.assertEqual((done.returncode, done.stdout), (-9, ""))
            self.assertGreater(group.kills(), 0)


class SettingsTest(unittest.TestCase):
    """Tests the settings of stores for data larger than memory."""

    def test_what_means_the_same_is_the_same(self):
        memory = 2048 * MIB
        by_store = {binding: beyond_memory.settings(binding, memory, 16384 * MIB)
                    for binding in ("leveldb", "rocksdb", "wiredtiger", "lmdb")}
        for binding in ("leveldb", "rocksdb", "wiredtiger"):
            self.assertEqual(by_store[binding][binding + ".cache_size"], 64 * MIB)
            self.assertEqual(by_store[binding][binding + ".compression"], "none")
        for binding in ("leveldb", "rocksdb"):
            self.assertEqual(by_store[binding][binding + ".write_buffer_size"], 64 * MIB)
            self.assertEqual(by_store[binding][binding + ".bloom_bits"], 10)
        self.assertGreater(by_store["lmdb"]["lmdb.map_size"], 16384 * MIB)
        tuned = beyond_memory.settings("rocksdb", memory, 16384 * MIB, is_tuned=True)
        self.assertEqual(tuned["rocksdb.cache_size"], memory // 3)
        self.assertEqual(tuned["rocksdb.advise_random_on_open"], "true")
        tier = beyond_memory.settings("leveldb", memory, 16384 * MIB, has_tier=True)
        self.assertEqual(tier["leveldb.pm_size"], 512 * MIB)
        self.assertEqual(beyond_memory.settings("rocksdb", 64 * MIB, 1024 * MIB)[
            "rocksdb.write_buffer_size"], 2 * MIB)

    def test_what_an_operation_reads(self):
        self.assertEqual(beyond_memory.per_operation(
            {"operations": 4, "device_reads": 10}, "device_reads"), 2.5)
        for result in ({"operations": 0, "device_reads": 1}, {},
                       {"operations": 4, "device_reads": None}):
            self.assertIsNone(beyond_memory.per_operation(result, "device_reads"))


class DeviceTest(unittest.TestCase):
    def test_what_fio_says(self):
        said = 'fio: note\n{"jobs": [{"read": {"iops": 12.5, "bw_bytes": 51200}}]}'
        self.assertEqual(device.parse_fio(said), (12.5, 51200))
        for bad in ("", "{", '{"jobs": []}'):
            with self.assertRaisesRegex(CannotMeasure, "fio did not write"):
                device.parse_fio(bad)

    def test_the_page_cache_is_passed(self):
        command = device.fio_command("/a/file", 4096, 2, 8, False)
        for word in ("--direct=1", "--rw=randread", "--bs=4096", "--iodepth=8", "--runtime=2000ms",
                     "--size=8388608"):
            self.assertIn(word, command)
        self.assertIn("--rw=read", device.fio_command("/a/file", 4096, 2, 1, True))

    def test_what_the_kernel_reads_ahead(self):
        with tempfile.TemporaryDirectory() as root:
            number = device.number_of(root)
            self.assertIsNone(device.read_ahead_kb(root, root))
            self.assertIsNone(device.disk_of(root, root))
            os.makedirs(os.path.join(root, "class/bdi", number))
            with open(os.path.join(root, "class/bdi", number, "read_ahead_kb"), "w",
                      encoding="utf-8") as file:
                file.write("128\n")
            self.assertEqual(device.read_ahead_kb(root, root), 128)

    def test_the_disk_of_a_partition(self):
        with tempfile.TemporaryDirectory() as root:
            disk = os.path.join(root, "devices/sda")
            os.makedirs(os.path.join(disk, "sda1"))
            os.makedirs(os.path.join(root, "dev/block"))
            for name, text in (("dev", "8:0"), ("sda1/dev", "8:1"), ("sda1/partition", "1")):
                with open(os.path.join(disk, name), "w", encoding="utf-8") as file:
                    file.write(text)
            os.symlink(os.path.join(disk, "sda1"),
                       os.path.join(root, "dev/block", device.number_of(root)))
            self.assertEqual(device.disk_of(root, root), "8:0")

    @unittest.skipUnless(os.path.isdir("/dev/shm"), "there is no /dev/shm")
    def test_tmpfs_is_refused_in_one_sentence(self):
        self.assertRegex(device.refusal_of("/dev/shm"), r"^/dev/shm is on tmpfs, .* --dir\.$")


if __name__ == "__main__":
    unittest.main()
