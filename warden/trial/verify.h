#ifndef WARDEN_TRIAL_VERIFY_H_
#define WARDEN_TRIAL_VERIFY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "warden/storage/store.h"
#include "warden/trial/problem.h"

namespace warden::trial {

// Checks a run for damage, file by file: `warden trial verify`.
//
//   const VerifyReport report = VerifyRun(*store);
//   for (const Problem& problem : report.problems) Show(problem.file, problem.message);
//   if (report.clean()) ... nothing was lost ...

// How far VerifyRun has come.
struct VerifyProgress {
  uint64_t files_done = 0;
  uint64_t files_total = 0;
  uint64_t bytes = 0;  // Read so far.
};
// Called before each file, from the thread that verifies.
using ProgressCallback = std::function<void(const VerifyProgress&)>;

// What VerifyRun found. A plain value.
struct VerifyReport {
  std::string run;       // The run's folder, as a person would name it.
  uint64_t files = 0;    // All below the folder, also those that are not read.
  uint64_t records = 0;  // Of event files and TensorBoard files.
  uint64_t bytes = 0;    // Read.

  // Damage: something that was saved and cannot be read, or that nobody would find. At most 10,000
  // are kept here; problem_count counts them all.
  std::vector<Problem> problems;
  uint64_t problem_count = 0;
  // Worth knowing, with nothing lost: files that do not belong to a run, no end marker, a claim.
  std::vector<Problem> notes;

  bool clean() const { return problem_count == 0; }
};

// Reads every file of a run and compares index files with the records they name, and files with
// their checksums: any changed bit of an event, index or collections file that our hook wrote is
// found. Of those of the original library a changed bit inside a tensor's values cannot be noticed,
// for the check word of its records is a constant, nor can one in a name. TensorBoard files have
// true checksums. Unfinished files (*.tmp) are not looked at, nor are files of the profiler, which
// have no checksums, and of rules. While a run is being written, its last
// step may be reported as damaged. Never fails: what cannot be read or listed is a problem in the
// report. Takes as long as reading the run does. Changes nothing.
VerifyReport VerifyRun(const storage::Store& store, const ProgressCallback& progress = nullptr);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_VERIFY_H_
