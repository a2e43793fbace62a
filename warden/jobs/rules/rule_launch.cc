#include "warden/jobs/rules/rule_launch.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

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

// Whether the parameter's value is a place, or several with commas between.
bool NamesPlaces(std::string_view parameter) {
  return parameter == "source_s3_uri" || parameter.starts_with("other_trial");
}

Result<std::string> PathsOfUris(const service::ServiceOptions& options, const std::string& uris) {
  std::string paths;
  for (const std::string& uri : SplitTrimmed(uris, ',')) {
    auto path = PathOfUri(options, uri);
    if (!path.ok()) return path.status();
    paths += (paths.empty() ? "" : ",") + path.value();
  }
  return paths;
}

// The configuration with files in place of addresses, which a rule's process does not know.
Result<Json> LocalConfig(const service::ServiceOptions& options, Json config) {
  const auto parameters = config.find("RuleParameters");
  if (parameters == config.end() || !parameters->is_object()) return config;
  for (auto& [name, value] : parameters->items()) {
    if (!NamesPlaces(name) || !value.is_string()) continue;
    auto paths = PathsOfUris(options, value.get<std::string>());
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
                                 const RuleJob& rule) {
  AgentLaunch launch;
  launch.folder = service::DataLayout(options.data).Rule(job.name, rule.job_name);
  launch.words = {options.program, "agent", "rule"};
  launch.environment = EnvironmentOfRules();
  launch.memory_bytes = options.rule_memory_bytes;
  auto config = LocalConfig(options, rule.config);
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

}  // namespace warden::jobs
