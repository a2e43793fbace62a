#include "warden/timeline/kernels/activity_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "warden/format/kernel_layout.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {

std::vector<ActivityFile> ActivityFiles(const std::string& folder, bool unfinished) {
  std::vector<ActivityFile> files;
  for (const std::string& key : ListFolder(folder, format::kFrameworkPrefix)) {
    auto name = format::ParseKernelFileKey(key);
    if (!name || (!name->finished && !unfinished)) continue;
    ActivityFile& file = files.emplace_back();
    file.path = fmt::format("{}/{}", folder, key);
    file.root = RootOfProfile(folder);
    file.node = std::move(name->node);
    file.finished = name->finished;
  }
  std::sort(files.begin(), files.end(), [](const ActivityFile& a, const ActivityFile& b) {
    return std::tie(a.node, a.path) < std::tie(b.node, b.path);
  });
  return files;
}

}  // namespace warden::timeline
