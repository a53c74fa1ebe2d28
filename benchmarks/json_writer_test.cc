#include "benchmarks/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "benchmarks/json_check.h"

namespace leveldb::bench {
namespace {

TEST(JsonWriterTest, NestsAndSeparates) {
  JsonWriter json;
  json.BeginObject();
  json.Key("a");
  json.Number(1);
  json.Key("b");
  json.BeginArray();
  json.String("x");
  json.Bool(true);
  json.BeginObject();
  json.EndObject();
  json.BeginArray();
  json.EndArray();
  json.EndArray();
  json.Key("c");
  json.Number(0.25);
  json.EndObject();
  EXPECT_EQ(
      "{\n"
      "  \"a\": 1,\n"
      "  \"b\": [\n"
      "    \"x\",\n"
      "    true,\n"
      "    {},\n"
      "    []\n"
      "  ],\n"
      "  \"c\": 0.25\n"
      "}\n",
      json.text());
  EXPECT_TRUE(IsJson(json.text()));
}

TEST(JsonWriterTest, EscapesWhatJsonCannotHold) {
  JsonWriter json;
  json.BeginArray();
  json.String("say \"hi\" \\ \n\t\x01");
  json.EndArray();
  EXPECT_EQ("[\n  \"say \\\"hi\\\" \\\\ \\u000a\\u0009\\u0001\"\n]\n", json.text());
  EXPECT_TRUE(IsJson(json.text()));
}

TEST(JsonWriterTest, Numbers) {
  JsonWriter json;
  json.BeginArray();
  json.Number(std::numeric_limits<int64_t>::min());
  json.Number(std::numeric_limits<uint64_t>::max());
  json.Number(1e-7);
  json.Number(std::nan(""));
  json.Number(HUGE_VAL);
  json.EndArray();
  EXPECT_EQ("[\n  -9223372036854775808,\n  18446744073709551615,\n  1e-07,\n  null,\n  null\n]\n",
            json.text());
  EXPECT_TRUE(IsJson(json.text()));
}

// The check that these tests use must refuse text that is not JSON.
TEST(JsonCheckTest, RefusesMistakes) {
  EXPECT_TRUE(IsJson(" {\"a\": [1, -2.5e3, null, \"\\u00ff\"]} "));
  for (const char* text : {"", "{", "{]", "[1,]", "{\"a\" 1}", "{\"a\":1,}", "[01x]", "\"open",
                           "[1] 2", "[\"\n\"]", "{a:1}", "nul"}) {
    EXPECT_FALSE(IsJson(text)) << text;
  }
}

}  // namespace
}  // namespace leveldb::bench
