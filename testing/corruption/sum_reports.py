#!/usr/bin/env python3
"""sum_reports.py REPORT...: adds up the figures of several runs of corruption (--report=REPORT).

Prints a table of structures and kinds of damage, in Markdown.
"""
import collections
import json
import sys

VERDICTS = ("detected", "harmless", "excused", "wrong")


def add(total, counts):
    for name, count in counts.items():
        total[name] += count


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
    print("| structure | damage | images | " + " | ".join(VERDICTS) + " |")
    print("| --- | --- | ---: |" + " ---: |" * len(VERDICTS))
    for name, counts in cells.items():
        structure, _, kind = name.partition(" ")
        if name != "all":
            print(f"| {structure} | {kind} | {sum(counts.values())} | "
                  + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |")
    print(f"| all | | {images} | "
          + " | ".join(str(cells["all"][verdict]) for verdict in VERDICTS) + " |")
    print(f"\nseeds: {' '.join(seeds)}")
    for title, counts in (("excused", rules), ("images by field", fields)):
        print(f"\n{title}:")
        for name, count in sorted(counts.items()):
            print(f"* {name}: {count}")


main()
