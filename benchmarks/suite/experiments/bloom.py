"""Bloom filters of tables: bits, probes, false positives and their effect on reads."""

import math

from suite.experiments.parts import process_memory, tables_room
from suite.model import (Experiment, Plot, Run, Series, Shown, Table, kilo_rate, result_of, sweep)

VALUES = (128, 1280)
PROBES_MAX = 30
LEAST_BITS = 64


def probes(bits):
    return min(PROBES_MAX, max(1, int(bits * 0.69)))


def theory(bits, keys):
    """Returns the share of absent keys that a filter of `keys` keys does not rule out."""
    if bits < 0:
        return 1.0
    room = -(-max(LEAST_BITS, keys * bits) // 8) * 8
    count = probes(bits)
    return (1 - math.exp(-count * keys / room)) ** count


def keys_of_a_block(value_size, block_size=4096):
    return -(-block_size // (16 + value_size))


def runs(scale):
    bits = scale.choose(test=[-1, 10], quick=[-1] + list(range(13)) + [30])
    data = scale.data if scale.name == "quick" else max(scale.data // 4, 1)
    found = []
    for value in VALUES:
        num = min(scale.entries(value), data // (16 + value))
        for count in bits:
            found.append(Run(
                key="%d B, %d bits" % (value, count), num=num, value_size=value,
                benchmarks="fillrandom,compact,readrandom,readmissing,bloomfilter",
                disk=tables_room(num * (16 + value)), reads=min(num, scale.reads_max),
                flags=("--bloom_bits=%d" % count, "--compression=none"),
                memory=process_memory(scale, num), labels={"value": value, "bits": count}))
    return found


def measured(run):
    """Returns the share of absent keys that were not ruled out."""
    result = result_of(run, "bloomfilter")
    if run["labels"]["bits"] < 0:
        return 1.0
    if not result.get("operations"):
        return None
    return result["found"] / result["operations"]


def expected(run):
    return theory(run["labels"]["bits"], keys_of_a_block(run["labels"]["value"]))


def show(outcomes):
    rows, rates = [], []
    for run in outcomes:
        bits, value = run["labels"]["bits"], run["labels"]["value"]
        rows.append(["%d B" % value, bits, probes(bits) if bits >= 0 else None,
                     keys_of_a_block(value), percent(measured(run)), percent(expected(run)),
                     kilo_rate(run, "fillrandom"), kilo_rate(run, "readrandom"),
                     kilo_rate(run, "readmissing")])
    for value in outcomes.values("value"):
        own = [run for run in outcomes.where(value=value) if run["labels"]["bits"] >= 0]
        bits = [run["labels"]["bits"] for run in own]
        for figure, words, style in ((measured, "measured", "main"),
                                     (expected, "theory", "reference")):
            rates.append(Series("%d B, %s" % (value, words), bits,
                                [positive(figure(run)) for run in own], style))

    def reads(name):
        return [sweep(outcomes, "bits", lambda run: kilo_rate(run, name), "%d B values" % value,
                      value=value) for value in outcomes.values("value")]

    return Shown(
        [Table(["value", "bits", "probes", "keys a filter", "wrong % measured", "wrong % theory",
                "fillrandom k/s", "readrandom k/s", "readmissing k/s"], rows)],
        [Plot("false-positives", "Absent keys that a filter does not rule out", "lines",
              "bits a key", "%", rates, y_log=True),
         Plot("readmissing", "Reading keys that are not there", "lines",
              "bits a key (-1: no filter)", "thousand reads/s", reads("readmissing")),
         Plot("readrandom", "Reading keys at random", "lines", "bits a key (-1: no filter)",
              "thousand reads/s", reads("readrandom"))],
        ["A key sets bits x 0.69 probes, rounded down, at least 1 and at most 30: ln 2 = 0.693 "
         "times the bits a key makes the fewest wrong answers, when half of all bits are set. One "
         "probe up to 2 bits, 6 at 10 bits, 20 at 30; with 0 bits a filter still has 64 in all.",
         "Theory: (1 - e^(-probes x keys / bits of the filter))^probes. Tables have a filter a "
         "block, so with large values few keys share the 64 bits that each has at least: few bits "
         "a key are then better than they look.",
         "Where the two differ: all probes of a key follow from two numbers modulo the bits of the "
         "filter, and in one of a few hundred bits they coincide now and then, so rates far below "
         "0.1 % are not reached; and keys of a block are consecutive numbers, which share few "
         "bits less often than chance would have it."])


def percent(share):
    return None if share is None else 100 * share


def positive(share):
    """Returns the percentage, or None for 0, which a logarithmic axis does not have."""
    return percent(share) if share else None


EXPERIMENT = Experiment(
    name="bloom",
    question="What do the bits of a Bloom filter bring, and are its wrong answers those of theory?",
    method="Databases on files, without compression and compacted, for each number of bits; the "
           "filters themselves are asked by db_bench's bloomfilter.",
    runs=runs, show=show)
