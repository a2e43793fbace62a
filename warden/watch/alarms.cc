#include "warden/watch/alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "warden/actions/rule_actions.h"
#include "warden/base/json.h"
#include "warden/base/time.h"

namespace warden::watch {
namespace {

using actions::ActionConfig;

// How long a finished run waits for deliveries in progress.
constexpr std::chrono::seconds kDeliveryTime{20};

// The stop that the options ask for about findings of this rule; nothing: none.
std::optional<actions::StopTrainingConfig> StopFor(const AlarmOptions& options,
                                                   const rules::PreparedRule& rule) {
  const bool named = std::any_of(options.stop_on.begin(), options.stop_on.end(),
                                 [&](const std::string& name) { return HasName(rule, name); });
  if (named) return actions::StopTrainingConfig{};
  if (!options.stop_at) return std::nullopt;
  return actions::StopTrainingConfig{"", *options.stop_at};
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
    if (rule.config.shadow) continue;
    std::vector<ActionConfig> wanted = options.notify;
    if (const auto stop = StopFor(options, rule)) wanted.push_back(*stop);
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
  new_.emplace(rule.config.name, finding.id);
  std::vector<ActionConfig> at_once = wanted->second;
  std::erase_if(at_once, actions::IsMessage);
  acting_.Found({job_.name, job_.launch, job_.run, rule.config.name, std::string(rule.spec->name),
                 Now(), finding},
                at_once);
}

void Alarms::Known(const rules::RuleState& rule, const rules::Finding& finding) {
  known_.emplace(rule.config.name, finding.id);
}

std::map<std::string, ActionConfig> Alarms::MessagesFor(const Incident& incident) const {
  std::map<std::string, ActionConfig> messages;
  for (const FindingKey& key : incident.keys()) {
    if (!new_.contains(key)) continue;
    for (const ActionConfig& action : actions_.at(key.first)) {
      const bool wanted = actions::IsMessage(action) &&
                          rules::IsAtLeast(incident.severity, actions::LeastSeverity(action));
      if (wanted) messages.emplace(DumpLikePython(actions::ToJson(action)), action);
    }
  }
  return messages;
}

actions::Firing Alarms::FiringOf(const Incident& incident) const {
  const rules::RuleReport& report = *incident.cause.report;
  return {job_.name,
          job_.launch,
          job_.run,
          report.name,
          report.rule,
          Now(),
          *incident.cause.findings.front(),
          ToJson(incident)};
}

void Alarms::Flush(const rules::Engine& engine, MachineLog* machine) {
  if (new_.empty()) return;
  const std::vector<rules::RuleReport> reports = engine.Reports(/*ended=*/false);
  for (const Incident& incident : FindIncidents(reports, machine)) {
    std::vector<ActionConfig> begun;
    const std::vector<FindingKey> keys = incident.keys();
    for (const auto& [text, action] : MessagesFor(incident)) {
      std::set<FindingKey>& told = told_[text];
      const bool again = std::any_of(keys.begin(), keys.end(), [&](const FindingKey& key) {
        return told.contains(key) || known_.contains(key);
      });
      if (!again) begun.push_back(action);
      told.insert(keys.begin(), keys.end());
    }
    if (!begun.empty()) acting_.Tell(FiringOf(incident), begun);
  }
  new_.clear();
}

void Alarms::Finish(WatchListener* listener) {
  for (const actions::Outcome& outcome : acting_.Finish(kDeliveryTime)) {
    listener->Problem(fmt::format("{} for rule {} failed: {}", actions::Describe(outcome.action),
                                  outcome.firing.rule, outcome.status.message()));
  }
  maker_.reset();
}

}  // namespace warden::watch
