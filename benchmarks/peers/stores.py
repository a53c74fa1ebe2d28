"""The stores that are compared, by the names that the command line has for them."""

# The binding that each store is measured by, in the order of the table.
BINDINGS = {"tier": "leveldb", "tier_cold": "leveldb", "plain": "leveldb", "debian": "leveldb",
            "rocksdb": "rocksdb", "lmdb": "lmdb", "wiredtiger": "wiredtiger"}
STORES = list(BINDINGS)
# Where data are larger than memory.
TUNED = "rocksdb_tuned"
BINDINGS[TUNED] = "rocksdb"
STORES_BEYOND = ["tier", "plain", "debian", "rocksdb", TUNED, "lmdb", "wiredtiger"]
TIERS = ["tier", "tier_cold"]
OURS = TIERS + ["plain"]
