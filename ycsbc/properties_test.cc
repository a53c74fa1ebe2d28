#include "ycsbc/properties.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "ycsbc/core_workload.h"
#include "ycsbc/property_reader.h"

namespace leveldb::ycsbc {
namespace {

TEST(PropertiesTest, LinesCommentsAndSpace) {
  Properties properties;
  EXPECT_EQ("", properties.AddText("# a comment\n"
                                   "\n"
                                   "  recordcount = 1000 \r\n"
                                   "\tworkload=site.ycsb.workloads.CoreWorkload\n"
                                   "   # another = one\n"
                                   "empty=\n"
                                   "equation=a=b\n"
                                   "last=yes",
                                   "w"));
  EXPECT_EQ(5u, properties.entries().size());
  EXPECT_EQ("1000", properties.Find("recordcount")->value);
  EXPECT_EQ("w:3", properties.Find("recordcount")->place);
  EXPECT_EQ("site.ycsb.workloads.CoreWorkload", properties.Find("workload")->value);
  EXPECT_EQ("", properties.Find("empty")->value);
  EXPECT_EQ("a=b", properties.Find("equation")->value);
  EXPECT_EQ("yes", properties.Find("last")->value);
  EXPECT_EQ(nullptr, properties.Find("another"));
}

TEST(PropertiesTest, TheLaterCountsAndTheCommandLineMost) {
  Properties properties;
  EXPECT_EQ("", properties.AddText("a=1\na=2\nb=1\n", "one"));
  EXPECT_EQ("", properties.AddArgument("c=7"));
  EXPECT_EQ("", properties.AddText("b=2\nc=2\n", "two"));
  EXPECT_EQ("2", properties.Find("a")->value);
  EXPECT_EQ("2", properties.Find("b")->value);
  EXPECT_EQ("7", properties.Find("c")->value);
  EXPECT_EQ("", properties.AddArgument(" c = 8 "));
  EXPECT_EQ("8", properties.Find("c")->value);
}

TEST(PropertiesTest, WhatIsNoPropertyIsTold) {
  Properties properties;
  EXPECT_EQ("w:2: a property is name=value, and \"nothing\" is not",
            properties.AddText("a=1\nnothing\n", "w"));
  EXPECT_EQ("w:1: a property is name=value, and \"=3\" is not", properties.AddText("=3", "w"));
  EXPECT_EQ("-p takes name=value, and \"threads\" is not that", properties.AddArgument("threads"));
}

TEST(PropertiesTest, Files) {
  const std::string path =
      testing::TempDir() + "/properties_test." + std::to_string(getpid()) + ".txt";
  std::ofstream(path) << "recordcount=5\n";
  Properties properties;
  EXPECT_EQ("", properties.AddFile(path));
  EXPECT_EQ(path + ":1", properties.Find("recordcount")->place);
  std::remove(path.c_str());
  EXPECT_EQ("cannot read the property file " + path + ": No such file or directory",
            properties.AddFile(path));
  EXPECT_EQ("cannot read the property file /: Is a directory", properties.AddFile("/"));
}

TEST(EditDistanceTest, CountsChanges) {
  EXPECT_EQ(0u, EditDistance("abc", "abc"));
  EXPECT_EQ(3u, EditDistance("", "abc"));
  EXPECT_EQ(3u, EditDistance("abc", ""));
  EXPECT_EQ(1u, EditDistance("recordcout", "recordcount"));
  EXPECT_EQ(3u, EditDistance("kitten", "sitting"));
}

// Returns the error of the core workload of these lines, with a line for the records before them.
std::string MistakeOf(const std::string& text) {
  Properties properties;
  const std::string mistake = properties.AddText("recordcount=1000\n" + text, "w");
  if (!mistake.empty()) return mistake;
  PropertyReader reader(properties);
  ReadCoreWorkload(&reader);
  return reader.mistake().empty() ? reader.FindUnknown() : reader.mistake();
}

TEST(CoreWorkloadTest, EveryMistakeIsOneSentence) {
  const struct {
    const char* text;
    const char* sentence;
  } cases[] = {
      {"recordcout=7", "there is no property \"recordcout\" (w:2); the nearest is \"recordcount\""},
      {"fieldlenght=7",
       "there is no property \"fieldlenght\" (w:2); the nearest is "
       "\"fieldlength\""},
      {"operationcount=many",
       "operationcount must be a whole number from 1 to 1000000000000, and is \"many\" (w:2)"},
      {"operationcount=-1",
       "operationcount must be a whole number from 1 to 1000000000000, and is \"-1\" (w:2)"},
      {"operationcount=1e3",
       "operationcount must be a whole number from 1 to 1000000000000, and is \"1e3\" (w:2)"},
      {"operationcount=99999999999999999999",
       "operationcount must be a whole number from 1 to 1000000000000, and is "
       "\"99999999999999999999\" (w:2)"},
      {"recordcount=0",
       "recordcount must be a whole number from 1 to 4000000000, and is \"0\" "
       "(w:2)"},
      {"recordcount=",
       "recordcount must be a whole number from 1 to 4000000000, and is \"\" "
       "(w:2)"},
      {"fieldcount=0", "fieldcount must be a whole number from 1 to 10000, and is \"0\" (w:2)"},
      {"fieldlength=7",
       "fieldlength must be a whole number from 8 to 67108864, and is \"7\" (w:2)"},
      {"fieldcount=1000\nfieldlength=67108864",
       "fieldcount * fieldlength must be at most 1073741824"},
      {"minfieldlength=200",
       "minfieldlength must be a whole number from 8 to 100, and is \"200\" (w:2)"},
      {"field_len_dist=normal",
       "field_len_dist must be constant, uniform or zipfian, and is \"normal\" (w:2)"},
      {"readallfields=yes", "readallfields must be false or true, and is \"yes\" (w:2)"},
      {"writeallfields=TRUE", "writeallfields must be false or true, and is \"TRUE\" (w:2)"},
      {"readproportion=1.5", "readproportion must be a number from 0 to 1, and is \"1.5\" (w:2)"},
      {"readproportion=nan", "readproportion must be a number from 0 to 1, and is \"nan\" (w:2)"},
      {"readproportion=0x1", "readproportion must be a number from 0 to 1, and is \"0x1\" (w:2)"},
      {"readproportion=0.5",
       "readproportion, updateproportion, insertproportion, scanproportion and "
       "readmodifywriteproportion must add up to 1, and add up to 0.550000"},
      {"requestdistribution=hotspot",
       "requestdistribution must be uniform, zipfian or latest, and is \"hotspot\" (w:2)"},
      {"zipfianvalue=-0.1", "zipfianvalue must be a number from 0 to 2, and is \"-0.1\" (w:2)"},
      {"maxscanlength=0",
       "maxscanlength must be a whole number from 1 to 1000000, and is \"0\" (w:2)"},
      {"maxscanlength=5\nminscanlength=6",
       "minscanlength must be a whole number from 1 to 5, and is \"6\" (w:3)"},
      {"scanlengthdistribution=latest",
       "scanlengthdistribution must be uniform or zipfian, and is \"latest\" (w:2)"},
      {"insertorder=random", "insertorder must be ordered or hashed, and is \"random\" (w:2)"},
      {"insertstart=1000", "insertstart must be less than recordcount, which is 1000"},
      {"insertstart=1000\ninsertcount=5",
       "insertstart must be less than recordcount, which is 1000"},
      {"insertstart=10\ninsertcount=991",
       "insertcount must be a whole number from 1 to 990, and is \"991\" (w:3)"},
      {"zeropadding=101", "zeropadding must be a whole number from 1 to 100, and is \"101\" (w:2)"},
      {"workload=site.ycsb.workloads.TimeSeriesWorkload",
       "workload must be the core workload, site.ycsb.workloads.CoreWorkload, and is "
       "\"site.ycsb.workloads.TimeSeriesWorkload\""},
  };
  for (const auto& bad : cases) EXPECT_EQ(bad.sentence, MistakeOf(bad.text));
}

TEST(CoreWorkloadTest, WithoutRecordsThereIsNothingToDo) {
  const Properties none;
  PropertyReader reader(none);
  ReadCoreWorkload(&reader);
  EXPECT_EQ(0u, reader.mistake().find("recordcount is missing"));
}

TEST(CoreWorkloadTest, EveryPropertyIsTaken) {
  Properties properties;
  EXPECT_EQ("", properties.AddText("recordcount=5000\n"
                                   "operationcount=70\n"
                                   "workload=com.yahoo.ycsb.workloads.CoreWorkload\n"
                                   "table=usertable\n"
                                   "measurementtype=histogram\n"
                                   "fieldcount=3\n"
                                   "fieldlength=50\n"
                                   "minfieldlength=9\n"
                                   "field_len_dist=zipfian\n"
                                   "readallfields=false\n"
                                   "writeallfields=true\n"
                                   "readproportion=0.1\n"
                                   "updateproportion=0.2\n"
                                   "insertproportion=0.3\n"
                                   "scanproportion=.15\n"
                                   "readmodifywriteproportion=0.25\n"
                                   "requestdistribution=latest\n"
                                   "zipfianvalue=1.1\n"
                                   "maxscanlength=90\n"
                                   "minscanlength=2\n"
                                   "scanlengthdistribution=zipfian\n"
                                   "insertorder=ordered\n"
                                   "insertstart=1000\n"
                                   "insertcount=500\n"
                                   "zeropadding=12\n",
                                   "w"));
  PropertyReader reader(properties);
  const CoreWorkload workload = ReadCoreWorkload(&reader);
  EXPECT_EQ("", reader.mistake());
  EXPECT_EQ("", reader.FindUnknown());
  EXPECT_EQ(5000u, workload.record_count);
  EXPECT_EQ(1000u, workload.insert_start);
  EXPECT_EQ(500u, workload.insert_count);
  EXPECT_EQ(70u, workload.operation_count);
  EXPECT_EQ(3u, workload.field_count);
  EXPECT_EQ(50u, workload.field_length);
  EXPECT_EQ(9u, workload.field_length_min);
  EXPECT_EQ(Distribution::kZipfian, workload.field_length_distribution);
  EXPECT_FALSE(workload.read_all_fields);
  EXPECT_TRUE(workload.write_all_fields);
  EXPECT_EQ(0.1, workload.proportion(Operation::kRead));
  EXPECT_EQ(0.2, workload.proportion(Operation::kUpdate));
  EXPECT_EQ(0.3, workload.proportion(Operation::kInsert));
  EXPECT_EQ(0.15, workload.proportion(Operation::kScan));
  EXPECT_EQ(0.25, workload.proportion(Operation::kReadModifyWrite));
  EXPECT_EQ(Distribution::kLatest, workload.request_distribution);
  EXPECT_EQ(1.1, workload.zipfian_value);
  EXPECT_EQ(90u, workload.scan_length_max);
  EXPECT_EQ(2u, workload.scan_length_min);
  EXPECT_EQ(Distribution::kZipfian, workload.scan_length_distribution);
  EXPECT_FALSE(workload.hashed_keys);
  EXPECT_EQ(12u, workload.zero_padding);
  EXPECT_EQ("latest", reader.values().at("requestdistribution"));
  EXPECT_EQ("zipfian", reader.values().at("field_len_dist"));
  EXPECT_EQ("0.25", reader.values().at("readmodifywriteproportion"));
}

TEST(PropertyReaderTest, SizesAndWords) {
  Properties properties;
  EXPECT_EQ("", properties.AddText("size=64K\nsmall=1\nflag=1\nname= a b \n", "w"));
  PropertyReader reader(properties);
  uint64_t bytes = 5;
  bool flag = false;
  std::string name;
  uint64_t absent = 9;
  reader.ReadSize("size", &bytes, 0, 1 << 20);
  reader.Read("flag", &flag);
  reader.Read("name", &name);
  reader.ReadSize("absent", &absent, 0, 10);
  EXPECT_EQ("", reader.mistake());
  EXPECT_EQ(uint64_t{64} << 10, bytes);
  EXPECT_TRUE(flag);
  EXPECT_EQ("a b", name);
  EXPECT_EQ(9u, absent);
  EXPECT_EQ("65536", reader.values().at("size"));
  reader.ReadSize("small", &bytes, 1024, 1 << 20);
  EXPECT_EQ(
      "small must be a number of bytes (also with K, M or G) from 1 KiB to 1 MiB, and is "
      "\"1\" (w:2)",
      reader.mistake());
  EXPECT_EQ(uint64_t{64} << 10, bytes) << "a wrong property changes nothing";
}

}  // namespace
}  // namespace leveldb::ycsbc
