// The input as actions that somebody asks for, as a setting of them, and as a finding that another
// process hands over.

#include <chrono>
#include <string>

#include "fuzz/check.h"
#include "warden/actions/action_config.h"
#include "warden/actions/event.h"
#include "warden/actions/settings.h"
#include "warden/base/json.h"

namespace warden::fuzz {
namespace {

using namespace actions;

void CheckRefused(const Status& status) {
  Check(status.code() == Code::kInvalid || status.code() == Code::kInvalidType);
  Check(!status.message().empty());
}

// What is accepted comes back from its JSON, also where that is text.
void CheckAction(const ActionConfig& config) {
  Check(!Describe(config).empty());
  const Json json = ToJson(config);
  const auto again = ActionFromJson(json);
  Check(again.ok() && again.value().index() == config.index() && ToJson(again.value()) == json);
  const auto read = ParseActionJson(DumpLikePython(json));
  Check(read.ok() && read.value().size() == 1 && ToJson(read.value().front()) == json);
}

void UseAsActions(std::string_view text) {
  if (const auto configs = ParseActionJson(text); configs.ok()) {
    Check(!configs.value().empty());
    for (const ActionConfig& config : configs.value()) CheckAction(config);
  } else {
    CheckRefused(configs.status());
  }
  if (const auto config = ParseActionFlag(text); config.ok()) {
    CheckAction(config.value());
  } else {
    CheckRefused(config.status());
  }
}

// The name of a variable, '=', its value.
void UseAsSetting(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return;
  const std::string name(text.substr(0, equals)), value(text.substr(equals + 1));
  // This one names a file.
  if (name == "WARDEN_ACTIONS_FILE") return;
  const auto settings = LoadSettings(
      "", [&](const char* variable) { return variable == name ? value.c_str() : nullptr; });
  if (settings.ok()) {
    Check(settings.value().grace.count() >= 0 && settings.value().grace <= std::chrono::hours(24));
  } else {
    CheckRefused(settings.status());
    Check(settings.status().message().starts_with(name));
  }
}

// It comes back from its JSON as the same event, and can be told.
void UseAsFiring(std::string_view text) {
  const auto json = ParseJson(text);
  if (!json.ok()) return;
  const auto firing = FiringFromJson(json.value());
  if (!firing.ok()) {
    Check(firing.status().code() == Code::kCorrupt);
    return;
  }
  const auto again = FiringFromJson(ToJson(firing.value()));
  Check(again.ok() && ToJson(again.value()) == ToJson(firing.value()));
  Check(EventId(again.value()) == EventId(firing.value()));
  Check(SeverityOf(again.value()) == SeverityOf(firing.value()));
  Check(ParseJson(DumpLikePython(EventOf(firing.value(), Origin()))).ok());
  Check(!ShortNotice(firing.value()).empty() && !LongNotice(firing.value()).empty());
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::UseAsActions(text);
  warden::fuzz::UseAsSetting(text);
  warden::fuzz::UseAsFiring(text);
  return 0;
}
