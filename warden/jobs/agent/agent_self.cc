// An agent as it sees itself.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/os/blocked_signals.h"
#include "warden/os/posix.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

using std::chrono::milliseconds;

// Of what the agent itself writes; its programs' output goes elsewhere.
constexpr off_t kOutputBytes = 4 << 20;
constexpr milliseconds kOutputLook{1000};
// Others hold the lock for a moment only, or for as long as they work.
constexpr milliseconds kClaimLook{10};
constexpr int kClaimLooks = 1000;

// Empties the output when it has grown too long. It is opened for adding, so what is written
// next comes to the front.
void LimitOutput(const std::string& path) {
  struct stat there{}, ours{};
  if (fstat(STDERR_FILENO, &ours) != 0 || stat(path.c_str(), &there) != 0) return;
  if (os::IsSameFile(there, ours) && ours.st_size > kOutputBytes) {
    (void)!ftruncate(STDERR_FILENO, 0);
  }
}

class Self : public AgentSelf {
 public:
  Self(AgentFolder folder, os::UniqueFd lock, Json spec)
      : folder_(std::move(folder)), lock_(std::move(lock)), spec_(std::move(spec)) {
    const os::BlockedSignals blocked;
    limiter_ = std::jthread([path = folder_.Output()](const std::stop_token& stop) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock held(mutex);
      while (!wake.wait_for(held, stop, kOutputLook, [&] { return stop.stop_requested(); })) {
        LimitOutput(path);
      }
    });
  }

  const Json& spec() const override { return spec_; }

  bool HoldsFolder() const override { return ReadMark(folder_.Claimed()) == mark_; }

  Status Say(const Json& state) override {
    return os::ReplaceFile(folder_.State(), DumpLikePython(state) + "\n", 0600);
  }

 private:
  const AgentFolder folder_;
  const os::UniqueFd lock_;
  const Json spec_;
  const ProcessMark mark_ = MarkOf(getpid());
  std::jthread limiter_;
};

Status Taken(const AgentFolder& folder) {
  return Status(Code::kExists, "another agent is running or has run in " + folder.root);
}

// The lock, once it is clear that nobody has claimed the folder.
Result<os::UniqueFd> LockUnclaimed(const AgentFolder& folder) {
  os::UniqueFd lock(open(folder.Lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.ok()) return os::IoError("open", folder.Lock(), errno);
  for (int look = 0; look < kClaimLooks; ++look) {
    const bool locked = flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
    if (access(folder.Claimed().c_str(), F_OK) == 0) return Taken(folder);
    if (locked) return lock;
    // The other one is about to claim it. To leave before it has would look as if none was there.
    std::this_thread::sleep_for(kClaimLook);
  }
  return Taken(folder);
}

}  // namespace

Result<std::unique_ptr<AgentSelf>> AgentSelf::Claim(const std::string& path) {
  AgentFolder folder(path);
  auto lock = LockUnclaimed(folder);
  if (!lock.ok()) return lock.status();
  const auto text = os::ReadWholeFile(folder.Spec());
  if (!text) return Status(Code::kNotFound, "cannot read " + folder.Spec());
  auto spec = ParseJson(*text);
  if (!spec.ok()) return spec.status().WithContext(folder.Spec());
  if (Status status = WriteMark(folder.Claimed(), MarkOf(getpid())); !status.ok()) return status;
  return std::unique_ptr<AgentSelf>(
      std::make_unique<Self>(std::move(folder), std::move(lock.value()), std::move(spec.value())));
}

}  // namespace warden::jobs
