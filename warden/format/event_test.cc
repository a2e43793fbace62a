#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "warden/format/data_type.h"
#include "warden/format/event_message.h"
#include "warden/format/golden_for_test.h"
#include "warden/format/record.h"
#include "warden/format/wire.h"

namespace warden::format {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return hex;
}

// A whole record of a tensor with these bytes.
std::string TensorRecord(TensorEventHeader header, std::string_view content) {
  header.content_size = content.size();
  std::string record;
  std::string tail;
  const uint64_t size = EncodeTensorRecord(header, &record, &tail);
  record += content;
  record += tail;
  EXPECT_EQ(record.size(), size);
  return record;
}

// A view of the record, which therefore must be no temporary.
Event MustParse(std::string&& record, Check check = Check::kFast) = delete;
Event MustParse(const std::string& record, Check check = Check::kFast) {
  const Result<Bytes> payload = ParseRecord(AsBytes(record), 0, check);
  EXPECT_TRUE(payload.ok()) << payload.status().message();
  Result<Event> event = ParseEvent(payload.value());
  EXPECT_TRUE(event.ok()) << event.status().message();
  return event.ok() ? std::move(event).value() : Event();
}

// The record that the event was read from, if it is one that a hook wrote.
std::string Encode(const Event& event) {
  const EventValue& value = event.values.at(0);
  TensorEventHeader header{.wall_time = event.wall_time,
                           .step = event.step,
                           .tag = value.tag,
                           .mode = value.mode.value_or(Mode::kGlobal),
                           .mode_step = value.mode_step.value_or(event.step),
                           .dtype = value.dtype,
                           .shape = value.shape};
  if (value.dtype != DType::kString) return TensorRecord(header, AsText(value.data()));
  std::string record;
  EncodeStringRecord(header, std::vector<std::string>(value.strings.begin(), value.strings.end()),
                     &record);
  return record;
}

TEST(TensorRecord, IsTheOriginalsByteForByte) {
  const int64_t shape[] = {1, 2};
  const float values[] = {1.5, -2.0};
  const std::string record = TensorRecord({.wall_time = 1700000000.25,
                                           .step = 7,
                                           .tag = "a/b:0",
                                           .mode = Mode::kTrain,
                                           .mode_step = 3,
                                           .dtype = DType::kFloat32,
                                           .shape = shape},
                                          AsText(std::as_bytes(std::span(values))));
  EXPECT_EQ(Hex(record),
            "5d00000000000000615bbbb9"
            "0900001040fc54d941"
            "1007"
            "2a50"
            "0a4e"
            "0a05612f623a30"
            "4228"
            "0801"
            "121a120b08011207612f623a305f31120b08021207612f623a305f32"
            "22080000c03f000000c0"
            "4a1b"
            "0a0e0a096d6f64655f73746570120133"
            "0a090a046d6f6465120131"
            "b3c02d06");
  EXPECT_EQ(record.size(), 109u);
}

TEST(TensorRecord, AppendsToItsBuffers) {
  std::string head = "head";
  std::string tail = "tail";
  EncodeTensorRecord({.tag = "t"}, &head, &tail);
  EXPECT_TRUE(head.starts_with("head"));
  EXPECT_TRUE(tail.starts_with("tail"));
}

TEST(TensorRecord, ScalarHasAnEmptyShape) {
  const double value = 3;
  const std::string record = TensorRecord({.tag = "t", .dtype = DType::kFloat64},
                                          AsText(std::as_bytes(std::span(&value, 1))));
  EXPECT_NE(Hex(record).find("0802120022080000000000000840"), std::string::npos);
  const Event event = MustParse(record);
  ASSERT_EQ(event.values.size(), 1u);
  EXPECT_TRUE(event.values[0].shape.empty());
  EXPECT_EQ(event.values[0].data().size(), 8u);
}

TEST(TensorRecord, ZerosAreLeftOutButNotTheModeStep) {
  const std::string record = TensorRecord({.tag = "t", .mode = Mode::kGlobal}, "abcd");
  EXPECT_EQ(Hex(record).substr(24, 2), "2a");  // Neither wall time nor step.
  EXPECT_NE(record.find("mode_step\x12\x01"
                        "0"),
            std::string::npos);
}

TEST(TensorRecord, StringsHaveNoType) {
  const std::vector<std::string> values = {"ab", "c"};
  std::string record;
  EncodeStringRecord({.step = 1, .tag = "tag", .mode = Mode::kEval, .mode_step = 1}, values,
                     &record);
  EXPECT_NE(Hex(record).find("120b1209080212057461675f32"
                             "42026162"
                             "420163"),
            std::string::npos);
  const Event event = MustParse(record);
  ASSERT_EQ(event.values.size(), 1u);
  EXPECT_EQ(event.values[0].dtype, DType::kString);
  EXPECT_EQ(event.values[0].shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(event.values[0].strings, (std::vector<std::string_view>{"ab", "c"}));
  EXPECT_EQ(event.values[0].mode, Mode::kEval);
}

TEST(TensorRecord, EmptyTensors) {
  const int64_t shape[] = {0, 3};
  const std::string numbers = TensorRecord({.tag = "t", .shape = shape}, "");
  const Event event = MustParse(numbers);
  EXPECT_EQ(event.values.at(0).shape, (std::vector<int64_t>{0, 3}));
  EXPECT_TRUE(event.values[0].data().empty());
  std::string strings;
  EncodeStringRecord({.tag = "t"}, {}, &strings);
  EXPECT_EQ(MustParse(strings).values.at(0).dtype, DType::kString);
}

TEST(TensorRecord, LongAndNegativeNumbers) {
  const std::string tag(300, 't');
  const TensorEventHeader header{.wall_time = -0.0, .step = -1, .tag = tag, .mode_step = -7};
  const std::string record = TensorRecord(header, "abcd");
  const Event event = MustParse(record);
  EXPECT_TRUE(std::signbit(event.wall_time));
  EXPECT_EQ(event.step, -1);
  EXPECT_EQ(event.values.at(0).tag, tag);
  EXPECT_EQ(event.values[0].mode_step, -7);
}

TEST(TensorRecord, RandomTensorsOfAllTypesRoundTrip) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const DType dtype = kAllDTypes[random() % (kAllDTypes.size() - 1)];
    std::vector<int64_t> shape(random() % 5);
    size_t size = DTypeSize(dtype);
    for (int64_t& dim : shape) size *= static_cast<size_t>(dim = random() % 8);
    std::string content(size, '\0');
    for (char& c : content) c = static_cast<char>(random());
    const std::string tag(random() % 200, 'x');
    const TensorEventHeader header{.wall_time = std::ldexp(static_cast<double>(random()), -32),
                                   .step = static_cast<Step>(random() >> (random() % 64)),
                                   .tag = tag,
                                   .mode = kAllModes[random() % 4],
                                   .mode_step = static_cast<Step>(random() >> (random() % 64)),
                                   .dtype = dtype,
                                   .shape = shape};
    const std::string record = TensorRecord(header, content);
    const Event event = MustParse(record);
    ASSERT_EQ(event.values.size(), 1u);
    const EventValue& value = event.values[0];
    EXPECT_EQ(event.wall_time, header.wall_time);
    EXPECT_EQ(event.step, header.step);
    EXPECT_EQ(value.tag, tag);
    EXPECT_EQ(value.mode, header.mode);
    EXPECT_EQ(value.mode_step, header.mode_step);
    EXPECT_EQ(value.dtype, dtype);
    EXPECT_EQ(value.shape, shape);
    EXPECT_EQ(AsText(value.data()), content);
    // Not copied: a view into the record.
    if (size > 0) {
      EXPECT_GE(AsText(value.data()).data(), record.data());
    }
    ASSERT_EQ(Encode(event), record);
  }
}

TEST(Golden, EveryTensorRecordComesBackByteForByte) {
  int records = 0;
  for (const auto& path : GoldenFiles("events")) {
    const std::string file = ReadWhole(path);
    RecordReader reader(AsBytes(file));
    while (!reader.done()) {
      const uint64_t start = reader.offset();
      const Result<Bytes> payload = reader.Next();
      ASSERT_TRUE(payload.ok()) << path << ": " << payload.status().message();
      const Result<Event> event = ParseEvent(payload.value());
      ASSERT_TRUE(event.ok()) << path << ": " << event.status().message();
      ASSERT_EQ(event.value().values.size(), 1u);
      EXPECT_EQ(Encode(event.value()), file.substr(start, reader.offset() - start)) << path;
      ++records;
    }
  }
  EXPECT_GT(records, 1000);
}

TEST(Golden, EveryTensorBoardRecordComesBackByteForByte) {
  int scalars = 0;
  int histograms = 0;
  for (const auto& path : GoldenFiles("tensorboard")) {
    const std::string file = ReadWhole(path);
    RecordReader reader(AsBytes(file), Check::kFull);
    while (!reader.done()) {
      const uint64_t start = reader.offset();
      const Result<Bytes> payload = reader.Next();
      ASSERT_TRUE(payload.ok()) << path << ": " << payload.status().message();
      const Result<Event> event = ParseEvent(payload.value());
      ASSERT_TRUE(event.ok()) << path << ": " << event.status().message();
      const EventValue& value = event.value().values.at(0);
      std::string record;
      if (value.kind == EventValue::Kind::kScalar) {
        ++scalars;
        EncodeScalarRecord(event.value().wall_time, event.value().step, value.tag, value.scalar,
                           &record);
      } else {
        ++histograms;
        ASSERT_EQ(value.kind, EventValue::Kind::kHistogram);
        EncodeHistogramRecord(event.value().wall_time, event.value().step, value.tag,
                              {.min = value.min,
                               .max = value.max,
                               .num = value.num,
                               .sum = value.sum,
                               .sum_squares = value.sum_squares,
                               .limits = value.limits,
                               .counts = value.counts},
                              &record);
      }
      EXPECT_EQ(record, file.substr(start, reader.offset() - start)) << path;
    }
  }
  EXPECT_GT(scalars, 0);
  EXPECT_GT(histograms, 0);
}

TEST(CleanTag, ReplacesWhatTensorBoardDoesNotTake) {
  EXPECT_EQ(CleanTag("/a b:0/c(d)"), "a_b_0/c_d_");
  EXPECT_EQ(CleanTag("//x-1.y_Z"), "x-1.y_Z");
  EXPECT_EQ(CleanTag("///"), "");
  EXPECT_EQ(CleanTag("caf\u00e9"), "caf\u00e9");
}

TEST(TensorBoardRecord, ZeroScalarIsPresent) {
  std::string record;
  EncodeScalarRecord(1, 2, "t", 0, &record);
  const Event event = MustParse(record, Check::kFull);
  ASSERT_EQ(event.values.size(), 1u);
  EXPECT_EQ(event.values[0].kind, EventValue::Kind::kScalar);
  EXPECT_EQ(event.values[0].scalar, 0);
}

}  // namespace
}  // namespace warden::format
