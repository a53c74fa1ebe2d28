// A program that links the library and does next to nothing with it: its start-up time is the cost
// of the library for every program. pmem_figures.py runs it with this library and with Debian's.
#include "leveldb/c.h"

int main() {
  return leveldb_major_version() == 1 ? 0 : 1;
}
