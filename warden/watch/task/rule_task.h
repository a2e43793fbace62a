#ifndef WARDEN_WATCH_TASK_RULE_TASK_H_
#define WARDEN_WATCH_TASK_RULE_TASK_H_

// One rule of a job of the service, in its own process: what jobs/rules/rule_agent.h runs. Results
// are in the words of SageMaker's API, whose clients parse them.

#include <cstdint>
#include <string>
#include <vector>

#include "warden/actions/event.h"
#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/engine/report.h"

namespace warden::watch {

// One rule that evaluates one training job. jobs/rules/rule_launch.h writes its spec. Read from the
// agent's spec.json. Paths are absolute and local: buckets have become folders.
struct RuleTask {
  std::string job;
  std::string launch;
  bool debug = true;  // Of the debugger; else of the profiler.
  rules::RuleConfig config;
  std::string run, profiler;  // Folders, which may be created later; empty: there will be none.
  std::string output;         // Folder of reports and records.
  std::string warning;        // What the log says first; empty: nothing.
  std::string log;            // Folder of its log, and how much of it is kept.
  uint64_t file_bytes = 0;
  int files = 1;

  // kInvalid: the rule's configuration is not accepted; kCorrupt: any other member.
  static Result<RuleTask> FromJson(const Json& spec);
};

// How it ended, in the words of the API. status: "NoIssuesFound", "IssuesFound", "Error" or
// "Stopped". details: for StatusDetails; begins with "ClientError" for mistakes of the user and
// "InternalServerError" for ours.
struct RuleVerdict {
  std::string status;
  std::string details;
  Step step = -1;  // The last one that was evaluated.
};

// What is reported during the evaluation, on its thread. Each does nothing by default.
class RuleListener {
 public:
  virtual ~RuleListener() = default;

  // One sentence for the log, which may contain any characters of the job.
  virtual void Notice(const std::string& /*text*/) {}
  // Findings of the same moment together, before anything else is done with them.
  virtual void Found(const std::vector<actions::Firing>& /*firings*/) {}
  // A step was checked, or a moment has passed.
  virtual void Moment(Step /*last_step*/) {}
  // Whether to give up. Asked several times a second.
  virtual bool IsToStop() { return false; }
  // The rule has been evaluated to its end.
  virtual void Evaluated(const RuleTask& /*task*/,
                         const std::vector<rules::RuleReport>& /*reports*/) {}
};

// Evaluates until the rule has fired, the job is over or the listener says so. Records of an
// earlier process for the same rule are removed first: evaluation is repeatable, and whoever acts
// on findings knows those that were handled. A rule that writes a report runs until the end of the
// job. Blocks; listener is not owned.
RuleVerdict EvaluateByRule(const RuleTask& task, RuleListener* listener);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_TASK_RULE_TASK_H_
