#include "warden/format/metric_line.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <cmath>
#include <cstring>
#include <iterator>

#include "warden/base/json.h"

namespace warden::format {
namespace {

namespace dom = simdjson::dom;

// Real lines have some 130 bytes. A line that is longer than this is not looked into: its parser
// would take several times as much memory.
constexpr size_t kLongestLine = size_t{1} << 20;

void AppendMember(std::string_view key, std::string_view text, std::string* out) {
  out->append(key);
  AppendJsonString(text, out);
}

// The reason why a line is of no use; empty if it is.
using Refusal = std::string_view;

Refusal ReadText(const dom::element& element, std::string_view* text, Refusal refusal) {
  return element.get(*text) == simdjson::SUCCESS ? Refusal() : refusal;
}

Refusal ReadNumber(const dom::element& element, double* number, Refusal refusal) {
  const bool good = element.get(*number) == simdjson::SUCCESS && std::isfinite(*number);
  return good ? Refusal() : refusal;
}

enum Member : unsigned { kType = 1, kDimension = 2, kValue = 4, kNode = 8, kTime = 16, kAll = 31 };

// Members as they come, so that of two with one name the later counts; unknown ones are passed
// over.
Refusal ReadMember(std::string_view key, const dom::element& value, MetricLine* line,
                   unsigned* found) {
  if (key == "Type") {
    *found |= kType;
    return ReadText(value, &line->type, "Type is not a string");
  }
  if (key == "Name") {
    if (value.is_null()) return {};
    return ReadText(value, &line->name, "Name is not a string");
  }
  if (key == "Dimension") {
    *found |= kDimension;
    return ReadText(value, &line->dimension, "Dimension is not a string");
  }
  if (key == "Value") {
    *found |= kValue;
    return ReadNumber(value, &line->value, "Value is not a number");
  }
  if (key == "NodeId") {
    *found |= kNode;
    return ReadText(value, &line->node, "NodeId is not a string");
  }
  if (key == "Timestamp") {
    *found |= kTime;
    return ReadNumber(value, &line->time_s, "Timestamp is not a number");
  }
  return {};
}

Refusal WhatIsMissing(unsigned found) {
  if ((found & kType) == 0) return "Type is missing";
  if ((found & kDimension) == 0) return "Dimension is missing";
  if ((found & kValue) == 0) return "Value is missing";
  if ((found & kNode) == 0) return "NodeId is missing";
  return "Timestamp is missing";
}

// Parses lines where they lie. The parser reads some bytes beyond the end of what it parses, so
// that the last lines of a text need a copy.
class LineParser {
 public:
  explicit LineParser(std::string_view text) : text_end_(text.data() + text.size()) {}

  Refusal Parse(std::string_view line, MetricLine* metric) {
    if (line.size() > kLongestLine) return "longer than 1 MiB";
    dom::object object;
    const auto error = Root(line).get(object);
    if (error == simdjson::INCORRECT_TYPE) return "not a JSON object";
    if (error != simdjson::SUCCESS) return "invalid JSON";
    unsigned found = 0;
    for (const dom::key_value_pair member : object) {
      const Refusal refusal = ReadMember(member.key, member.value, metric, &found);
      if (!refusal.empty()) return refusal;
    }
    return found == kAll ? Refusal() : WhatIsMissing(found);
  }

 private:
  simdjson::simdjson_result<dom::element> Root(std::string_view line) {
    const auto after = static_cast<size_t>(text_end_ - (line.data() + line.size()));
    if (after >= simdjson::SIMDJSON_PADDING) {
      return parser_.parse(line.data(), line.size(), /*realloc_if_needed=*/false);
    }
    copy_.assign(line);
    copy_.append(simdjson::SIMDJSON_PADDING, ' ');
    return parser_.parse(copy_.data(), line.size(), /*realloc_if_needed=*/false);
  }

  const char* text_end_;
  dom::parser parser_;
  std::string copy_;
};

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

void AppendMetricLine(const MetricLine& line, std::string* out) {
  if (!std::isfinite(line.value) || !std::isfinite(line.time_s)) return;
  AppendMember(R"({"Type":)", line.type, out);
  if (!line.name.empty()) AppendMember(R"(,"Name":)", line.name, out);
  AppendMember(R"(,"Dimension":)", line.dimension, out);
  fmt::format_to(std::back_inserter(*out), R"(,"Value":{})", line.value);
  AppendMember(R"(,"NodeId":)", line.node, out);
  fmt::format_to(std::back_inserter(*out), R"(,"Timestamp":{}}})", line.time_s);
  out->push_back('\n');
}

MetricsRead ReadMetricLines(std::string_view text,
                            const std::function<void(const MetricLine&)>& take) {
  MetricsRead read;
  LineParser parser(text);
  while (true) {
    const size_t end = text.find('\n', read.bytes);
    if (end == std::string_view::npos) return read;
    const std::string_view line = text.substr(read.bytes, end - read.bytes);
    MetricLine metric;
    if (!IsBlank(line)) {
      ++read.lines;
      const Refusal refusal = parser.Parse(line, &metric);
      if (refusal.empty()) {
        take(metric);
      } else if (++read.broken == 1) {
        read.first_broken = fmt::format("line at byte {}: {}", read.bytes, refusal);
      }
    }
    read.bytes = end + 1;
  }
}

}  // namespace warden::format
