#!/usr/bin/env python3
"""regress_test.py BUILD_DIR: tests how regress.py evaluates counts. The counts come from a stand-in
for valgrind, which runs the program and prints a number."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "regress.py")
BUILD = sys.argv[1] if len(sys.argv) > 1 else "build/release"
NUM = 200

STAND_IN = """#!/bin/sh
while case $1 in --*) true ;; *) false ;; esac; do shift; done
"$@" || exit
%s
"""


class RegressTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="regress_test.", dir="/dev/shm")
        self.addCleanup(scratch.cleanup)
        self.place = scratch.name
        self.kept = os.path.join(self.place, "figures.json")

    def count(self, instructions, *options, says=None):
        """Runs regress.py with one case, whose operations take that many instructions each."""
        says = says or 'echo "==1== Collected : %d"' % (NUM * instructions)
        path = os.path.join(self.place, "valgrind")
        with open(path, "w", encoding="utf-8") as script:
            script.write(STAND_IN % says)
        os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=self.place + os.pathsep + os.environ["PATH"])
        done = subprocess.run(
            [sys.executable, PROGRAM, "--build=" + BUILD, "--pm_path=" + self.place,
             "--kept=" + self.kept, "--num=%d" % NUM] +
            list(options or ["--cases=plain put small"]),
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False)
        return done.returncode, done.stdout

    def keep(self, instructions):
        self.assertEqual(self.count(instructions, "--cases=plain put small", "--update")[0], 0)

    def test_what_is_kept_holds(self):
        self.keep(1000)
        with open(self.kept, encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"plain put small": 1000})
        for instructions in (1000, 1049, 951):
            code, output = self.count(instructions)
            self.assertEqual(code, 0, output)

    def test_more_fails_with_the_figures(self):
        self.keep(1000)
        code, output = self.count(1060)
        self.assertEqual(code, 3)
        self.assertRegex(output, r"plain put small +1000 +1060 +\+6\.0 %  more than kept")
        self.assertIn("Over 5 % more than is kept, or not kept: plain put small.", output)

    def test_fewer_is_told(self):
        self.keep(1000)
        code, output = self.count(900)
        self.assertEqual(code, 0)
        self.assertIn("fewer: --update", output)

    def test_what_is_not_kept_fails(self):
        code, output = self.count(1000)
        self.assertEqual(code, 3)
        self.assertRegex(output, r"plain put small +- +1000 +not kept: --update")
        self.assertIn("or not kept: plain put small.", output)

    def test_the_tier_is_counted_like_the_rest(self):
        self.assertEqual(self.count(1000, "--cases=tier put small", "--update")[0], 0)
        code, output = self.count(1000, "--cases=tier put small")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"tier put small +1000 +1000")

    def test_the_least_of_several_counts_is_taken(self):
        counter = os.path.join(self.place, "counter")
        falling = ('echo >> %s; echo "==1== Collected : $((%d - %d * $(wc -l < %s)))"' %
                   (counter, NUM * 1000, NUM * 10, counter))
        for name in ("plain prev", "tier prev"):
            figures = []
            for says in (None, falling):
                self.assertEqual(self.count(1000, "--cases=" + name, "--update", says=says)[0], 0)
                with open(self.kept, encoding="utf-8") as file:
                    figures.append(json.load(file)[name])
            self.assertAlmostEqual(figures[1] / figures[0], 0.95, places=2)
            os.remove(counter)

    def test_some_are_counted_at_a_time(self):
        self.assertEqual(self.count(1000, "--cases=put small", "--update", "-j2")[0], 0)
        code, output = self.count(1000, "--cases=put small", "-j2")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"tier put small [^\n]*\nplain put small ")

    def test_mistakes_are_told(self):
        for words, code, options in (
                ("--num and --jobs must be positive", 2, ["--num=0"]),
                ("--num and --jobs must be positive", 2, ["--jobs=0"]),
                ("there is no directory", 2, ["--pm_path=/no/such"]),
                ("There is no db_bench under", 1, ["--build=" + self.place])):
            found, output = self.count(1000, *options)
            self.assertEqual(found, code, output)
            self.assertIn(words, output)
        code, output = self.count(0)
        self.assertEqual(code, 1)
        self.assertIn("is the build stripped?", output)
        code, output = self.count(0, says="echo nothing")
        self.assertEqual(code, 1)
        self.assertIn("did not say what it counted", output)
        with open(self.kept, "w", encoding="utf-8") as file:
            file.write("{")
        code, output = self.count(1000)
        self.assertEqual(code, 1)
        self.assertIn("is damaged", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
