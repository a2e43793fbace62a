#ifndef WARDEN_AUTH_AUTHENTICATOR_H_
#define WARDEN_AUTH_AUTHENTICATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/base/status.h"
#include "warden/http/message.h"
#include "warden/service/options.h"

namespace warden::auth {

// What a key may be used for.
enum class Scope : uint8_t { kRead = 1, kWrite = 2, kExec = 4 };

// Who sent a request.
struct Identity {
  std::string access_key;  // Or "token".
  std::string account;
  std::string region;  // Of the signature; the service's own where there is none.
  uint8_t scopes = 0;  // Bits of Scope.

  bool May(Scope scope) const { return (scopes & static_cast<uint8_t>(scope)) != 0; }
};

// Why it is not accepted; the codes are the API's: "MissingAuthenticationTokenException",
// "IncompleteSignatureException", "UnrecognizedClientException", "InvalidSignatureException",
// "RequestExpired" ...
struct Refusal {
  std::string code;
  std::string message;
};

using Verdict = std::variant<Identity, Refusal>;

// Checks signatures (version 4) and tokens. Safe for many threads.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // payload_hash: of the whole body, in hexadecimal digits; for S3 what x-amz-content-sha256 says,
  // which whoever takes the body compares with it.
  virtual Verdict Check(const http::RequestHead& head, std::string_view payload_hash) const = 0;
};

// From the credentials file of the options (AWS's format; `warden_scopes = read,write,exec` and
// `warden_account` may be added to a profile) and DATA/token. Both are made, readable by the owner
// alone, where the options name none and they are not there. kInvalid names file and line; a file
// that others may read is refused.
Result<std::unique_ptr<Authenticator>> OpenAuthenticator(const service::ServiceOptions& options);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_AUTHENTICATOR_H_
