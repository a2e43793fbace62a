#include "warden/format/metric_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace warden::format {
namespace {

constexpr std::string_view kLine =
    R"({"Type":"cpu","Name":"cpu21","Dimension":"CPUUtilization","Value":0.83,"NodeId":"algo-1","Timestamp":1700000001.2323716})"
    "\n";

// "type|name|dimension|value|node|time" of each line.
struct Lines {
  std::vector<std::string> texts;
  MetricsRead read;
};

Lines Read(std::string_view text) {
  Lines lines;
  lines.read = ReadMetricLines(text, [&](const MetricLine& line) {
    lines.texts.push_back(fmt::format("{}|{}|{}|{}|{}|{}", line.type, line.name, line.dimension,
                                      line.value, line.node, line.time_s));
  });
  return lines;
}

TEST(MetricLine, WrittenAsTheOriginalsAgentWritesIt) {
  std::string text;
  AppendMetricLine({"cpu", "cpu21", "CPUUtilization", 0.83, "algo-1", 1700000001.2323716}, &text);
  EXPECT_EQ(text, kLine);
}

TEST(MetricLine, BothWays) {
  std::string text;
  AppendMetricLine({"i/o", "IOPS", "", 1e300, "algo-1", 1}, &text);
  AppendMetricLine({"gpu", "", "a\"\\\n\x01", -0.5, "algo-2", 2.25}, &text);
  const Lines lines = Read(text);
  ASSERT_EQ(lines.texts.size(), 2U);
  EXPECT_EQ(lines.texts[0], "i/o|IOPS||1e+300|algo-1|1");
  EXPECT_EQ(lines.texts[1], "gpu||a\"\\\n\x01|-0.5|algo-2|2.25");
  EXPECT_EQ(lines.read.bytes, text.size());
}

TEST(MetricLine, WhatJsonHasNoNumberForIsNotWritten) {
  std::string text;
  AppendMetricLine({"cpu", "a", "b", std::numeric_limits<double>::quiet_NaN(), "algo-1", 1}, &text);
  AppendMetricLine({"cpu", "a", "b", 1, "algo-1", std::numeric_limits<double>::infinity()}, &text);
  EXPECT_EQ(text, "");
}

TEST(MetricLine, AnUnfinishedLineIsLeftForLater) {
  const std::string text = std::string(kLine) + R"({"Type":"cpu","Na)";
  const Lines lines = Read(text);
  EXPECT_EQ(lines.read.lines, 1);
  EXPECT_EQ(lines.read.bytes, kLine.size());
  EXPECT_EQ(lines.read.broken, 0);
  EXPECT_EQ(Read("").read.bytes, 0U);
}

TEST(MetricLine, OrderSpacingAndUnknownMembersDoNotMatter) {
  const Lines lines = Read(
      "\n \r\n"
      R"( { "Extra": [1, {"a": null}], "Timestamp": 7, "NodeId": "algo-1", "Value": 3,)"
      R"( "Name": null, "Dimension": "", "Type": "memory", "Value": 4 } )"
      "\r\n");
  ASSERT_EQ(lines.texts.size(), 1U);
  EXPECT_EQ(lines.texts[0], "memory|||4|algo-1|7");
  EXPECT_EQ(lines.read.lines, 1);
  EXPECT_EQ(lines.read.broken, 0);
}

TEST(MetricLine, BrokenLinesDoNotTakeOthersWithThem) {
  const std::string good(kLine);
  for (const std::string bad :
       {"x", "{", "[]", "null", "7", "{}", "\xff\xfe", R"({"Type":"cpu"})",
        R"({"Type":1,"Dimension":"","Value":1,"NodeId":"a","Timestamp":1})",
        R"({"Type":"a","Name":5,"Dimension":"","Value":1,"NodeId":"a","Timestamp":1})",
        R"({"Type":"a","Dimension":"","Value":NaN,"NodeId":"a","Timestamp":1})",
        R"({"Type":"a","Dimension":"","Value":"1","NodeId":"a","Timestamp":1})",
        R"({"Type":"a","Dimension":"","Value":1e999,"NodeId":"a","Timestamp":1})",
        R"({"Type":"a","Dimension":"","Value":1,"NodeId":null,"Timestamp":1})",
        R"({"Type":"a","Dimension":"","Value":1,"NodeId":"a","Timestamp":true})",
        R"({"Type":"a","Dimension":"","Value":1,"NodeId":"a","Timestamp":1} {})"}) {
    const Lines lines = Read(good + bad + "\n" + good);
    EXPECT_EQ(lines.texts.size(), 2U) << bad;
    EXPECT_EQ(lines.read.broken, 1) << bad;
    EXPECT_EQ(lines.read.lines, 3) << bad;
    EXPECT_NE(lines.read.first_broken.find(fmt::format("byte {}", good.size())), std::string::npos)
        << lines.read.first_broken;
  }
}

TEST(MetricLine, SaysWhatIsMissing) {
  const Lines lines = Read(R"({"Type":"a","Dimension":"","Value":1,"NodeId":"a"})"
                           "\n");
  EXPECT_EQ(lines.read.first_broken, "line at byte 0: Timestamp is missing");
}

TEST(MetricLine, NeitherLongLinesNorDeepOnesHurt) {
  const std::string good(kLine);
  const std::string text = good + std::string(3'000'000, '[') + "\n" + std::string(500'000, '[') +
                           "\n" + good + "{\"a\":\"" + std::string(900'000, 'x') + "\"}\n";
  const Lines lines = Read(text);
  EXPECT_EQ(lines.texts.size(), 2U);
  EXPECT_EQ(lines.read.broken, 3);
  EXPECT_EQ(lines.read.bytes, text.size());
}

// Wherever a text ends, nothing beyond it is read (a sanitizer looks) and whole lines are.
TEST(MetricLine, EveryLengthOfText) {
  const std::string text = std::string(kLine) + std::string(kLine);
  for (size_t length = 0; length <= text.size(); ++length) {
    const std::vector<char> exact(text.begin(), text.begin() + static_cast<ptrdiff_t>(length));
    const Lines lines = Read({exact.data(), exact.size()});
    EXPECT_EQ(lines.texts.size(), length / kLine.size());
    EXPECT_EQ(lines.read.broken, 0);
  }
}

}  // namespace
}  // namespace warden::format
