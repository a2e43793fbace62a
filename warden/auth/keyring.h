#ifndef WARDEN_AUTH_KEYRING_H_
#define WARDEN_AUTH_KEYRING_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "warden/auth/access_key.h"
#include "warden/auth/authenticator.h"
#include "warden/os/secret.h"

namespace warden::auth {

// What an authenticator accepts.
struct Keyring {
  std::vector<AccessKey> keys;
  os::Secret token;     // Empty: none is accepted.
  std::string account;  // Of keys that name none, and of the token.
  std::string region;   // Of the token.
  std::chrono::seconds clock_skew{15 * 60};
  std::function<std::chrono::system_clock::time_point()> now = &std::chrono::system_clock::now;
};

std::unique_ptr<Authenticator> MakeAuthenticator(Keyring keyring);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_KEYRING_H_
