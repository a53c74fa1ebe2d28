"""The scales: a row of sizes for each, and a choice for each experiment."""

from dataclasses import dataclass

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30
GB = 10**9  # the unit of published sizes


@dataclass(frozen=True)
class Scale:
    name: str
    summary: str
    data: int          # bytes of keys and values of an ordinary run
    entries_max: int   # of an ordinary run, for small values
    reads_max: int
    write_buffer: int
    pool_least: int    # a smaller pool has no room for memtables' logs
    limits_size: int   # of pmem_bench
    pool_most: int = 1 << 60
    rests: bool = True  # whether runs wait until background work is done

    def choose(self, **choices):
        """Returns the value of an experiment for this scale: choose(quick=..., small=...,
        paper=...)."""
        if self.name in choices:
            return choices[self.name]
        return choices["quick"]

    def entries(self, value_size, data=None):
        """Returns how many entries of that value size make the data of a run."""
        wanted = (self.data if data is None else data) // (16 + value_size)
        return max(100, min(wanted, self.entries_max) if data is None else wanted)


SCALES = {
    # For the suite's own tests: everything takes seconds, and the figures have no meaning.
    "test": Scale("test", "", 256 * KIB, 2000, 1000, 256 * KIB, 16 * MIB, 16 * MIB, rests=False),
    "quick": Scale("quick", "tens of MB, under ten minutes on 2 cores with 8 GB",
                   96 * MIB, 500_000, 200_000, 16 * MIB, 128 * MIB, 256 * MIB),
    "small": Scale("small", "gigabytes, about an hour, 16 GB of memory",
                   1 * GIB, 5_000_000, 1_000_000, 64 * MIB, 512 * MIB, 1 * GIB),
    "paper": Scale("paper", "published sizes: 80 GB of data, 180 GB of persistent memory",
                   80 * GB, 600_000_000, 10_000_000, 64 * MIB, 1 * GIB, 4 * GIB,
                   pool_most=180 * GB),
}
SHOWN = ["quick", "small", "paper"]


def show_bytes(count):
    """Returns text: 1536 -> "1.5 KiB"."""
    for unit, size in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if count >= size:
            return "%.4g %s" % (count / size, unit)
    return "%d B" % count
