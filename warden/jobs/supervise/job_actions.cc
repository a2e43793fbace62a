#include "warden/jobs/supervise/job_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/catalog/rule_config.h"

namespace warden::jobs {
namespace {

using actions::ActionConfig;
using actions::Firing;

// There as long as something may be left to do: whether that is so is seen without reading
// journals.
std::string MarkIn(const std::string& folder) { return folder + "/actions.pending"; }

bool IsForPeople(const ActionConfig& config) {
  return std::holds_alternative<actions::EmailConfig>(config) ||
         std::holds_alternative<actions::SmsConfig>(config);
}

// A rule's own parameters may ask for it, as StalledTrainingRule's do.
void AddOwnStop(const rules::RuleConfig& config, std::vector<ActionConfig>* wanted) {
  if (!config.source.empty()) return;
  const auto found = rules::FindRule(config.rule);
  if (!found.ok()) return;
  const rules::RuleSpec& spec = *found.value().entry->spec;
  const auto params = rules::Params::Read(spec.name, rules::AllParams(spec), config.params);
  if (!params.ok()) return;
  const auto& texts = params.value().texts();
  const bool has = std::any_of(texts.begin(), texts.end(), [](const auto& text) {
    return text.first == "stop_training_on_fire";
  });
  if (!has || !params.value().Switch("stop_training_on_fire")) return;
  wanted->push_back(actions::StopTrainingConfig{params.value().Text("training_job_name_prefix")});
}

// Clients send the job's name as the prefix, in lower case.
void GiveProperCase(const TrainingJob& job, ActionConfig* config) {
  auto* stop = std::get_if<actions::StopTrainingConfig>(config);
  if (stop != nullptr && stop->prefix == LowerAscii(job.name)) stop->prefix = job.name;
}

// One message for all that a rule finds at a step.
std::vector<Firing> ByStep(const std::vector<Firing>& firings) {
  std::vector<Firing> messages;
  std::map<Step, std::pair<size_t, int>> places;  // The message of a step, and how many more.
  for (const Firing& firing : firings) {
    const auto [place, added] = places.try_emplace(firing.finding.step, messages.size(), 0);
    if (added) {
      messages.push_back(firing);
    } else {
      ++place->second.second;
    }
  }
  for (const auto& [step, place] : places) {
    if (place.second == 0) continue;
    messages[place.first].finding.message += fmt::format(
        "; {} more {} at step {}", place.second, place.second == 1 ? "finding" : "findings", step);
  }
  return messages;
}

}  // namespace

Result<std::vector<ActionConfig>> ActionsOf(const TrainingJob& job, const RuleJob& rule) {
  std::vector<ActionConfig> wanted;
  if (rule.kind != RuleJob::Kind::kDebug) return wanted;
  const auto configs = rules::RuleConfigsFromJson(Json::array({rule.config}));
  if (!configs.ok()) return configs.status();
  const rules::RuleConfig& config = configs.value().front();
  AddOwnStop(config, &wanted);
  if (!config.action_json.empty()) {
    auto own = actions::ParseActionJson(config.action_json);
    if (!own.ok()) return own.status();
    wanted.insert(wanted.end(), own.value().begin(), own.value().end());
  }
  for (ActionConfig& action : wanted) GiveProperCase(job, &action);
  return wanted;
}

JobActions::JobActions(std::string folder, actions::ActionMaker* maker)
    : folder_(std::move(folder)), maker_(maker) {}

bool JobActions::AreLeft(const std::string& folder) {
  std::error_code error;
  return std::filesystem::exists(MarkIn(folder), error);
}

bool JobActions::Open() {
  if (dispatcher_ != nullptr) return true;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  std::ofstream(MarkIn(folder_)).flush();
  actions::DispatcherOptions options;
  options.journal = folder_ + "/actions.jsonl";
  options.on_outcome = [folder = folder_](const actions::Outcome& outcome) {
    if (outcome.state == actions::Outcome::State::kDone) return;
    LogWarning("{}: {} for {}: {}", folder, actions::Describe(outcome.action), outcome.firing.rule,
               outcome.status.message());
  };
  auto opened = actions::Dispatcher::Open(
      std::move(options),
      [maker = maker_](const ActionConfig& config) { return maker->Make(config); });
  if (!opened.ok()) {
    LogError("cannot run actions: {}", opened.status().message());
    return false;
  }
  dispatcher_ = std::move(opened).value();
  return true;
}

void JobActions::Resume() {
  if (AreLeft(folder_)) Open();
}

void JobActions::Found(const TrainingJob& job, const RuleJob& rule,
                       const std::vector<Firing>& firings) {
  const auto wanted = ActionsOf(job, rule);
  if (!wanted.ok()) {
    LogError("{}: cannot parse the actions of rule {}: {}", job.name, rule.Name(),
             wanted.status().message());
    return;
  }
  if (wanted.value().empty() || firings.empty() || !Open()) return;
  std::vector<ActionConfig> at_once = wanted.value();
  const auto people = std::partition(at_once.begin(), at_once.end(),
                                     [](const ActionConfig& a) { return !IsForPeople(a); });
  const std::vector<ActionConfig> to_people(people, at_once.end());
  at_once.erase(people, at_once.end());
  for (const Firing& firing : firings) {
    std::vector<ActionConfig> now = at_once;
    std::erase_if(now, [this](const ActionConfig& config) {
      const auto* stop = std::get_if<actions::StopTrainingConfig>(&config);
      return stop != nullptr && !stopped_.insert(stop->prefix).second;
    });
    dispatcher_->Submit(firing, now);
  }
  for (const Firing& firing : ByStep(firings)) dispatcher_->Submit(firing, to_people);
}

bool JobActions::Finish(std::chrono::milliseconds wait) {
  if (dispatcher_ == nullptr) return true;
  if (!dispatcher_->WaitIdle(wait)) return false;
  (void)dispatcher_->Finish(std::chrono::milliseconds(0));
  dispatcher_.reset();
  std::error_code error;
  std::filesystem::remove(MarkIn(folder_), error);
  return true;
}

}  // namespace warden::jobs
