#include "warden/cli/launch/profiling.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/capture/timeline_leftovers.h"
#include "warden/cli/text.h"
#include "warden/config/framework_profile.h"
#include "warden/config/profiler_config.h"
#include "warden/format/profiler_layout.h"
#include "warden/os/process_table.h"
#include "warden/os/whole_file.h"
#include "warden/storage/store.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kConfigVariable[] = "SMPROFILER_CONFIG_PATH";
// Where a hook saves by default.
constexpr char kDefaultFolder[] = "/opt/ml/output/profiler";

Result<std::string> ReadFile(const std::string& path) {
  auto text = os::ReadWholeFile(path);
  if (!text) return Status(Code::kInvalid, fmt::format("--profile-config: cannot open {}", path));
  return std::move(*text);
}

// The user's configuration, or the default.
Result<Json> ConfigOf(const ProfileFlags& flags) {
  if (flags.config.empty()) {
    const bool full = flags.depth == "full";
    return ParseJson(config::ProfilerConfigText(
        "", config::ProfilerConfig().interval,
        full ? config::FrameworkProfile::kDetailed : config::FrameworkProfile::kTimeline));
  }
  const auto text = ReadFile(flags.config);
  if (!text.ok()) return text.status();
  if (const auto config = config::ParseProfilerConfig(text.value()); !config.ok()) {
    return Status(Code::kInvalid, fmt::format("{}: {}", flags.config, config.status().message()));
  }
  return ParseJson(text.value());
}

Status SetInterval(const ProfileFlags& flags, Json* config) {
  if (flags.interval.empty()) return Status();
  const auto interval = ParseInt(flags.interval);
  if (!interval) {
    return Status(Code::kInvalid, fmt::format("--profile-interval is '{}'; expected milliseconds, "
                                              "a positive integer",
                                              flags.interval));
  }
  if (Status status = config::CheckInterval(*interval); !status.ok()) {
    return status.WithContext("--profile-interval");
  }
  (*config)["ProfilingIntervalInMilliseconds"] = *interval;
  return Status();
}

Status SetKernels(const ProfileFlags& flags, Json* config) {
  if (flags.kernels.empty()) return Status();
  const auto steps = config::ParseKernelSteps(flags.kernels);
  if (!steps.ok()) {
    return Status(Code::kInvalid, fmt::format("--profile-kernels is {}", steps.status().message()));
  }
  if (flags.depth == "system") {
    return Status(Code::kInvalid,
                  "--profile-kernels needs the timeline; expected --profile timeline or full");
  }
  (*config)["ProfilingParameters"]["KernelProfilingConfig"] =
      config::KernelProfiling(steps.value());
  return Status();
}

// The plan of a configuration that the user's environment names.
Result<ProfilePlan> PlanOfEnvironment(const char* path) {
  const auto text = ReadFile(path);
  if (!text.ok()) return text.status();
  const auto config = config::ParseProfilerConfig(text.value());
  if (!config.ok()) {
    return Status(Code::kInvalid,
                  fmt::format("${}: {}: {}", kConfigVariable, path, config.status().message()));
  }
  const std::string& given = config.value().local_path;
  return ProfilePlan{true, true,
                     fs::absolute(given.empty() ? kDefaultFolder : given).lexically_normal(),
                     fs::absolute(path).lexically_normal()};
}

}  // namespace

void DefineProfileFlags(Command* command, ProfileFlags* flags) {
  command->Choice("--profile", &flags->depth, {"off", "system", "timeline", "full"},
                  "What to profile: off; system: the machine; timeline: also steps and phases\n"
                  "(default); full: also operators and Python functions of a few steps");
  command->Text("--profile-interval", &flags->interval,
                "Milliseconds between samples of the machine (default: 500)");
  command->Text("--profile-kernels", &flags->kernels,
                "Record every GPU kernel, copy and CUDA call of so many steps: 10, or 10@500 for\n"
                "10 steps of every 500");
  command->Text("--profile-config", &flags->config, "JSON file with the profiler configuration");
  command->Switch("--no-report", &flags->no_report,
                  "Do not write the profiling and XGBoost reports");
}

Result<ProfilePlan> PlanProfile(const ProfileFlags& flags, const std::string& run) {
  if (flags.depth == "off") return ProfilePlan();
  const char* given = std::getenv(kConfigVariable);
  const bool flags_given = !flags.depth.empty() || !flags.interval.empty() ||
                           !flags.kernels.empty() || !flags.config.empty();
  if (given != nullptr && *given != '\0' && !flags_given) {
    auto plan = PlanOfEnvironment(given);
    if (plan.ok()) plan.value().report = !flags.no_report;
    return plan;
  }
  auto config = ConfigOf(flags);
  if (!config.ok()) return config.status();
  if (Status status = SetInterval(flags, &config.value()); !status.ok()) return status;
  if (Status status = SetKernels(flags, &config.value()); !status.ok()) return status;
  ProfilePlan plan{true, !flags.no_report, format::ProfilerFolder(run), ""};
  // Without parameters the training records nothing.
  if (flags.depth == "system") config.value()["ProfilingParameters"] = Json::object();
  if (flags.depth != "system") config.value()["ProfilingParameters"]["LocalPath"] = plan.folder;
  auto store = storage::OpenStore(plan.folder);
  if (!store.ok()) return store.status();
  const std::string text = DumpLikePython(config.value()) + "\n";
  const Status put = store.value()->Put(format::kProfilerConfig, AsBytes(text));
  if (!put.ok()) return put.WithContext("cannot write the profiler configuration");
  plan.config_file = store.value()->Locate(format::kProfilerConfig);
  return plan;
}

void MonitorBesideProgram::Start(pid_t pid, Output* out) {
  if (!plan_.on) return;
  monitor::MonitorOptions options;
  options.folder = plan_.folder;
  options.config_file = plan_.config_file;
  options.training = pid;
  auto monitor = monitor::Monitor::Start(std::move(options));
  if (monitor.ok()) monitor_ = std::move(monitor.value());
  // A process that has already ended needs no monitor; whether it has is known only now.
  if (!monitor.ok() && os::StartOfProcess(pid)) {
    out->Tell("cannot monitor the machine: " + Printable(monitor.status().message()));
  }
}

void MonitorBesideProgram::Finish() {
  FinishSamples();
  // A training that was killed has not finished its timeline.
  if (plan_.on) capture::FinishTimelines(plan_.folder);
}

}  // namespace warden::cli
