#include "warden/jobs/launch/job_variables.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/jobs/launch/job_files.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

constexpr const char* kHarmless[] = {"PATH",     "HOME",     "USER", "LOGNAME", "SHELL",
                                     "LANG",     "LANGUAGE", "TZ",   "TMPDIR",  "LD_LIBRARY_PATH",
                                     "CUDA_HOME"};
constexpr const char* kHarmlessPrefixes[] = {"LC_", "CUDA_VISIBLE_", "NVIDIA_VISIBLE_"};

// Those that the toolkit reads itself; what else begins with "sagemaker_" is for a framework.
const std::set<std::string> kToolkits = {
    "sagemaker_program",  "sagemaker_submit_directory", "sagemaker_container_log_level",
    "sagemaker_job_name", "sagemaker_region",           "sagemaker_enable_cloudwatch_metrics"};

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// Texts as they are, everything else as JSON.
std::string ValueText(const Json& value) {
  return value.is_string() ? value.get<std::string>() : DumpLikePython(value);
}

Json FrameworkParameters(const HyperParameters& parameters) {
  Json others = Json::object();
  for (const auto& [key, value] : parameters.platforms.items()) {
    if (!kToolkits.contains(key) && key.starts_with("sagemaker_")) others[key] = value;
  }
  return others;
}

// All that the toolkit tells, by the names that it has for it.
Json ToolkitSettings(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                     const HyperParameters& parameters, const Script& script,
                     const HostMachine& machine) {
  const Json resources = ResourceConfigOf(job, host, machine.interface);
  const Json* level = MemberOf(parameters.platforms, "sagemaker_container_log_level");
  std::string module = script.program.substr(script.program.rfind('/') + 1);
  if (module.ends_with(".py")) module.resize(module.size() - 3);
  Json settings = {
      {"hosts", resources["hosts"]},
      {"current_host", host},
      {"network_interface_name", resources["network_interface_name"]},
      {"current_instance_type", TextOf(MemberOf(resources, "current_instance_type"))},
      {"current_instance_group", TextOf(MemberOf(resources, "current_group_name"))},
      {"num_cpus", machine.cpus},
      {"num_gpus", machine.gpus},
      {"num_neurons", 0},
      {"hps", parameters.users},
      {"user_entry_point", script.program},
      {"user_args", parameters.Arguments()},
      {"module_dir", script.directory},
      {"module_name", module},
      {"framework_module", ""},
      {"framework_params", FrameworkParameters(parameters)},
      {"log_level", level != nullptr && level->is_number_integer() ? *level : Json(20)},
      {"resource_config", resources},
      {"input_data_config", InputDataConfigOf(job)},
      {"input_dir", layout.Seen("input")},
      {"input_config_dir", layout.Seen("input/config")},
      {"model_dir", layout.Seen("model")},
      {"output_dir", layout.Seen("output")},
      {"output_data_dir", layout.Seen("output/data")},
      {"output_intermediate_dir", layout.Seen("output/intermediate")}};
  Json groups = Json::array();
  Json by_name = Json::object();
  for (const Json& group : resources["instance_groups"]) {
    const std::string name = TextOf(MemberOf(group, "instance_group_name"));
    groups.push_back(name);
    by_name[name] = group;
    if (settings["current_instance_group"] == Json(name)) {
      settings["current_instance_group_hosts"] = group["hosts"];
    }
  }
  settings["is_hetero"] = groups.size() > 1;
  settings["instance_groups"] = std::move(groups);
  settings["instance_groups_dict"] = std::move(by_name);
  settings["distribution_instance_groups"] = Json::array();
  return settings;
}

// The one that holds most of the others, under the names that the toolkit has for them there.
Json TrainingEnvironment(const TrainingJob& job, const Json& settings, const Json& channels) {
  Json told = settings;
  told.erase("hps");
  told.erase("framework_params");
  told.erase("user_args");
  told["hyperparameters"] = settings["hps"];
  told["additional_framework_parameters"] = settings["framework_params"];
  told["channel_input_dirs"] = channels;
  told["job_name"] = job.name;
  told["master_hostname"] = settings["hosts"].front();
  told["is_master"] = settings["hosts"].front() == settings["current_host"];
  return told;
}

void AddToolkit(const TrainingJob& job, const Json& settings, const HostLayout& layout,
                Variables* variables) {
  for (const auto& [name, value] : settings.items()) {
    (*variables)["SM_" + Upper(name)] = ValueText(value);
  }
  Json channels = Json::object();
  std::vector<std::string> names;
  for (const auto& [name, value] : settings["input_data_config"].items()) names.push_back(name);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    channels[name] = layout.Seen("input/data/" + name);
    (*variables)["SM_CHANNEL_" + Upper(name)] = channels[name];
  }
  (*variables)["SM_CHANNELS"] = DumpLikePython(names);
  for (const auto& [name, value] : settings["hps"].items()) {
    (*variables)["SM_HP_" + Upper(name)] = ValueText(value);
  }
  (*variables)["SM_TRAINING_ENV"] = DumpLikePython(TrainingEnvironment(job, settings, channels));
}

}  // namespace

Variables HarmlessVariables() {
  Variables harmless;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name(entry.substr(0, equals));
    const bool named = std::any_of(std::begin(kHarmless), std::end(kHarmless),
                                   [&](const char* each) { return name == each; }) ||
                       std::any_of(std::begin(kHarmlessPrefixes), std::end(kHarmlessPrefixes),
                                   [&](const char* prefix) { return name.starts_with(prefix); });
    if (named) harmless[name] = entry.substr(equals + 1);
  }
  return harmless;
}

void MoveIntoBox(const os::Box& box, Variables* variables) {
  const auto home = variables->find("HOME");
  if (home != variables->end() && !box.user) {
    const std::string packages = home->second + "/.local";
    if (os::PathExists(packages)) (*variables)["PYTHONUSERBASE"] = packages;
  }
  (*variables)["HOME"] = "/tmp/home";
  (*variables)["TMPDIR"] = "/tmp";
  if (!box.user) return;
  (*variables)["USER"] = "job";
  (*variables)["LOGNAME"] = "job";
  (*variables)["SHELL"] = "/bin/sh";
}

Variables VariablesOfJob(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                         const HyperParameters& parameters, const Script& script,
                         const HostMachine& machine) {
  Variables variables = {
      {"TRAINING_JOB_NAME", job.name},
      {"TRAINING_JOB_ARN", job.Arn()},
      {"AWS_REGION", job.region},
      {"AWS_DEFAULT_REGION", job.region},
      {"SMDEBUG_CONFIG_FILE_PATH", layout.Seen("input/config/debughookconfig.json")},
      {"SMPROFILER_CONFIG_PATH", layout.Seen("input/config/profilerconfig.json")},
      {"TENSORBOARD_CONFIG_FILE_PATH", layout.Seen("input/config/tensorboardoutputconfig.json")},
      {"CHECKPOINT_CONFIG_FILE_PATH", layout.Seen("input/config/checkpointconfig.json")},
      {"SAGEMAKER_METRICS_DIRECTORY", layout.Seen("output/metrics/sagemaker")},
      // Names of hosts do not resolve outside of boxes.
      {"MASTER_ADDR", machine.master},
      {"MASTER_PORT", std::to_string(machine.port)},
      {"PYTHONUNBUFFERED", "1"}};
  AddToolkit(job, ToolkitSettings(job, host, layout, parameters, script, machine), layout,
             &variables);
  return variables;
}

std::vector<std::string> AsEnvironment(const Variables& variables) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : variables) {
    // Neither can be told to a program.
    const bool usable = !name.empty() && name.find('=') == std::string::npos &&
                        (name + value).find('\0') == std::string::npos;
    if (usable) environment.push_back(name + "=" + value);
  }
  return environment;
}

}  // namespace warden::jobs
