"""The goals of the comparison without syncs: how many times as fast as another store this library
must be, with a pool, where every write is on the medium when it returns, and without one. With a
pool, there are also goals in microseconds, on the machine of the design and the first comparisons,
and, with values that are in its pool and not in memtables, the goal of less memory than LevelDB."""

from workloads import DELETES, STEPS, WRITES

# For each of our stores, (workloads, other store, times as fast); workloads that are not named must
# be as fast. So must reads of values smaller than LARGE, which consist mostly of the lookup.
LARGE = 1024
GOALS = {
    "tier": [(WRITES, "debian", 5.0), (WRITES, "rocksdb", 5.0),
             (("readrandom",), "debian", 4.0), (("readrandom",), "lmdb", 1.5),
             (("readmissing",), "lmdb", 3.0)],
    "plain": [(STEPS, "debian", 1.5)],
}
# LMDB and WiredTiger are not LSM trees on files, so a store without a pool is not compared with
# them.
OTHERS_OF = {"tier": ("debian", "rocksdb", "lmdb", "wiredtiger"), "plain": ("debian", "rocksdb")}
# For values of LARGE bytes and for small ones.
MICROS = {True: {"fillrandom": 1.0, "readrandom": 1.0, "readmissing": 0.3, "readseq": 0.22,
                 "seekrandom": 18},
          False: {"fillseq": 0.8, "fillrandom": 0.8, "overwrite": 0.8, "readrandom": 0.8,
                  "readmissing": 0.8}}


def goal(ours, workload, store, value_size):
    if ours == "tier" and value_size < LARGE and workload not in WRITES:
        return 1.0
    for workloads, other, times in GOALS[ours]:
        if workload in workloads and store == other:
            return times
    return 1.0


def missed(rows, value_size):
    """Returns how many goals apply to the figures of class `nosync`, and a line for each that they
    miss."""
    goals = 0
    lines = []
    for row in rows:
        name, micros = row["name"], row["micros_per_operation"]
        most = MICROS[value_size >= LARGE].get(name)
        if most is not None and "tier" in micros:
            goals += 1
            if micros["tier"] > most:
                lines.append("%s: tier takes %.3f us, and is to take %.2f" % (
                    name, micros["tier"], most))
        for ours, others in OTHERS_OF.items():
            for store in others:
                if ours not in micros or store not in micros:
                    continue
                ratio = micros[store] / micros[ours]
                wanted = goal(ours, name, store, value_size)
                goals += 1
                if ratio < wanted:
                    lines.append("%s: %s is %.3f times as fast as %s, and is to be %.1f times" % (
                        name, ours, ratio, store, wanted))
    return goals, lines


def missed_in_memory(rows, use, value_size):
    """Returns the same for the memory of the stores, by store. Deletes fill memtables as small
    values do."""
    tier, debian = (use.get(store, {}).get("peak_anonymous_bytes") for store in ("tier", "debian"))
    has_deletes = any(row["name"] in DELETES for row in rows)
    if tier is None or debian is None or value_size < LARGE or has_deletes:
        return 0, []
    if tier < debian:
        return 1, []
    return 1, ["memory without files: tier takes %d MB, and is to take less than debian, %d MB" % (
        tier >> 20, debian >> 20)]
