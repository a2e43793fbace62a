#ifndef WARDEN_AUTH_KEYRING_H_
#define WARDEN_AUTH_KEYRING_H_

// The authenticator without its files: for those who have keys or a token in hand, such as the
// dashboard of `warden run --open` (a token for one browser) and tests (a clock that stands still).

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "warden/auth/access_key.h"
#include "warden/auth/authenticator.h"
#include "warden/auth/viewers_file.h"
#include "warden/os/secret.h"

namespace warden::auth {

// What an authenticator accepts. Moved into the authenticator: later changes need a new one.
struct Keyring {
  std::vector<AccessKey> keys;  // May be empty: no signature is accepted then.
  os::Secret token;             // The bearer token, with all scopes. Empty: none is accepted.
  std::vector<Viewer> viewers;  // View-only tokens, for the dashboard.
  bool read_only = false;       // Nobody may do more than read.
  std::string account;          // Of keys that name none, and of the token.
  std::string region;           // Of the token.
  // By which the clocks of client and service may differ, either way. A signed URL is valid for the
  // lifetime that it states instead, from when it was signed.
  std::chrono::seconds clock_skew{15 * 60};
  // Called for each signature, by many threads.
  std::function<std::chrono::system_clock::time_point()> now = &std::chrono::system_clock::now;
};

// Returns an authenticator that owns the ring. Cannot fail: what the ring contains is not checked,
// see AccessKey for what is expected. Secrets are compared in a time that does not depend on where
// they differ. An unknown key, a wrong session token and a wrong bearer token get the same answer,
// so that nobody can find out which keys exist.
std::unique_ptr<Authenticator> MakeAuthenticator(Keyring keyring);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_KEYRING_H_
