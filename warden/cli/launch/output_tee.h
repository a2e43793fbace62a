#ifndef WARDEN_CLI_LAUNCH_OUTPUT_TEE_H_
#define WARDEN_CLI_LAUNCH_OUTPUT_TEE_H_

// Keeps a copy of what the training of `warden run` prints, so that a run that crashed can be
// understood later: the dashboard shows it.

#include <sys/types.h>

#include <memory>
#include <string>

#include "warden/os/posix.h"

namespace warden::cli {

// A second process between the training and our standard output and error. It passes on every byte
// in order and writes lines with their times to a log (jobs/logs), of which the beginning and the
// end are kept. If our output is a terminal, the training gets a terminal too, of the same size.
//
// It is a process, not a thread: the training must be able to print after we were killed. It
// ignores signals and ends when nobody can write to it any more. A reader of ours that goes away is
// noticed by the training as before, at its next write.
//
//   auto tee = OutputTee::Start(folder);            // May be null: the training prints as before.
//   if (tee) options.output = tee->output();
//   ... start the training ...
//   tee->CloseInputs();
//   ... wait for the training ...
//   tee->Drain();
class OutputTee {
 public:
  // folder: of the log. Null if a descriptor or process is missing, after logging why. Forks:
  // before any thread is started.
  static std::unique_ptr<OutputTee> Start(const std::string& folder);
  ~OutputTee();
  OutputTee(const OutputTee&) = delete;
  OutputTee& operator=(const OutputTee&) = delete;

  // Where the training prints to; -1: as we do.
  int output() const { return output_.get(); }
  int errors() const { return errors_.ok() ? errors_.get() : one_for_both_ ? output_.get() : -1; }
  // Once the training has them.
  void CloseInputs();
  // The window of our terminal may have another size.
  void Resize() const;
  // Waits until what the training has printed is where it belongs, up to 2 seconds.
  void Drain();

 private:
  OutputTee() = default;

  os::UniqueFd output_, errors_;  // The training's ends; errors_ is empty if output_ is for both.
  bool one_for_both_ = false;
  os::UniqueFd terminal_;  // The other end of its terminal; empty if there is none.
  os::UniqueFd control_;   // To and from the process.
  pid_t pid_ = -1;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_OUTPUT_TEE_H_
