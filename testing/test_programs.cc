#include "testing/test_programs.h"

#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

bool HaveStockLibrary() {
  return *BUSHSTORE_STOCK_LIBRARY_DIR != '\0';
}

Arguments DriverCommand(const Arguments& words) {
  Arguments command = {BUSHSTORE_DB_DRIVER_PROGRAM};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

Environment DriverEnvironment(Library library) {
  return {{"LD_LIBRARY_PATH",
           library == Library::kOurs ? BUSHSTORE_LIBRARY_DIR : BUSHSTORE_STOCK_LIBRARY_DIR}};
}

Finished RunDriver(Library library, const Arguments& words) {
  return RunToEnd(DriverCommand(words), DriverEnvironment(library));
}

Arguments TierWriterCommand(const Arguments& words) {
  Arguments command = {BUSHSTORE_TIER_WRITER_PROGRAM};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

Finished RunParseCheck(const std::string& db_path, const std::string& dump_path, bool reverse) {
  Arguments command = {BUSHSTORE_PYTHON3, TestData("formats/parse_check.py"), db_path, dump_path};
  if (reverse) {
    command.push_back("reverse");
  }
  return RunToEnd(command);
}

}  // namespace testkit
}  // namespace leveldb
