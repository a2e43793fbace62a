#ifndef WARDEN_TRIAL_RUN_TRASH_H_
#define WARDEN_TRIAL_RUN_TRASH_H_

// Deleting runs in a way that can be undone. The dashboard and `warden runs` use it. Functions of
// the file system without memory; safe for many threads and processes.

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

namespace warden::trial {

// A deleted run waits in .warden-trash/TIME/ beside where it was, under its name. TIME is when it
// was deleted, in milliseconds since 1970. Searches for runs leave this folder out.
inline constexpr std::string_view kTrashFolder = ".warden-trash";
// For so long a deleted run can be restored.
inline constexpr double kTrashSeconds = 7 * 24 * 3600;

struct TrashedRun {
  std::string folder;  // Where the run was.
  std::string kept;    // Where it is now.
  double deleted = 0;  // Seconds since 1970.
};

// Moves the folder of a run into the trash. kNotFound if there is no such folder, kInvalid for one
// that is a link or has no name ("/", ".."), kIo if the system refuses. Nobody may write to the run
// meanwhile, which is for the caller to check.
Result<TrashedRun> MoveToTrash(const std::string& run, double now);

// The runs that were deleted from this folder, newest first. What is not ours in its trash is left
// out.
std::vector<TrashedRun> ListTrash(const std::string& folder);

// Puts it back. kExists if there is something in its place, kNotFound if it is not there any more,
// kIo if the system refuses.
Status RestoreFromTrash(const TrashedRun& run);

// Removes for good what was deleted from this folder more than kTrashSeconds before now. Returns
// how many runs.
size_t PurgeTrash(const std::string& folder, double now);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RUN_TRASH_H_
