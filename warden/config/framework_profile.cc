#include "warden/config/framework_profile.h"

#include "warden/base/json.h"

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
  change["DetailedProfilingConfig"] = range.dump();
  if (details.python) {
    range["ProfilerName"] = "cprofile";
    range["cProfileTimer"] = "default";
    change["PythonProfilingConfig"] = range.dump();
  }
  return change;
}

Json NoDetails() {
  return {{"DetailedProfilingConfig", nullptr}, {"PythonProfilingConfig", nullptr}};
}

}  // namespace warden::config
