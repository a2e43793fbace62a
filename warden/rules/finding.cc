#include "warden/rules/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "warden/base/json.h"
#include "warden/base/strings.h"

namespace warden::rules {
namespace {

// Reads one member after the other and keeps the first thing that is wrong.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {
    if (!json.is_object()) status_ = Status(Code::kCorrupt, "a finding is not a JSON object");
  }

  template <class T, class Accepts>
  void Read(const char* name, Accepts accepts, T* out) {
    if (!status_.ok()) return;
    const auto member = json_.find(name);
    if (member == json_.end() || !accepts(*member)) {
      status_ = Status(Code::kCorrupt, fmt::format("'{}' is missing or has the wrong type", name));
    } else {
      *out = member->get<T>();
    }
  }
  void Read(const char* name, int64_t* out) {
    Read(name, [](const Json& value) { return value.is_number_integer(); }, out);
  }
  void Read(const char* name, std::string* out) {
    Read(name, [](const Json& value) { return value.is_string(); }, out);
  }
  void Read(const char* name, double* out) {
    Json value;
    Read(name, [](const Json& v) { return v.is_number() || v.is_string(); }, &value);
    if (!status_.ok()) return;
    const auto number = value.is_number() ? std::optional(value.get<double>())
                                          : ParseDouble(value.get_ref<const std::string&>());
    if (!number) status_ = Status(Code::kCorrupt, fmt::format("'{}' is not a number", name));
    *out = number.value_or(0);
  }

  void Read(const char* name, std::vector<std::string>* out) {
    const auto is_text = [](const Json& value) { return value.is_string(); };
    Read(
        name,
        [&](const Json& value) {
          return value.is_array() && std::all_of(value.begin(), value.end(), is_text);
        },
        out);
  }

  bool Has(const char* name) const { return json_.is_object() && json_.contains(name); }

  const Status& status() const { return status_; }

 private:
  const Json& json_;
  Status status_;
};

// Whether the script's own count says the same: its first step is 0 or 1.
bool IsSameCount(const Finding& finding) {
  return *finding.optimizer_step == finding.step || *finding.optimizer_step == finding.step + 1;
}

}  // namespace

std::string ScriptCountText(const Finding& finding) {
  const bool differs = finding.optimizer_step && !IsSameCount(finding);
  std::string text = differs ? fmt::format("optimizer step {}", *finding.optimizer_step) : "";
  // The first epoch says something only beside another count.
  if (finding.epoch && (differs || *finding.epoch > 1)) {
    text += fmt::format("{}epoch {}", differs ? ", " : "", *finding.epoch);
  }
  return text;
}

std::string StepText(const Finding& finding) {
  const bool usual = finding.mode == Mode::kTrain || finding.mode == Mode::kGlobal;
  std::string more(usual ? "" : ModeName(finding.mode));
  const std::string count = ScriptCountText(finding);
  if (!more.empty() && !count.empty()) more += ", ";
  more += count;
  return more.empty() ? fmt::format("step {}", finding.step)
                      : fmt::format("step {} ({})", finding.step, more);
}

std::string BeginText(const Finding& finding) {
  if (finding.time_s == 0) return StepText(finding);
  const auto seconds = static_cast<std::time_t>(finding.time_s);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:02}:{:02}:{:02} UTC", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Json ToJson(const Finding& finding) {
  Json json = {{"id", finding.id},
               {"step", finding.step},
               {"last_step", finding.last_step},
               {"count", finding.count},
               {"mode", ModeName(finding.mode)},
               {"worker", finding.worker},
               {"tensor", finding.tensor},
               {"value", JsonNumber(finding.value)},
               {"threshold", JsonNumber(finding.threshold)},
               {"message", finding.message},
               {"advice", finding.advice},
               {"severity", SeverityName(finding.severity)}};
  if (finding.time_s != 0) json["time"] = finding.time_s;
  if (finding.optimizer_step) json["optimizer_step"] = *finding.optimizer_step;
  if (finding.epoch) json["epoch"] = *finding.epoch;
  if (finding.confidence) json["confidence"] = ConfidenceName(*finding.confidence);
  if (!finding.spread.empty()) json["spread"] = finding.spread;
  if (finding.wall_time != 0) json["wall_time"] = finding.wall_time;
  if (finding.loader_share) json["loader_share"] = *finding.loader_share;
  return json;
}

Result<Finding> FindingFromJson(const Json& json) {
  Finding finding;
  std::string mode;
  Reader reader(json);
  reader.Read("id", &finding.id);
  reader.Read("step", &finding.step);
  reader.Read("last_step", &finding.last_step);
  reader.Read("count", &finding.count);
  reader.Read("mode", &mode);
  reader.Read("worker", &finding.worker);
  reader.Read("tensor", &finding.tensor);
  reader.Read("value", &finding.value);
  reader.Read("threshold", &finding.threshold);
  reader.Read("message", &finding.message);
  reader.Read("advice", &finding.advice);
  std::string severity(SeverityName(finding.severity));
  if (reader.Has("severity")) reader.Read("severity", &severity);
  if (reader.Has("time")) reader.Read("time", &finding.time_s);
  if (reader.Has("optimizer_step"))
    reader.Read("optimizer_step", &finding.optimizer_step.emplace());
  if (reader.Has("epoch")) reader.Read("epoch", &finding.epoch.emplace());
  std::string confidence;
  if (reader.Has("confidence")) reader.Read("confidence", &confidence);
  if (reader.Has("spread")) reader.Read("spread", &finding.spread);
  if (reader.Has("wall_time")) reader.Read("wall_time", &finding.wall_time);
  if (reader.Has("loader_share")) reader.Read("loader_share", &finding.loader_share.emplace());
  if (!reader.status().ok()) return reader.status();
  const auto known = ParseMode(mode);
  if (!known)
    return Status(Code::kCorrupt, fmt::format("'mode' is '{}'; expected TRAIN, EVAL, "
                                              "PREDICT or GLOBAL",
                                              mode));
  finding.mode = *known;
  const auto how_bad = ParseSeverity(severity);
  if (!how_bad) {
    return Status(Code::kCorrupt,
                  fmt::format("'severity' is '{}'; expected one of: {}", severity, kSeverityNames));
  }
  finding.severity = *how_bad;
  finding.confidence = ParseConfidence(confidence);
  if (!confidence.empty() && !finding.confidence) {
    return Status(Code::kCorrupt, fmt::format("'confidence' is '{}'; expected one of: {}",
                                              confidence, kConfidenceNames));
  }
  return finding;
}

}  // namespace warden::rules
