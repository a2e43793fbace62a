#ifndef WARDEN_AUTH_CREDENTIALS_FILE_H_
#define WARDEN_AUTH_CREDENTIALS_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/auth/access_key.h"
#include "warden/base/status.h"

namespace warden::auth {

// The key pairs of a file in AWS's shared-credentials format. Profiles without keys and settings
// that we do not know are passed over. kInvalid names the file and the line, never a secret; it is
// also an error if there is no key at all.
Result<std::vector<AccessKey>> ParseCredentials(std::string_view text, const std::string& path);

// kInvalid also if others than its owner may read it; kNotFound, kIo.
Result<std::vector<AccessKey>> ReadCredentials(const std::string& path);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_CREDENTIALS_FILE_H_
