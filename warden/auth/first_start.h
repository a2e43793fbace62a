#ifndef WARDEN_AUTH_FIRST_START_H_
#define WARDEN_AUTH_FIRST_START_H_

// Creates the secrets of a service that has none yet: the credentials file and the bearer token in
// the data folder. Several processes may do so at once: one creates a file, the others use it.

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/secret.h"

namespace warden::auth {

// Returns the token in a file. A missing file is created: 256 random bits, in 64 hexadecimal
// digits. kInvalid: others may read the file, or the token has fewer than 32 characters. kIo:
// cannot be read or created, or the system has no random numbers.
Result<os::Secret> TokenOf(const std::string& path);

// Creates a credentials file with one new key pair in [default]. Ok, and nothing changes, if
// anything is at the path, even a dangling link. kIo: cannot be created.
Status MakeCredentials(const std::string& path);

// Creates a file that only its owner may read (mode 0600): complete, and on disk when this returns;
// a crash leaves no half of it. The path must name its folder, which must exist. kExists: something
// is at the path, and is not touched. kIo: cannot be written.
Status MakePrivateFile(const std::string& path, std::string_view text);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_FIRST_START_H_
