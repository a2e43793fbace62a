#include "warden/jobs/launch/program_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/jobs/launch/builtin_algorithm.h"
#include "warden/jobs/launch/container.h"
#include "warden/jobs/launch/distribution.h"
#include "warden/jobs/launch/hyper_parameters.h"
#include "warden/jobs/launch/instance_limits.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/jobs/launch/requirements.h"
#include "warden/jobs/launch/script_mode.h"
#include "warden/jobs/launch/strays.h"
#include "warden/rules/catalog/rule_inputs.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> WordsIn(const TrainingJob& job, const char* member) {
  std::vector<std::string> words;
  const Json* given = MemberOf(job.request, "AlgorithmSpecification", member);
  if (given == nullptr || !given->is_array()) return words;
  for (const Json& word : *given) words.push_back(TextOf(&word));
  return words;
}

bool IsProgram(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// By PATH, unless there is a '/' in it.
bool CanBeRun(const std::string& word) {
  if (word.find('/') != std::string::npos) return IsProgram(word);
  const Variables ours = HarmlessVariables();
  const auto path = ours.find("PATH");
  if (path == ours.end()) return false;
  const auto folders = SplitTrimmed(path->second, ':');
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::string& folder) { return IsProgram(folder + "/" + word); });
}

// What a job runs in its image, if it is not what the image itself would: ContainerEntrypoint with
// ContainerArguments, or its script.
std::vector<std::string> OwnWords(const HostToPlan& host, const Script& script,
                                  const HyperParameters& parameters,
                                  const DistributedHost& distributed) {
  std::vector<std::string> words = WordsIn(host.job, "ContainerEntrypoint");
  const std::vector<std::string> arguments = WordsIn(host.job, "ContainerArguments");
  if (words.empty() && !script.program.empty()) {
    const std::vector<std::string> python = host.environment.python.empty()
                                                ? host.environment.command
                                                : std::vector{host.environment.python};
    std::vector<std::string> plain = WordsOf(script, python, host.layout, parameters.Arguments());
    if (distributed.distribution.kind == Distribution::Kind::kNone) return plain;
    return Distribute(distributed, std::move(plain));
  }
  if (words.empty() && !host.environment.python.empty()) {
    return BuiltinAlgorithmWords(BuiltinAlgorithmOf(host.job), host.environment.python,
                                 host.options);
  }
  if (words.empty()) words = host.environment.command;
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

void PutBefore(const std::string& folder, std::string* path) {
  *path = path->empty() ? folder : folder + ":" + *path;
}

// Whether a rule of the job checks the training loop, which is observed for such rules only: what
// other jobs save is what their DebugHookConfig says.
bool IsLoopChecked(const TrainingJob& job) {
  return std::ranges::any_of(job.rules, [](const RuleJob& rule) {
    const auto inputs = rules::InputsOfRule(rule.config);
    return inputs && std::ranges::any_of(inputs->selectors, &rules::Selector::NamesTrainingLoop);
  });
}

// What the job asks for, over what the environment has, over ours; what the platform says of the
// job is never overruled.
Variables VariablesOf(const HostToPlan& host, const Script& script,
                      const HyperParameters& parameters) {
  Variables variables = HarmlessVariables();
  if (host.box) MoveIntoBox(*host.box, &variables);
  for (const auto& [name, value] : host.environment.variables) variables[name] = value;
  // So that "python" in a shell script is the same one.
  if (host.environment.python.starts_with('/')) {
    PutBefore(fs::path(host.environment.python).parent_path(), &variables["PATH"]);
  }
  if (const Json* asked = MemberOf(host.job.request, "Environment");
      asked != nullptr && asked->is_object()) {
    for (const auto& [name, value] : asked->items()) variables[name] = TextOf(&value);
  }
  for (auto& [name, value] :
       VariablesOfJob(host.job, host.host, host.layout, parameters, script, host.machine)) {
    variables[name] = value;
  }
  if (host.layout.in_container()) return variables;
  PutBefore(host.layout.Seen("code"), &variables["PYTHONPATH"]);
  if (!host.options.python_site.empty()) {
    // Comes first, so that scripts that know nothing of hooks are captured too.
    PutBefore(host.options.python_site, &variables["PYTHONPATH"]);
    variables["TENSORWARDEN_AUTO"] = "1";
    if (IsLoopChecked(host.job)) variables.emplace("TENSORWARDEN_OBSERVE", "1");
  }
  return variables;
}

// The monitor writes to the bucket, or, where the job is not profiled yet, to where the link to it
// will be.
std::string ProfilerFolderOf(const HostToPlan& host) {
  for (const OutputFolder& output : host.outputs) {
    if (output.kind == "ProfilerConfig") return output.target;
  }
  return ProfilerLinkOf(host.layout);
}

}  // namespace

std::string ImageOf(const TrainingJob& job) {
  const std::string image =
      TextOf(MemberOf(job.request, "AlgorithmSpecification", "TrainingImage"));
  if (!image.empty()) return image;
  return TextOf(MemberOf(job.request, "AlgorithmSpecification", "AlgorithmName"));
}

Result<JobEnvironment> EnvironmentOf(const TrainingJob& job, const Environments& registry,
                                     const service::ServiceOptions& options) {
  const std::string image = ImageOf(job);
  const auto script = ScriptOf(job);
  if (!script.ok()) return script.status();
  const bool has_program = !script.value().program.empty() ||
                           !WordsIn(job, "ContainerEntrypoint").empty() ||
                           !BuiltinAlgorithmOf(job).empty();
  const JobEnvironment* const found = registry.Find(image);
  if (found == nullptr || !found->python.empty()) {
    if (Status status = CheckBuiltinAlgorithm(job, options); !status.ok()) return status;
  }
  if (found != nullptr) {
    if (!found->python.empty() && !has_program) {
      return Status(Code::kInvalid,
                    fmt::format("environment '{}' of image '{}' only sets a Python; the job needs "
                                "the hyperparameter sagemaker_program or a ContainerEntrypoint",
                                found->name, image));
    }
    return *found;
  }
  if (has_program) {
    JobEnvironment plain;
    plain.name = "default";
    plain.python = options.python;
    return plain;
  }
  const std::string known = registry.KnownImages();
  return Status(Code::kInvalid,
                fmt::format("no environment for image '{}' ({}), and the job sets no program "
                            "(hyperparameter sagemaker_program or ContainerEntrypoint)",
                            image, known.empty() ? "none configured" : "configured: " + known));
}

Status CheckProgram(const TrainingJob& job, const JobEnvironment& environment) {
  std::string word = environment.container ? environment.container->runtime : environment.python;
  const std::vector<std::string> entry = WordsIn(job, "ContainerEntrypoint");
  if (word.empty()) word = environment.command.front();
  if (!entry.empty() && !environment.container) word = entry.front();
  // One that lies in the job's own folder comes with it.
  if (word.find('/') != std::string::npos && !word.starts_with('/')) return Status();
  // The environment of the job may have a PATH of its own.
  if (CanBeRun(word) || (!entry.empty() && !word.starts_with('/'))) return Status();
  return Status(Code::kInvalid, fmt::format("environment '{}' of image '{}': no such program: {}",
                                            environment.name, ImageOf(job), word));
}

Result<HostSpec> PlanHost(const HostToPlan& host) {
  const auto script = ScriptOf(host.job);
  if (!script.ok()) return script.status();
  const auto parameters = DecodeHyperParameters(MemberOf(host.job.request, "HyperParameters"));
  const auto distribution = DistributionOf(host.job, host.environment);
  if (!distribution.ok()) return distribution.status();
  DistributedHost distributed{distribution.value(), host.job.Hosts(), host.host, host.machine};
  // Names of hosts mean something in a box only.
  if (host.box) distributed.machine.master = distributed.hosts.front();
  HostSpec spec;
  Variables variables = VariablesOf(host, script.value(), parameters);
  if (distribution.value().kind != Distribution::Kind::kNone) {
    AddDistribution(distributed, &variables);
  }
  spec.box = host.box;
  if (!script.value().directory.empty()) {
    spec.requirements = RequirementsOf(host.layout, host.environment, variables, host.box,
                                       service::DataLayout(host.options.data).Packages());
    if (spec.requirements) UseRequirements(*spec.requirements, &variables, &spec.box);
  }
  spec.environment = AsEnvironment(variables);
  spec.environment.push_back(std::string(kHostVariable) + "=" + host.layout.agent());
  spec.directory = host.layout.in_container() ? host.layout.Here("code") : host.layout.Seen("code");
  if (!host.notice.empty()) spec.notices.push_back(host.notice);
  if (host.environment.container) {
    ContainerRun run{*host.environment.container, fmt::format("{}-{}", host.job.name, host.host),
                     WordsIn(host.job, "ContainerEntrypoint"),
                     WordsIn(host.job, "ContainerArguments"), variables};
    spec.words = ContainerWords(run, host.layout, host.outputs);
    spec.cleaning = ContainerCleaning(run);
  } else {
    spec.words = OwnWords(host, script.value(), parameters, distributed);
  }
  spec.log = service::DataLayout::Log(host.layout.agent());
  spec.log_file_bytes = host.options.log_file_bytes;
  spec.log_files = host.options.log_files;
  spec.failure_file = host.layout.Here("output/failure");
  spec.grace_seconds = host.options.stop_grace.count();
  spec.limits = LimitsOfHost(host.job, host.host);
  spec.node = host.host;
  spec.profiler_config = host.layout.Here("input/config/profilerconfig.json");
  spec.profiler_folder = ProfilerFolderOf(host);
  return spec;
}

}  // namespace warden::jobs
