#ifndef WARDEN_AUTH_CREDENTIALS_FILE_H_
#define WARDEN_AUTH_CREDENTIALS_FILE_H_

// Reads the file of access keys that AWS's own tools use too, so that one file serves both sides:
//
//   [default]
//   aws_access_key_id = WARDENABCDEFGHIJKLMN
//   aws_secret_access_key = ...
//   # Optional, and only ours; a comment needs its own line.
//   warden_scopes = read,write
//   warden_account = 123456789012
//   warden_jobs = team-a-,shared-
//   warden_buckets = team-a-

#include <string>
#include <string_view>
#include <vector>

#include "warden/auth/access_key.h"
#include "warden/base/status.h"

namespace warden::auth {

// Returns the key pairs in the order of the file, at least one. Profiles without keys and unknown
// settings are skipped, since other programs have their own; those that begin with warden_ are ours
// and must be known. path is used in messages only.
// kInvalid names the file and the line, never a secret: half a key pair, a repeated profile, key or
// setting, an unknown scope, limits that no name can meet, limits of jobs without limits of buckets
// or the reverse, a value of several lines, or no key at all.
Result<std::vector<AccessKey>> ParseCredentials(std::string_view text, const std::string& path);

// Reads and parses a file. Errors as above; kInvalid also if others than its owner may read it, if
// it is not a regular file or if it is larger than 1 MB; kNotFound, kIo.
Result<std::vector<AccessKey>> ReadCredentials(const std::string& path);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_CREDENTIALS_FILE_H_
