#include "warden/auth/authenticator.h"

#include <utility>

#include "warden/auth/credentials_file.h"
#include "warden/auth/first_start.h"
#include "warden/auth/keyring.h"

namespace warden::auth {

Result<std::unique_ptr<Authenticator>> OpenAuthenticator(const service::ServiceOptions& options) {
  const service::DataLayout layout(options.data);
  std::string path = options.credentials;
  if (path.empty()) {
    path = layout.Credentials();
    if (Status status = MakeCredentials(path); !status.ok()) return status;
  }
  auto keys = ReadCredentials(path);
  if (!keys.ok()) return keys.status();
  auto token = TokenOf(layout.Token());
  if (!token.ok()) return token.status();
  return MakeAuthenticator({.keys = std::move(keys).value(),
                            .token = std::move(token).value(),
                            .account = options.account,
                            .region = options.region});
}

}  // namespace warden::auth
