#ifndef WARDEN_REPORT_PROFILER_DETAILS_H_
#define WARDEN_REPORT_PROFILER_DETAILS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/report/charts.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::report {

// Reading of Details, which may come from a file that anybody wrote: a member of another type than
// the one asked for is as one that is missing, and so is a number that is not finite.

// What times in Details are counted in, per second.
inline constexpr double kMicroseconds = 1e6;

std::optional<double> NumberOf(const Json& value);
std::optional<double> NumberAt(const Json& object, std::string_view key);
// 0 where there is none.
double AmountAt(const Json& object, std::string_view key);
std::optional<bool> FlagAt(const Json& object, std::string_view key);
// Empty where there is none.
std::string TextAt(const Json& object, std::string_view key);
const Json& ObjectAt(const Json& object, std::string_view key);
const Json& ArrayAt(const Json& object, std::string_view key);
std::vector<std::optional<double>> NumbersIn(const Json& array);

// The numbers above 0 of an object, the largest first.
std::vector<Named> LargestFirst(const Json& object);

// Null if the rule was not run.
const rules::ProfilerResult* FindResult(const ProfilerInputs& inputs, std::string_view rule);
// An empty object if there are none.
const Json& DetailsOf(const ProfilerInputs& inputs, std::string_view rule);
bool Fired(const ProfilerInputs& inputs, std::string_view rule);
// "threshold" of "threshold:50\ncpu_threshold:90".
std::optional<double> ParameterOf(const ProfilerInputs& inputs, std::string_view rule,
                                  std::string_view name);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_DETAILS_H_
