#ifndef WARDEN_DASHBOARD_SITE_FOLDER_MARKS_H_
#define WARDEN_DASHBOARD_SITE_FOLDER_MARKS_H_

// Recognizes that a run was removed and another was written into the same path, so that nothing
// that was read of the first is shown for the second. Used by RunSet each time a run is opened.

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "warden/dashboard/core/open_run.h"

namespace warden::dashboard {

// Distinguishes a folder from another one that was made under its name after it was removed.
struct FolderMark {
  uint64_t device = 0;
  // May be given to the next folder, which is why the creation time is here too; that is 0 where
  // the file system does not have it.
  uint64_t inode = 0;
  int64_t born_ns = 0;
  auto operator<=>(const FolderMark&) const = default;
};

// By path; folders that do not exist are left out.
using FolderMarks = std::map<std::string, FolderMark>;

// Of the folders that hold the run's tensors and profile, and of those in them that are recreated
// when somebody empties the folder. Reads the file system; never fails.
FolderMarks MarksOf(const RunPlaces& places);

// Whether a folder was replaced, so that what was read of the run is not true any more. A folder
// that is new, or missing for now, does not count.
bool AreOthers(const FolderMarks& before, const FolderMarks& now);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_FOLDER_MARKS_H_
