#ifndef WARDEN_STORAGE_S3_CREDENTIAL_ANSWERS_H_
#define WARDEN_STORAGE_S3_CREDENTIAL_ANSWERS_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/storage/s3/credentials.h"

// Reads what the services answer that give credentials. Pure functions, safe for many threads.
// kInvalid, without what may be secret, if an answer has no keys in it.
namespace warden::storage::s3 {

// The JSON of a container's or an instance's role.
Result<Credentials> CredentialsInJson(std::string_view text, std::string source);

// The XML of STS's AssumeRoleWithWebIdentity.
Result<Credentials> CredentialsInXml(std::string_view text, std::string source);

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_CREDENTIAL_ANSWERS_H_
