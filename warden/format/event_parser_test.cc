// What hooks do not write but files from elsewhere may hold, and what no file should.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "warden/format/data_type.h"
#include "warden/format/event_message.h"
#include "warden/format/golden_for_test.h"
#include "warden/format/record.h"
#include "warden/format/wire.h"

namespace warden::format {
namespace {

std::string Nested(int field, std::string_view message) {
  std::string out;
  AppendBytesField(field, message, &out);
  return out;
}

std::string Varint(int field, uint64_t value) {
  std::string out;
  AppendVarintField(field, value, &out);
  return out;
}

// A shape field of a TensorProto.
std::string Shape(std::initializer_list<int64_t> sizes) {
  std::string shape;
  for (const int64_t size : sizes) shape += Nested(2, Varint(1, static_cast<uint64_t>(size)));
  return Nested(2, shape);
}

std::string Type(DType dtype) { return Varint(1, DataTypeNumber(dtype)); }

// An Event with one Value.
std::string ValueEvent(std::string_view value) { return Nested(5, Nested(1, value)); }

// An Event with one tensor.
std::string TensorEvent(std::string_view tensor) { return ValueEvent(Nested(8, tensor)); }

template <class T>
std::string Raw(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}

// The values of the only tensor in the event, as Ts.
template <class T>
std::vector<T> Values(std::string_view payload) {
  const Result<Event> event = ParseEvent(AsBytes(payload));
  EXPECT_TRUE(event.ok()) << event.status().message();
  if (!event.ok()) return {};
  const Bytes data = event.value().values.at(0).data();
  std::vector<T> values(data.size() / sizeof(T));
  std::memcpy(values.data(), data.data(), data.size());
  return values;
}

Code CodeOf(std::string_view payload) { return ParseEvent(AsBytes(payload)).status().code(); }

TEST(ListedValues, Floats) {
  const std::string start = Type(DType::kFloat32) + Shape({2});
  EXPECT_EQ(Values<float>(TensorEvent(start + Nested(5, Raw<float>({1.5, 2.5})))),
            (std::vector<float>{1.5, 2.5}));
  std::string unpacked = start;
  AppendFloatField(5, 1.5, &unpacked);
  AppendFloatField(5, 2.5, &unpacked);
  EXPECT_EQ(Values<float>(TensorEvent(unpacked)), (std::vector<float>{1.5, 2.5}));
  EXPECT_EQ(Values<double>(TensorEvent(Type(DType::kFloat64) + Shape({2}) +
                                       Nested(6, Raw<double>({1.5, 2.5})))),
            (std::vector<double>{1.5, 2.5}));
}

TEST(ListedValues, Integers) {
  std::string list;
  AppendVarint(static_cast<uint64_t>(int64_t{-5}), &list);
  AppendVarint(300, &list);
  EXPECT_EQ(Values<int32_t>(TensorEvent(Type(DType::kInt32) + Shape({2}) + Nested(7, list))),
            (std::vector<int32_t>{-5, 300}));
  EXPECT_EQ(Values<int64_t>(TensorEvent(Type(DType::kInt64) + Shape({2}) + Nested(10, list))),
            (std::vector<int64_t>{-5, 300}));
  EXPECT_EQ(Values<int16_t>(TensorEvent(Type(DType::kInt16) + Shape({2}) + Nested(7, list))),
            (std::vector<int16_t>{-5, 300}));
  EXPECT_EQ(Values<int8_t>(TensorEvent(Type(DType::kInt8) + Shape({1}) + Varint(7, 5))),
            (std::vector<int8_t>{5}));
}

TEST(ListedValues, UnsignedIntegersInTensorFlowsLaterFields) {
  // Fields 16 and 17 have tags of two bytes.
  const std::string four("\x82\x01\x01\x04", 4);
  const std::string five("\x88\x01\x05", 3);
  EXPECT_EQ(Values<uint32_t>(TensorEvent(Type(DType::kUInt32) + Shape({1}) + four)),
            (std::vector<uint32_t>{4}));
  EXPECT_EQ(Values<uint64_t>(TensorEvent(Type(DType::kUInt64) + Shape({1}) + five)),
            (std::vector<uint64_t>{5}));
}

TEST(ListedValues, BoolsHalvesAndComplex) {
  EXPECT_EQ(Values<uint8_t>(TensorEvent(Type(DType::kBool) + Shape({3}) +
                                        Nested(11, std::string("\x01\x00\x07", 3)))),
            (std::vector<uint8_t>{1, 0, 1}));
  for (const DType dtype : {DType::kFloat16, DType::kBFloat16}) {
    EXPECT_EQ(Values<uint16_t>(TensorEvent(Type(dtype) + Shape({}) + Varint(13, 0x3C00))),
              (std::vector<uint16_t>{0x3C00}));
  }
  EXPECT_EQ(Values<float>(
                TensorEvent(Type(DType::kComplex64) + Shape({1}) + Nested(9, Raw<float>({1, 2})))),
            (std::vector<float>{1, 2}));
  EXPECT_EQ(CodeOf(TensorEvent(Type(DType::kComplex64) + Shape({1}) + Nested(9, Raw<float>({1})))),
            Code::kCorrupt);
}

TEST(ListedValues, LastOneFillsTheRest) {
  EXPECT_EQ(Values<float>(
                TensorEvent(Type(DType::kFloat32) + Shape({2, 2}) + Nested(5, Raw<float>({7})))),
            (std::vector<float>{7, 7, 7, 7}));
  EXPECT_EQ(Values<double>(
                TensorEvent(Type(DType::kFloat64) + Shape({3}) + Nested(6, Raw<double>({1, 2})))),
            (std::vector<double>{1, 2, 2}));
}

TEST(ListedValues, FewBytesDoNotClaimMuchMemory) {
  const std::string ones = Nested(5, Raw<float>({1}));
  EXPECT_EQ(CodeOf(TensorEvent(Type(DType::kFloat32) + Shape({1 << 30}) + ones)), Code::kCorrupt);
  // Nor do many tensors that each stay within the limit.
  const std::string value = Nested(1, Nested(8, Type(DType::kFloat32) + Shape({200000}) + ones));
  EXPECT_TRUE(ParseEvent(AsBytes(Nested(5, value))).ok());
  EXPECT_EQ(CodeOf(Nested(5, value + value)), Code::kCorrupt);
}

TEST(ListedValues, TooManyOrNone) {
  const std::string start = Type(DType::kFloat32) + Shape({2});
  EXPECT_EQ(CodeOf(TensorEvent(start)), Code::kCorrupt);
  EXPECT_EQ(CodeOf(TensorEvent(start + Nested(5, Raw<float>({1, 2, 3})))), Code::kCorrupt);
  EXPECT_EQ(CodeOf(TensorEvent(start + Nested(5, "12345"))), Code::kCorrupt);
  EXPECT_EQ(CodeOf(TensorEvent(Type(DType::kInt32) + Shape({2}) + Nested(7, "\x80"))),
            Code::kCorrupt);
}

TEST(DataTypes, BothWays) {
  for (const DType dtype : kAllDTypes) {
    EXPECT_EQ(DTypeFromNumber(DataTypeNumber(dtype)), dtype);
    EXPECT_EQ(DTypeFromNumber(DataTypeNumber(dtype) + 100), dtype);
  }
  EXPECT_EQ(DTypeFromNumber(6), DType::kInt8);
  for (const uint64_t number : {0, 11, 12, 13, 15, 16, 20, 21, 24, 25, 26, 100, 124, 300}) {
    EXPECT_FALSE(DTypeFromNumber(number)) << number;
  }
}

TEST(DataTypes, UnreadableOnesAreNamed) {
  const Status status =
      ParseEvent(AsBytes(TensorEvent(Varint(1, 24) + Shape({1}) + Nested(4, "x")))).status();
  EXPECT_EQ(status.code(), Code::kInvalidType);
  EXPECT_NE(status.message().find("24"), std::string::npos) << status.message();
  EXPECT_EQ(CodeOf(TensorEvent("")), Code::kInvalidType);
  EXPECT_EQ(CodeOf(TensorEvent(Shape({1}) + Nested(4, "x"))), Code::kInvalidType);
}

TEST(Strings, WithAndWithoutType) {
  const std::string body = Shape({2}) + Nested(8, "a") + Nested(8, "");
  for (const std::string& tensor : {body, Type(DType::kString) + body}) {
    const std::string payload = TensorEvent(tensor);
    const Result<Event> event = ParseEvent(AsBytes(payload));
    ASSERT_TRUE(event.ok()) << event.status().message();
    EXPECT_EQ(event.value().values[0].dtype, DType::kString);
    EXPECT_EQ(event.value().values[0].strings, (std::vector<std::string_view>{"a", ""}));
  }
  EXPECT_EQ(CodeOf(TensorEvent(Shape({3}) + Nested(8, "a"))), Code::kCorrupt);
  EXPECT_EQ(CodeOf(TensorEvent(Type(DType::kString) + Shape({1}))), Code::kCorrupt);
}

TEST(Shapes, MustFitTheBytes) {
  const std::string type = Type(DType::kInt16);
  EXPECT_EQ(CodeOf(TensorEvent(type + Shape({2}) + Nested(4, "abcd"))), Code::kOk);
  EXPECT_EQ(CodeOf(TensorEvent(type + Nested(4, "ab"))), Code::kOk);  // No shape: one element.
  EXPECT_EQ(CodeOf(TensorEvent(type + Shape({2}) + Nested(4, "abc"))), Code::kCorrupt);
  EXPECT_EQ(CodeOf(TensorEvent(type + Shape({0}) + Nested(4, "ab"))), Code::kCorrupt);
  EXPECT_EQ(CodeOf(TensorEvent(type + Shape({-1}) + Nested(4, "ab"))), Code::kCorrupt);
}

TEST(Shapes, HugeProductsDoNotOverflow) {
  const std::string type = Type(DType::kFloat64);
  const int64_t big = int64_t{1} << 62;
  for (const std::string& shape :
       {Shape({big}), Shape({big, 4}), Shape({int64_t{1} << 32, int64_t{1} << 32}),
        Shape({std::numeric_limits<int64_t>::max()}), Shape({0, big, big})}) {
    EXPECT_EQ(CodeOf(TensorEvent(type + shape)), Code::kCorrupt);
    EXPECT_EQ(CodeOf(TensorEvent(type + shape + Nested(4, "12345678"))), Code::kCorrupt);
    EXPECT_EQ(CodeOf(TensorEvent(type + shape + Nested(6, "12345678"))), Code::kCorrupt);
  }
}

TEST(Shapes, UnknownOrEndlessRank) {
  const std::string content = Type(DType::kUInt8) + Nested(4, "x");
  EXPECT_EQ(CodeOf(TensorEvent(content + Nested(2, Varint(3, 1)))), Code::kCorrupt);
  std::string dims;
  for (int i = 0; i < 255; ++i) dims += Nested(2, Varint(1, 1));
  EXPECT_EQ(CodeOf(TensorEvent(content + Nested(2, dims))), Code::kCorrupt);
  EXPECT_EQ(CodeOf(TensorEvent(content + Nested(2, dims.substr(4)))), Code::kOk);
}

TEST(Metadata, ModeAndStep) {
  const auto plugin = [](std::string_view name, std::string_view content) {
    return Nested(1, Nested(1, name) + Nested(2, content));
  };
  const auto code = [&](std::string_view name, std::string_view content) {
    return CodeOf(ValueEvent(Nested(9, plugin(name, content))));
  };
  EXPECT_EQ(code("mode", "4"), Code::kOk);
  EXPECT_EQ(code("scalars", "anything"), Code::kOk);
  for (const std::string_view bad : {"0", "5", "-1", "", "x", "99999999999999999999"}) {
    EXPECT_EQ(code("mode", bad), Code::kCorrupt) << bad;
  }
  EXPECT_EQ(code("mode_step", "x"), Code::kCorrupt);
  // The entries may come in any order, spread over two fields, among others.
  const std::string payload = ValueEvent(
      Nested(9, plugin("mode", "2")) + Nested(9, plugin("other", "") + plugin("mode_step", "12")));
  const Result<Event> event = ParseEvent(AsBytes(payload));
  ASSERT_TRUE(event.ok()) << event.status().message();
  EXPECT_EQ(event.value().values[0].mode, Mode::kEval);
  EXPECT_EQ(event.value().values[0].mode_step, 12);
}

TEST(Events, OtherContentIsPassedOver) {
  EXPECT_TRUE(ParseEvent({}).ok());
  const Result<Event> graph =
      ParseEvent(AsBytes(Nested(4, "\xFF\xFF") + Nested(3, "brain.Event:2")));
  ASSERT_TRUE(graph.ok());
  EXPECT_TRUE(graph.value().values.empty());
  const std::string image = ValueEvent(Nested(1, "tag") + Nested(4, "\xFF"));
  const Result<Event> event = ParseEvent(AsBytes(image));
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event.value().values.at(0).kind, EventValue::Kind::kNone);
}

TEST(Events, NumberOfValuesIsLimited) {
  std::string values;
  for (int i = 0; i <= 1 << 16; ++i) values += std::string("\x0A\x00", 2);
  EXPECT_EQ(CodeOf(Nested(5, values)), Code::kCorrupt);
}

TEST(Histograms, ListsMustPair) {
  const std::string two = Nested(6, Raw<double>({1, 2}));
  EXPECT_EQ(CodeOf(ValueEvent(Nested(5, two + Nested(7, Raw<double>({1, 2}))))), Code::kOk);
  EXPECT_EQ(CodeOf(ValueEvent(Nested(5, two))), Code::kCorrupt);
  EXPECT_EQ(CodeOf(ValueEvent(Nested(5, Nested(6, "1234567")))), Code::kCorrupt);
}

// One record of each golden file.
std::vector<std::string> SomeGoldenRecords() {
  std::vector<std::string> records;
  for (const std::string_view folder : {"events", "tensorboard"}) {
    for (const auto& path : GoldenFiles(folder)) {
      const std::string file = ReadWhole(path);
      RecordReader reader(AsBytes(file));
      EXPECT_TRUE(reader.Next().ok());
      if (reader.offset() < 1000) records.push_back(file.substr(0, reader.offset()));
    }
  }
  EXPECT_GT(records.size(), 10u);
  return records;
}

TEST(Corruption, EveryTruncationIsTold) {
  for (const std::string& record : SomeGoldenRecords()) {
    for (size_t size = 0; size < record.size(); ++size) {
      ASSERT_EQ(ParseRecord(AsBytes(record).first(size)).status().code(), Code::kTruncated);
    }
    const Bytes payload = ParseRecord(AsBytes(record)).value();
    for (size_t size = 0; size < payload.size(); ++size) {
      const Result<Event> event = ParseEvent(payload.first(size));
      if (!event.ok()) {
        EXPECT_FALSE(event.status().message().empty());
      }
    }
  }
}

TEST(Corruption, EveryFlippedBitGivesAnErrorOrAnEvent) {
  for (const std::string& record : SomeGoldenRecords()) {
    for (size_t bit = 0; bit < record.size() * 8; ++bit) {
      std::string bad = record;
      bad[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      const Result<Bytes> payload = ParseRecord(AsBytes(bad));
      if (!payload.ok()) continue;
      const Result<Event> event = ParseEvent(payload.value());
      if (!event.ok()) {
        EXPECT_FALSE(event.status().message().empty());
      }
    }
  }
}

}  // namespace
}  // namespace warden::format
