"""What several experiments need."""

from programs import CannotMeasure, find_debian_library
from suite.model import DEBIAN
from suite.scale import MIB

REST = "waitforcompaction"


def roomy_pool(scale, data):
    """Holds all data and what merging and sweeping need beside it: nothing spills."""
    return min(scale.pool_most, max(scale.pool_least, -(-3 * data // MIB) * MIB))


def tables_room(data):
    """What tables, logs and a compaction of them may take at most."""
    return 3 * data + 64 * MIB


def stores_here(stores):
    """The (series, binding)s without Debian's LevelDB where its library is not installed."""
    try:
        find_debian_library()
        return stores
    except CannotMeasure:
        return [store for store in stores if store[0] != DEBIAN]


def process_memory(scale, num=0, write_buffer=0):
    """Of db_bench: two memtables, caches, and a byte for each key."""
    return 3 * max(scale.write_buffer, write_buffer) + num + 64 * MIB
