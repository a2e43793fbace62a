#ifndef WARDEN_STORAGE_S3_CREDENTIALS_H_
#define WARDEN_STORAGE_S3_CREDENTIALS_H_

#include <mutex>
#include <optional>
#include <string>

#include "warden/base/status.h"
#include "warden/base/time.h"
#include "warden/storage/s3/profiles.h"

namespace warden::storage::s3 {

// What requests are signed with.
struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;    // Empty for keys that do not expire.
  std::optional<Time> expires;  // When they must be asked for again.
  std::string source;           // "AWS_ACCESS_KEY_ID", "profile x", ...: for messages.
};

// Finds credentials where AWS's own programs look for them, in this order: the variables
// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; a web identity (AWS_WEB_IDENTITY_TOKEN_FILE and
// AWS_ROLE_ARN, or the profile's); the profile's keys; the container's (ECS, EKS); the instance's
// role (EC2, with a session of IMDSv2). Those that expire are asked for again five minutes before.
// Safe for many threads: one asks, the others wait.
class CredentialSource {
 public:
  // region: of the STS that is asked for a web identity.
  CredentialSource(Variables variables, ChosenProfile profile, std::string region)
      : variables_(std::move(variables)),
        profile_(std::move(profile)),
        region_(std::move(region)) {}

  // kInvalid, with the places where it has looked, if there are none, or one of them is not usable;
  // kUnavailable if a service that gives them does not answer.
  Result<Credentials> Get();

  // The server says that they have expired: the next Get asks again.
  void Forget();

 private:
  Result<Credentials> Find() const;
  Result<std::optional<Credentials>> FromProfile() const;
  Result<std::optional<Credentials>> FromWebIdentity() const;
  Result<std::optional<Credentials>> FromContainer() const;
  Result<std::optional<Credentials>> FromInstance() const;

  const Variables variables_;
  const ChosenProfile profile_;
  const std::string region_;
  std::mutex mutex_;
  std::optional<Credentials> known_;
};

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_CREDENTIALS_H_
