"""All experiments, in the order in which they run and are shown."""

from suite.experiments import (beyond_memory, bloom, data_size, dynamic_tree, gc, limits, noise,
                               peers, pm_size, recovery, small_values, threads, throughput,
                               value_size, wal_granularity, ycsb)

LIMITS = limits.EXPERIMENT  # of the medium; runs once before the others
NOISE = noise.EXPERIMENT    # its rounds run between the others
EXPERIMENTS = {module.EXPERIMENT.name: module.EXPERIMENT for module in (
    noise, value_size, throughput, small_values, dynamic_tree, wal_granularity, pm_size, data_size,
    gc, ycsb, threads, recovery, bloom, peers, beyond_memory)}
