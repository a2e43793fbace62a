#ifndef WARDEN_DASHBOARD_SITE_FOLDER_MARKS_H_
#define WARDEN_DASHBOARD_SITE_FOLDER_MARKS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "warden/dashboard/core/open_run.h"

namespace warden::dashboard {

// What tells a folder from another one that was made under its name after it was removed.
struct FolderMark {
  uint64_t device = 0;
  uint64_t inode = 0;   // May be given to the next folder,
  int64_t born_ns = 0;  // which is why this is here too; 0 where the file system does not tell.
  auto operator<=>(const FolderMark&) const = default;
};

// By path; those that are not there are left out.
using FolderMarks = std::map<std::string, FolderMark>;

// Of the folders that the run's files lie in.
FolderMarks MarksOf(const RunPlaces& places);

// Whether a folder is another one than it was, so that what was read of the run is not true any
// more. One that has come, or that is gone for now, is not.
bool AreOthers(const FolderMarks& before, const FolderMarks& now);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_FOLDER_MARKS_H_
