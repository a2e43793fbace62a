#ifndef WARDEN_REPORT_PROFILER_DETAILS_H_
#define WARDEN_REPORT_PROFILER_DETAILS_H_

// Readers of "Details", the JSON that each profiler rule leaves for the report
// (docs/design/011-profiling.md). It may come from a file that anybody wrote: a member of another
// type than the one asked for counts as missing, and so does a number that is not finite. Nothing
// here fails or throws. References are into the argument, or to an empty constant that lives
// forever.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/charts.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::report {

// What times in Details are counted in, per second. Example:
//
//   const Json& stats = ObjectAt(DetailsOf(inputs, "StepOutlier"), "step_stats");
//   if (const auto median = NumberAt(stats, "p50")) Show(*median);
inline constexpr double kMicroseconds = 1e6;

std::optional<double> NumberOf(const Json& value);
// The member of an object; nothing if object is not one.
std::optional<double> NumberAt(const Json& object, std::string_view key);
// 0 where there is none.
double AmountAt(const Json& object, std::string_view key);
std::optional<bool> FlagAt(const Json& object, std::string_view key);
// Empty where there is none.
std::string TextAt(const Json& object, std::string_view key);
// An empty object or array where there is none.
const Json& ObjectAt(const Json& object, std::string_view key);
const Json& ArrayAt(const Json& object, std::string_view key);
// Elements that are not numbers are nothing, so that positions stay; empty if it is not an array.
std::vector<std::optional<double>> NumbersIn(const Json& array);

// The numbers above 0 of an object, the largest first; equals in the object's order.
std::vector<Named> LargestFirst(const Json& object);

// The result of that rule; null if it was not run. Points into inputs.
const rules::ProfilerResult* FindResult(const ProfilerInputs& inputs, std::string_view rule);
// The Details of that rule; an empty object if there are none.
const Json& DetailsOf(const ProfilerInputs& inputs, std::string_view rule);
// Whether the rule found a problem; false if it was not run or not evaluated.
bool Fired(const ProfilerInputs& inputs, std::string_view rule);
// A rule's parameter that is a number: "threshold" of "threshold:50\ncpu_threshold:90".
std::optional<double> ParameterOf(const ProfilerInputs& inputs, std::string_view rule,
                                  std::string_view name);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_DETAILS_H_
