#include "warden/os/control_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "warden/base/strings.h"
#include "warden/os/posix.h"
#include "warden/os/whole_file.h"

namespace warden::os {
namespace {

namespace fs = std::filesystem;

constexpr const char* kControllers[] = {"memory", "pids", "cpu"};
constexpr std::chrono::milliseconds kRemovalPause{10};
constexpr int kRemovals = 500;

std::vector<std::string> WordsIn(const std::string& path, char separator) {
  auto words = SplitTrimmed(ReadWholeFile(path).value_or(""), separator);
  std::erase(words, "");
  return words;
}

bool Has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// 0, or the errno.
int WriteTo(const std::string& path, const std::string& text) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok()) return errno;
  return write(file.get(), text.data(), text.size()) < 0 ? errno : 0;
}

// Where groups of version 2 are mounted; empty if they are not.
std::string MountOfGroups(const std::string& root) {
  for (const std::string& line : WordsIn(root + "/proc/self/mounts", '\n')) {
    const auto fields = SplitTrimmed(line, ' ');
    if (fields.size() > 2 && fields[2] == "cgroup2") return root + fields[1];
  }
  return "";
}

// The group of this process: "/system.slice/warden.service".
std::string NameOfOwnGroup(const std::string& root) {
  for (const std::string& line : WordsIn(root + "/proc/self/cgroup", '\n')) {
    if (line.starts_with("0::/")) return line.substr(3);
  }
  return "";
}

// Whether processes of the group keep its controllers from being enabled. The machine's own group,
// which alone has no type, is not under that rule.
bool IsSharedWithOthers(const std::string& folder) {
  if (!PathExists(folder + "/cgroup.type")) return false;
  const auto members = WordsIn(folder + "/cgroup.procs", '\n');
  const std::string own = std::to_string(getpid());
  return std::any_of(members.begin(), members.end(),
                     [&](const std::string& pid) { return pid != own; });
}

// Those that are there but not enabled.
std::vector<std::string> ToEnable(const GroupSupport& support) {
  std::vector<std::string> names = support.controllers;
  const auto enabled = WordsIn(support.folder + "/cgroup.subtree_control", ' ');
  std::erase_if(names, [&](const std::string& name) { return Has(enabled, name); });
  return names;
}

}  // namespace

std::string GivenGroup(const std::string& root) {
  const std::string mount = MountOfGroups(root);
  std::string own = NameOfOwnGroup(root);
  if (mount.empty() || own.empty()) return "";
  const std::string leaf = std::string("/") + kServiceGroup;
  if (own.ends_with(leaf)) own.resize(own.size() - leaf.size());
  while (own.ends_with('/')) own.pop_back();
  return mount + own;
}

GroupSupport ProbeGroups(const std::string& root) {
  GroupSupport support;
  const std::string folder = GivenGroup(root);
  if (folder.empty()) {
    support.reason = "control groups (cgroup v2) are not mounted";
    return support;
  }
  for (const char* file : {"", "/cgroup.procs", "/cgroup.subtree_control"}) {
    if (access((folder + file).c_str(), W_OK) == 0) continue;
    support.reason = fmt::format("the control group {} is not delegated to this user: {}", folder,
                                 ErrorText(errno));
    return support;
  }
  support.folder = folder;
  const auto there = WordsIn(folder + "/cgroup.controllers", ' ');
  std::vector<std::string> missing;
  for (const char* name : kControllers) {
    (Has(there, name) ? support.controllers : missing).emplace_back(name);
  }
  if (!missing.empty()) {
    support.reason = fmt::format("the control group {} has no controllers for {}", folder,
                                 fmt::join(missing, ", "));
  }
  if (!ToEnable(support).empty() && IsSharedWithOthers(folder)) {
    support.controllers = WordsIn(folder + "/cgroup.subtree_control", ' ');
    support.reason = fmt::format(
        "other processes are in the control group {} too; expected one for this service alone, as "
        "of a systemd unit with Delegate=yes",
        folder);
  }
  return support;
}

GroupSupport SetUpGroups(const std::string& root) {
  GroupSupport support = ProbeGroups(root);
  const auto wanted = ToEnable(support);
  if (support.folder.empty() || wanted.empty()) return support;
  const std::string leaf = support.folder + "/" + kServiceGroup;
  const bool moves = PathExists(support.folder + "/cgroup.type");
  int error = 0;
  if (moves && mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) error = errno;
  if (moves && error == 0) error = WriteTo(leaf + "/cgroup.procs", "0");
  for (const std::string& name : wanted) {
    const int refused =
        error != 0 ? error : WriteTo(support.folder + "/cgroup.subtree_control", "+" + name);
    if (refused == 0) continue;
    std::erase(support.controllers, name);
    support.reason = fmt::format("cannot enable the controller {} in the control group {}: {}",
                                 name, support.folder, ErrorText(refused));
  }
  if (moves && support.controllers.empty()) {
    (void)WriteTo(support.folder + "/cgroup.procs", "0");
    rmdir(leaf.c_str());
  }
  return support;
}

void EndGroup(const std::string& folder) {
  // Older kernels cannot kill a group at once; one that is empty can be removed all the same.
  const bool kills = WriteTo(folder + "/cgroup.kill", "1") == 0;
  for (int look = 0; look < kRemovals && rmdir(folder.c_str()) != 0 && kills && errno != ENOENT;
       ++look) {
    std::this_thread::sleep_for(kRemovalPause);
  }
}

int EndAbandonedGroups(const std::string& given) {
  int ended = 0;
  std::error_code error;
  std::vector<std::string> folders;
  for (fs::directory_iterator at(given, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(kJobGroupPrefix)) folders.push_back(at->path());
  }
  for (const std::string& folder : folders) {
    const UniqueFd opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.ok() || flock(opened.get(), LOCK_EX | LOCK_NB) != 0) continue;
    EndGroup(folder);
    ++ended;
  }
  return ended;
}

}  // namespace warden::os
