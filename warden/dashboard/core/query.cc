#include "warden/dashboard/core/query.h"

#include <fmt/format.h>

#include <cmath>

#include "warden/base/strings.h"
#include "warden/base/text/uri.h"

namespace warden::dashboard {

Query::Query(std::string_view query) : pairs_(ParseQuery(query)) {}

std::string Query::Text(std::string_view name) const {
  for (const auto& [key, value] : pairs_) {
    if (key == name) return value;
  }
  return {};
}

std::vector<std::string> Query::All(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [key, value] : pairs_) {
    if (key == name) all.push_back(value);
  }
  return all;
}

Result<std::string> Query::Needed(std::string_view name) const {
  std::string text = Text(name);
  if (text.empty()) return Status(Code::kInvalid, fmt::format("{} is missing", name));
  return text;
}

Result<int64_t> Query::Int(std::string_view name, int64_t least, int64_t most,
                           int64_t fallback) const {
  const std::string text = Text(name);
  if (text.empty()) return fallback;
  const auto number = ParseInt(text);
  if (!number || *number < least || *number > most) {
    return Status(Code::kInvalid, fmt::format("{} is '{}'; expected an integer from {} to {}", name,
                                              text, least, most));
  }
  return *number;
}

Result<double> Query::Number(std::string_view name, double fallback) const {
  const std::string text = Text(name);
  if (text.empty()) return fallback;
  const auto number = ParseDouble(text);
  if (!number || !std::isfinite(*number)) {
    return Status(Code::kInvalid, fmt::format("{} is '{}'; expected a number", name, text));
  }
  return *number;
}

Result<Mode> Query::ModeOf(std::string_view name) const {
  const std::string text = Text(name);
  if (text.empty()) return Mode::kGlobal;
  for (const Mode mode : {Mode::kTrain, Mode::kEval, Mode::kPredict, Mode::kGlobal}) {
    if (ModeName(mode) == text) return mode;
  }
  return Status(
      Code::kInvalid,
      fmt::format("{} is '{}'; expected one of: TRAIN, EVAL, PREDICT, GLOBAL", name, text));
}

}  // namespace warden::dashboard
