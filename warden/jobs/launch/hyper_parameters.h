#ifndef WARDEN_JOBS_LAUNCH_HYPER_PARAMETERS_H_
#define WARDEN_JOBS_LAUNCH_HYPER_PARAMETERS_H_

// Hyperparameters in the forms that sagemaker-training-toolkit gives them: scripts written for it
// must see the same.
//
//   const Json given = {{"epochs", "3"}, {"b", "64"}};
//   auto parameters = DecodeHyperParameters(&given);
//   parameters.users;        // {"epochs": 3, "b": 64}
//   parameters.Arguments();  // "-b", "64", "--epochs", "3"

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json.h"

namespace warden::jobs {

// A job's hyperparameters, decoded. Both members are always objects.
struct HyperParameters {
  Json users = Json::object();      // Those for the program.
  Json platforms = Json::object();  // "sagemaker_program" and so on.

  // The text of one of the platform's; empty if it is missing or not a text.
  std::string Platform(std::string_view name) const;
  // Command-line arguments of the program: a name ("--epochs"; "-b" if it has one letter) and its
  // value each, sorted by name.
  std::vector<std::string> Arguments() const;
};

// given: HyperParameters of a request (texts, many of which are JSON), or null. Those that are not
// JSON stay texts. Never fails.
HyperParameters DecodeHyperParameters(const Json* given);

// What Python's str() makes of a value: "True", "None", "[1, 'a']".
std::string PythonText(const Json& value);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HYPER_PARAMETERS_H_
