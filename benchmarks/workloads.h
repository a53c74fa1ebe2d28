// The workloads: the functions that the threads of the benchmarks run. Each runs in every thread of
// its benchmark concurrently, adds its counts to that thread's stats and returns early if the run
// has failed.
#ifndef BUSHSTORE_BENCHMARKS_WORKLOADS_H_
#define BUSHSTORE_BENCHMARKS_WORKLOADS_H_

namespace leveldb::bench {

class BenchThread;

// Writing (workload_write.cc).
void WriteInOrder(BenchThread& thread);
void WriteAtRandom(BenchThread& thread);
void DeleteInOrder(BenchThread& thread);
void DeleteAtRandom(BenchThread& thread);
void WriteWhileOthersRead(BenchThread& thread);

// Point reads (workload_read.cc).
void ReadAtRandom(BenchThread& thread);
void ReadMissing(BenchThread& thread);
void ReadHot(BenchThread& thread);
void ReadWhileWriting(BenchThread& thread);

// Iterators (workload_scan.cc).
void ReadForward(BenchThread& thread);
void ReadBackward(BenchThread& thread);
void ScanKeys(BenchThread& thread);
void SeekAtRandom(BenchThread& thread);
void SeekInOrder(BenchThread& thread);

// The database as a whole (workload_database.cc).
void OpenAgain(BenchThread& thread);
void CompactAll(BenchThread& thread);
void WaitForCompaction(BenchThread& thread);
void PrintStats(BenchThread& thread);
void PrintTables(BenchThread& thread);
void WriteHeapProfile(BenchThread& thread);

// Without the database (workload_filter.cc, workload_codec.cc).
void AskFilters(BenchThread& thread);
void Checksum(BenchThread& thread);
void LoadPointer(BenchThread& thread);
void SnappyCompress(BenchThread& thread);
void SnappyUncompress(BenchThread& thread);
void ZstdCompress(BenchThread& thread);
void ZstdUncompress(BenchThread& thread);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_WORKLOADS_H_
