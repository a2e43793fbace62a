#include "warden/os/box_mounts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "warden/os/open_beneath.h"

#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

namespace warden::os {
namespace {

namespace fs = std::filesystem;

// As little as holds the folders on the way to what is shown.
constexpr char kEmptyFolder[] = "mode=755,size=1m";
// What only root may write in /proc, and a program that runs as root could.
constexpr const char* kKernelSettings[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq",
                                           "/proc/bus", "/proc/fs"};

// As the kernel has it. Older C libraries do not know it.
struct MountAttributes {
  uint64_t set = 0;
  uint64_t clear = 0;
  uint64_t propagation = 0;
  uint64_t user_namespace = 0;
};
constexpr uint64_t kReadOnly = 1;
constexpr unsigned kBelowToo = 0x8000;  // AT_RECURSIVE

// One thing to do at a place. Those above are done before those below.
struct Placed {
  std::string place;
  const Box::Shown* shown = nullptr;  // Null: the place is hidden.
  UniqueFd source;                    // Of what is shown, opened before anything is hidden.
};

Status Mount(const char* source, const std::string& place, const char* type, unsigned long flags,
             const char* data = nullptr) {
  if (mount(source, place.c_str(), type, flags, data) == 0) return Status();
  return IoError("mount", place, errno);
}

Status SetReadOnly(const std::string& place, bool read_only, unsigned flags) {
  MountAttributes attributes;
  (read_only ? attributes.set : attributes.clear) = kReadOnly;
  const long result =
      syscall(SYS_mount_setattr, AT_FDCWD, place.c_str(), flags, &attributes, sizeof(attributes));
  if (result == 0) return Status();
  return IoError(read_only ? "make read-only" : "make writable", place, errno);
}

Result<UniqueFd> OpenSource(const Box::Shown& shown) {
  if (shown.beneath.empty()) {
    UniqueFd source(open(shown.from.c_str(), O_PATH | O_CLOEXEC));
    if (!source.ok()) return IoError("open", shown.from, errno);
    return source;
  }
  const UniqueFd above(open(shown.beneath.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!above.ok()) return IoError("open", shown.beneath, errno);
  return OpenFolderBeneath(above.get(),
                           std::string_view(shown.from).substr(shown.beneath.size() + 1));
}

bool IsInside(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

Result<std::vector<Placed>> InOrder(const Box& box) {
  std::vector<Placed> all;
  for (const Box::Shown& shown : box.shown) {
    if (shown.optional && !PathExists(shown.from)) continue;
    auto source = OpenSource(shown);
    if (!source.ok()) return source.status();
    all.push_back({shown.to, &shown, std::move(source.value())});
  }
  for (const std::string& hidden : box.hidden) all.push_back({hidden, nullptr, UniqueFd()});
  // What is shown at a place that is hidden too is not seen.
  std::sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    if (a.place != b.place) return a.place < b.place;
    if (a.shown != nullptr && b.shown != nullptr) return a.shown < b.shown;
    return a.shown != nullptr && b.shown == nullptr;
  });
  return all;
}

Status Hide(const std::string& place) {
  struct stat info{};
  // One that nobody can reach needs no hiding.
  if (stat(place.c_str(), &info) != 0) return Status();
  if (S_ISDIR(info.st_mode)) {
    return Mount("none", place, "tmpfs", MS_NOSUID | MS_NODEV, kEmptyFolder);
  }
  return Mount("/dev/null", place, nullptr, MS_BIND);
}

// Makes the place, but never in a folder of the machine itself: only in those that are ours.
Status MakePlace(const Placed& placed, const Box& box) {
  if (PathExists(placed.place)) return Status();
  const auto holds = [&](const std::string& folder) {
    return folder != placed.place && IsInside(placed.place, folder);
  };
  const bool ours = std::any_of(box.hidden.begin(), box.hidden.end(), holds) ||
                    std::any_of(box.shown.begin(), box.shown.end(),
                                [&](const Box::Shown& s) { return s.writable && holds(s.to); });
  if (!ours) return IoError("open", placed.place, ENOENT);
  std::error_code error;
  fs::create_directories(fs::path(placed.place).parent_path(), error);
  struct stat info{};
  fstat(placed.source.get(), &info);
  if (S_ISDIR(info.st_mode)) {
    if (mkdir(placed.place.c_str(), 0755) == 0 || errno == EEXIST) return Status();
    return IoError("create", placed.place, errno);
  }
  const UniqueFd file(open(placed.place.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  return file.ok() ? Status() : IoError("create", placed.place, errno);
}

Status Show(const Placed& placed, const Box& box) {
  if (Status status = MakePlace(placed, box); !status.ok()) return status;
  const std::string source = fmt::format("/proc/self/fd/{}", placed.source.get());
  return Mount(source.c_str(), placed.place, nullptr, MS_BIND | MS_REC);
}

// New ones, so that programs of different boxes do not meet there.
Status ReplaceDevices() {
  if (PathExists("/dev/shm")) {
    const Status status = Mount("none", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
    if (!status.ok()) return status;
  }
  if (!PathExists("/dev/pts")) return Status();
  return Mount("none", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
               "newinstance,ptmxmode=0666,mode=0620");
}

}  // namespace

Status ArrangeMounts(const Box& box) {
  // Nothing of what follows reaches the machine, nor the other way round.
  if (Status status = Mount("none", "/", nullptr, MS_REC | MS_PRIVATE); !status.ok()) return status;
  Status status = Mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC);
  if (!status.ok()) return status;
  const auto all = InOrder(box);
  if (!all.ok()) return all.status();
  for (const Placed& placed : all.value()) {
    status = placed.shown == nullptr ? Hide(placed.place) : Show(placed, box);
    if (!status.ok()) return status;
  }
  if (status = SetReadOnly("/", true, kBelowToo); !status.ok()) return status;
  for (const Box::Shown& shown : box.shown) {
    if (!shown.writable) continue;
    if (status = SetReadOnly(shown.to, false, 0); !status.ok()) return status;
  }
  if (status = SetReadOnly("/proc", false, 0); !status.ok()) return status;
  for (const char* settings : kKernelSettings) {
    if (!PathExists(settings)) continue;
    if (status = Mount(settings, settings, nullptr, MS_BIND | MS_REC); !status.ok()) return status;
    if (status = SetReadOnly(settings, true, 0); !status.ok()) return status;
  }
  return ReplaceDevices();
}

}  // namespace warden::os
