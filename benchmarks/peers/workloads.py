"""The workloads of the comparison of stores, and what each of them needs."""

WRITES = ["fillseq", "fillrandom", "overwrite"]
READS = ["readrandom", "readmissing", "readseq", "readseq_values", "seekrandom",
         "seekrandom_values"]
DELETES = ["deleterandom", "deleteseq"]
YCSB = ["ycsb" + letter for letter in "abcdef"]

# The default workloads.
WORKLOADS = WRITES + READS + YCSB
# The workloads of peer_bench in the order in which it runs them. FRESH begin with an empty store.
STEPS = (["fillbatch", "filluniquerandom"] + WRITES + READS +
         ["readhot", "readreverse", "seekordered"] + DELETES)
FRESH = ["fillbatch", "filluniquerandom", "fillseq", "fillrandom"]
# The workloads whose store all others may use.
FULL = ["fillrandom", "filluniquerandom"]
# All workloads, and those that are not run by default.
KNOWN = STEPS + YCSB
MORE = [name for name in KNOWN if name not in WORKLOADS]

# The workloads by class of durability. Workloads that only read are the same in both.
CLASSES = {"nosync": KNOWN,
           "sync": ["fillbatch"] + WRITES + DELETES + [name for name in YCSB if name != "ycsbc"]}


def steps_for(names, fill="fillrandom"):
    """Returns the steps of peer_bench for these: workloads that do not fill the store need a filled
    one."""
    steps = [name for name in STEPS if name in names]
    fresh = [name for name in steps if name in FRESH]
    if fresh != steps and not set(FULL) & set(fresh):
        steps.insert(len(fresh), fill)
    return steps
