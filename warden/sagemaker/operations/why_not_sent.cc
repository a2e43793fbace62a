#include "warden/sagemaker/operations/why_not_sent.h"

#include <utility>

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
  return maker.WhyNotSent(configs.value());
}

}  // namespace warden::sagemaker::operations
