#ifndef WARDEN_AUTH_ACCESS_KEY_H_
#define WARDEN_AUTH_ACCESS_KEY_H_

// A key pair as the credentials file defines it. Between credentials_file.h, which reads keys, and
// keyring.h, which uses them.

#include <cstdint>
#include <string>

#include "warden/auth/authenticator.h"
#include "warden/auth/key_limits.h"
#include "warden/os/secret.h"

namespace warden::auth {

// The scopes of keys that name none, and of the bearer token.
constexpr uint8_t kAllScopes = static_cast<uint8_t>(Scope::kRead) |
                               static_cast<uint8_t>(Scope::kWrite) |
                               static_cast<uint8_t>(Scope::kExec);

// A key pair that requests are signed with. Secrets are held as os::Secret, so that no message or
// log can show them by accident. Checked by credentials_file.h when it is read; those who make one
// themselves keep to the limits below.
struct AccessKey {
  std::string id;            // aws_access_key_id: at most 128 characters, no '/'.
  os::Secret secret;         // aws_secret_access_key; never empty.
  os::Secret session_token;  // Empty: requests must not send one.
  std::string account;       // 12 digits. Empty: the service's.
  // Bits of Scope, at least one. All, unless the file says otherwise: who may create jobs can run
  // any program anyway.
  uint8_t scopes = kAllScopes;
  KeyLimits limits = {};  // Of jobs and buckets both, or of neither.
};

}  // namespace warden::auth

#endif  // WARDEN_AUTH_ACCESS_KEY_H_
