#include "warden/cli/rules/rule_agent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "warden/base/log.h"
#include "warden/cli/command.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/rules/log_output.h"
#include "warden/cli/rules/rule_task.h"
#include "warden/cli/text.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/os/posix.h"

namespace warden::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTellInterval{2};

// The findings' file, emptied at the start.
class FindingsWriter {
 public:
  explicit FindingsWriter(const std::string& folder)
      : path_(jobs::FindingsIn(folder)),
        file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
                   0600)) {}

  // All in one piece; on the disk when it returns.
  void Write(const std::vector<actions::Firing>& firings) {
    std::string lines;
    for (const actions::Firing& firing : firings) {
      lines += DumpLikePython(actions::ToJson(firing)) + "\n";
    }
    const ssize_t written = write(file_.get(), lines.data(), lines.size());
    if (written != static_cast<ssize_t>(lines.size()) || fdatasync(file_.get()) != 0) {
      LogError("{}", os::IoError("write", path_, errno).message());
    }
  }

 private:
  const std::string path_;
  const os::UniqueFd file_;
};

void Say(jobs::AgentSelf* self, const RuleVerdict& verdict, bool ended) {
  const Status status = self->Say({{"status", verdict.status},
                                   {"details", verdict.details},
                                   {"step", verdict.step},
                                   {"ended", ended}});
  if (!status.ok()) LogError("{}", status.message());
}

RuleVerdict Judge(const RuleTask& task, const std::string& folder, jobs::AgentSelf* self) {
  auto log = LogOutput::Open(task.log, task.file_bytes, task.files);
  if (!log.ok()) LogError("cannot open the log: {}", log.status().message());
  Output out(STDOUT_FILENO, STDERR_FILENO, Terminal());
  out.Tell(Printable(fmt::format("rule {} checks job {}", task.config.name, task.job)));
  FindingsWriter findings(folder);
  Clock::time_point told;
  Step told_step = -1;
  RuleListener listener;
  listener.found = [&](const auto& firings) { findings.Write(firings); };
  listener.moment = [&](Step step) {
    if (step == told_step || Clock::now() - told < kTellInterval) return;
    told = Clock::now();
    told_step = step;
    Say(self, {"InProgress", "", step}, false);
  };
  listener.stop = [] { return Interrupted(); };
  RuleVerdict verdict = JudgeByRule(task, listener, &out);
  out.Tell(
      Printable(fmt::format("rule {}: {} {}", task.config.name, verdict.status, verdict.details)));
  (void)out.Flush();
  return verdict;
}

}  // namespace

int RunRuleAgent(const std::string& folder) {
  // Before anybody can know that this process exists.
  CatchInterrupts();
  const auto self = jobs::AgentSelf::Claim(folder);
  if (!self.ok()) {
    if (self.status().code() == Code::kExists) return kDone;
    LogError("{}", self.status().message());
    return kFailed;
  }
  Say(self.value().get(), {"InProgress", ""}, false);
  const auto task = RuleTask::FromJson(self.value()->spec());
  if (!task.ok()) {
    const bool users = task.status().code() == Code::kInvalid;
    Say(self.value().get(),
        {"Error", fmt::format("{}: {}", users ? "ClientError" : "InternalServerError",
                              task.status().message())},
        true);
    return kFailed;
  }
  const RuleVerdict verdict = Judge(task.value(), folder, self.value().get());
  Say(self.value().get(), verdict, true);
  return kDone;
}

}  // namespace warden::cli
