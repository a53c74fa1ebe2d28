#!/usr/bin/env python3
"""sum_reports.py REPORT...: adds up the figures of several runs of stress (--report=REPORT)."""
import json
import sys


def main():
    total = {}
    seeds = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        seeds.append(report.pop("first seed"))
        for name in ("threads", "kinds"):
            report.pop(name)
        for name, value in report.items():
            total[name] = total.get(name, 0) + value
    if not seeds:
        sys.exit(__doc__)
    print(f"{'reports':<28} {len(seeds):>14}")
    print(f"{'hours':<28} {total.pop('seconds') / 3600:>14.3f}")
    print(f"{'first seeds':<28} {' '.join(str(seed) for seed in seeds)}")
    for name, value in total.items():
        print(f"{name:<28} {value:>14}")


main()
