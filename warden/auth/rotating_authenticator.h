#ifndef WARDEN_AUTH_ROTATING_AUTHENTICATOR_H_
#define WARDEN_AUTH_ROTATING_AUTHENTICATOR_H_

// Keys that are replaced while the service runs.

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/auth/audit_log.h"
#include "warden/auth/authenticator.h"

namespace warden::auth {

// Checks with the keys that the files hold now: when one of the files changes, they are read again.
// Looks at the files at most once a second, when there is a request. Keys that cannot be read (half
// written, or readable by others) are logged, and those that were read before stay. Safe for many
// threads; a request may wait for a file of a few lines to be read.
class RotatingAuthenticator : public Authenticator {
 public:
  // Reads all files. Called again after a change; it may create missing files.
  using Read = std::function<Result<std::unique_ptr<Authenticator>>()>;
  // files: those to look at. audit: the file that Record adds to. Errors are those of `read`.
  static Result<std::unique_ptr<Authenticator>> Open(std::vector<std::string> files, Read read,
                                                     std::string audit);

  Verdict Check(const http::RequestHead& head, std::string_view payload_hash) const override;
  std::optional<Refusal> CheckHead(const http::RequestHead& head) const override;
  Verdict CheckForm(const QueryPairs& fields) const override;
  std::optional<Identity> ViewerWith(std::string_view token) const override;
  std::optional<Identity> ViewerOf(std::string_view id) const override;
  void Record(const Identity& identity, const Deed& deed) const override;

 private:
  RotatingAuthenticator(std::vector<std::string> files, Read read, std::string audit);
  std::shared_ptr<const Authenticator> Current() const;
  std::string Versions() const;  // Changes whenever a file does.

  const std::vector<std::string> files_;
  const Read read_;
  const AuditLog audit_;
  mutable std::mutex mutex_;                                   // Guards the rest.
  mutable std::shared_ptr<const Authenticator> current_;       // Never null after Open.
  mutable std::string versions_;                               // That current_ was read from.
  mutable std::chrono::steady_clock::time_point next_look_{};  // At the files.
};

}  // namespace warden::auth

#endif  // WARDEN_AUTH_ROTATING_AUTHENTICATOR_H_
