#!/usr/bin/env python3
"""figures_test.py: what is told at the processor's best pace is taken of the rounds that had it."""
import sys
import unittest

sys.dont_write_bytecode = True
from figures.bench import Table
from figures.limits import ratios_at_best_pace


def result(micros, pace, share=0.5):
    return {"paced": {"micros_per_operation": micros, "pace_nanos": pace, "share": share}}


def limits(nanos, pace):
    return {"append_paced": nanos, "append_pace": pace}


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


if __name__ == "__main__":
    unittest.main()
