#ifndef WARDEN_AUTH_FIRST_START_H_
#define WARDEN_AUTH_FIRST_START_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/secret.h"

namespace warden::auth {

// The token of the file. If there is none it is made: 256 random bits, in hexadecimal digits.
// kInvalid if others may read it, or if it is too short to be safe.
Result<os::Secret> TokenOf(const std::string& path);

// Makes a credentials file with one new key pair in [default], unless there is a file.
Status MakeCredentials(const std::string& path);

// Makes a file that only its owner may read; whole, and on disk when this returns. kExists if there
// is one: of several who make it at once, one does.
Status MakePrivateFile(const std::string& path, std::string_view text);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_FIRST_START_H_
