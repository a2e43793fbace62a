#include "warden/os/process_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "warden/os/posix.h"
#include "warden/os/process_table.h"

namespace warden::os {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often we look for new ones while we wait.
constexpr milliseconds kLook{50};
// A killed process goes at once, unless a device keeps it.
constexpr milliseconds kDeathTime{10'000};
// More rounds than any tree is deep; a process held still starts no other.
constexpr int kMaxRounds = 1000;

// Us and those above us.
std::set<pid_t> OwnLine() {
  std::set<pid_t> line = {0, 1};
  for (pid_t pid = getpid(); line.insert(pid).second;) {
    const auto process = FindProcess(pid);
    if (!process) break;
    pid = process->parent;
  }
  return line;
}

// One process, held by a handle that cannot come to mean another, where the kernel has those.
class Member {
 public:
  explicit Member(const Process& process)
      : pid_(process.pid),
        start_(process.start),
        handle_(static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0))) {}

  pid_t pid() const { return pid_; }
  uint64_t start() const { return start_; }
  int handle() const { return handle_.get(); }

  bool IsAlive() const {
    const auto process = FindProcess(pid_);
    if (!process || process->start != start_) return false;
    if (!handle_.ok()) return !process->ended;
    // The first thread of a process can end before the others; the handle knows.
    pollfd ended{handle_.get(), POLLIN, 0};
    return poll(&ended, 1, 0) == 0;
  }

  void Send(int signal) const {
    // Between opening the handle and now it could have become another's only before this check.
    if (!IsAlive()) return;
    if (handle_.ok() && syscall(SYS_pidfd_send_signal, handle_.get(), signal, nullptr, 0) == 0)
      return;
    if (!handle_.ok() || errno == ENOSYS) kill(pid_, signal);
  }

 private:
  pid_t pid_;
  uint64_t start_;
  UniqueFd handle_;
};

class Tree {
 public:
  Tree(const Process& root, std::set<pid_t> untouched)
      : root_(root),
        leads_session_(root.session == root.pid),
        leads_group_(root.group == root.pid),
        untouched_(std::move(untouched)) {
    members_.emplace(root.pid, Member(root));
  }

  // Takes in those that belong to it and were not known. True if there were any.
  bool Scan() {
    const std::vector<Process> all = AllProcesses();
    std::unordered_map<pid_t, uint64_t> starts;
    for (const Process& process : all) starts[process.pid] = process.start;
    bool any = false;
    // Children may be listed before their parents.
    for (bool more = true; more;) {
      more = false;
      for (const Process& process : all) {
        if (process.ended || IsKnown(process) || untouched_.contains(process.pid)) continue;
        if (!IsChild(process, starts) && !IsFollower(process, starts)) continue;
        members_.insert_or_assign(process.pid, Member(process));
        more = any = true;
      }
    }
    return any;
  }

  // Holds all still, one after the other, until none is found that runs. From then on the tree does
  // not grow.
  void Freeze() {
    Told told;
    for (int round = 0; round < kMaxRounds; ++round) {
      SendOnce({SIGSTOP}, &told);
      if (!Scan()) return;
    }
  }

  // Asks those that there are now to end. What they start in order to do so in good order, to save
  // their state say, is not asked; it has the same time for it.
  void Ask() {
    Freeze();
    Told told;
    SendOnce({SIGTERM, SIGCONT}, &told);
  }

  // Kills all, also those that turn up. False if some are alive when the time is over.
  bool Kill(Clock::time_point deadline) {
    Freeze();
    Told told;
    do {
      SendOnce({SIGKILL}, &told);
      if (Await(std::min(deadline, Clock::now() + kLook))) return true;
    } while (Clock::now() < deadline);
    return false;
  }

  // Until none is alive; false if some are when the time is over.
  bool Await(Clock::time_point deadline) {
    for (;;) {
      const bool more = Scan();
      if (!more && Alive().empty()) return true;
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      if (left <= milliseconds(0)) return false;
      Sleep(std::min(left, kLook));
    }
  }

  std::vector<pid_t> Alive() const {
    std::vector<pid_t> alive;
    for (const auto& [pid, member] : members_) {
      if (member.IsAlive()) alive.push_back(pid);
    }
    std::sort(alive.begin(), alive.end());
    return alive;
  }

 private:
  // Who has got a signal, by number and start.
  using Told = std::set<std::pair<pid_t, uint64_t>>;

  void SendOnce(std::initializer_list<int> signals, Told* told) const {
    for (const auto& [pid, member] : members_) {
      if (!told->emplace(pid, member.start()).second) continue;
      for (const int signal : signals) member.Send(signal);
    }
  }

  bool IsKnown(const Process& process) const {
    const auto member = members_.find(process.pid);
    return member != members_.end() && member->second.start() == process.start;
  }

  bool IsChild(const Process& process, const std::unordered_map<pid_t, uint64_t>& starts) const {
    const auto parent = members_.find(process.parent);
    if (parent == members_.end() || process.start < parent->second.start()) return false;
    // Unless the number of the parent is another's by now.
    const auto now = starts.find(process.parent);
    return now != starts.end() && now->second == parent->second.start();
  }

  bool IsFollower(const Process& process, const std::unordered_map<pid_t, uint64_t>& starts) const {
    // A number stays reserved while a group or session of it has members; if it is another's now,
    // ours are gone.
    const auto now = starts.find(root_.pid);
    if (now != starts.end() && now->second != root_.start) return false;
    return process.start >= root_.start && ((leads_session_ && process.session == root_.pid) ||
                                            (leads_group_ && process.group == root_.pid));
  }

  // Until one of them ends or the time is over.
  void Sleep(milliseconds time) const {
    std::vector<pollfd> handles;
    for (const auto& [pid, member] : members_) {
      if (member.handle() >= 0 && member.IsAlive()) handles.push_back({member.handle(), POLLIN, 0});
    }
    if (handles.empty()) {
      std::this_thread::sleep_for(time);
    } else {
      poll(handles.data(), handles.size(), static_cast<int>(time.count()));
    }
  }

  const Process root_;
  const bool leads_session_;
  const bool leads_group_;
  const std::set<pid_t> untouched_;
  std::unordered_map<pid_t, Member> members_;
};

}  // namespace

Status StopProcessTree(pid_t root, milliseconds grace) {
  std::set<pid_t> untouched = OwnLine();
  if (root <= 1 || untouched.contains(root)) {
    return Status(Code::kInvalid,
                  fmt::format("cannot stop process {}: it is this process or its parent", root));
  }
  const auto process = FindProcess(root);
  if (!process) return Status();
  Tree tree(*process, std::move(untouched));
  tree.Ask();
  if (tree.Await(Clock::now() + grace)) return Status();
  if (tree.Kill(Clock::now() + kDeathTime)) return Status();
  return Status(Code::kIo, fmt::format("cannot kill process {}", fmt::join(tree.Alive(), ", ")));
}

}  // namespace warden::os
