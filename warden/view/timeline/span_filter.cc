#include "warden/view/timeline/span_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "warden/base/strings.h"

namespace warden::view {
namespace {

constexpr std::array<std::string_view, 7> kKeys = {"name",    "dur",  "thread", "track",
                                                   "process", "host", "gpu"};
constexpr std::array<std::string_view, 7> kSigns = {"!~", ">=", "<=", "~", "=", ">", "<"};
constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
    {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

bool IsSpace(char c) { return c == ' ' || c == '\t'; }

// "dur>5ms": the key and the sign; nothing for other words.
std::optional<std::pair<std::string_view, std::string_view>> ConditionAt(std::string_view text) {
  for (const std::string_view key : kKeys) {
    if (!text.starts_with(key)) continue;
    for (const std::string_view sign : kSigns) {
      if (text.substr(key.size()).starts_with(sign)) return std::pair(key, sign);
    }
  }
  return std::nullopt;
}

// What comes before the next space, or what is in quotes. Removes it from the text.
std::string_view TakeValue(std::string_view* text) {
  const bool quoted = text->starts_with('"');
  if (quoted) text->remove_prefix(1);
  const size_t end = std::min(text->size(), text->find_first_of(quoted ? "\"" : " \t"));
  const std::string_view value = text->substr(0, end);
  text->remove_prefix(std::min(text->size(), end + (quoted ? 1 : 0)));
  return value;
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A number is the whole last number of the name: 1 is not in "thread 11".
bool IsIn(std::string_view name, std::string_view value) {
  const std::string lower = LowerAscii(name);
  if (!AllDigits(value)) return lower.find(value) != std::string::npos;
  return std::string_view(lower).substr(lower.find_last_not_of("0123456789") + 1) == value;
}

}  // namespace

Result<SpanFilter> SpanFilter::Parse(std::string_view text) {
  SpanFilter filter;
  std::string words;
  while (!text.empty()) {
    if (IsSpace(text.front())) {
      text.remove_prefix(1);
      continue;
    }
    if (const auto condition = ConditionAt(text)) {
      const auto [key, sign] = *condition;
      text.remove_prefix(key.size() + sign.size());
      const Status added = filter.Add(key, sign, TakeValue(&text));
      if (!added.ok()) return added;
      continue;
    }
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    words += (words.empty() ? "" : " ") + std::string(word);
  }
  filter.words_ = LowerAscii(words);
  return filter;
}

Status SpanFilter::Add(std::string_view key, std::string_view sign, std::string_view value) {
  if (value.empty()) {
    return Status(Code::kInvalid,
                  fmt::format("{0}{1} has no value; expected {0}{1}VALUE", key, sign));
  }
  if (key == "dur") return AddDuration(sign, value);
  if (key == "name" && sign == "=") {
    names_.emplace_back(value);
    return Status();
  }
  if (key == "name" && (sign == "~" || sign == "!~")) {
    auto compiled = Pattern::Compile(fmt::format("(?i){}", value));
    if (!compiled.ok()) return compiled.status();
    (sign == "!~" ? not_found_ : found_).push_back(std::move(compiled.value()));
    return Status();
  }
  if (sign != "=" || key == "name") {
    return Status(Code::kInvalid,
                  fmt::format("unknown condition '{}{}'; expected {}", key, sign,
                              key == "name" ? "name~, name!~ or name=" : fmt::format("{}=", key)));
  }
  const Field field = key == "process" ? Field::kProcess
                      : key == "host"  ? Field::kHost
                      : key == "gpu"   ? Field::kGpu
                                       : Field::kThread;
  where_.push_back({field, LowerAscii(value)});
  return Status();
}

Status SpanFilter::AddDuration(std::string_view sign, std::string_view value) {
  const size_t at = value.find_first_not_of("0123456789.");
  const auto number = ParseDouble(value.substr(0, at));
  const std::string_view unit = at == std::string_view::npos ? "" : value.substr(at);
  const auto* known = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const auto& one) { return one.first == unit; });
  const bool signed_well = sign == ">" || sign == "<" || sign == ">=" || sign == "<=";
  if (!number || known == kUnits.end() || !signed_well) {
    return Status(Code::kInvalid,
                  fmt::format("dur{}{} is not a duration; expected one such as dur>5ms or "
                              "dur<=200us, with ns, us, ms or s",
                              sign, value));
  }
  const double ns = std::min(*number * known->second, 9e18);
  const auto whole = static_cast<int64_t>(std::llround(ns));
  if (sign == ">") least_ns_ = std::max(least_ns_, whole + 1);
  if (sign == ">=") least_ns_ = std::max(least_ns_, whole);
  if (sign == "<") most_ns_ = std::min(most_ns_, whole - 1);
  if (sign == "<=") most_ns_ = std::min(most_ns_, whole);
  return Status();
}

bool SpanFilter::MatchesName(std::string_view name) const {
  if (!words_.empty() && LowerAscii(name).find(words_) == std::string::npos) return false;
  if (std::any_of(names_.begin(), names_.end(), [&](const auto& one) { return one != name; })) {
    return false;
  }
  const auto finds = [&](const Pattern& pattern) { return pattern.Search(name); };
  return std::all_of(found_.begin(), found_.end(), finds) &&
         std::none_of(not_found_.begin(), not_found_.end(), finds);
}

bool SpanFilter::MatchesTrack(const TrackName& track) const {
  return std::all_of(where_.begin(), where_.end(), [&](const Where& where) {
    switch (where.field) {
      case Field::kThread: return IsIn(track.name, where.value);
      case Field::kProcess: return IsIn(track.process, where.value);
      case Field::kHost: return LowerAscii(track.host) == where.value;
      case Field::kGpu: {
        const std::string_view process = track.process;
        const std::string_view device = process.substr(0, process.find(','));
        return track.gpu && device.starts_with("GPU") && IsIn(device, where.value);
      }
    }
    return false;
  });
}

}  // namespace warden::view
