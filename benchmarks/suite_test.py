#!/usr/bin/env python3
"""suite_test.py BUILD_DIR [RESULTS_DIR]: tests the experiments of run_db_bench.sh, at a scale that
takes seconds. The results are left in RESULTS_DIR, for suite_report_test.py.
"""
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema

sys.dont_write_bytecode = True
import beyond_memory
import device
import memory_group
from programs import CannotMeasure, find_file, sweep_leftovers
from suite import text
from suite.bench import PREFIX
from suite.experiments import EXPERIMENTS, LIMITS, bloom
from suite.machine import Places, Room, lacks, medium_words
from suite.model import Run, Table
from suite.scale import GIB, MIB, SCALES, SHOWN
from suite.session import Refused, refuse_misfits

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build/release"
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "run_suite.py")
SCRIPT = os.path.join(os.path.dirname(HERE), "run_db_bench.sh")
SHARED = {}


def setUpModule():
    """Runs everything once, for several tests."""
    SHARED["scratch"] = tempfile.mkdtemp(prefix="suite_test.")
    SHARED["place"] = Playground(os.path.join(SHARED["scratch"], "all"))
    SHARED["done"] = SHARED["place"].run()
    if len(sys.argv) > 2:
        shutil.rmtree(sys.argv[2], ignore_errors=True)
        shutil.copytree(SHARED["place"].out, sys.argv[2])


def tearDownModule():
    shutil.rmtree(SHARED["scratch"])


class Playground:
    """Directories of its own, with the program in them."""

    def __init__(self, root):
        self.pools = tempfile.mkdtemp(prefix="suite_test.", dir="/dev/shm")
        self.out = os.path.join(root, "out")
        self.disk = os.path.join(root, "disk")
        os.makedirs(self.disk)
        unittest.addModuleCleanup(shutil.rmtree, self.pools)

    def command(self, *arguments, build=BUILD, with_report=False):
        report = [] if with_report else ["--no-report"]
        return [sys.executable, PROGRAM, "--scale=test", "--build=" + build, "--pm=" + self.pools,
                "--dir=" + self.disk, "--out=" + self.out, *report, *arguments]

    def run(self, *arguments, **how):
        return subprocess.run(self.command(*arguments, **how), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)

    def results(self):
        with open(os.path.join(self.out, "results.json"), encoding="utf-8") as file:
            return json.load(file)

    def is_clean(self):
        return os.listdir(self.pools) == [] and os.listdir(self.disk) == []


def had():
    """Returns the experiments whose program this build has, and that can be measured on this
    machine."""
    return [experiment for experiment in EXPERIMENTS.values()
            if experiment.name + " is left out: " not in SHARED["done"].stdout]


def measured(output):
    """Returns how many runs a session carried out."""
    return len(re.findall(r"^   \d+/\d+ ", output, re.MULTILINE))


class SuiteTest(unittest.TestCase):
    def place(self):
        return Playground(tempfile.mkdtemp(dir=SHARED["scratch"]))

    def build(self, script):
        """Makes a build whose db_bench is that script, and which has no other program."""
        directory = tempfile.mkdtemp(dir=SHARED["scratch"])
        with open(os.path.join(directory, "libleveldb.so.1d"), "w", encoding="utf-8"):
            pass
        path = os.path.join(directory, "db_bench")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return directory

    def expect(self, done, code, words):
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertIn(words, done.stdout)


class EveryExperiment(SuiteTest):
    def test_all_succeed_and_nothing_is_left(self):
        self.assertEqual(SHARED["done"].returncode, 0, SHARED["done"].stdout)
        self.assertTrue(SHARED["place"].is_clean())

    def test_the_results_are_as_the_schema_says(self):
        with open(os.path.join(HERE, "suite", "results_schema.json"), encoding="utf-8") as file:
            wanted = json.load(file)
        mistakes = jsonschema.Draft7Validator(wanted).iter_errors(SHARED["place"].results())
        self.assertEqual([mistake.message for mistake in mistakes], [])

    def test_every_run_is_in_them(self):
        found = {(run["experiment"], run["key"]) for run in SHARED["place"].results()["runs"]
                 if run["commands"] or run["state"] == "left out"}
        for experiment in [LIMITS] + had():
            for run in experiment.runs(SCALES["test"]):
                self.assertIn((experiment.name, run.key), found)

    def test_every_experiment_has_a_table(self):
        for experiment in had():
            self.assertIn("\n%s: %s\n  " % (experiment.name, experiment.question),
                          SHARED["done"].stdout)

    def test_only_what_cannot_be_measured_is_left_out(self):
        places = Places(pm=SHARED["place"].pools, disk=SHARED["place"].disk)
        for experiment in EXPERIMENTS.values():
            try:
                find_file(BUILD, experiment.program)
                is_measured = not experiment.obstacle(SCALES["test"], places)
            except CannotMeasure:
                is_measured = False
            self.assertEqual(experiment in had(), is_measured, experiment.name)

    def test_of_data_larger_than_memory_device_reads_are_known(self):
        runs = [run for run in SHARED["place"].results()["runs"]
                if run["experiment"] == "beyond-memory" and run["labels"].get("store")
                and run["state"] == "done"]
        if EXPERIMENTS["beyond-memory"] not in had():
            self.assertEqual(runs, [])
            self.skipTest("no group with a limit of memory can be made here")
        for run in runs:
            names = [result["name"] for result in run["results"]]
            self.assertEqual(names, beyond_memory.WORKLOADS +
                             ["ycsb load"] + ["ycsb" + letter for letter in "ae"], run["key"])
            for result in run["results"]:
                self.assertIsNotNone(result["device_read_bytes"], run["key"])
            peak = run["values"]["group_peak_bytes"]
            self.assertTrue(peak is None or 0 < peak <= run["labels"]["memory"], run["key"])

    def test_pools_that_are_too_small_spill_and_overwritten_ones_are_swept(self):
        for name, figure in (("pm-size", "spills"), ("gc", "gc-jobs")):
            for run in SHARED["place"].results()["runs"]:
                if run["experiment"] == name:
                    self.assertGreater(run["results"][-1]["pmem"][figure], 0, run["key"])

    def test_no_path_of_a_run_is_kept(self):
        self.assertNotIn(PREFIX, json.dumps(SHARED["place"].results()["runs"]))


class Resuming(SuiteTest):
    def test_what_is_done_is_not_done_again(self):
        done = SHARED["place"].run(with_report=True)
        self.expect(done, 0, "measured before")
        self.assertEqual(measured(done.stdout), 0)
        self.assertRegex(done.stdout, "\nThe(re)? (report is|is no report)")

    def test_an_interruption_cleans_up_and_the_next_session_goes_on(self):
        place = self.place()
        began = os.path.join(tempfile.mkdtemp(dir=SHARED["scratch"]), "began.")
        # The third run lasts until the signal arrives.
        build = self.build("""
for n in 1 2 3 4; do
  if [ ! -e %s$n ]; then
    touch %s$n
    [ $n != 3 ] || exec sleep 600
    break
  fi
done
exec %s "$@" """ % (began, began, find_file(BUILD, "db_bench")))
        with subprocess.Popen(place.command("wal-granularity", build=build), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            while process.poll() is None and not os.path.exists(began + "3"):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            before = process.stdout.read()
        self.assertEqual(process.returncode, 130, before)
        self.assertIn("the same command goes on from here", before)
        self.assertTrue(place.is_clean())
        after = place.run("wal-granularity", build=build)
        self.expect(after, 0, "4 runs, 2 of them measured before")
        self.assertEqual(measured(after.stdout), 2)

    def test_again_keeps_the_old_results_aside(self):
        place = self.place()
        self.expect(place.run("gc"), 0, "gc_ratio")
        again = place.run("--again", "gc")
        self.expect(again, 0, "results.before-1.json")
        self.assertEqual(measured(again.stdout), 2)

    def test_figures_of_another_machine_are_not_mixed_in(self):
        place = self.place()
        place.run("gc")
        results = place.results()
        results["identity"]["places"] = "another processor; " + results["identity"]["places"]
        with open(os.path.join(place.out, "results.json"), "w", encoding="utf-8") as file:
            json.dump(results, file)
        again = place.run("gc")
        self.expect(again, 0, "results.before-1.json")
        self.assertEqual(measured(again.stdout), 2)

    def test_a_damaged_file_is_put_aside(self):
        place = self.place()
        os.makedirs(place.out)
        with open(os.path.join(place.out, "results.json"), "w", encoding="utf-8") as file:
            file.write('{"format": 1, "runs": [')
        self.expect(place.run("gc"), 0, "results.before-1.json")

    def test_leftovers_of_the_dead_are_swept_and_those_of_the_living_are_not(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        place = self.place()
        for pid in (ended.pid, os.getpid()):
            os.mkdir(os.path.join(place.disk, "%s.%d.abc" % (PREFIX, pid)))
        sweep_leftovers(place.disk, PREFIX)
        self.assertEqual(os.listdir(place.disk), ["%s.%d.abc" % (PREFIX, os.getpid())])

    def test_leftovers_are_swept_before_it_is_looked_what_fits(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        place = self.place()
        os.mkdir(os.path.join(place.pools, "%s.%d.abc" % (PREFIX, ended.pid)))
        self.assertEqual(place.run("--check", "gc").returncode, 0)
        self.assertTrue(place.is_clean())


class Medium(SuiteTest):
    """Tests that the medium is the one that bushstore of the build reports."""

    def build_with_info(self, script):
        directory = self.build("exit 1")
        path = os.path.join(directory, "bushstore")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, 0o755)
        return directory

    def test_the_words_are_those_of_info(self):
        said = '{"device": {"medium_text": "persistent memory, X", "file_system": "%s"}}'
        build = self.build_with_info("[ \"$1 $3\" = 'info --json' ] && printf '%s' \"$2\"; exit 3"
                                     % said)
        self.assertEqual(medium_words("/pm", build), "persistent memory, X (/pm)")

    def test_without_an_answer_it_is_unknown(self):
        build = self.build_with_info("echo no such place >&2; exit 1")
        self.assertEqual(medium_words("/pm", build), "unknown: no such place")
        self.assertIn("no bushstore", medium_words("/pm", self.build("exit 1")))

    def test_memory_is_emulated_where_pools_are_made_on_it(self):
        place = self.place()
        words = medium_words(place.pools, BUILD)
        self.assertEqual(words.startswith("emulated"), "tmpfs" in words, words)


class Obstacles(SuiteTest):
    """Tests data larger than memory, on machines where it cannot be measured."""

    NAME = "beyond-memory"

    def test_a_directory_in_memory_is_told_and_the_session_succeeds(self):
        place = self.place()
        place.disk = place.pools
        done = place.run(self.NAME, build=self.build_with_programs())
        self.expect(done, 0, "beyond-memory is left out: %s is on tmpfs" % place.disk)
        self.assertEqual(place.results()["runs"], [])
        self.assertEqual(os.listdir(place.pools), [])

    def build_with_programs(self):
        directory = self.build("exit 1")
        shutil.copy(os.path.join(directory, "db_bench"), os.path.join(directory, "peer_bench"))
        return directory

    def test_no_right_to_make_a_group_is_one_sentence(self):
        def refuse(_limit, **_more):
            return "No group can be made here; run it as root."
        before = memory_group.find_obstacle, device.refusal_of
        memory_group.find_obstacle, device.refusal_of = refuse, lambda directory: ""
        try:
            self.assertEqual(EXPERIMENTS[self.NAME].obstacle(SCALES["test"], Fitting.PLACES),
                             "No group can be made here; run it as root.")
        finally:
            memory_group.find_obstacle, device.refusal_of = before


class LeavingOut(SuiteTest):
    """Tests with programs that were built without any other store, as on a fresh machine."""

    def build_without_stores(self, remark):
        directory = self.build("exit 1")
        script = "#!/bin/sh\n# %s\nfor name in leveldb rocksdb lmdb wiredtiger; do\n" % remark
        script += '  echo "$name (not built)"\ndone\n'
        for program in ("peer_bench", "ycsbc"):
            path = os.path.join(directory, program)
            with open(path, "w", encoding="utf-8") as file:
                file.write(script)
            os.chmod(path, 0o755)
        return directory

    def test_what_is_left_out_is_no_failure_and_is_not_tried_again(self):
        place = self.place()
        build = self.build_without_stores("one build")
        before = place.run("peers", build=build)
        self.expect(before, 0, "left out: this build has no binding for rocksdb")
        self.assertEqual({run["state"] for run in place.results()["runs"]}, {"left out"})
        count = measured(before.stdout)
        self.assertGreater(count, 0)
        again = place.run("peers", build=build)
        self.expect(again, 0, "peers: %d runs, %d of them left out by this build" % (count, count))
        self.assertEqual(measured(again.stdout), 0)
        other = place.run("peers", build=self.build_without_stores("another build"))
        self.assertEqual(measured(other.stdout), count, other.stdout)


class Failing(SuiteTest):
    """Tests with programs that fail."""

    def test_a_failure_is_told_and_the_others_run(self):
        place = self.place()
        done = place.run("gc", "dynamic-tree", build=self.build("echo no luck; exit 1"))
        self.expect(done, 1, "failed: db_bench ended with 1: no luck")
        states = [run["state"] for run in place.results()["runs"]]
        self.assertEqual(states, ["failed"] * 3)
        self.assertTrue(place.is_clean())

    def test_a_failed_run_is_tried_again(self):
        place = self.place()
        broken = self.build("exit 1")
        place.run("gc", build=broken)
        self.assertEqual(measured(place.run("gc", build=broken).stdout), 1)

    def test_wrong_data_is_shouted(self):
        place = self.place()
        done = place.run("gc", build=self.build("echo a key is lost; exit 3"))
        self.expect(done, 3, "THE STORE RETURNED WRONG DATA in gc, gc_ratio 0.5")
        self.assertEqual(place.results()["runs"][0]["state"], "wrong data")

    def test_recovery_notices_a_lost_key(self):
        place = self.place()
        done = place.run("recovery", build=self.build("""
for argument; do
  case $argument in
    --report=*) report=${argument#*=} ;;
    --use_existing_db) existing=1 ;;
  esac
done
if [ -n "$existing" ]; then
  echo '{"results": [{"name": "readrandom", "found": 11}]}' > "$report"
  exit 0
fi
echo "readrandom : 1.0 micros/op; (12 of 20 found)"
exec sleep 60"""))
        self.expect(done, 3, "12 keys were found before the kill, and 11 of them after it")

    def test_a_missing_program_leaves_its_experiment_out(self):
        done = self.place().run("gc", build=self.build("exit 1"))
        self.assertIn("limits is left out: this build has no pmem_bench", done.stdout)

    def test_no_build(self):
        done = self.place().run("gc", build=tempfile.mkdtemp(dir=SHARED["scratch"]))
        self.expect(done, 1, "There is no db_bench under")


class Arguments(SuiteTest):
    def test_mistakes(self):
        for arguments, words in ((["valuesize"], "did you mean value-size?"),
                                 (["--scale=smal"], "did you mean small?"),
                                 (["--pm=/no/such/place"], "there is no directory"),
                                 (["--no_such_option"], "unrecognized arguments")):
            self.expect(self.place().run(*arguments), 2, words)

    def test_list(self):
        done = self.place().run("--list")
        self.expect(done, 0, "gc ")
        self.assertEqual(len(done.stdout.splitlines()), len(EXPERIMENTS))


class Script(SuiteTest):
    """Tests run_db_bench.sh itself, with programs that are built already."""

    def call(self, *arguments):
        place = self.place()
        return place, subprocess.run(
            [SCRIPT, "--dir=" + place.disk, "--build=" + BUILD] +
            [argument.replace("PLACE", os.path.dirname(place.out)).replace("POOLS", place.pools)
             for argument in arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def test_experiments_end_with_a_table_and_a_report(self):
        place, done = self.call("--scale", "test", "--pm=POOLS", "--out=PLACE/out", "gc")
        self.expect(done, 0, "gc: What does it cost")
        self.assertTrue(place.is_clean())
        self.assertEqual(place.results()["runs"][-1]["state"], "done")

    def test_a_run_of_db_bench_ends_with_a_table(self):
        place, done = self.call("--report=PLACE/report.json", "--", "--num=1000",
                                "--benchmarks=fillseq,readseq")
        self.expect(done, 0, "\nbenchmark ")
        self.assertTrue(place.is_clean())
        report = os.path.join(os.path.dirname(place.out), "report.json")
        with open(report, encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["results"]), 2)

    def test_wrong_data_and_mistakes_have_exit_codes_of_their_own(self):
        for code, words, arguments in (
                (0, "--scale NAME", ["--help"]), (0, "gc ", ["--list"]),
                (2, "did you mean value-size?", ["valuesize"]),
                (2, "--scale needs a value", ["--scale"]),
                (2, "no such option: --fast", ["--fast"]),
                (2, "there is no directory", ["--dir=/no/such/place", "gc"]),
                (2, "--report belongs to a run of db_bench", ["--report=PLACE/r.json", "gc"]),
                (2, "belongs to the experiments", ["gc", "--"]),
                (2, "give --report before the --", ["--", "--report=PLACE/r.json"]),
                (1, "no_such_benchmark", ["--", "--benchmarks=no_such_benchmark"])):
            self.expect(self.call(*arguments)[1], code, words)


class Fitting(unittest.TestCase):
    PLACES = Places(pm="/pm", disk="/disk")

    def room(self, pm, disk, memory, **more):
        others = {"pm_in_memory": True, "disk_in_memory": False, "same_mount": False}
        others.update(more)
        return Room(pm=pm, disk=disk, memory=memory, **others)

    def test_each_resource(self):
        run = Run(key="a run", pool=2 * GIB, disk=GIB, memory=GIB)
        self.assertEqual(lacks(run, self.room(2 * GIB, GIB, 3 * GIB), self.PLACES), "")
        for room, words in (
                (self.room(GIB, GIB, 3 * GIB), "2 GiB of persistent memory in /pm, and 1 GiB"),
                (self.room(2 * GIB, MIB, 3 * GIB), "1 GiB of disk in /disk, and 1 MiB"),
                (self.room(2 * GIB, GIB, 2 * GIB), "3 GiB of memory, and 2 GiB"),
                (self.room(2 * GIB, 3 * GIB, 9 * GIB, same_mount=True), "3 GiB of persistent")):
            self.assertIn(words, lacks(run, room, self.PLACES))
        self.assertEqual(lacks(run, self.room(2 * GIB, GIB, GIB, pm_in_memory=False),
                               self.PLACES), "")

    def test_a_session_that_does_not_fit_says_what_would(self):
        chosen = list(EXPERIMENTS.values())
        room = self.room(20 * GIB, 200 * GIB, 20 * GIB)
        with self.assertRaises(Refused) as refused:
            refuse_misfits(chosen, SCALES["paper"], room, self.PLACES)
        self.assertIn("--scale small would fit.", str(refused.exception))
        with self.assertRaises(Refused) as refused:
            refuse_misfits(chosen, SCALES["quick"], self.room(MIB, MIB, MIB), self.PLACES)
        self.assertIn("Not even --scale quick", str(refused.exception))

    def test_quick_fits_eight_gigabytes_and_small_sixteen(self):
        for name, memory in (("quick", 6 * GIB), ("small", 15 * GIB)):
            room = self.room(memory // 2, 30 * GIB, memory)
            refuse_misfits([LIMITS] + list(EXPERIMENTS.values()), SCALES[name], room, self.PLACES)

    def test_paper_fits_the_published_machine(self):
        room = self.room(190 * 10**9, 900 * GIB, 60 * GIB, pm_in_memory=False)
        refuse_misfits([LIMITS] + list(EXPERIMENTS.values()), SCALES["paper"], room, self.PLACES)

    def test_keys_name_runs(self):
        for scale in [SCALES[name] for name in SHOWN]:
            for experiment in EXPERIMENTS.values():
                keys = [run.key for run in experiment.runs(scale)]
                self.assertEqual(len(keys), len(set(keys)), experiment.name)


class Small(unittest.TestCase):
    def test_theory_of_filters(self):
        self.assertEqual([bloom.probes(bits) for bits in (0, 1, 2, 3, 10, 12, 30, 60)],
                         [1, 1, 1, 2, 6, 8, 20, 30])
        self.assertEqual(bloom.theory(-1, 30), 1)
        self.assertAlmostEqual(bloom.theory(10, 1000), 0.0084, places=3)

    def test_numbers(self):
        shown = [text.show_number(value) for value in (None, 0, 0.0012, 0.5, 12.34, 123.4, 56789)]
        self.assertEqual(shown, ["-", "0", "0.0012", "0.50", "12.3", "123", "56,789"])

    def test_table(self):
        table = Table(["name", "n"], [["a", 1], ["bcdef", 1000]], "A table")
        self.assertEqual(text.format_table(table),
                         ["  A table", "  name       n", "  a          1", "  bcdef  1,000"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
