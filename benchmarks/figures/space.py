"""Measures the bytes written per byte of the user, and the memory per key."""

from figures.bench import thousands

# (value size, entries, bound)
AMPLIFICATION = [(1024, 1000000, 1.3), (100, 2000000, 3.5)]
# (value size, entries, bound of DRAM bytes per key)
MEMORY = (1024, 1000000, 4.0)


def pm_bytes_per_user_byte(figures):
    """Returns the library's own quotient, or that of the parts, whichever is greater."""
    parts = ["log-bytes", "value-bytes", "flush-bytes", "merge-bytes", "gc-bytes"]
    quotient = sum(figures[part] for part in parts) / max(figures["user-bytes"], 1)
    return max(quotient, figures["pm-bytes-per-user-byte"])


def describe_parts(figures):
    user = max(figures["user-bytes"], 1)
    parts = ["log", "value", "flush", "merge", "gc"]
    return ", ".join("%s %.2f" % (part, figures[part + "-bytes"] / user) for part in parts)


def measure_amplification(bench, table):
    for value_size, count, bound in AMPLIFICATION:
        num = bench.entries(count)
        with bench.new_place() as place:
            report = bench.run(place, "fillrandom,waitforcompaction", num, value_size)
            figures = report["by_name"]["waitforcompaction"]["pmem"]
            table.add("PM bytes a user byte, fillrandom %s x %d B" % (thousands(num), value_size),
                      pm_bytes_per_user_byte(figures), "", bound, describe_parts(figures))


def measure_memory(bench, table):
    value_size, count, bound = MEMORY
    num = bench.entries(count)
    with bench.new_place() as place:
        report = bench.run(place, "fillrandom,waitforcompaction,readseq,compact,stats", num,
                           value_size)
        keys = report["by_name"]["readseq"]["operations"]
        for name, when in (("waitforcompaction", "after the fill"), ("compact", "compacted")):
            figures = report["by_name"][name]["pmem"]
            table.add("DRAM a key of %d B values, %s" % (value_size, when),
                      figures["dram-bytes"] / max(keys, 1), "bytes", bound,
                      "%s bytes for %s keys" % (thousands(figures["dram-bytes"]), thousands(keys)))
