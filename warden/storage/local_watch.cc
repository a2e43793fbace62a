#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <unordered_map>
#include <unordered_set>

#include "warden/os/posix.h"
#include "warden/storage/contract.h"
#include "warden/storage/local_folder.h"
#include "warden/storage/local_parts.h"

namespace warden::storage {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kFolderEvents =
    IN_ONLYDIR | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF;
// Of a folder in which another is awaited. The files in it, perhaps many, are not of interest.
constexpr uint32_t kAwaitEvents = kFolderEvents & ~IN_CLOSE_WRITE;

// Keys that are kept between two calls of Take. With more, listing is no dearer.
constexpr size_t kMaxPending = 1 << 16;

// On these, inotify tells only of what this machine does.
constexpr std::array<uint32_t, 11> kSharedFileSystems = {
    0x6969,      // NFS
    0x517B,      // SMB
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB2
    0x65735546,  // FUSE
    0x01021997,  // 9P
    0x00C36400,  // Ceph
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS
    0x19830326,  // BeeGFS
    0x5346414F,  // AFS
};

Status CheckNotShared(const std::string& path) {
  struct statfs info;
  if (statfs(path.c_str(), &info) != 0) return Status();
  const auto type = static_cast<uint32_t>(info.f_type);
  if (std::ranges::find(kSharedFileSystems, type) == kSharedFileSystems.end()) return Status();
  return Status(
      Code::kUnavailable,
      fmt::format("cannot watch {}: its file system does not report changes made by other machines",
                  path));
}

bool IsFolder(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

Status Unavailable(const std::string& path, int error) {
  std::string reason = os::ErrorText(error);
  if (error == ENOSPC) reason = "the limit fs.inotify.max_user_watches is reached";
  if (error == EMFILE) reason = "the limit of open files or inotify instances is reached";
  return Status(Code::kUnavailable, fmt::format("cannot watch {}: {}", path, reason));
}

// Watches the folder of the prefix and all folders below it. Where the order of events gets hard to
// follow (some were lost, a folder was moved) it starts again and asks the caller to list.
class LocalWatch final : public Watch {
 public:
  LocalWatch(std::string root, std::string_view prefix)
      : root_(std::move(root)), prefix_(prefix), base_(FolderOf(prefix)) {}

  bool Wait(std::chrono::milliseconds timeout) override;
  Changes Take() override;

  // Watches everything that is there now, in place of what was watched before. All files that are
  // there are told as changes if report is set.
  Status Arm(bool report);

 private:
  // What to do after an event.
  enum class Next { kGoOn, kRearm, kRearmAndList };

  Status AddFolder(const std::string& folder, bool report);
  Status AwaitBase(bool* base_is_there);
  void WatchForMoves();
  void AddNewFolder(const std::string& folder);
  void Drain();
  Next Handle(const inotify_event& event);
  void HandleNamed(const std::string& key, uint32_t mask);
  void Report(std::string key);
  void Rearm(bool list);
  void LoseSight();

  const std::string root_;
  const std::string prefix_;
  const std::string base_;  // The folder of the prefix.
  os::UniqueFd fd_;
  // The folders by watch descriptor. A folder that links lead to has more names than one.
  std::unordered_map<int, std::vector<std::string>> folders_;
  std::string awaited_;  // While the base is missing: the next name on the way to it.
  std::unordered_set<std::string> pending_;
  bool list_again_ = false;
  bool blind_ = false;  // Some folder could not be watched: anything may have changed at any time.
};

Status LocalWatch::Arm(bool report) {
  folders_.clear();
  fd_ = os::UniqueFd(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!fd_.ok()) return Unavailable(root_ + base_, errno);
  for (bool base_is_there = true; base_is_there;) {
    awaited_.clear();
    Status status = AddFolder(base_, report);
    if (status.ok()) {
      WatchForMoves();
      return CheckNotShared(root_ + base_);
    }
    if (status.code() != Code::kNotFound) return status;
    if (status = AwaitBase(&base_is_there); !status.ok()) return status;
  }
  return Status();
}

// Watches the nearest folder above the missing base. The base may have appeared just before that.
Status LocalWatch::AwaitBase(bool* base_is_there) {
  std::string path = root_ + base_;
  while (true) {
    path.pop_back();
    const size_t slash = path.rfind('/');
    awaited_ = path.substr(slash + 1);
    path.resize(slash + 1);
    if (inotify_add_watch(fd_.get(), path.c_str(), kAwaitEvents) >= 0) break;
    if (!os::IsAbsence(errno) || path.size() == 1) return Unavailable(path, errno);
  }
  *base_is_there = IsFolder(path + awaited_);
  return CheckNotShared(path);
}

// A folder that moves takes the base along, and others may make both again in the old place.
void LocalWatch::WatchForMoves() {
  for (size_t end = 0; end < base_.size(); end = base_.find('/', end) + 1) {
    const std::string above = root_ + base_.substr(0, end);
    inotify_add_watch(fd_.get(), above.c_str(), IN_ONLYDIR | IN_MOVE_SELF);
  }
}

// First the watch, then the look: what is made in between is told twice rather than never.
Status LocalWatch::AddFolder(const std::string& folder, bool report) {
  const std::string path = root_ + folder;
  const int watch = inotify_add_watch(fd_.get(), path.c_str(), kFolderEvents);
  if (watch < 0 && os::IsAbsence(errno)) return Status(Code::kNotFound, path);
  if (watch < 0) return Unavailable(path, errno);
  std::vector<std::string>& names = folders_[watch];
  if (std::ranges::find(names, folder) != names.end()) return Status();
  names.push_back(folder);

  Result<std::vector<std::string>> entries = ReadFolder(root_, folder);
  if (!entries.ok()) return entries.status();
  for (const std::string& name : entries.value()) {
    std::string key = folder + name;
    if (!key.ends_with('/')) {
      if (report) Report(std::move(key));
    } else if (key.starts_with(prefix_)) {
      Status status = AddFolder(key, report);
      if (!status.ok() && status.code() != Code::kNotFound) return status;
    }
  }
  return Status();
}

void LocalWatch::AddNewFolder(const std::string& folder) {
  if (!folder.starts_with(prefix_)) return;
  const Status status = AddFolder(folder, true);
  if (!status.ok() && status.code() != Code::kNotFound) LoseSight();
}

void LocalWatch::LoseSight() {
  blind_ = true;
  list_again_ = true;
}

void LocalWatch::Rearm(bool list) {
  list_again_ |= list;
  blind_ = false;
  if (!Arm(/*report=*/!list).ok()) LoseSight();
}

void LocalWatch::Report(std::string key) {
  if (!key.starts_with(prefix_) || list_again_) return;
  pending_.insert(std::move(key));
  if (pending_.size() > kMaxPending) {
    pending_.clear();
    list_again_ = true;
  }
}

void LocalWatch::HandleNamed(const std::string& key, uint32_t mask) {
  if (mask & IN_ISDIR) return AddNewFolder(key + '/');
  if (IsUnfinished(key)) return;
  const std::string path = root_ + key;
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return;
  if (S_ISLNK(info.st_mode) && IsFolder(path)) return AddNewFolder(key + '/');
  // A link is whole when it is made. A plain file is not: its writer closes it later.
  const bool is_link = S_ISLNK(info.st_mode) || info.st_nlink > 1;
  if (is_link || !(mask & IN_CREATE)) Report(key);
}

LocalWatch::Next LocalWatch::Handle(const inotify_event& event) {
  if (event.mask & (IN_Q_OVERFLOW | IN_MOVE_SELF)) return Next::kRearmAndList;
  const std::string_view name = event.len > 0 ? event.name : "";
  if (!awaited_.empty()) {
    const bool on_the_way = name == awaited_ || (event.mask & IN_IGNORED);
    return on_the_way ? Next::kRearm : Next::kGoOn;
  }
  const auto found = folders_.find(event.wd);
  if (found == folders_.end()) return Next::kGoOn;
  const std::vector<std::string> folders = found->second;  // Adding folders moves the original.
  if (event.mask & IN_IGNORED) {
    folders_.erase(found);
    const bool base_is_gone = std::ranges::find(folders, base_) != folders.end();
    return base_is_gone ? Next::kRearmAndList : Next::kGoOn;
  }
  if (name.empty()) return Next::kGoOn;
  for (const std::string& folder : folders) HandleNamed(folder + std::string(name), event.mask);
  return Next::kGoOn;
}

void LocalWatch::Drain() {
  alignas(inotify_event) std::array<char, 16 << 10> buffer;
  while (true) {
    const ssize_t size = read(fd_.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      const Next next = Handle(*event);
      at += static_cast<ssize_t>(sizeof(*event) + event->len);
      if (next == Next::kGoOn) continue;
      Rearm(next == Next::kRearmAndList);
      break;  // The rest is of the watches that are no more.
    }
  }
}

bool LocalWatch::Wait(std::chrono::milliseconds timeout) {
  // More than a year; the limit is there so that the sum does not overflow.
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(9000);
  const auto deadline = Clock::now() + std::min(timeout, kLongest);
  while (true) {
    Drain();
    if (!pending_.empty() || list_again_) return true;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return blind_;
    pollfd poll_fd = {.fd = fd_.get(), .events = POLLIN, .revents = 0};
    poll(&poll_fd, 1, static_cast<int>(std::min<int64_t>(left.count(), 1 << 30)));
  }
}

Watch::Changes LocalWatch::Take() {
  Drain();
  Changes changes;
  changes.list_again = std::exchange(list_again_, false) || blind_;
  changes.keys.assign(pending_.begin(), pending_.end());
  pending_.clear();
  return changes;
}

}  // namespace

Result<std::unique_ptr<Watch>> WatchLocal(std::string root, std::string_view prefix) {
  auto watch = std::make_unique<LocalWatch>(std::move(root), prefix);
  Status status = watch->Arm(/*report=*/false);
  if (!status.ok()) return status;
  return std::unique_ptr<Watch>(std::move(watch));
}

}  // namespace warden::storage
