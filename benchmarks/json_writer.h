// JsonWriter writes JSON text, from the outermost value inwards.
#ifndef BUSHSTORE_BENCHMARKS_JSON_WRITER_H_
#define BUSHSTORE_BENCHMARKS_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leveldb::bench {

// JsonWriter writes members in the order of the calls. Not thread-safe.
//
//   JsonWriter json;
//   json.BeginObject();
//   json.Key("name");
//   json.String("fillseq");
//   json.EndObject();
//   use(json.text());
class JsonWriter {
 public:
  void BeginObject() { Begin('{'); }
  void EndObject() { End('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { End(']'); }

  // Writes the name of the next member. REQUIRES: inside an object.
  void Key(std::string_view name);

  // Writes a value. Bytes that are not UTF-8 are not changed; control characters are escaped.
  void String(std::string_view value);
  void Number(int64_t value);
  void Number(uint64_t value);
  void Number(int value) { Number(static_cast<int64_t>(value)); }
  // Writes a number; infinities and NaN, which JSON does not have, become null.
  void Number(double value);
  void Bool(bool value);

  // Returns the text, which is complete when every Begin has its End.
  const std::string& text() const { return text_; }

 private:
  void Begin(char bracket);
  void End(char bracket);
  void Separate();
  void NewLine();
  void AppendQuoted(std::string_view value);

  std::string text_;
  int depth_ = 0;
  bool is_first_ = true;
  bool after_key_ = false;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_JSON_WRITER_H_
