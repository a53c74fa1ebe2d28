#!/usr/bin/env python3
"""report_schema_test.py BUILD_DIR: tests that the JSON of each program conforms to
report_schema.json."""
import copy
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from programs import ROOT, find_file, run_program
from report_schema import find_mistakes

BUILD = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "release")
WORKLOAD = os.path.join(ROOT, "ycsbc", "workloads", "workloada")


class ReportSchemaTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="report_schema_test.", dir="/dev/shm")
        self.addCleanup(run_program, ["rm", "-rf", self.place])
        self.store = os.path.join(self.place, "store")
        self.pools = os.path.join(self.place, "pools")
        self.report = os.path.join(self.place, "report.json")
        os.mkdir(self.pools)

    def check(self, program, *arguments):
        run_program([find_file(BUILD, program)] + list(arguments))
        with open(self.report, encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(find_mistakes(report, program), [])
        for name in report:
            damaged = copy.deepcopy(report)
            damaged[name] = [[]]
            self.assertTrue(find_mistakes(damaged, program), name)
        damaged = dict(report, another=1)
        self.assertTrue(find_mistakes(damaged, program))
        return report

    def test_db_bench(self):
        flags = ["--db=" + self.store, "--num=500", "--report=" + self.report, "--histogram",
                 "--throughput", "--control_thread", "--pace",
                 "--benchmarks=fillrandom,readwhilewriting,stats,bloomfilter"]
        self.check("db_bench", *flags)

    def test_db_bench_with_a_tier(self):
        self.check("db_bench", "--db=" + self.store, "--num=500", "--report=" + self.report,
                   "--use_pm=1", "--pm_path=" + self.pools, "--pm_size=64M",
                   "--benchmarks=fillrandom,waitforcompaction,readseq")

    def test_ycsbc(self):
        for more in ([], ["-pmpath", self.pools, "-p", "leveldb.pm_size=64M"]):
            report = self.check("ycsbc", "-dbpath", self.store, "-json", self.report, "-load",
                                "-run", "-check", "-latency", "-timeseries", "-dbstatistics",
                                "-P", WORKLOAD, "-p", "recordcount=200", "-p",
                                "operationcount=200", *more)
            self.assertEqual(len(report["phases"]), 3)
            run_program(["rm", "-rf", self.store])

    def test_peer_bench(self):
        for more in ([], ["--pm_path=" + self.pools, "--leveldb.pm_size=64M"]):
            self.check("peer_bench", "--path=" + self.store, "--json=" + self.report, "--num=200",
                       "--rest_millis=0", *more)
            run_program(["rm", "-rf", self.store])

    def test_pmem_bench(self):
        self.check("pmem_bench", "--pm_path=" + self.pools, "--size=16M", "--rounds=1",
                   "--json=" + self.report)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
