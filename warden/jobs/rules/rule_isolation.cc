#include "warden/jobs/rules/rule_isolation.h"

#include <cstdlib>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/launch/box_json.h"
#include "warden/jobs/launch/boxed.h"
#include "warden/jobs/launch/hidden_places.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/custom/find_python.h"

namespace warden::jobs {
namespace {

// What the Python of custom rules consists of.
std::vector<std::string> FoldersOfPython(const service::ServiceOptions& options) {
  std::vector<std::string> folders;
  const auto python = rules::FindPython(RealPath(options.program));
  // Otherwise the rule's agent says so.
  if (python.ok()) folders = FoldersOfProgram(python.value());
  const char* more = std::getenv("PYTHONPATH");
  for (const std::string& folder : SplitTrimmed(more == nullptr ? "" : more, ':')) {
    folders.push_back(RealPath(folder));
  }
  return folders;
}

Result<rules::RuleConfig> ConfigOf(const AgentLaunch& launch) {
  auto configs = rules::RuleConfigsFromJson(Json::array({launch.spec.at("rule")}));
  if (!configs.ok()) return configs.status();
  return std::move(configs.value().front());
}

std::vector<std::string> InBox(const std::vector<std::string>& environment, const os::Box& box) {
  Variables variables;
  for (const std::string& entry : environment) {
    const size_t equals = entry.find('=');
    variables[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  MoveIntoBox(box, &variables);
  return AsEnvironment(variables);
}

}  // namespace

Status IsolateRule(const service::ServiceOptions& options, const TrainingJob& job,
                   Launcher* launcher, AgentLaunch* launch) {
  const auto config = ConfigOf(*launch);
  // The agent says what is wrong with it.
  if (!config.ok() || config.value().source.empty()) return Status();
  RuleToIsolate rule;
  rule.folder = launch->folder;
  rule.source = config.value().source;
  for (const char* member : {"run", "profiler"}) {
    const std::string folder = TextOf(MemberOf(launch->spec, member));
    if (!folder.empty()) rule.own_runs.push_back(folder);
  }
  const auto others = config.value().params.find("other_trials");
  if (others != config.value().params.end()) rule.other_runs = SplitTrimmed(others->second, ',');
  rule.programs = FoldersOfPython(options);
  auto made = launcher->BoxOfRule(job, rule);
  if (!made.ok()) return made.status();
  if (!made.value()) return Status();
  const RuleBox& box = *made.value();
  if (rule.source.ends_with(".so")) {
    // The very file that was looked at.
    launch->spec["rule"]["RuleParameters"]["source_s3_uri"] = box.source;
  }
  launch->spec["box"] = ToJson(box.box);
  launch->spec["directory"] = "/tmp";
  launch->spec["source"] = box.source;
  launch->spec["temporary"] = box.temporary;
  launch->spec["objects"] = service::DataLayout(options.data).Objects();
  launch->environment = InBox(launch->environment, box.box);
  return Status();
}

void UseBox(const std::string& folder, const Json& spec, watch::RuleTask* task) {
  if (MemberOf(spec, "box") == nullptr) return;
  task->config.python_prefix = BoxedCommand("/proc/self/exe", AgentFolder(folder).Spec());
  task->config.python_prefix.emplace_back("--words");
  task->config.python_source = TextOf(MemberOf(spec, "source"));
  if (!task->config.profile_output.empty()) task->config.profile_output = kRuleOutput;
}

Status KeepOutput(const std::string& folder, const Json& spec, const watch::RuleTask& task) {
  if (MemberOf(spec, "box") == nullptr) return Status();
  return KeepRuleOutput(folder, TextOf(MemberOf(spec, "temporary")),
                        TextOf(MemberOf(spec, "objects")), task.output);
}

}  // namespace warden::jobs
