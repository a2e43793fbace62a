#include "warden/jobs/rules/rule_agent.h"

#include <fmt/format.h>

#include <chrono>

#include "warden/base/log.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/jobs/rules/log_output.h"
#include "warden/jobs/rules/rule_isolation.h"

namespace warden::jobs {
namespace {

using watch::RuleTask;
using watch::RuleVerdict;

constexpr std::chrono::seconds kTellInterval{2};

void Say(AgentSelf* self, const RuleVerdict& verdict, bool ended) {
  const Status status = self->Say({{"status", verdict.status},
                                   {"details", verdict.details},
                                   {"step", verdict.step},
                                   {"ended", ended}});
  if (!status.ok()) LogError("{}", status.message());
}

// Prints, hands findings over to the service, and tells it now and then how far the rule has come.
class AgentListener : public watch::RuleListener {
 public:
  AgentListener(const std::string& folder, AgentSelf* self, watch::RuleListener* printer,
                const std::function<bool()>& stop)
      : findings_(folder), self_(self), printer_(printer), stop_(stop) {}

  void Notice(const std::string& text) override { printer_->Notice(text); }
  void Found(const std::vector<actions::Firing>& firings) override {
    printer_->Found(firings);
    findings_.Write(firings);
  }
  void Moment(Step last_step) override {
    if (last_step == told_step_ || Clock::now() - told_ < kTellInterval) return;
    told_ = Clock::now();
    told_step_ = last_step;
    Say(self_, {"InProgress", "", last_step}, false);
  }
  bool IsToStop() override { return stop_() || !self_->HoldsFolder(); }
  void Evaluated(const RuleTask& task, const std::vector<rules::RuleReport>& reports) override {
    printer_->Evaluated(task, reports);
  }

 private:
  using Clock = std::chrono::steady_clock;

  FindingsWriter findings_;
  AgentSelf* const self_;
  watch::RuleListener* const printer_;
  const std::function<bool()>& stop_;
  Clock::time_point told_;
  Step told_step_ = -1;
};

RuleVerdict Evaluate(const RuleTask& task, const std::string& folder, AgentSelf* self,
                     watch::RuleListener* printer, const std::function<bool()>& stop) {
  const auto log = LogOutput::Open(task.log, task.file_bytes, task.files);
  if (!log.ok()) LogError("cannot open the log: {}", log.status().message());
  printer->Notice(fmt::format("rule {} checks job {}", task.config.name, task.job));
  if (!task.warning.empty()) printer->Notice("warning: " + task.warning);
  AgentListener listener(folder, self, printer, stop);
  RuleVerdict verdict = watch::EvaluateByRule(task, &listener);
  const Status kept = KeepOutput(folder, self->spec(), task);
  if (!kept.ok()) printer->Notice(kept.message());
  printer->Notice(fmt::format("rule {}: {}{}{}", task.config.name, verdict.status,
                              verdict.details.empty() ? "" : ". ", verdict.details));
  return verdict;
}

}  // namespace

int RunRuleAgent(const std::string& folder, watch::RuleListener* printer,
                 const std::function<bool()>& stop) {
  const auto self = AgentSelf::Claim(folder);
  if (!self.ok()) {
    if (self.status().code() == Code::kExists) return 0;
    LogError("{}", self.status().message());
    return 1;
  }
  Say(self.value().get(), {"InProgress", ""}, false);
  auto task = RuleTask::FromJson(self.value()->spec());
  if (!task.ok()) {
    const bool users = task.status().code() == Code::kInvalid;
    Say(self.value().get(),
        {"Error", fmt::format("{}: {}", users ? "ClientError" : "InternalServerError",
                              task.status().message())},
        true);
    return 1;
  }
  UseBox(folder, self.value()->spec(), &task.value());
  const RuleVerdict verdict = Evaluate(task.value(), folder, self.value().get(), printer, stop);
  // On a node that was given up: another agent does the work meanwhile.
  if (!self.value()->HoldsFolder()) return 1;
  Say(self.value().get(), verdict, true);
  return 0;
}

}  // namespace warden::jobs
