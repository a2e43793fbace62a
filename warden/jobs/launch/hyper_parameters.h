#ifndef WARDEN_JOBS_LAUNCH_HYPER_PARAMETERS_H_
#define WARDEN_JOBS_LAUNCH_HYPER_PARAMETERS_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json.h"

namespace warden::jobs {

// A job's hyper-parameters as sagemaker-training-toolkit hands them to programs.
struct HyperParameters {
  Json users = Json::object();      // Those meant for the program, each decoded.
  Json platforms = Json::object();  // "sagemaker_program" and its like, each decoded.

  // The text of one of the platform's; empty if it is not there.
  std::string Platform(std::string_view name) const;
  // "--epochs", "3", "-b", "64", ...: by name.
  std::vector<std::string> Arguments() const;
};

// Of a request's HyperParameters: texts, of which many are JSON. Those that are not stay as they
// are.
HyperParameters DecodeHyperParameters(const Json* given);

// What Python's str() makes of a value.
std::string PythonText(const Json& value);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HYPER_PARAMETERS_H_
