#include "warden/cli/rules/alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/strings.h"
#include "warden/cli/text.h"
#include "warden/rules/catalog/registry.h"

namespace warden::cli {
namespace {

using actions::ActionConfig;

// How long a finished run waits for deliveries in progress.
constexpr std::chrono::seconds kDeliveryTime{20};
constexpr char kAnyRule[] = "any";

Time Now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

// The names, as the rules themselves have them, of the flag's list; empty: any.
Result<std::vector<std::string>> StopNames(const std::string& text,
                                           const std::vector<rules::PreparedRule>& rules) {
  std::vector<std::string> names;
  if (text == kAnyRule) return names;
  for (const std::string& name : SplitTrimmed(text, ',')) {
    const auto found = rules::FindRule(name);
    const std::string proper = found.ok() ? std::string(found.value().entry->spec->name) : name;
    const bool judges =
        std::any_of(rules.begin(), rules.end(), [&](const rules::PreparedRule& rule) {
          return rule.config.name == name || rule.spec->name == proper || rule.config.rule == name;
        });
    if (!judges) {
      return Status(Code::kInvalid,
                    fmt::format("--stop-on: rule '{}' does not check this run; expected the name "
                                "of a rule that does, or '{}'",
                                name, kAnyRule));
    }
    names.push_back(proper);
  }
  if (names.empty()) {
    return Status(Code::kInvalid,
                  fmt::format("--stop-on is '{}'; expected rule names or '{}'", text, kAnyRule));
  }
  return names;
}

bool Names(const std::vector<std::string>& names, const rules::PreparedRule& rule) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return rule.config.name == name || rule.spec->name == name || rule.config.rule == name;
         });
}

bool IsForPeople(const ActionConfig& config) {
  return std::holds_alternative<actions::EmailConfig>(config) ||
         std::holds_alternative<actions::SmsConfig>(config);
}

// Whether the settings suffice. Stopping needs none.
Status CheckActions(const actions::Settings& settings, std::vector<ActionConfig> wanted) {
  std::erase_if(wanted, [](const ActionConfig& config) {
    return std::holds_alternative<actions::StopTrainingConfig>(config);
  });
  return actions::ActionMaker(settings, nullptr).Check(wanted);
}

// A rule's own parameters may ask for it, as StalledTrainingRule's do.
std::optional<ActionConfig> OwnStop(const rules::PreparedRule& rule) {
  const auto& texts = rule.params.texts();
  const bool has = std::any_of(texts.begin(), texts.end(), [](const auto& text) {
    return text.first == "stop_training_on_fire";
  });
  if (!has || !rule.params.Switch("stop_training_on_fire")) return std::nullopt;
  return actions::StopTrainingConfig{rule.params.Text("training_job_name_prefix")};
}

}  // namespace

void DefineAlarmFlags(Command* command, AlarmFlags* flags) {
  command->Text("--stop-on", &flags->stop_on,
                "Stop the training when one of these rules finds a problem: NAME,NAME or any");
  command->Texts("--notify", &flags->notify,
                 "Send findings to email:ADDRESS, sms:+NUMBER, webhook:URL, exec:COMMAND, "
                 "metric:prometheus or metric:cloudwatch; may be repeated");
  command->Text("--actions-file", &flags->actions_file,
                "JSON file with the delivery settings: mail server, SMS account, ...");
}

Result<Alarms> Alarms::Make(const AlarmFlags& flags,
                            const std::vector<rules::PreparedRule>& rules) {
  Alarms alarms;
  std::vector<ActionConfig> notify;
  for (const std::string& text : flags.notify) {
    auto action = actions::ParseActionFlag(text);
    if (!action.ok()) return action.status().WithContext("--notify");
    notify.push_back(std::move(action.value()));
  }
  std::vector<std::string> stop_on;
  if (!flags.stop_on.empty()) {
    auto names = StopNames(flags.stop_on, rules);
    if (!names.ok()) return names.status();
    stop_on = std::move(names.value());
  }
  for (const rules::PreparedRule& rule : rules) {
    std::vector<ActionConfig> wanted = notify;
    if (!flags.stop_on.empty() && Names(stop_on, rule)) {
      wanted.push_back(actions::StopTrainingConfig{});
    }
    if (auto stop = OwnStop(rule)) wanted.push_back(std::move(*stop));
    if (!rule.config.action_json.empty()) {
      auto own = actions::ParseActionJson(rule.config.action_json);
      if (!own.ok()) return own.status().WithContext(rule.config.name);
      wanted.insert(wanted.end(), own.value().begin(), own.value().end());
    }
    if (!wanted.empty()) alarms.actions_[rule.config.name] = std::move(wanted);
  }
  auto settings = actions::LoadSettings(flags.actions_file);
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
  auto dispatcher = actions::Dispatcher::Open(
      std::move(options),
      [maker = maker_.get()](const ActionConfig& config) { return maker->Make(config); });
  if (!dispatcher.ok()) return dispatcher.status();
  dispatcher_ = std::move(dispatcher.value());
  return Status();
}

void Alarms::Found(const rules::RuleState& rule, const rules::Finding& finding) {
  const auto wanted = actions_.find(rule.config.name);
  if (dispatcher_ == nullptr || wanted == actions_.end()) return;
  const actions::Firing firing{
      job_.name, job_.launch, job_.run, rule.config.name, std::string(rule.spec->name),
      Now(),     finding};
  std::vector<ActionConfig> at_once;
  std::vector<ActionConfig> to_people;
  for (const ActionConfig& config : wanted->second) {
    const auto* stop = std::get_if<actions::StopTrainingConfig>(&config);
    if (stop != nullptr && !stopped_.insert(stop->prefix).second) continue;
    if (stop != nullptr && stopped_by_.empty()) stopped_by_ = rule.config.name;
    (IsForPeople(config) ? to_people : at_once).push_back(config);
  }
  dispatcher_->Submit(firing, at_once);
  if (to_people.empty()) return;
  const bool same = !messages_.empty() && messages_.back().firing.rule == firing.rule &&
                    messages_.back().firing.finding.step == finding.step;
  if (same) {
    ++messages_.back().more;
  } else {
    messages_.push_back({firing, std::move(to_people)});
  }
}

void Alarms::Flush() {
  for (Message& message : std::exchange(messages_, {})) {
    if (message.more > 0) {
      message.firing.finding.message +=
          fmt::format(" ({} more finding{} at step {})", message.more, message.more == 1 ? "" : "s",
                      message.firing.finding.step);
    }
    dispatcher_->Submit(message.firing, message.actions);
  }
}

void Alarms::Finish(Output* out) {
  if (dispatcher_ == nullptr) return;
  Flush();
  for (const actions::Outcome& outcome : dispatcher_->Finish(kDeliveryTime)) {
    out->Tell(Printable(fmt::format("{} for rule {} failed: {}", actions::Describe(outcome.action),
                                    outcome.firing.rule, outcome.status.message())));
  }
  dispatcher_.reset();
  maker_.reset();
}

}  // namespace warden::cli
