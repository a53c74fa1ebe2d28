"""How many times as fast as another store ours is meant to be, where nobody syncs: with a pool,
which has every write on the medium when it returns, and without one."""

FILLS = ("fillseq", "fillrandom", "overwrite")
# Of each store of ours, (workloads, other store, times as fast); what is not named: as fast as it.
# So are reads of values that are less than LARGE, of which the way to them is all there is.
LARGE = 1024
GOALS = {
    "tier": [(FILLS, "debian", 5.0), (FILLS, "rocksdb", 5.0),
             (("readrandom",), "debian", 4.0), (("readrandom",), "lmdb", 1.5),
             (("readmissing",), "lmdb", 3.0)],
    "plain": [(FILLS + ("readrandom", "readmissing", "readseq", "readseq_values", "seekrandom",
                        "seekrandom_values"), "debian", 1.5)],
}
# LMDB and WiredTiger are no LSM trees on files, with which a store without a pool compares.
PEERS_OF = {"tier": ("debian", "rocksdb", "lmdb", "wiredtiger"), "plain": ("debian", "rocksdb")}


def goal(ours, workload, store, value_size):
    if ours == "tier" and value_size < LARGE and workload not in FILLS:
        return 1.0
    for workloads, other, times in GOALS[ours]:
        if workload in workloads and store == other:
            return times
    return 1.0


def missed(rows, value_size):
    """How many goals the figures of class `nosync` were held against, and a line for each that they
    miss."""
    goals = 0
    lines = []
    for row in rows:
        micros = row["micros_per_operation"]
        for ours, peers in PEERS_OF.items():
            for store in peers:
                if ours not in micros or store not in micros:
                    continue
                ratio = micros[store] / micros[ours]
                wanted = goal(ours, row["name"], store, value_size)
                goals += 1
                if ratio < wanted:
                    lines.append("%s: %s is %.3f times as fast as %s, and is to be %.1f times" % (
                        row["name"], ours, ratio, store, wanted))
    return goals, lines
