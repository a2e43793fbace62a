#include "warden/format/index_file.h"

#include <gtest/gtest.h>

#include "warden/format/golden_for_test.h"

namespace warden::format {
namespace {

// An index file with good meta and the given keys beside it.
std::string WithMeta(std::string_view rest) {
  return R"({"meta": {"mode": "TRAIN", "mode_step": 3}, )" + std::string(rest) + "}";
}

TEST(IndexFile, GoldenFilesComeBackByteForByte) {
  IndexParser parser;
  for (const auto& path : GoldenFiles("index")) {
    const std::string text = ReadWhole(path);
    const auto index = parser.Parse(text);
    ASSERT_TRUE(index.ok()) << path << ": " << index.status().message();
    EXPECT_EQ(EncodeIndexFile(*index.value()), text) << path;
  }
}

TEST(IndexFile, AllFieldsAreRead) {
  const std::string text =
      R"({"meta": {"mode": "EVAL", "mode_step": 3, "event_file_name": "events/7/7_w.tfevents"}, )"
      R"("tensor_payload": [{"tensorname": "a\u00e9\"", "start_idx": 0, "length": 182}], )"
      R"("shape_payload": [{"tensorname": "b", "originalname": "c", "shape": [64, 0]}, )"
      R"({"tensorname": "s", "originalname": "s", "shape": []}]})";
  IndexParser parser;
  const auto parsed = parser.Parse(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  const IndexFile& index = *parsed.value();
  EXPECT_EQ(index.mode, Mode::kEval);
  EXPECT_EQ(index.mode_step, 3);
  EXPECT_EQ(index.event_file, "events/7/7_w.tfevents");
  ASSERT_EQ(index.entries.size(), 1u);
  EXPECT_EQ(index.entries[0].tensor, "a\u00e9\"");
  EXPECT_EQ(index.entries[0].start, 0u);
  EXPECT_EQ(index.entries[0].length, 182u);
  ASSERT_EQ(index.shapes.size(), 2u);
  EXPECT_EQ(index.shapes[0].tensor, "b");
  EXPECT_EQ(index.shapes[0].original_name, "c");
  EXPECT_EQ(index.shapes[0].shape, (std::vector<int64_t>{64, 0}));
  EXPECT_TRUE(index.shapes[1].shape.empty());
  EXPECT_EQ(EncodeIndexFile(index), text);
}

class Tolerated : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Tolerated, Parses) {
  IndexParser parser;
  const auto index = parser.Parse(WithMeta(GetParam()));
  EXPECT_TRUE(index.ok()) << index.status().message();
}

INSTANTIATE_TEST_SUITE_P(
    IndexFile, Tolerated,
    ::testing::Values(
        R"("tensor_payload": [])", R"("shape_payload": [])",
        R"("tensor_payload": [], "more": {"x": [1.5, null]})",
        R"("tensor_payload": [{"tensorname": "a", "start_idx": 0, "length": 1, "x": 2},
                                {"tensorname": "a", "start_idx": 1, "length": 1}])",
        R"("shape_payload": [{"tensorname": "a", "shape": [1]}])",
        R"("tensor_payload": [{"tensorname": "a", "start_idx": 18446744073709551614,
                                 "length": 1}])"));

class Refused : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Refused, IsBadIndex) {
  IndexParser parser;
  const auto index = parser.Parse(GetParam());
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.status().code(), Code::kBadIndex);
  EXPECT_FALSE(index.status().message().empty());
}

INSTANTIATE_TEST_SUITE_P(
    IndexFile, Refused,
    ::testing::Values(
        "", " ", "{", "[]", "7", "null", R"("text")", "{}", "\xFF", R"({"tensor_payload": []})",
        R"({"meta": {}, "tensor_payload": []})", R"({"meta": [], "tensor_payload": []})",
        R"({"meta": null, "tensor_payload": []})", R"({"meta": {"mode": "TRAIN", "mode_step": 3}})",
        R"({"meta": {"mode": "TEST", "mode_step": 3}, "tensor_payload": []})",
        R"({"meta": {"mode": 1, "mode_step": 3}, "tensor_payload": []})",
        R"({"meta": {"mode_step": 3}, "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN"}, "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN", "mode_step": 3.0}, "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN", "mode_step": "3"}, "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN", "mode_step": true}, "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN", "mode_step": 9223372036854775808}, "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN", "mode_step": 3, "event_file_name": 1}, "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN", "mode_step": 3, "event_file_name": "/etc/passwd"},
            "tensor_payload": []})",
        R"({"meta": {"mode": "TRAIN", "mode_step": 3, "event_file_name": "events/../../x"},
            "tensor_payload": []})"));

class RefusedPayload : public ::testing::TestWithParam<std::string_view> {};

TEST_P(RefusedPayload, IsBadIndex) {
  IndexParser parser;
  EXPECT_EQ(parser.Parse(WithMeta(GetParam())).status().code(), Code::kBadIndex);
}

INSTANTIATE_TEST_SUITE_P(
    IndexFile, RefusedPayload,
    ::testing::Values(R"("tensor_payload": {})", R"("tensor_payload": [1])",
                      R"("tensor_payload": [{}])", R"("tensor_payload": [{"tensorname": "a"}])",
                      R"("tensor_payload": [{"tensorname": 1, "start_idx": 0, "length": 1}])",
                      R"("tensor_payload": [{"tensorname": "a", "start_idx": -1, "length": 1}])",
                      R"("tensor_payload": [{"tensorname": "a", "start_idx": 0, "length": -1}])",
                      R"("tensor_payload": [{"tensorname": "a", "start_idx": 0.5, "length": 1}])",
                      R"("tensor_payload": [{"tensorname": "a", "start_idx": 18446744073709551615,
                               "length": 1}])",
                      R"("shape_payload": 1)", R"("shape_payload": [{"shape": [1]}])",
                      R"("shape_payload": [{"tensorname": "a"}])",
                      R"("shape_payload": [{"tensorname": "a", "shape": 1}])",
                      R"("shape_payload": [{"tensorname": "a", "shape": [-1]}])",
                      R"("shape_payload": [{"tensorname": "a", "shape": [1.5]}])",
                      R"("tensor_payload": []} {"second": 1)"));

TEST(IndexFile, EveryTruncationIsRefused) {
  const std::string text = ReadWhole(GoldenFiles("index").front());
  IndexParser parser;
  for (size_t size = 0; size < text.size(); ++size) {
    ASSERT_FALSE(parser.Parse(std::string_view(text).substr(0, size)).ok()) << size;
  }
}

TEST(IndexFile, DeepNestingIsRefused) {
  IndexParser parser;
  EXPECT_FALSE(parser.Parse(std::string(1000000, '[')).ok());
}

TEST(IndexFile, ParserForgetsTheFileBefore) {
  IndexParser parser;
  ASSERT_TRUE(parser.Parse(ReadWhole(GoldenFiles("index").front())).ok());
  const auto index = parser.Parse(R"({"meta": {"mode": "GLOBAL", "mode_step": 1}, )"
                                  R"("shape_payload": []})");
  ASSERT_TRUE(index.ok());
  EXPECT_TRUE(index.value()->entries.empty());
  EXPECT_TRUE(index.value()->event_file.empty());
}

TEST(IndexFile, MayHaveAChecksumOfItsEventFile) {
  IndexFile index;
  index.event_file = "events/a";
  index.event_file_crc32c = 0xFFFFFFFF;
  const std::string text = EncodeIndexFile(index);
  EXPECT_NE(text.find(R"("event_file_name": "events/a", "event_file_crc32c": 4294967295})"),
            std::string::npos);
  IndexParser parser;
  EXPECT_EQ(parser.Parse(text).value()->event_file_crc32c, 0xFFFFFFFF);
  index.event_file_crc32c.reset();
  EXPECT_EQ(parser.Parse(EncodeIndexFile(index)).value()->event_file_crc32c, std::nullopt);
  for (const char* bad : {"-1", "4294967296", "1.5", "\"1\""}) {
    const std::string meta =
        std::string(R"({"meta": {"mode": "TRAIN", "mode_step": 1, "event_file_crc32c": )") + bad +
        R"(}, "tensor_payload": []})";
    EXPECT_EQ(parser.Parse(meta).status().code(), Code::kBadIndex) << bad;
  }
}

}  // namespace
}  // namespace warden::format
