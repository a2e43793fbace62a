#include "warden/auth/audit_log.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/time.h"
#include "warden/os/posix.h"

namespace warden::auth {

void AuditLog::Add(const Identity& identity, const Deed& deed) const {
  const Json line = {{"time", IsoTime(Now())},      {"key", identity.access_key},
                     {"account", identity.account}, {"action", deed.action},
                     {"resource", deed.resource},   {"outcome", deed.outcome}};
  const std::string text = DumpLikePython(line) + "\n";
  const os::UniqueFd file(
      open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.ok() ||
      write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    LogError("cannot write to the audit log {}: {}", path_, std::strerror(errno));
  }
}

}  // namespace warden::auth
