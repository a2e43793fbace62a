// warden profile ...: operators and kernels of a training that is running.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/text.h"
#include "warden/config/framework_profile.h"
#include "warden/dashboard/site/places.h"
#include "warden/watch/local/job_registry.h"
#include "warden/watch/local/profiling_change.h"

namespace warden::cli {
namespace {

constexpr int64_t kUsualSteps = 10, kMostProfiledSteps = 1000;
constexpr double kMostProfiledSeconds = 3600;

struct ProfileOptions {
  client::EndpointFlags service;
  std::string target;
  std::string steps, seconds;
  bool python = false;
  bool kernels = false;
  bool json = false;
};

// Of the next steps, or of the seconds that the options name.
Result<config::ProfiledDetails> DetailsIn(const ProfileOptions& options) {
  config::ProfiledDetails details{
      .steps = kUsualSteps, .python = options.python, .kernels = options.kernels};
  if (!options.steps.empty()) {
    const auto steps = ParseInt(options.steps);
    if (!steps || *steps < 1 || *steps > kMostProfiledSteps) {
      return Status(Code::kInvalid, fmt::format("--steps is '{}'; expected a number from 1 to {}",
                                                options.steps, kMostProfiledSteps));
    }
    details.steps = *steps;
  }
  if (!options.seconds.empty()) {
    const auto seconds = ParseDouble(options.seconds);
    if (!seconds || !(*seconds > 0 && *seconds <= kMostProfiledSeconds)) {
      return Status(Code::kInvalid,
                    fmt::format("--seconds is '{}'; expected a number above 0, at most {:g}",
                                options.seconds, kMostProfiledSeconds));
    }
    details.steps = 0;
    details.seconds = *seconds;
  }
  return details;
}

// A training on this machine: by a process, or by the folder or name that `warden run` gave it.
// Nothing if the target may be a job.
Result<std::optional<watch::RunningJob>> FindHere(const std::string& target) {
  std::error_code error;
  if (const auto pid = ParseInt(target); pid && !std::filesystem::exists(target, error)) {
    if (*pid < 1 || *pid > INT32_MAX) {
      return Status(Code::kInvalid, fmt::format("'{}' is not a process", Printable(target)));
    }
    watch::RunningJob process;
    process.pid = static_cast<pid_t>(*pid);
    return std::optional(process);
  }
  std::optional<watch::RunningJob> found = watch::RunningJobIn(target);
  if (found) return found;
  for (watch::RunningJob& job : watch::RunningJobsHere()) {
    if (job.name != target) continue;
    if (found) {
      return Status(Code::kInvalid,
                    fmt::format("several trainings are named '{}'; give the folder of the run",
                                Printable(target)));
    }
    found = std::move(job);
  }
  if (!found && dashboard::RunIn(target)) {
    return Status(
        Code::kUnavailable,
        fmt::format("{} is not running on this machine, or was not started by 'warden run'",
                    Printable(target)));
  }
  return found;
}

Status ChangeJob(const ProfileOptions& options, const Json& parameters, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) {
    return Status(
        Code::kNotFound,
        fmt::format("no training '{}' runs on this machine, and there is no service to ask "
                    "for a job: {}",
                    Printable(options.target), service.status().message()));
  }
  const auto job = service.value().Describe(options.target);
  if (!job.ok()) return job.status();
  const Json* now = MemberOf(job.value(), "ProfilerConfig", "ProfilingParameters");
  // The service replaces all of them.
  Json all = now != nullptr && now->is_object() ? *now : Json::object();
  all.merge_patch(parameters);
  Json request{{"TrainingJobName", options.target},
               {"ProfilerConfig", {{"ProfilingParameters", std::move(all)}}}};
  request["ProfilerConfig"]["DisableProfiler"] = false;
  return service.value().Call("UpdateTrainingJob", request).status();
}

struct Changed {
  std::string kind;   // "run", "process" or "job".
  std::string where;  // The run's folder, or the target as it was given.
};

// parameters: a change of ProfilingParameters.
Result<Changed> Change(const ProfileOptions& options, const Json& parameters, Output* out) {
  const auto here = FindHere(options.target);
  if (!here.ok()) return here.status();
  if (!here.value()) {
    const Status status = ChangeJob(options, parameters, out);
    if (!status.ok()) return status;
    return Changed{"job", options.target};
  }
  const auto file = watch::ProfilerConfigOf(here.value()->pid);
  if (!file.ok()) return file.status();
  const Status status = watch::ChangeProfiling(
      file.value(), {{"DisableProfiler", false}, {"ProfilingParameters", parameters}});
  if (!status.ok()) return status;
  if (here.value()->run.empty()) return Changed{"process", options.target};
  return Changed{"run", here.value()->run};
}

Result<int> StartProfile(const ProfileOptions& options, Output* out) {
  const auto details = DetailsIn(options);
  if (!details.ok()) return details.status();
  const auto changed = Change(options, config::DetailsOf(details.value()), out);
  if (!changed.ok()) return changed.status();
  const auto& [kind, where] = changed.value();
  const bool by_steps = details.value().steps > 0;
  if (options.json) {
    Json json{{kind, where}, {"python", options.python}, {"kernels", options.kernels}};
    if (by_steps) json["steps"] = details.value().steps;
    if (!by_steps) json["seconds"] = details.value().seconds;
    out->PrintJson(json);
    return kDone;
  }
  const std::string range = by_steps ? fmt::format("{} step{}", details.value().steps,
                                                   details.value().steps == 1 ? "" : "s")
                                     : fmt::format("{:g} seconds", details.value().seconds);
  out->Print("Recording {}{} for the next {} of {} {}.\n",
             options.kernels ? "kernels, copies and CUDA calls" : "operators and kernels",
             options.python ? ", and Python functions," : "", range, kind, Printable(where));
  if (kind == "run" && options.kernels) {
    out->Print("Then: warden profile kernels {}\n", Printable(where));
  } else if (kind == "run") {
    out->Print(
        "Then: warden timeline summary {} --by operator, or the dashboard's Profiler page.\n",
        Printable(where));
  }
  return kDone;
}

Result<int> StopProfile(const ProfileOptions& options, Output* out) {
  const auto changed = Change(options, config::NoDetails(), out);
  if (!changed.ok()) return changed.status();
  if (options.json) {
    out->PrintJson({{changed.value().kind, changed.value().where}});
  } else {
    out->Print("No more operators and kernels are recorded of {} {}. Its timeline continues.\n",
               changed.value().kind, Printable(changed.value().where));
  }
  return kDone;
}

void DefineCommon(Command* command, ProfileOptions* options) {
  command->Positional("TRAINING", &options->target,
                      "Folder or name of a run of 'warden run' on this machine, a process ID, or\n"
                      "the name of a job of the service");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
}

void DefineStart(Command* command) {
  auto options = std::make_shared<ProfileOptions>();
  DefineCommon(command, options.get());
  command->Text("--steps", &options->steps, "How many steps to record (default: 10)");
  command->Text("--seconds", &options->seconds, "Record for this time instead");
  command->Exclusive({"--steps", "--seconds"});
  command->Switch("--python", &options->python, "Also record Python functions, with cProfile");
  command->Switch("--kernels", &options->kernels,
                  "Record every GPU kernel, copy and CUDA call instead of operators, at less cost");
  command->Footer(
      "Examples:\n  warden profile start runs/a\n"
      "  warden profile start runs/a --kernels --steps 20\n"
      "  warden profile start 4711 --seconds 5 --python\n"
      "Only the recorded steps become slower. The training begins with its next step.");
  command->Runs(options, StartProfile);
}

void DefineStop(Command* command) {
  auto options = std::make_shared<ProfileOptions>();
  DefineCommon(command, options.get());
  command->Runs(options, StopProfile);
}

}  // namespace

CommandEntry ProfileStart() {
  return {"start", "Record operators and kernels of the next steps", DefineStart};
}
CommandEntry ProfileStop() { return {"stop", "Stop recording them", DefineStop}; }

}  // namespace warden::cli
