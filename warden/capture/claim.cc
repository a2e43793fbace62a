#include "warden/capture/claim.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/capture/host.h"
#include "warden/format/layout.h"
#include "warden/os/process_table.h"

namespace warden::capture {
namespace {

// Empty if there is no such process. With it, a number that was given out again, as in a container
// that starts again, is no mistake.
std::string StartOf(pid_t pid) {
  const auto start = os::StartOfProcess(pid);
  return start ? std::to_string(*start) : "";
}

// What processes that belong together have in common.
std::string JobOfThisProcess() {
  const char* name = std::getenv("TRAINING_JOB_NAME");
  if (name != nullptr && *name != '\0') {
    std::string job = name;
    std::replace(job.begin(), job.end(), ' ', '_');
    return job;
  }
  return fmt::format("child-of-{}-{}", getppid(), StartOf(getppid()));
}

// "<pid> <host> <start> <number> <job>"; the number tells claims of one process apart.
std::string NewText() {
  static std::atomic<int> number = 0;
  return fmt::format("{} {} {} {} {}", getpid(), HostName(), StartOf(getpid()), ++number,
                     JobOfThisProcess());
}

bool IsAlive(const std::string& claim) {
  const std::vector<std::string> parts = SplitTrimmed(claim, ' ');
  const auto pid = parts.size() >= 3 ? ParseInt(parts[0]) : std::nullopt;
  if (!pid || *pid <= 0) return false;
  // Of another machine's processes we know nothing, so we leave them their claim.
  if (parts[1] != HostName()) return true;
  return StartOf(static_cast<pid_t>(*pid)) == parts[2];
}

bool IsOfThisJob(const std::string& claim) {
  const std::vector<std::string> parts = SplitTrimmed(claim, ' ');
  return parts.size() >= 5 && parts[1] == HostName() && parts[4] == JobOfThisProcess();
}

Status HeldBy(const storage::Store& store, std::string_view holder) {
  return Status(Code::kExists,
                fmt::format("{} is being written by process {}", store.Locate(""), holder));
}

}  // namespace

Result<Claim> Claim::Take(storage::Store* store, Respect respect) {
  Claim mine(store, NewText());
  Status taken = store->PutIfAbsent(format::kClaim, AsBytes(mine.text_));
  if (taken.code() == Code::kExists) {
    const auto holder = store->ReadAll(format::kClaim);
    const std::string text = holder.ok() ? std::string(AsText(holder.value().bytes)) : "";
    if (IsAlive(text) || (respect == Respect::kSameJob && IsOfThisJob(text))) {
      return HeldBy(*store, text);
    }
    LogWarning("{}: taking over from a process that no longer exists",
               store->Locate(format::kClaim));
    if (Status removed = store->Remove(format::kClaim); !removed.ok()) return removed;
    taken = store->PutIfAbsent(format::kClaim, AsBytes(mine.text_));
  }
  if (!taken.ok()) return taken;
  return mine;
}

bool Claim::HolderIsGone(const storage::Store& store) {
  const auto holder = store.ReadAll(format::kClaim);
  return holder.ok() && !IsAlive(std::string(AsText(holder.value().bytes)));
}

bool Claim::IsHeld() const {
  const auto holder = store_->ReadAll(format::kClaim);
  return holder.ok() && AsText(holder.value().bytes) == text_;
}

Status Claim::Restore() {
  const Status put = store_->PutIfAbsent(format::kClaim, AsBytes(text_));
  if (put.code() != Code::kExists) return put;
  const auto holder = store_->ReadAll(format::kClaim);
  if (!holder.ok()) return holder.status();
  const std::string_view text = AsText(holder.value().bytes);
  return text == text_ ? Status() : HeldBy(*store_, text);
}

Status Claim::Release() { return IsHeld() ? store_->Remove(format::kClaim) : Status(); }

}  // namespace warden::capture
