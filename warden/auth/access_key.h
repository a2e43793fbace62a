#ifndef WARDEN_AUTH_ACCESS_KEY_H_
#define WARDEN_AUTH_ACCESS_KEY_H_

#include <cstdint>
#include <string>

#include "warden/auth/authenticator.h"
#include "warden/os/secret.h"

namespace warden::auth {

constexpr uint8_t kAllScopes = static_cast<uint8_t>(Scope::kRead) |
                               static_cast<uint8_t>(Scope::kWrite) |
                               static_cast<uint8_t>(Scope::kExec);

// A key pair that requests are signed with.
struct AccessKey {
  std::string id;
  os::Secret secret;
  os::Secret session_token;  // Empty: requests must bring none.
  std::string account;       // Empty: the service's.
  // All, unless the file says otherwise: who may create jobs can run any program anyway.
  uint8_t scopes = kAllScopes;
};

}  // namespace warden::auth

#endif  // WARDEN_AUTH_ACCESS_KEY_H_
