"""Which workloads there are to compare stores by, and what each of them needs."""

WRITES = ["fillseq", "fillrandom", "overwrite"]
READS = ["readrandom", "readmissing", "readseq", "readseq_values", "seekrandom",
         "seekrandom_values"]
DELETES = ["deleterandom", "deleteseq"]
YCSB = ["ycsb" + letter for letter in "abcdef"]

# Where none is chosen.
WORKLOADS = WRITES + READS + YCSB
# Those of peer_bench in the order in which it runs them. The first ones begin with an empty store.
STEPS = (["fillbatch", "filluniquerandom"] + WRITES + READS +
         ["readhot", "readreverse", "seekordered"] + DELETES)
FRESH = ["fillbatch", "filluniquerandom", "fillseq", "fillrandom"]
# Over these everything else may run.
FULL = ["fillrandom", "filluniquerandom"]
# All, and those that have to be asked for.
KNOWN = STEPS + YCSB
MORE = [name for name in KNOWN if name not in WORKLOADS]

# By class of durability. What only reads is the same in both.
CLASSES = {"nosync": KNOWN,
           "sync": ["fillbatch"] + WRITES + DELETES + [name for name in YCSB if name != "ycsbc"]}


def steps_for(names, fill="fillrandom"):
    """What peer_bench runs for these: what does not fill the store needs something to work on."""
    steps = [name for name in STEPS if name in names]
    fresh = [name for name in steps if name in FRESH]
    if fresh != steps and not set(FULL) & set(fresh):
        steps.insert(len(fresh), fill)
    return steps
