#include "db/env_without_rtti.h"

#ifdef __GXX_RTTI
#error "compile this file with -fno-rtti"
#endif

namespace leveldb {

namespace {

class ForwardingFile final : public RandomAccessFile {
 public:
  explicit ForwardingFile(RandomAccessFile* target) : target_(target) {}

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    return target_->Read(offset, n, result, scratch);
  }

 private:
  const std::unique_ptr<RandomAccessFile> target_;
};

class EnvWithoutRtti final : public EnvWrapper {
 public:
  explicit EnvWithoutRtti(Env* base) : EnvWrapper(base) {}

  Status NewRandomAccessFile(const std::string& name, RandomAccessFile** result) override {
    RandomAccessFile* file = nullptr;
    const Status status = target()->NewRandomAccessFile(name, &file);
    *result = status.ok() ? new ForwardingFile(file) : nullptr;
    return status;
  }
};

}  // namespace

std::unique_ptr<Env> NewEnvWithoutRtti(Env* base) {
  return std::make_unique<EnvWithoutRtti>(base);
}

}  // namespace leveldb
