#ifndef WARDEN_TRIAL_PROBLEM_H_
#define WARDEN_TRIAL_PROBLEM_H_

#include <cstdint>
#include <optional>
#include <string>

namespace warden::trial {

// Something in a run that cannot be used. It is told and passed over: what is whole stays readable.
struct Problem {
  std::string file;                // Where it lives, as a person would name it.
  std::optional<uint64_t> offset;  // Byte in the file; none if it is about the whole file.
  std::string message;
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_PROBLEM_H_
