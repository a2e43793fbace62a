#ifndef WARDEN_AUTH_AUDIT_LOG_H_
#define WARDEN_AUTH_AUDIT_LOG_H_

// Who did what with the service: one line of JSON for each change, only ever added to.

#include <string>

#include "warden/auth/authenticator.h"

namespace warden::auth {

// Adds lines to a file, readable by its owner alone. Safe for many threads and processes: a line is
// written at once. The file may be moved away at any time (logrotate); the next line starts a new
// one. A line that cannot be written is logged as an error and lost: a full disk stops nobody's
// job.
class AuditLog {
 public:
  explicit AuditLog(std::string path) : path_(std::move(path)) {}

  void Add(const Identity& identity, const Deed& deed) const;

 private:
  const std::string path_;
};

}  // namespace warden::auth

#endif  // WARDEN_AUTH_AUDIT_LOG_H_
