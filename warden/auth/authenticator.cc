#include "warden/auth/authenticator.h"

#include <utility>

#include "warden/auth/credentials_file.h"
#include "warden/auth/first_start.h"
#include "warden/auth/keyring.h"
#include "warden/auth/rotating_authenticator.h"

namespace warden::auth {

Result<std::unique_ptr<Authenticator>> OpenAuthenticator(const service::ServiceOptions& options) {
  const service::DataLayout layout(options.data);
  std::string path = options.credentials;
  if (path.empty()) {
    path = layout.Credentials();
    if (Status status = MakeCredentials(path); !status.ok()) return status;
  }
  const auto read = [path, token_path = layout.Token(), account = options.account,
                     region = options.region]() -> Result<std::unique_ptr<Authenticator>> {
    auto keys = ReadCredentials(path);
    if (!keys.ok()) return keys.status();
    auto token = TokenOf(token_path);
    if (!token.ok()) return token.status();
    return MakeAuthenticator({.keys = std::move(keys).value(),
                              .token = std::move(token).value(),
                              .account = account,
                              .region = region});
  };
  return RotatingAuthenticator::Open({path, layout.Token()}, read, layout.Audit());
}

}  // namespace warden::auth
