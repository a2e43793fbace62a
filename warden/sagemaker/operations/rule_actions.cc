#include "warden/sagemaker/operations/rule_actions.h"

#include <variant>

#include "warden/actions/action_maker.h"
#include "warden/base/json_members.h"

namespace warden::sagemaker::operations {

std::string WhyNotSent(const Json& configuration, const std::string& actions_file) {
  const std::string text = TextOf(MemberOf(configuration, "RuleParameters", "action_json"));
  if (text.empty()) return "";
  const auto configs = actions::ParseActionJson(text);
  if (!configs.ok()) return configs.status().message();
  auto settings = actions::LoadSettings(actions_file);
  if (!settings.ok()) return settings.status().message();
  actions::ActionMaker maker(std::move(settings).value(), nullptr);
  for (const actions::ActionConfig& config : configs.value()) {
    // The others need nothing of this machine, or are checked when they are made.
    if (!std::holds_alternative<actions::EmailConfig>(config) &&
        !std::holds_alternative<actions::SmsConfig>(config)) {
      continue;
    }
    const auto made = maker.Make(config);
    if (!made.ok()) return made.status().message();
  }
  return "";
}

}  // namespace warden::sagemaker::operations
