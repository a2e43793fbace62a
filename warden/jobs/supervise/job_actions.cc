#include "warden/jobs/supervise/job_actions.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "warden/actions/rule_actions.h"
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

// The parameters of a built-in rule; none of a custom rule, or if they are not accepted.
rules::Params ParamsOf(const rules::RuleConfig& config) {
  if (!config.source.empty()) return {};
  const auto found = rules::FindRule(config.rule);
  if (!found.ok()) return {};
  const rules::RuleSpec& spec = *found.value().entry->spec;
  auto params = rules::Params::Read(spec.name, rules::AllParams(spec), config.params);
  return params.ok() ? std::move(params).value() : rules::Params();
}

// Clients send the job's name as the prefix, in lower case.
void GiveProperCase(const TrainingJob& job, ActionConfig* config) {
  auto* stop = std::get_if<actions::StopTrainingConfig>(config);
  if (stop != nullptr && stop->prefix == LowerAscii(job.name)) stop->prefix = job.name;
}

}  // namespace

Result<std::vector<ActionConfig>> ActionsOf(const TrainingJob& job, const RuleJob& rule) {
  if (rule.kind != RuleJob::Kind::kDebug) return std::vector<ActionConfig>();
  const auto configs = rules::RuleConfigsFromJson(Json::array({rule.config}));
  if (!configs.ok()) return configs.status();
  const rules::RuleConfig& config = configs.value().front();
  auto wanted = actions::ActionsOfRule(ParamsOf(config), config.action_json);
  if (!wanted.ok()) return wanted.status();
  for (ActionConfig& action : wanted.value()) GiveProperCase(job, &action);
  return wanted;
}

JobActions::JobActions(std::string folder, actions::ActionMaker* maker,
                       std::function<Result<actions::ExecPlace>()> place)
    : folder_(std::move(folder)),
      maker_(maker),
      place_(std::move(place)),
      acting_(actions::FindingActions::MoreStyle::kAfterSemicolon) {}

std::string JobActions::WhyNotSent(const TrainingJob& job, const RuleJob& rule) const {
  const auto wanted = ActionsOf(job, rule);
  return wanted.ok() ? maker_->WhyNotSent(wanted.value()) : "";
}

bool JobActions::AreLeft(const std::string& folder) {
  std::error_code error;
  return std::filesystem::exists(MarkIn(folder), error);
}

bool JobActions::Open() {
  if (acting_.is_open()) return true;
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
  const Status status = acting_.Open(
      std::move(options), [maker = maker_, place = place_](const ActionConfig& config) {
        return place ? maker->Make(config, place) : maker->Make(config);
      });
  if (!status.ok()) LogError("cannot run actions: {}", status.message());
  return status.ok();
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
  for (const Firing& firing : firings) acting_.Found(firing, wanted.value());
  acting_.Flush();
}

bool JobActions::Finish(std::chrono::milliseconds wait) {
  if (!acting_.is_open()) return true;
  if (!acting_.WaitIdle(wait)) return false;
  (void)acting_.Finish(std::chrono::milliseconds(0));
  std::error_code error;
  std::filesystem::remove(MarkIn(folder_), error);
  return true;
}

}  // namespace warden::jobs
