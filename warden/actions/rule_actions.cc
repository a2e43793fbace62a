#include "warden/actions/rule_actions.h"

#include <algorithm>
#include <iterator>

namespace warden::actions {
namespace {

constexpr char kStopParameter[] = "stop_training_on_fire";

bool AsksForStop(const rules::Params& params) {
  const auto& texts = params.texts();
  const bool has = std::any_of(texts.begin(), texts.end(),
                               [](const auto& text) { return text.first == kStopParameter; });
  return has && params.Switch(kStopParameter);
}

}  // namespace

Result<std::vector<ActionConfig>> ActionsOfRule(const rules::Params& params,
                                                const std::string& action_json) {
  std::vector<ActionConfig> wanted;
  if (AsksForStop(params)) {
    wanted.push_back(StopTrainingConfig{params.Text("training_job_name_prefix")});
  }
  if (action_json.empty()) return wanted;
  auto own = ParseActionJson(action_json);
  if (!own.ok()) return own.status();
  wanted.insert(wanted.end(), std::make_move_iterator(own.value().begin()),
                std::make_move_iterator(own.value().end()));
  return wanted;
}

}  // namespace warden::actions
