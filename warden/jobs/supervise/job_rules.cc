#include "warden/jobs/supervise/job_rules.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/jobs/record/short_text.h"
#include "warden/jobs/rules/rule_isolation.h"
#include "warden/jobs/rules/rule_launch.h"

namespace warden::jobs {
namespace {

using AgentPhase = AgentState::Phase;
using Clock = std::chrono::steady_clock;

bool IsToStop(const TrainingJob& job, const RuleJob& rule) {
  if (rule.stop_requested || rule.status == RuleStatus::kStopping) return true;
  return rule.kind == RuleJob::Kind::kProfiler && !job.IsProfiled();
}

// Since when it has been so, if it is; nothing if it is not.
bool HasLasted(bool is_so, std::optional<Clock::time_point>* since,
               std::chrono::milliseconds patience) {
  if (!is_so) {
    since->reset();
    return false;
  }
  if (!*since) *since = Clock::now();
  return Clock::now() - **since >= patience;
}

bool HasTrained(const TrainingJob& job) {
  return std::any_of(job.transitions.begin(), job.transitions.end(), [](const Transition& each) {
    return each.status == SecondaryStatus::kTraining;
  });
}

}  // namespace

bool JobRules::AreOver(const TrainingJob& job) {
  return std::all_of(job.rules.begin(), job.rules.end(),
                     [](const RuleJob& rule) { return IsOver(rule.status); });
}

bool JobRules::Tend(TrainingJob* job) {
  incidents_.SetProfile(ProfileOf(*options_, *job));
  // Others may be added while we are at it.
  for (size_t place = 0; place < job->rules.size(); ++place) {
    const RuleJob& rule = job->rules[place];
    const std::string folder = service::DataLayout(options_->data).Rule(job->name, rule.job_name);
    const auto [at, is_new] = processes_.try_emplace(rule.job_name, folder);
    if (!IsOver(rule.status)) {
      if (!TendOne(job, {place, folder, &at->second})) return false;
    } else if (is_new) {
      // An earlier life has acted on them. Its first findings are enough for incidents.
      incidents_.Add(rule.Name(), at->second.findings.Next());
    }
  }
  return KeepIncidents(job);
}

bool JobRules::TendOne(TrainingJob* job, const Rule& rule) {
  const RuleJob& now = job->rules[rule.place];
  if (now.launched) return LookAfter(job, rule);
  if (IsToStop(*job, now)) return Set(job, rule, RuleStatus::kStopped, "");
  if (MayBegin(*job)) return Launch(job, rule);
  if (!IsOver(job->status)) return true;
  return Set(job, rule, RuleStatus::kStopped, "The training job ended before training started.");
}

bool JobRules::MayBegin(const TrainingJob& job) {
  if (!job.started) return false;
  return !launcher_->AgentsOfRules(job)->FollowTraining() || HasTrained(job);
}

bool JobRules::Launch(TrainingJob* job, const Rule& rule) {
  const Status status = StartProcess(*job, job->rules[rule.place]);
  if (status.code() == Code::kInvalid) {
    return Set(job, rule, RuleStatus::kError, "ClientError: " + status.message());
  }
  if (!status.ok()) {
    // It is tried again as long as the job lasts.
    LogError("cannot start rule {} of job {}: {}", job->rules[rule.place].Name(), job->name,
             status.message());
    if (!IsOver(job->status)) return true;
    return Set(job, rule, RuleStatus::kError, "InternalServerError: " + status.message());
  }
  return Change(job, rule, [](TrainingJob*, RuleJob* now) {
    now->launched = Now();
    now->modified = *now->launched;
  });
}

Status JobRules::StartProcess(const TrainingJob& job, const RuleJob& rule) {
  const FindTensors find_tensors = [this](const std::string& name) -> Result<std::string> {
    const auto other = store_->Get(name);
    if (other) return other->DebugOutput();
    return Status(Code::kInvalid, fmt::format("unknown training job '{}'", name));
  };
  auto launch = LaunchOfRule(*options_, job, rule, find_tensors);
  if (!launch.ok()) return launch.status();
  launch.value().spec["warning"] = actions_->WhyNotSent(job, rule);
  const Status isolated = IsolateRule(*options_, job, launcher_, &launch.value());
  return isolated.ok() ? launcher_->AgentsOfRules(job)->Start(job, launch.value()) : isolated;
}

bool JobRules::LookAfter(TrainingJob* job, const Rule& rule) {
  RuleAgents* const agents = launcher_->AgentsOfRules(*job);
  const RuleAgentState state = agents->Look(rule.folder);
  const AgentState& agent = state.agent;
  if (const Json* step = MemberOf(agent.said, "step")) rule.process->step = IntegerOf(step);
  PassOnFindings(*job, rule);
  if (agent.phase == AgentPhase::kEnded) return Conclude(job, rule, agent.said);
  if (IsToStop(*job, job->rules[rule.place])) return ComeToEnd(job, rule, agent);
  if (state.queued) rule.process->queued = Now();
  if (job->ended && Now() - std::max(*job->ended, rule.process->queued) > patience_.after_job) {
    agents->Signal(rule.folder, SIGKILL);
    return Set(job, rule, RuleStatus::kError,
               "InternalServerError: the rule did not finish after the training job ended");
  }
  if (HasLasted(agent.phase == AgentPhase::kNone, &rule.process->silent_since,
                patience_.silent_start)) {
    rule.process->silent_since.reset();
    // The service was killed between forgetting a process and starting the next.
    (void)StartProcess(*job, job->rules[rule.place]);
  }
  if (agent.phase == AgentPhase::kLost) return StartAgain(job, rule, state);
  rule.process->lost_since.reset();
  return true;
}

bool JobRules::ComeToEnd(TrainingJob* job, const Rule& rule, const AgentState& agent) {
  if (job->rules[rule.place].status != RuleStatus::kStopping) {
    const bool here = Change(job, rule, [&](TrainingJob* all, RuleJob* now) {
      now->stop_requested = true;
      SetRuleStatus(all, rule.place, RuleStatus::kStopping, "", Now());
    });
    if (!here) return false;
  }
  const bool is_there = agent.phase == AgentPhase::kRunning;
  const bool never_came = HasLasted(agent.phase == AgentPhase::kNone, &rule.process->silent_since,
                                    patience_.silent_start);
  if (never_came || agent.phase == AgentPhase::kLost)
    return Set(job, rule, RuleStatus::kStopped, "");
  RuleAgents* const agents = launcher_->AgentsOfRules(*job);
  if (is_there && !rule.process->asked_to_end) agents->Signal(rule.folder, SIGTERM);
  if (HasLasted(is_there, &rule.process->asked_to_end, patience_.stop)) {
    agents->Signal(rule.folder, SIGKILL);
  }
  return true;
}

bool JobRules::StartAgain(TrainingJob* job, const Rule& rule, const RuleAgentState& state) {
  const RuleJob& now = job->rules[rule.place];
  const auto before = static_cast<size_t>(now.restarts);
  if (!state.again) return Set(job, rule, RuleStatus::kError, state.why_lost);
  if (before >= patience_.restarts.size()) {
    const std::string why =
        !state.why_lost.empty()
            ? fmt::format("{} (after {} restarts)", state.why_lost, before)
            : fmt::format(
                  "InternalServerError: the rule's process was killed {} times, possibly "
                  "because it used more than {} bytes of memory",
                  before + 1, options_->rule_memory_bytes);
    return Set(job, rule, RuleStatus::kError, why);
  }
  if (!HasLasted(true, &rule.process->lost_since, patience_.restarts[before])) return true;
  LogWarning("rule {} of job {} was killed; restarting it", now.Name(), job->name);
  if (!Change(job, rule, [](TrainingJob*, RuleJob* changed) { ++changed->restarts; })) return false;
  rule.process->lost_since.reset();
  Status status = launcher_->AgentsOfRules(*job)->Forget(rule.folder);
  if (status.ok()) status = StartProcess(*job, job->rules[rule.place]);
  if (!status.ok()) LogError("rule {}: {}", job->rules[rule.place].Name(), status.message());
  return true;
}

bool JobRules::Conclude(TrainingJob* job, const Rule& rule, const Json& said) {
  const auto status = RuleStatusFrom(TextOf(MemberOf(said, "status")));
  if (!status || !IsOver(*status)) {
    return Set(job, rule, RuleStatus::kError,
               "InternalServerError: the rule's process ended without a result");
  }
  std::string details = TextOf(MemberOf(said, "details"));
  if (*status == RuleStatus::kIssuesFound) {
    AddUnrecorded(*job, rule, details);
    const std::string why = actions_->WhyNotSent(*job, job->rules[rule.place]);
    if (!why.empty()) details += fmt::format("Not sent: {}\n", why);
  }
  return Set(job, rule, *status, std::move(details));
}

void JobRules::PassOnFindings(const TrainingJob& job, const Rule& rule) {
  std::vector<actions::Firing> firings = rule.process->findings.Next();
  const RuleJob& of = job.rules[rule.place];
  for (actions::Firing& firing : firings) {
    // A rule speaks for itself alone.
    firing.job = job.name;
    firing.rule = of.Name();
  }
  if (firings.empty()) return;
  incidents_.Add(of.Name(), firings);
  actions_->Found(job, of, firings);
}

void JobRules::AddUnrecorded(const TrainingJob& job, const Rule& rule, const std::string& details) {
  const RuleJob& of = job.rules[rule.place];
  if (incidents_.Has(of.Name())) return;
  actions::Firing firing;
  firing.rule_class = TextOf(MemberOf(of.config, "RuleParameters", "rule_to_invoke"));
  firing.finding.id = 1;
  firing.finding.step = firing.finding.last_step = std::max<Step>(rule.process->step, 0);
  firing.finding.message = Trim(OneLine(details));
  incidents_.Add(of.Name(), {firing});
}

bool JobRules::KeepIncidents(TrainingJob* job) {
  if (!incidents_.news() || !HaveAllLooked(*job, *incidents_.news())) return true;
  auto changed = store_->Change(job->name, [&](TrainingJob* all) {
    incidents_.WriteTo(all, Now());
    return true;
  });
  if (!changed) return false;
  incidents_.Kept();
  *job = std::move(*changed);
  return true;
}

bool JobRules::HaveAllLooked(const TrainingJob& job, const JobIncidents::News& news) const {
  if (AreOver(job) || Clock::now() - news.since >= patience_.together) return true;
  if (!news.step) return false;
  return std::all_of(job.rules.begin(), job.rules.end(), [&](const RuleJob& rule) {
    if (IsOver(rule.status) || rule.kind == RuleJob::Kind::kProfiler) return true;
    const auto process = processes_.find(rule.job_name);
    return process != processes_.end() && process->second.step >= *news.step;
  });
}

bool JobRules::Set(TrainingJob* job, const Rule& rule, RuleStatus status, std::string details) {
  return Change(job, rule, [&](TrainingJob* all, RuleJob*) {
    SetRuleStatus(all, rule.place, status, ShortText(details), Now());
  });
}

bool JobRules::Change(TrainingJob* job, const Rule& rule,
                      const std::function<void(TrainingJob*, RuleJob*)>& change) {
  const std::string name = job->rules[rule.place].job_name;
  auto changed = store_->Change(job->name, [&](TrainingJob* all) {
    if (rule.place >= all->rules.size() || all->rules[rule.place].job_name != name) return false;
    if (IsOver(all->rules[rule.place].status)) return false;
    change(all, &all->rules[rule.place]);
    if (AreOver(*all)) incidents_.WriteTo(all, Now());
    return true;
  });
  if (!changed) return false;
  *job = std::move(*changed);
  return rule.place < job->rules.size();
}

}  // namespace warden::jobs
