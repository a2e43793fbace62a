#include "warden/monitor/training_processes.h"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "warden/monitor/process_stat.h"
#include "warden/monitor/scan.h"
#include "warden/monitor/source_file.h"

namespace warden::monitor {
namespace {

constexpr size_t kMostProcesses = 4096;

using Children = std::function<std::vector<pid_t>(pid_t)>;

std::vector<pid_t> Descend(pid_t top, const Children& children_of) {
  std::vector<pid_t> tree = {top};
  std::unordered_set<pid_t> seen = {top};
  for (size_t i = 0; i < tree.size() && tree.size() < kMostProcesses; ++i) {
    for (const pid_t child : children_of(tree[i])) {
      if (seen.insert(child).second) tree.push_back(child);
    }
  }
  return tree;
}

bool IsPid(const std::optional<uint64_t>& number) { return number && *number <= INT32_MAX; }

std::string ChildrenFile(const std::string& root, pid_t pid) {
  return fmt::format("{}/proc/{}/task/{}/children", root, pid, pid);
}

std::vector<pid_t> Quick(const std::string& root, pid_t top) {
  return Descend(top, [&](pid_t pid) {
    std::vector<pid_t> children;
    const std::string text = ReadSmallFile(ChildrenFile(root, pid));
    std::string_view left = text;
    while (!left.empty()) {
      const auto child = TakeCount(&left);
      if (!IsPid(child)) break;
      children.push_back(static_cast<pid_t>(*child));
    }
    return children;
  });
}

std::vector<pid_t> Thorough(const std::string& root, pid_t top) {
  std::unordered_map<pid_t, std::vector<pid_t>> children;
  const std::string folder = root + "/proc";
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
    const auto pid = ParseCount(entry->d_name);
    if (!IsPid(pid)) continue;
    SourceFile file(fmt::format("{}/{}/stat", folder, *pid));
    const auto stat = ParseProcessStat(file.ReadStart(kStatBytes));
    if (stat) children[stat->parent].push_back(static_cast<pid_t>(*pid));
  }
  return Descend(top, [&](pid_t pid) {
    const auto found = children.find(pid);
    return found == children.end() ? std::vector<pid_t>() : found->second;
  });
}

}  // namespace

std::vector<pid_t> FindProcessTree(const std::string& root, pid_t top, TreeSearch search) {
  const bool kernel_tells = access(ChildrenFile(root, top).c_str(), F_OK) == 0;
  return search == TreeSearch::kQuick && kernel_tells ? Quick(root, top) : Thorough(root, top);
}

}  // namespace warden::monitor
