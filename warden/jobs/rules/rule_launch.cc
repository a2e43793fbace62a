#include "warden/jobs/rules/rule_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/s3/object_path.h"

namespace warden::jobs {
namespace {

// The file or folder of what "s3://..." names; "" if nothing is named.
Result<std::string> PathOfUri(const service::ServiceOptions& options, const std::string& uri) {
  constexpr std::string_view kFile = "file://";
  if (uri.empty()) return uri;
  if (uri.starts_with(kFile)) return uri.substr(kFile.size());
  if (uri.starts_with('/')) return uri;
  const auto name = s3::ParseS3Uri(uri);
  if (!name.ok()) return name.status();
  return s3::PathOfObject(service::DataLayout(options.data).Objects(), name.value());
}

constexpr std::string_view kSource = "source_s3_uri";

bool NamesRuns(std::string_view parameter) { return parameter.starts_with("other_trial"); }

// Whether the parameter's value is a place, or several with commas between.
bool NamesPlaces(std::string_view parameter) {
  return parameter == kSource || NamesRuns(parameter);
}

bool IsJobName(std::string_view place) {
  return !place.empty() && !place.starts_with('/') && place.find("://") == place.npos;
}

Result<std::string> TensorsOf(const std::string& job, const FindTensors& find_tensors) {
  auto uri = find_tensors(job);
  if (uri.ok() && uri.value().empty()) {
    return Status(Code::kInvalid, fmt::format("job '{}' has no DebugHookConfig: it saved no "
                                              "tensors to compare with",
                                              job));
  }
  return uri;
}

Result<std::string> PathsOfUris(const service::ServiceOptions& options, const std::string& uris,
                                const FindTensors& find_tensors) {
  std::string paths;
  for (std::string& uri : SplitTrimmed(uris, ',')) {
    if (find_tensors != nullptr && IsJobName(uri)) {
      auto tensors = TensorsOf(uri, find_tensors);
      if (!tensors.ok()) return tensors.status();
      uri = std::move(tensors.value());
    }
    auto path = PathOfUri(options, uri);
    if (!path.ok()) return path.status();
    paths += (paths.empty() ? "" : ",") + path.value();
  }
  return paths;
}

// The configuration with files in place of addresses, which a rule's process does not know.
Result<Json> LocalConfig(const service::ServiceOptions& options, Json config,
                         const FindTensors& find_tensors) {
  const auto parameters = config.find("RuleParameters");
  if (parameters == config.end() || !parameters->is_object()) return config;
  for (auto& [name, value] : parameters->items()) {
    if (!NamesPlaces(name) || !value.is_string()) continue;
    auto paths = PathsOfUris(options, value.get<std::string>(),
                             NamesRuns(name) ? find_tensors : FindTensors());
    if (!paths.ok()) return paths.status().WithContext(name);
    value = std::move(paths.value());
  }
  return config;
}

// A rule may be a program of the user's, and is not to find the service's secrets, whatever their
// names are: what it needs is named instead.
std::vector<std::string> EnvironmentOfRules() {
  Variables variables = HarmlessVariables();
  for (const char* name :
       {"WARDEN_PYTHON", "TENSORWARDEN_PYTHON", "PYTHONPATH", "SMDEBUG_LOG_LEVEL"}) {
    if (const char* value = std::getenv(name); value != nullptr) variables[name] = value;
  }
  return AsEnvironment(variables);
}

}  // namespace

Result<AgentLaunch> LaunchOfRule(const service::ServiceOptions& options, const TrainingJob& job,
                                 const RuleJob& rule, const FindTensors& find_tensors) {
  AgentLaunch launch;
  launch.folder = service::DataLayout(options.data).Rule(job.name, rule.job_name);
  launch.words = {options.program, "agent", "rule"};
  launch.environment = EnvironmentOfRules();
  launch.memory_bytes = options.rule_memory_bytes;
  auto config = LocalConfig(options, rule.config, find_tensors);
  if (!config.ok()) return config.status();
  launch.spec = {{"job", job.name},
                 {"launch", std::to_string(job.created.time_since_epoch().count())},
                 {"kind", rule.kind == RuleJob::Kind::kDebug ? "debug" : "profiler"},
                 {"rule", std::move(config.value())},
                 {"log", service::DataLayout::Log(launch.folder)},
                 {"file_bytes", options.log_file_bytes},
                 {"files", options.log_files}};
  for (const auto& [member, uri] :
       {std::pair("run", job.DebugOutput()), std::pair("profiler", job.ProfilerOutput()),
        std::pair("output", job.RuleOutput(rule))}) {
    auto path = PathOfUri(options, uri);
    if (!path.ok()) return path.status().WithContext(member);
    launch.spec[member] = std::move(path.value());
  }
  return launch;
}

std::string ProfileOf(const service::ServiceOptions& options, const TrainingJob& job) {
  auto path = PathOfUri(options, job.ProfilerOutput());
  return path.ok() ? std::move(path).value() : "";
}

std::vector<std::string> JobsToCompareWith(const Json& config) {
  std::vector<std::string> jobs;
  const Json* parameters = MemberOf(config, "RuleParameters");
  if (parameters == nullptr || !parameters->is_object()) return jobs;
  for (const auto& [name, value] : parameters->items()) {
    if (!NamesRuns(name) || !value.is_string()) continue;
    for (std::string& place : SplitTrimmed(value.get<std::string>(), ',')) {
      const bool known = std::find(jobs.begin(), jobs.end(), place) != jobs.end();
      if (IsJobName(place) && !known) jobs.push_back(std::move(place));
    }
  }
  return jobs;
}

}  // namespace warden::jobs
