#include "warden/config/framework_profile.h"

#include <fmt/format.h>

#include <optional>

#include "warden/base/json.h"
#include "warden/base/strings.h"

namespace warden::config {

std::string ProfilerConfigText(std::string_view local_path, std::chrono::milliseconds interval,
                               FrameworkProfile profile) {
  Json parameters = {{"LocalPath", local_path},
                     {"ProfilingIntervalInMilliseconds", interval.count()}};
  if (profile == FrameworkProfile::kDetailed) {
    // As strings, which is how the original has them.
    parameters["DetailedProfilingConfig"] = kDetailedProfiling;
    parameters["PythonProfilingConfig"] = kPythonProfiling;
    parameters["HorovodProfilingConfig"] = kHorovodProfiling;
    parameters["SMDataParallelProfilingConfig"] = kDataParallelProfiling;
  }
  const Json document = {{"DisableProfiler", false}, {"ProfilingParameters", parameters}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json DetailsOf(const ProfiledDetails& details) {
  Json range = details.steps > 0 ? Json{{"NumSteps", details.steps}}
                                 : Json{{"DurationInSeconds", details.seconds}};
  // A range that differs from the last one is a new one.
  range["RequestedAt"] = std::chrono::system_clock::now().time_since_epoch().count();
  Json change = NoDetails();
  change[details.kernels ? "KernelProfilingConfig" : "DetailedProfilingConfig"] = range.dump();
  if (details.python) {
    range["ProfilerName"] = "cprofile";
    range["cProfileTimer"] = "default";
    change["PythonProfilingConfig"] = range.dump();
  }
  return change;
}

Json NoDetails() {
  return {{"DetailedProfilingConfig", nullptr},
          {"KernelProfilingConfig", nullptr},
          {"PythonProfilingConfig", nullptr}};
}

Result<KernelSteps> ParseKernelSteps(std::string_view text) {
  constexpr int64_t kMostSteps = 1000;
  const size_t at = text.find('@');
  const auto steps = ParseInt(text.substr(0, at));
  const auto every =
      at == std::string_view::npos ? std::optional<int64_t>(0) : ParseInt(text.substr(at + 1));
  const bool fits = steps && *steps >= 1 && *steps <= kMostSteps && every &&
                    (at == std::string_view::npos || *every > *steps);
  if (fits) return KernelSteps{*steps, *every};
  return Status(Code::kInvalid,
                fmt::format("'{}'; expected a number of steps, at most {}, or such as 10@500 for "
                            "10 steps of every 500",
                            text, kMostSteps));
}

std::string KernelProfiling(const KernelSteps& steps) {
  Json range = {{"StartStep", steps.steps}, {"NumSteps", steps.steps}};
  if (steps.every > 0) range["EverySteps"] = steps.every;
  return range.dump();
}

}  // namespace warden::config
