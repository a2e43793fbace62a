#include "warden/auth/authenticator.h"

#include <fmt/format.h>

#include <utility>

#include "warden/auth/credentials_file.h"
#include "warden/auth/first_start.h"
#include "warden/auth/keyring.h"
#include "warden/auth/rotating_authenticator.h"
#include "warden/auth/viewers_file.h"

namespace warden::auth {

std::string Identity::WhyNot(Scope scope) const {
  if (scope != Scope::kRead && !read_only.empty()) return read_only;
  return fmt::format("this key has no {} permission", scope == Scope::kRead    ? "read"
                                                      : scope == Scope::kWrite ? "write"
                                                                               : "exec");
}

Result<std::unique_ptr<Authenticator>> OpenAuthenticator(const service::ServiceOptions& options) {
  const service::DataLayout layout(options.data);
  std::string path = options.credentials;
  if (path.empty()) {
    path = layout.Credentials();
    if (Status status = MakeCredentials(path); !status.ok()) return status;
  }
  const auto read = [path, token_path = layout.Token(), account = options.account,
                     viewers_path = layout.Viewers(), region = options.region,
                     read_only = options.read_only]() -> Result<std::unique_ptr<Authenticator>> {
    auto keys = ReadCredentials(path);
    if (!keys.ok()) return keys.status();
    auto token = TokenOf(token_path);
    if (!token.ok()) return token.status();
    auto viewers = ReadViewers(viewers_path);
    if (!viewers.ok()) return viewers.status();
    return MakeAuthenticator({.keys = std::move(keys).value(),
                              .token = std::move(token).value(),
                              .viewers = std::move(viewers).value(),
                              .read_only = read_only,
                              .account = account,
                              .region = region});
  };
  return RotatingAuthenticator::Open({path, layout.Token(), layout.Viewers()}, read,
                                     layout.Audit());
}

}  // namespace warden::auth
