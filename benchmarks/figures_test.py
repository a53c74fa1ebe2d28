#!/usr/bin/env python3
"""figures_test.py: tests that figures at the processor's full speed come from the rounds that had
it, and that two writers are compared with one that does the same work."""
import contextlib
import sys
import unittest

sys.dont_write_bytecode = True
from figures.bench import Table
from figures.limits import ratios_at_best_pace
from figures.threads import Writing, time_of_two_writers


def result(micros, pace, share=0.5):
    return {"paced": {"micros_per_operation": micros, "pace_nanos": pace, "share": share}}


def limits(nanos, pace):
    return {"append_paced": nanos, "append_pace": pace}


class FakeBench:
    """Writes take 10 ms in an empty database and 20 ms in another; those of two threads take half
    of that."""

    def __init__(self):
        self.writes = []

    def entries(self, count):
        return count

    def touched_pool(self, _):
        return []

    def new_place(self):
        return contextlib.nullcontext()

    def run(self, _, benchmarks, num, value_size, flags):
        threads = int(flags[-1].replace("--threads=", ""))
        names = benchmarks.split(",")
        self.writes.append((num, threads * num * len(names), value_size))
        speeds = {"fillrandom": 100 * threads, "overwrite": 50 * threads, "compact": 1}
        return {"results": [{"operations_per_second": speeds[name]} for name in names]}


class FiguresTest(unittest.TestCase):
    def test_limits_are_of_rounds_in_which_both_had_the_best_pace(self):
        rounds = [(limits(200, 100), {"fill": result(0.4, 105)}),
                  (limits(100, 150), {"fill": result(0.4, 105)}),
                  (limits(200, 109), {"fill": result(0.9, 130)}),
                  (limits(200, 100), {"fill": result(0.1, 100, share=0.01)}),
                  (limits(250, 105), {"fill": result(0.5, 100)})]
        self.assertEqual(ratios_at_best_pace(rounds, "fill", "append"),
                         [(2, 400, 0.5), (2, 500, 0.5)])

    def test_fewer_than_half_of_the_rounds_tell_nothing(self):
        table = Table()
        slow = [(600, 200), (500, 200), (700, 200)]
        table.add_at_best_pace("a", [(2, 400, 0.5)], 2.5, slow, 200)
        table.add_at_best_pace("b", [(2, 400, 0.5), (3, 600, 0.5)], 2.5, slow, 200)
        table.add_at_best_pace("c", [(2, 400, 0.5), (2.2, 440, 0.5)], 2.5, slow, 200)
        values = {row["name"]: row["value"] for row in table.rows if row["name"] != "  at any pace"}
        self.assertEqual(values, {"a": None, "b": 2.5, "c": 2.1})
        self.assertEqual(table.missed(), ["a"])
        self.assertEqual([row["value"] for row in table.rows if row["name"] == "  at any pace"],
                         [3, 3, 3])

    def test_what_holds_at_any_pace_holds_at_the_best_one(self):
        table = Table()
        slow = [(600, 300), (500, 260), (400, 300)]
        table.add_at_best_pace("holds", [], 2.5, slow, 250)
        table.add_at_best_pace("quick limit", [], 2.5, slow, 190)
        table.add_at_best_pace("unbound", [], None, slow, 250)
        values = {row["name"]: row["value"] for row in table.rows if row["name"] != "  at any pace"}
        self.assertEqual(values, {"holds": 2, "quick limit": None, "unbound": None})
        self.assertEqual(table.missed(), ["quick limit"])

    def test_one_writer_writes_as_much_as_two_over_the_same_keys(self):
        bench = FakeBench()
        time = time_of_two_writers(bench, Writing("in words", 6000, 1 << 20, [],
                                                  ["fillrandom", "overwrite"], 1.0))
        self.assertEqual(bench.writes, [(3000, 6000, 1024), (3000, 6000, 1024)])
        self.assertAlmostEqual(time, 5 / 15)

    def test_what_comes_before_writers_is_not_measured(self):
        time = time_of_two_writers(FakeBench(), Writing("in words", 6000, 1 << 20,
                                                        ["fillrandom", "compact"],
                                                        ["overwrite"] * 2, 1.0))
        self.assertAlmostEqual(time, 10 / 20)


if __name__ == "__main__":
    unittest.main()
