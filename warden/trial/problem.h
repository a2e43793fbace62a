#ifndef WARDEN_TRIAL_PROBLEM_H_
#define WARDEN_TRIAL_PROBLEM_H_

#include <cstdint>
#include <optional>
#include <string>

namespace warden::trial {

// Something in a run that cannot be used. It is reported and skipped: what is whole stays readable.
// Trial::problems and VerifyRun return these; the command line and the dashboard show them. A plain
// value.
struct Problem {
  std::string file;                // Where it lives, as a person would name it.
  std::optional<uint64_t> offset;  // Byte in the file; none if it is about the whole file.
  std::string message;             // What is wrong, without file and offset.
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_PROBLEM_H_
