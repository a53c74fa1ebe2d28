#!/usr/bin/env python3
"""sum_reports.py REPORT...: adds up the figures of several runs of corruption (--report=REPORT).

Prints a table in Markdown: for each structure the images by kind of damage, and their verdicts.
"""
import collections
import json
import sys

KINDS = ("flip", "zero", "garbage", "truncate", "swap", "mix")
VERDICTS = ("detected", "harmless", "excused", "wrong")


def add(total, counts):
    for name, count in counts.items():
        total[name] += count


def print_row(name, by_kind):
    """Prints the row of one structure: the images of each kind of damage, and their verdicts."""
    numbers = [sum(counts.values()) for counts in by_kind]
    numbers += [sum(counts[verdict] for counts in by_kind) for verdict in VERDICTS]
    print(f"| {name} | " + " | ".join(str(number) for number in numbers) + " |")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cells = collections.defaultdict(collections.Counter)
    fields, rules, sums = collections.Counter(), collections.Counter(), collections.Counter()
    seeds = []
    peak = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        seeds.append(str(report["seed"]))
        add(sums, {"seconds": report["seconds"], "bases": report["bases"]})
        peak = max(peak, report["peak MB"])
        for name, counts in report["cells"].items():
            add(cells[name], counts)
            add(cells["all"], counts)
        add(fields, report["fields"])
        add(rules, report["rules"])
    images = sum(cells["all"].values())
    print(f"{images} images of {sums['bases']} bases in {sums['seconds'] / 3600:.2f} hours, "
          f"at most {peak} MB\n")
    print("| structure | " + " | ".join(KINDS + VERDICTS) + " |")
    print("| --- |" + " ---: |" * len(KINDS + VERDICTS))
    for structure in dict.fromkeys(name.partition(" ")[0] for name in cells):
        if structure != "all":
            print_row(structure, [cells[f"{structure} {kind}"] for kind in KINDS])
    print_row("all", [sum((counts for name, counts in cells.items() if name.endswith(" " + kind)),
                          collections.Counter()) for kind in KINDS])
    print(f"\nseeds: {' '.join(seeds)}")
    for title, counts in (("excused", rules), ("images by field", fields)):
        print(f"\n{title}:")
        for name, count in sorted(counts.items()):
            print(f"* {name}: {count}")


main()
