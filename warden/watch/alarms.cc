#include "warden/watch/alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "warden/actions/rule_actions.h"
#include "warden/base/time.h"

namespace warden::watch {
namespace {

using actions::ActionConfig;

// How long a finished run waits for deliveries in progress.
constexpr std::chrono::seconds kDeliveryTime{20};

bool Stops(const AlarmOptions& options, const rules::PreparedRule& rule) {
  if (!options.stop_on) return false;
  const std::vector<std::string>& names = *options.stop_on;
  return names.empty() || std::any_of(names.begin(), names.end(),
                                      [&](const std::string& name) { return HasName(rule, name); });
}

// Whether the settings suffice. Stopping needs none.
Status CheckActions(const actions::Settings& settings, std::vector<ActionConfig> wanted) {
  std::erase_if(wanted, [](const ActionConfig& config) {
    return std::holds_alternative<actions::StopTrainingConfig>(config);
  });
  return actions::ActionMaker(settings, nullptr).Check(wanted);
}

}  // namespace

bool HasName(const rules::PreparedRule& rule, const std::string& name) {
  return rule.config.name == name || rule.spec->name == name || rule.config.rule == name;
}

Result<Alarms> Alarms::Make(const AlarmOptions& options,
                            const std::vector<rules::PreparedRule>& rules) {
  Alarms alarms;
  for (const rules::PreparedRule& rule : rules) {
    std::vector<ActionConfig> wanted = options.notify;
    if (Stops(options, rule)) wanted.push_back(actions::StopTrainingConfig{});
    auto own = actions::ActionsOfRule(rule.params, rule.config.action_json);
    if (!own.ok()) return own.status().WithContext(rule.config.name);
    wanted.insert(wanted.end(), std::make_move_iterator(own.value().begin()),
                  std::make_move_iterator(own.value().end()));
    if (!wanted.empty()) alarms.actions_[rule.config.name] = std::move(wanted);
  }
  auto settings = actions::LoadSettings(options.settings_file);
  if (!settings.ok()) return settings.status();
  alarms.settings_ = std::move(settings.value());
  for (const auto& [rule, wanted] : alarms.actions_) {
    const Status status = CheckActions(alarms.settings_, wanted);
    if (!status.ok()) return status.WithContext(rule);
  }
  return alarms;
}

Status Alarms::Start(WatchedJob job, const std::string& records_folder,
                     actions::JobControl* control) {
  job_ = std::move(job);
  actions::DispatcherOptions options;
  options.journal = records_folder + "/actions.jsonl";
  maker_ = std::make_unique<actions::ActionMaker>(settings_, control);
  // Metrics are served from here on, before the first finding.
  for (const auto& [rule, wanted] : actions_) {
    if (Status status = maker_->Check(wanted); !status.ok()) return status.WithContext(rule);
  }
  return acting_.Open(std::move(options), [maker = maker_.get()](const ActionConfig& config) {
    return maker->Make(config);
  });
}

void Alarms::Found(const rules::RuleState& rule, const rules::Finding& finding) {
  const auto wanted = actions_.find(rule.config.name);
  if (wanted == actions_.end()) return;
  acting_.Found({job_.name, job_.launch, job_.run, rule.config.name, std::string(rule.spec->name),
                 Now(), finding},
                wanted->second);
}

void Alarms::Finish(WatchListener* listener) {
  for (const actions::Outcome& outcome : acting_.Finish(kDeliveryTime)) {
    listener->Problem(fmt::format("{} for rule {} failed: {}", actions::Describe(outcome.action),
                                  outcome.firing.rule, outcome.status.message()));
  }
  maker_.reset();
}

}  // namespace warden::watch
