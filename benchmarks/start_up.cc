// A program that links the library and does next to nothing with it: what it takes to start is what
// the library costs everybody. pmem_figures.py runs it with this library and with Debian's.
#include "leveldb/c.h"

int main() {
  return leveldb_major_version() == 1 ? 0 : 1;
}
