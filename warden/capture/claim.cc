#include "warden/capture/claim.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/capture/host.h"
#include "warden/format/layout.h"

namespace warden::capture {
namespace {

bool IsAlive(const std::string& claim) {
  const std::vector<std::string> parts = SplitTrimmed(claim, ' ');
  const auto pid = parts.size() == 2 ? ParseInt(parts[0]) : std::nullopt;
  if (!pid || *pid <= 0) return false;
  // Of another machine's processes we know nothing, so we leave them their claim.
  if (parts[1] != HostName()) return true;
  return kill(static_cast<pid_t>(*pid), 0) == 0 || errno != ESRCH;
}

}  // namespace

Status TakeClaim(storage::Store* store) {
  const std::string mine = fmt::format("{} {}", getpid(), HostName());
  Status taken = store->PutIfAbsent(format::kClaim, AsBytes(mine));
  if (taken.code() != Code::kExists) return taken;
  const auto holder = store->ReadAll(format::kClaim);
  const std::string text = holder.ok() ? std::string(AsText(holder.value().bytes)) : "";
  if (IsAlive(text)) {
    return Status(Code::kExists, fmt::format("{} is being written by process {}",
                                             store->Locate(""), text));
  }
  LogWarning("{}: taking over from a process that is gone", store->Locate(format::kClaim));
  if (Status removed = store->Remove(format::kClaim); !removed.ok()) return removed;
  return store->PutIfAbsent(format::kClaim, AsBytes(mine));
}

}  // namespace warden::capture
