#include "warden/timeline/feed/folder_scan.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>

#include "warden/os/open_beneath.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {
namespace {

constexpr int kDepth = 16;
constexpr int64_t kGrainNs = 2'000'000'000;  // Of file systems that count in seconds.

int64_t NowNs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

std::vector<FoundFile> FolderScan::List() {
  std::vector<FoundFile> found;
  Visit("", 0, &found);
  std::sort(found.begin(), found.end(),
            [](const FoundFile& a, const FoundFile& b) { return a.key < b.key; });
  return found;
}

void FolderScan::Visit(const std::string& below, int depth, std::vector<FoundFile>* found) {
  struct stat info;
  if (depth > kDepth || stat((folder_ + "/" + below).c_str(), &info) != 0) {
    listings_.erase(below);
    return;
  }
  const int64_t changed = info.st_mtim.tv_sec * int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
  Listing& listing = listings_[below];
  if (!listing.settled || listing.changed_ns != changed) {
    listing.settled = NowNs() - changed > kGrainNs;
    listing.changed_ns = changed;
    ReadFolder(below, &listing);
  }
  found->insert(found->end(), listing.files.begin(), listing.files.end());
  for (const std::string& folder : std::vector(listing.folders)) Visit(folder, depth + 1, found);
}

void FolderScan::ReadFolder(const std::string& below, Listing* listing) {
  listing->files.clear();
  listing->folders.clear();
  const os::UniqueFd root = OpenInProfile(folder_, "", O_RDONLY | O_DIRECTORY | O_NONBLOCK);
  if (!root.ok()) return;
  const auto opened = os::ReadFolderBeneath(root.get(), below);
  if (!opened.ok()) return;
  DIR* const folder = opened.value().get();
  while (const dirent* const entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat info;
    if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    std::string key = below.empty() ? std::string(name) : below + "/" + std::string(name);
    if (S_ISDIR(info.st_mode)) {
      listing->folders.push_back(std::move(key));
    } else if (S_ISREG(info.st_mode)) {
      listing->files.push_back({std::move(key), {info.st_dev, info.st_ino}});
    }
  }
}

}  // namespace warden::timeline
