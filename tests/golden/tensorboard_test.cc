// The recorded TensorBoard files: every record with its true checksum, every scalar and histogram.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "warden/base/checkout_for_test.h"
#include "warden/base/json.h"
#include "warden/format/event_message.h"
#include "warden/format/record.h"
#include "warden/storage/store.h"

namespace warden::format {
namespace {

const std::string kRun = SourceFile("tests/golden/pt_tensorboard/");

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void Compare(const EventValue& value, const Json& wanted) {
  EXPECT_EQ(value.tag, wanted["tag"].get<std::string>());
  if (wanted["kind"] == "simple_value") {
    ASSERT_EQ(value.kind, EventValue::Kind::kScalar);
    EXPECT_EQ(value.scalar, wanted["value"].get<float>());
    return;
  }
  ASSERT_EQ(value.kind, EventValue::Kind::kHistogram);
  const Json& histogram = wanted["histo"];
  EXPECT_EQ(value.min, histogram["min"].get<double>());
  EXPECT_EQ(value.max, histogram["max"].get<double>());
  EXPECT_EQ(value.num, histogram["num"].get<double>());
  EXPECT_EQ(value.sum, histogram["sum"].get<double>());
  EXPECT_EQ(value.sum_squares, histogram["sum_squares"].get<double>());
  EXPECT_EQ(value.counts.size(), histogram["n_buckets"].get<size_t>());
  EXPECT_EQ(value.limits.size(), value.counts.size());
  for (const Json& bucket : histogram["nonzero_buckets"]) {
    const auto place = bucket[0].get<size_t>();
    EXPECT_EQ(value.limits.at(place), bucket[1].get<double>());
    EXPECT_EQ(value.counts.at(place), bucket[2].get<double>());
  }
}

TEST(TensorBoardGolden, AllRecords) {
  const Json expected = ParseJson(ReadText(kRun + "expected.json")).value();
  auto store = storage::OpenStore(kRun + "trial/tensorboard").value();
  int files = 0;
  for (const auto& [key, same_step] : expected["tensorboard"].items()) {
    for (const Json& wanted : same_step) {
      const auto file = store->ReadAll(wanted["file"].get<std::string>());
      ASSERT_TRUE(file.ok()) << file.status().message();
      RecordReader reader(file.value().bytes, Check::kFull);
      for (const Json& event : wanted["events"]) {
        const auto payload = reader.Next();
        ASSERT_TRUE(payload.ok()) << payload.status().message();
        const auto parsed = ParseEvent(payload.value());
        ASSERT_TRUE(parsed.ok()) << parsed.status().message();
        EXPECT_EQ(parsed.value().step, event["step"].get<Step>());
        ASSERT_EQ(parsed.value().values.size(), event["values"].size());
        for (size_t i = 0; i < event["values"].size(); ++i) {
          Compare(parsed.value().values[i], event["values"][i]);
        }
      }
      EXPECT_TRUE(reader.done());
      ++files;
    }
  }
  EXPECT_GT(files, 3);
}

}  // namespace
}  // namespace warden::format
