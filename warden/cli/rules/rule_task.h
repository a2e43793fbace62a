#ifndef WARDEN_CLI_RULES_RULE_TASK_H_
#define WARDEN_CLI_RULES_RULE_TASK_H_

#include <functional>
#include <string>
#include <vector>

#include "warden/actions/event.h"
#include "warden/base/json.h"
#include "warden/cli/output.h"
#include "warden/rules/catalog/rule_config.h"

namespace warden::cli {

// One rule that evaluates one training job.
struct RuleTask {
  std::string job;
  std::string launch;
  bool debug = true;  // Of the debugger; else of the profiler.
  rules::RuleConfig config;
  std::string run, profiler;  // Folders, which may be created later; empty: there will be none.
  std::string output;
  std::string log;
  uint64_t file_bytes = 0;
  int files = 1;

  // kInvalid: the rule's configuration is not accepted; kCorrupt: any other member.
  static Result<RuleTask> FromJson(const Json& spec);
};

// How it ended, in the words of the API.
struct RuleVerdict {
  std::string status;
  std::string details;
  Step step = -1;  // The last one that was evaluated.
};

struct RuleListener {
  // Findings of the same moment together, before anything else is done with them.
  std::function<void(const std::vector<actions::Firing>&)> found;
  std::function<void(Step)> moment;
  std::function<bool()> stop;  // Asked several times a second.
};

// Evaluates until the rule has fired, the job is over or `stop` says so.
RuleVerdict JudgeByRule(const RuleTask& task, const RuleListener& listener, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_RULE_TASK_H_
