#include "warden/rules/finding.h"

#include <fmt/format.h>

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

  const Status& status() const { return status_; }

 private:
  const Json& json_;
  Status status_;
};

}  // namespace

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
               {"advice", finding.advice}};
  if (finding.time_s != 0) json["time"] = finding.time_s;
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
  if (json.is_object() && json.contains("time")) reader.Read("time", &finding.time_s);
  if (!reader.status().ok()) return reader.status();
  const auto known = ParseMode(mode);
  if (!known)
    return Status(Code::kCorrupt, fmt::format("'mode' is '{}'; expected TRAIN, EVAL, "
                                              "PREDICT or GLOBAL",
                                              mode));
  finding.mode = *known;
  return finding;
}

}  // namespace warden::rules
