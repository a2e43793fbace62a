#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/log_follower.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

constexpr char kTrainingLogs[] = "/aws/sagemaker/TrainingJobs";
constexpr char kRuleLogs[] = "/aws/sagemaker/ProcessingJobs";
constexpr std::chrono::milliseconds kLogsPause{400};

struct JobsLogsOptions {
  client::EndpointFlags service;
  std::string job;
  bool follow = false;
  std::string host;
  std::string rule;
  bool json = false;
};

struct Streams {
  std::string group;
  std::string prefix;
};

Result<Streams> StreamsOf(const JobsLogsOptions& options, const Json& job) {
  if (options.rule.empty()) {
    const std::string host = options.host.empty() ? "" : options.host + "-";
    return Streams{kTrainingLogs, options.job + "/" + host};
  }
  std::vector<std::string> names;
  for (const RuleRow& rule : RulesIn(job)) {
    if (rule.name == options.rule && rule.job_name.empty()) {
      return Status(Code::kUnavailable, fmt::format("rule {} has not started yet", rule.name));
    }
    if (rule.name == options.rule) return Streams{kRuleLogs, rule.job_name + "/"};
    names.push_back(rule.name);
  }
  return Status(Code::kNotFound, fmt::format("no such rule: {}; rules of job {}: {}", options.rule,
                                             options.job, fmt::join(names, ", ")));
}

void PrintLines(const std::vector<ToldLine>& lines, const JobsLogsOptions& options, bool with_host,
                Output* out) {
  for (const ToldLine& line : lines) {
    if (options.json) {
      out->PrintJson({{"timestamp", line.time_ms}, {"host", line.host}, {"message", line.text}});
    } else if (with_host) {
      out->Print("{} {}\n", Styled(Printable(line.host), Style::kDim, out->terminal()),
                 Printable(line.text));
    } else {
      out->Print("{}\n", Printable(line.text));
    }
  }
}

// Whether more can come.
Result<bool> GoesOn(const JobsLogsOptions& options, ServiceCall* service) {
  const auto job = service->Describe(options.job);
  if (!job.ok()) return job.status();
  if (options.rule.empty()) return !IsOver(TextIn(job.value(), "TrainingJobStatus"));
  const auto rules = RulesIn(job.value());
  return std::any_of(rules.begin(), rules.end(), [&](const RuleRow& rule) {
    return rule.name == options.rule && !AllOver({rule});
  });
}

Result<int> ShowLogs(const JobsLogsOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto job = service.value().Describe(options.job);
  if (!job.ok()) return job.status();
  const auto streams = StreamsOf(options, job.value());
  if (!streams.ok()) return streams.status();
  LogFollower follower(streams.value().group, streams.value().prefix, &service.value());
  if (options.follow) CatchInterrupts();
  for (bool last = !options.follow;;) {
    const auto lines = follower.Next();
    if (!lines.ok()) return lines.status();
    PrintLines(lines.value(), options, follower.hosts() > 1, out);
    if (const Status status = out->Flush(); !status.ok()) return status;
    if (last || Interrupted()) return kDone;
    if (!lines.value().empty()) continue;
    // What was written between the last look at the log and the end of the job is still to come.
    const auto goes_on = GoesOn(options, &service.value());
    if (!goes_on.ok()) return goes_on.status();
    last = !goes_on.value();
    if (!last) std::this_thread::sleep_for(kLogsPause);
  }
}

void DefineJobsLogs(Command* command) {
  auto options = std::make_shared<JobsLogsOptions>();
  command->Positional("JOB", &options->job, "Name of the job");
  command->Switch("-f,--follow", &options->follow, "Keep printing until the job ends");
  command->Text("--host", &options->host, "Only this host, such as algo-2");
  command->Text("--rule", &options->rule, "Log of this rule instead of the training");
  command->Exclusive({"--host", "--rule"});
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Examples:\n"
      "  warden jobs logs demo -f\n"
      "  warden jobs logs demo --host algo-2\n"
      "  warden jobs logs demo --rule VanishingGradient");
  command->Runs(options, ShowLogs);
}

}  // namespace

CommandEntry JobsLogs() { return {"logs", "Print the log of a job", DefineJobsLogs}; }

}  // namespace warden::cli
