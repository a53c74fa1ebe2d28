"""The common code of several experiments."""

from programs import CannotMeasure, find_debian_library
from suite.model import DEBIAN
from suite.scale import MIB

REST = "waitforcompaction"


def roomy_pool(scale, data):
    """Returns a pool size for all data and the extra space of merges and garbage collection:
    nothing spills."""
    return min(scale.pool_most, max(scale.pool_least, -(-3 * data // MIB) * MIB))


def tables_room(data):
    """Returns the most space that tables, logs and a compaction of them take."""
    return 3 * data + 64 * MIB


def stores_here(stores):
    """Returns the (series, binding)s without Debian's LevelDB if its library is not installed."""
    try:
        find_debian_library()
        return stores
    except CannotMeasure:
        return [store for store in stores if store[0] != DEBIAN]


def process_memory(scale, num=0, write_buffer=0):
    """Returns the memory of db_bench: two memtables, caches, and a byte for each key."""
    return 3 * max(scale.write_buffer, write_buffer) + num + 64 * MIB
