#!/usr/bin/env python3
"""peers_test.py BUILD_DIR: tests that the comparison works, its JSON has the documented form, wrong
arguments are reported, and an interrupted run leaves nothing. The results of so small a run have no
meaning."""
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import peers
# These modules are in the same directory.
import goals
import store_figures
import stores
import workloads
from report_schema import find_mistakes


class PeersTest:
    def __init__(self, build, place):
        self.command = [sys.executable, peers.__file__, "--build=" + build, "--dir=" + place,
                        "--scale=tiny"]
        self.place = place

    def run(self, *options):
        done = subprocess.run(self.command + list(options), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode()

    def fail(self, code, words, *options):
        found, output = self.run(*options)
        assert found == code, (options, found, output)
        assert words in output, (options, output)
        self.expect_nothing_left()

    def expect_nothing_left(self):
        left = [name for name in os.listdir(self.place) if name.startswith("peers.")]
        assert not left, left

    @staticmethod
    def read_outcome(path, known):
        """Returns (the outcome, the stores that took part) of a run of all known stores."""
        with open(path, encoding="utf-8") as file:
            outcome = json.load(file)
        mistakes = find_mistakes(outcome, "peers")
        assert not mistakes, mistakes[:3]
        found = set(outcome["stores"])
        assert found | set(outcome["left_out"]) == set(known)
        return outcome, found

    def compares_everything(self):
        path = os.path.join(self.place, "outcome.json")
        code, output = self.run("--json=" + path)
        assert code == 0, output
        self.expect_nothing_left()
        outcome, found = self.read_outcome(path, stores.STORES)
        for store, reason in outcome["left_out"].items():
            assert "%s is left out: %s.\n" % (store, reason) in output, output
        assert [part["name"] for part in outcome["classes"]] == ["nosync", "sync"]
        for part in outcome["classes"]:
            names = [row["name"] for row in part["workloads"]]
            assert names == [name for name in workloads.CLASSES[part["name"]]
                             if name in workloads.WORKLOADS], names
            for row in part["workloads"]:
                self.check_row(row, found)
            assert set(part["use"]) == found
            for use in part["use"].values():
                assert set(use) == set(store_figures.FIGURES), use

    @staticmethod
    def check_row(row, known):
        ours = next(store for store in stores.OURS if store in known)
        micros = row["micros_per_operation"]
        assert set(micros) == set(row["operations_per_second"]) == set(row["spread"]) == known
        assert set(row["ratio"]) == known - {ours}, row
        for store, ratio in row["ratio"].items():
            assert abs(ratio - micros[store] / micros[ours]) < 1e-9, row
        for kinds in row["latency_micros"].values():
            assert kinds, row
            for latency in kinds.values():
                assert set(latency) == set(store_figures.PERCENTILES), latency

    def chooses(self):
        code, output = self.run("--stores=plain", "--workloads=readseq", "--classes=nosync")
        assert code == 0 and "readseq " in output and "fillrandom" not in output, output
        code, output = self.run("--workloads=" + ",".join(workloads.MORE))
        rows = [line.split()[0] for line in output.splitlines() if line.startswith("  ")]
        assert code == 0 and set(workloads.MORE) <= set(rows), output
        assert "fillrandom" not in output, output

    def tells_mistakes(self):
        self.fail(2, "oracle is not one of", "--stores=oracle")
        self.fail(2, "readall is not one of", "--workloads=readall")
        self.fail(2, "often is not one of", "--classes=often")
        self.fail(2, "must be positive", "--num=0")
        self.fail(2, "--value_size must be at least 8", "--value_size=7")
        self.fail(2, "there is no directory", "--pm_path=/no/such/directory")
        self.fail(2, "about class nosync", "--goals", "--classes=sync")
        self.fail(1, "no goal is about these", "--goals", "--stores=plain", "--classes=nosync",
                  "--workloads=readseq")
        self.fail(2, "--fast", "--fast")
        self.fail(2, "--seconds is of --memory", "--seconds=1")
        self.fail(2, "is no size of at least 32M", "--memory=1M")
        self.fail(2, "is no size of at least 32M", "--memory=much")
        if peers.device.refusal_of(self.place):
            self.fail(2, "is on tmpfs", "--memory=64M")
        disk = "--dir=" + peers.device.default_directory()
        if not peers.device.refusal_of(disk[6:]):
            self.fail(2, "--memory is about class nosync", "--memory=64M", disk, "--classes=sync")
            self.fail(2, "--goals are about data in memory", "--memory=64M", disk, "--goals")
        self.fail(1, "give fewer keys with --num", "--num=1000000000000")

    def cleans_up_after_one_that_was_killed(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        os.mkdir(os.path.join(self.place, "%s.%d.abc" % (peers.PREFIX, ended.pid)))
        code, output = self.run("--stores=plain", "--workloads=fillseq", "--classes=nosync")
        assert code == 0, output
        self.expect_nothing_left()

    def cleans_up_when_ended_by(self, number):
        with subprocess.Popen(self.command + ["--num=100000", "--rounds=1000"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            process.stderr.readline()  # the first round has begun
            process.send_signal(number)
            assert process.wait() == 130
        self.expect_nothing_left()


def says_that_there_is_no_group(place):
    """Tests that the missing group is reported, and is not a failure."""
    find, refuse, arguments = (peers.memory_group.find_obstacle, peers.device.refusal_of, sys.argv)
    peers.memory_group.find_obstacle = lambda _limit: "No group can be made; run it as root."
    peers.device.refusal_of = lambda _directory: ""
    sys.argv = ["peers.py", "--memory=64M", "--dir=" + place]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            assert peers.main() == 0
    finally:
        peers.memory_group.find_obstacle, peers.device.refusal_of, sys.argv = (
            find, refuse, arguments)
    assert said.getvalue() == (
        "Nothing is measured with --memory: No group can be made; run it as root.\n"), said


def measures_beyond_memory(test):
    """Runs if a group can be made, and a directory is on a disk."""
    directory = peers.device.default_directory()
    memory = 96 << 20
    if peers.memory_group.find_obstacle(memory) or peers.device.refusal_of(directory):
        return
    with tempfile.TemporaryDirectory(prefix="peers_test.", dir=directory) as disk:
        path = os.path.join(test.place, "beyond.json")
        code, output = test.run("--memory=%d" % memory, "--dir=" + disk, "--num=2000",
                                "--seconds=0.05", "--json=" + path,
                                "--workloads=filluniquerandom,readrandom,readseq,ycsba,ycsbe")
        assert code == 0, output
        assert os.listdir(disk) == [], os.listdir(disk)
    outcome, found = test.read_outcome(path, stores.STORES_BEYOND)
    rows = outcome["classes"][0]["workloads"]
    assert [row["name"] for row in rows] == ["filluniquerandom", "readrandom", "readseq", "ycsba",
                                             "ycsbe"], rows
    for row in rows:
        assert set(row["micros_per_operation"]) == set(row["device_read_bytes"]) == found, row
    for use in outcome["classes"][0]["use"].values():
        assert use["group_peak_bytes"] is None or 0 < use["group_peak_bytes"] <= memory, use
    assert "KiB read/op" in output and "read-ahead" in output, output
    assert ("random_reads_depth_1" in outcome["device"]["limits"]) == peers.device.has_fio()
    assert peers.device.has_fio() or peers.device.NO_FIO in output, output


def judges():
    def row(name, **micros):
        return {"name": name, "micros_per_operation": micros}

    def is_good(value_size, *rows, **megabytes):
        use = {store: {"peak_anonymous_bytes": value << 20} for store, value in megabytes.items()}
        return peers.judge({"options": {"value_size": value_size},
                            "classes": [{"name": "nosync", "workloads": rows, "use": use}]})

    count, lines = goals.missed([row("fillseq", tier=1.0, debian=5.0, rocksdb=5.1),
                                 row("readrandom", tier=1.0, debian=4.0, lmdb=1.5, wiredtiger=1.0),
                                 row("readseq_values", tier=1.0, lmdb=1.0),
                                 row("readseq", plain=1.0, debian=1.5, lmdb=0.1),
                                 row("ycsba", tier_cold=9.0, debian=1.0)], 1024)
    assert count == 8 and not lines, (count, lines)
    count, lines = goals.missed([row("overwrite", tier=1.0, plain=2.0, debian=4.9),
                                 row("readmissing", tier=0.25, lmdb=0.7475),
                                 row("seekrandom", tier=18.5, lmdb=19),
                                 row("ycsbe", tier=1.0, rocksdb=0.99)], 1024)
    assert count == 7 and lines == [
        "overwrite: tier is 4.900 times as fast as debian, and is to be 5.0 times",
        "readmissing: tier is 2.990 times as fast as lmdb, and is to be 3.0 times",
        "seekrandom: tier takes 18.500 us, and is to take 18.00",
        "ycsbe: tier is 0.990 times as fast as rocksdb, and is to be 1.0 times"], lines
    assert is_good(1024, row("overwrite", tier=1.0, debian=6.0))
    assert not is_good(1024, row("overwrite", tier=1.0, debian=1.0))
    assert not is_good(100, row("overwrite", tier=1.0, debian=1.0))
    assert not is_good(1024, row("readrandom", tier=1.0, lmdb=1.2))
    assert is_good(100, row("readrandom", tier=0.5, lmdb=0.6))
    assert not is_good(100, row("readrandom", tier=1.0, lmdb=1.2))
    assert is_good(1024, tier=48, debian=122, lmdb=1)
    assert not is_good(1024, tier=48, debian=48)
    assert is_good(1024, row("deleteseq", tier=1.0, debian=2.0), tier=48, debian=48)
    assert is_good(100, row("overwrite", tier=0.5, debian=5.0), tier=48, debian=48)


def gives_reads_something_to_work_on():
    assert workloads.steps_for(["fillseq"]) == ["fillseq"]
    assert workloads.steps_for(["readseq", "ycsba"]) == ["fillrandom", "readseq"]
    assert workloads.steps_for(["overwrite", "fillseq"]) == ["fillseq", "fillrandom", "overwrite"]
    assert workloads.steps_for(["deleteseq", "readhot", "fillbatch"]) == [
        "fillbatch", "fillrandom", "readhot", "deleteseq"]
    assert workloads.steps_for(["ycsbc"]) == []
    assert workloads.steps_for(["readseq", "filluniquerandom"]) == ["filluniquerandom", "readseq"]
    assert workloads.steps_for(["readseq"], "filluniquerandom") == ["filluniquerandom", "readseq"]


def shouts_at_wrong_data(place):
    liar = os.path.join(place, "peer_bench")
    with open(liar, "w", encoding="utf-8") as script:
        script.write("#!/bin/sh\necho key 7 is lost\nexit 3\n")
    os.chmod(liar, 0o755)
    try:
        peers.run([liar])
    except peers.WrongData as what:
        assert "key 7 is lost" in str(what)
        return
    raise AssertionError("wrong data went by")


def main():
    # The directory for pools, if there is one.
    parent = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="peers_test.", dir=parent) as place:
        test = PeersTest(sys.argv[1], place)
        test.tells_mistakes()
        judges()
        says_that_there_is_no_group(place)
        gives_reads_something_to_work_on()
        shouts_at_wrong_data(place)
        os.remove(os.path.join(place, "peer_bench"))
        test.chooses()
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            test.cleans_up_when_ended_by(number)
        test.cleans_up_after_one_that_was_killed()
        test.compares_everything()
        measures_beyond_memory(test)


if __name__ == "__main__":
    main()
