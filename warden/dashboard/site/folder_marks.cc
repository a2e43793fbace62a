#include "warden/dashboard/site/folder_marks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>

namespace warden::dashboard {
namespace {

void Add(const std::string& folder, FolderMarks* marks) {
  struct statx info = {};
  if (statx(AT_FDCWD, folder.c_str(), 0, STATX_INO | STATX_BTIME, &info) != 0) return;
  constexpr int64_t kNanoseconds = 1'000'000'000;
  // Wraps for times that no clock shows; it is only compared.
  const auto born =
      static_cast<uint64_t>(info.stx_btime.tv_sec) * kNanoseconds + info.stx_btime.tv_nsec;
  const bool told = (info.stx_mask & STATX_BTIME) != 0;
  (*marks)[folder] = {makedev(info.stx_dev_major, info.stx_dev_minor), info.stx_ino,
                      told ? static_cast<int64_t>(born) : 0};
}

}  // namespace

FolderMarks MarksOf(const RunPlaces& places) {
  FolderMarks marks;
  // Also what is in it: whoever empties a folder and writes another run leaves the folder.
  if (!places.tensors.empty()) {
    for (const char* below : {"", "/index", "/events"}) Add(places.tensors + below, &marks);
  }
  if (!places.profile.empty()) {
    for (const char* below : {"", "/system", "/framework"}) Add(places.profile + below, &marks);
  }
  return marks;
}

bool AreOthers(const FolderMarks& before, const FolderMarks& now) {
  return std::any_of(now.begin(), now.end(), [&](const auto& mark) {
    const auto known = before.find(mark.first);
    return known != before.end() && known->second != mark.second;
  });
}

}  // namespace warden::dashboard
