// Follows the ELF specification: the dynamic section names the tables of symbols, strings and
// relocations; a relocation of the kinds below is a word that holds the address of its symbol.
// Imports that the loader has bound at load time are read-only from then on, in whole pages of
// PT_GNU_RELRO, which are made writable for the store.

#include "port/import_binding.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace leveldb {

namespace {

#if defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))

#if defined(__x86_64__)
constexpr uint64_t kJumpSlot = R_X86_64_JUMP_SLOT;
constexpr uint64_t kGlobalData = R_X86_64_GLOB_DAT;
#else
constexpr uint64_t kJumpSlot = R_AARCH64_JUMP_SLOT;
constexpr uint64_t kGlobalData = R_AARCH64_GLOB_DAT;
#endif

// A half-open range of addresses.
struct Range {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool Contains(uintptr_t address) const { return address >= begin && address < end; }
};

class LoadedLibrary {
 public:
  explicit LoadedLibrary(const dl_phdr_info& info) : LoadedLibrary(info.dlpi_addr) {
    for (int i = 0; i < info.dlpi_phnum; i++) {
      const ElfW(Phdr)& header = info.dlpi_phdr[i];
      if (header.p_type == PT_GNU_RELRO) {
        read_only_ = {PageOf(RangeOf(header).begin), PageOf(RangeOf(header).end)};
      }
      if (header.p_type == PT_DYNAMIC) ReadDynamic(RangeOf(header).begin);
    }
  }

  static bool Contains(const dl_phdr_info& info, uintptr_t address) {
    const LoadedLibrary library(info.dlpi_addr);
    for (int i = 0; i < info.dlpi_phnum; i++) {
      const ElfW(Phdr)& header = info.dlpi_phdr[i];
      if (header.p_type == PT_LOAD && library.RangeOf(header).Contains(address)) return true;
    }
    return false;
  }

  bool Bind(const char* name, const void* function) const {
    if (symbols_ == nullptr || names_ == nullptr) return false;
    const bool has_jump_slots = BindIn(jump_slots_, kJumpSlot, name, function);
    const bool has_data = BindIn(relocations_, kGlobalData, name, function);
    return has_jump_slots || has_data;
  }

 private:
  explicit LoadedLibrary(uintptr_t base)
      : base_(base), page_size_(static_cast<uintptr_t>(sysconf(_SC_PAGESIZE))) {}

  uintptr_t PageOf(uintptr_t address) const { return address / page_size_ * page_size_; }

  Range RangeOf(const ElfW(Phdr) & header) const {
    return Range{base_ + header.p_vaddr, base_ + header.p_vaddr + header.p_memsz};
  }

  // glibc has converted file offsets to addresses here; other C libraries have not.
  uintptr_t Address(const ElfW(Dyn) & entry) const {
    return entry.d_un.d_ptr < base_ ? base_ + entry.d_un.d_ptr : entry.d_un.d_ptr;
  }

  void ReadDynamic(uintptr_t address) {
    uint64_t jump_slots_bytes = 0;
    uint64_t relocations_bytes = 0;
    for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(address); entry->d_tag != DT_NULL;
         entry++) {
      switch (entry->d_tag) {
        case DT_SYMTAB:
          symbols_ = reinterpret_cast<const ElfW(Sym)*>(Address(*entry));
          break;
        case DT_STRTAB:
          names_ = reinterpret_cast<const char*>(Address(*entry));
          break;
        case DT_JMPREL:
          jump_slots_.begin = Address(*entry);
          break;
        case DT_PLTRELSZ:
          jump_slots_bytes = entry->d_un.d_val;
          break;
        case DT_RELA:
          relocations_.begin = Address(*entry);
          break;
        case DT_RELASZ:
          relocations_bytes = entry->d_un.d_val;
          break;
        default:
          break;
      }
    }
    jump_slots_.end = jump_slots_.begin + jump_slots_bytes;
    relocations_.end = relocations_.begin + relocations_bytes;
  }

  bool BindIn(const Range& table, uint64_t kind, const char* name, const void* function) const {
    bool bound = false;
    for (uintptr_t at = table.begin; at < table.end; at += sizeof(ElfW(Rela))) {
      const auto* const entry = reinterpret_cast<const ElfW(Rela)*>(at);
      if (ELF64_R_TYPE(entry->r_info) != kind) continue;
      const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(entry->r_info)];
      if (strcmp(names_ + symbol.st_name, name) != 0) continue;
      bound |= Store(base_ + entry->r_offset, function);
    }
    return bound;
  }

  bool Store(uintptr_t slot, const void* function) const {
    void* const page = reinterpret_cast<void*>(PageOf(slot));
    const bool is_read_only = read_only_.Contains(slot);
    if (is_read_only && mprotect(page, page_size_, PROT_READ | PROT_WRITE) != 0) return false;
    __atomic_store_n(reinterpret_cast<const void**>(slot), function, __ATOMIC_RELEASE);
    if (is_read_only) static_cast<void>(mprotect(page, page_size_, PROT_READ));
    return true;
  }

  const uintptr_t base_;
  const uintptr_t page_size_;
  Range read_only_;
  Range jump_slots_;
  Range relocations_;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
};

struct Request {
  uintptr_t inside_library;
  const char* name;
  const void* function;
  bool is_bound;
};

int BindIfIsAsked(dl_phdr_info* info, size_t /*info_bytes*/, void* arg) {
  auto* const request = static_cast<Request*>(arg);
  if (!LoadedLibrary::Contains(*info, request->inside_library)) return 0;
  request->is_bound = LoadedLibrary(*info).Bind(request->name, request->function);
  return 1;
}

#endif

}  // namespace

bool BindImport(const void* inside_library, const char* name, const void* function) {
#if defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
  Request request{reinterpret_cast<uintptr_t>(inside_library), name, function, false};
  dl_iterate_phdr(&BindIfIsAsked, &request);
  return request.is_bound;
#else
  static_cast<void>(inside_library);
  static_cast<void>(name);
  static_cast<void>(function);
  return false;
#endif
}

}  // namespace leveldb
