"""The stores that are compared, by their names on the command line."""

# The binding that measures each store, in the order of the table.
BINDINGS = {"tier": "leveldb", "tier_cold": "leveldb", "plain": "leveldb", "debian": "leveldb",
            "rocksdb": "rocksdb", "lmdb": "lmdb", "wiredtiger": "wiredtiger"}
STORES = list(BINDINGS)
# The stores that are compared with data larger than memory.
TUNED = "rocksdb_tuned"
BINDINGS[TUNED] = "rocksdb"
STORES_BEYOND = ["tier", "plain", "debian", "rocksdb", TUNED, "lmdb", "wiredtiger"]
TIERS = ["tier", "tier_cold"]
OURS = TIERS + ["plain"]
