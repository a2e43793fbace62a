#ifndef WARDEN_TRIAL_PROBLEM_H_
#define WARDEN_TRIAL_PROBLEM_H_

// What is wrong with a run, as a value: reading continues, and problems are shown at the end.

#include <cstdint>
#include <optional>
#include <string>

namespace warden::trial {

// Something in a run that cannot be used. It is reported and skipped: what is whole stays readable.
// Trial::problems and VerifyRun return these; the command line and the dashboard show them. A plain
// value.
struct Problem {
  // Where it lives, as a person would name it: Store::Locate of its key.
  std::string file;
  std::optional<uint64_t> offset;  // Byte in the file; none if it is about the whole file.
  // What is wrong, without file and offset, as a part of a sentence: "checksum does not match".
  std::string message;
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_PROBLEM_H_
