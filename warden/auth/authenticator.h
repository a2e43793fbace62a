#ifndef WARDEN_AUTH_AUTHENTICATOR_H_
#define WARDEN_AUTH_AUTHENTICATOR_H_

// Who may use the service: every request to the API, to S3, to `warden exec` and to the dashboard
// of the service is checked by one Authenticator. Made once by the service, used by all its
// handlers:
//
//   auto authenticator = auth::OpenAuthenticator(options);
//   const auth::Verdict verdict = authenticator.value()->Check(head, net::Hex(net::Sha256(body)));
//   if (const auto* refusal = std::get_if<auth::Refusal>(&verdict)) return Denied(*refusal);
//   if (!std::get<auth::Identity>(verdict).May(auth::Scope::kWrite)) return Forbidden();

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/auth/chunk_signature.h"
#include "warden/auth/key_limits.h"
#include "warden/base/status.h"
#include "warden/base/text/uri.h"
#include "warden/http/message.h"
#include "warden/service/options.h"

namespace warden::auth {

// What a key may be used for. The values are bits of Identity::scopes.
enum class Scope : uint8_t { kRead = 1, kWrite = 2, kExec = 4 };

// Who sent a request that was accepted.
struct Identity {
  std::string access_key;  // The ID of the key; "token" for the bearer token.
  std::string account;     // 12 digits.
  std::string region;      // Of the signature; for the token the service's.
  uint8_t scopes = 0;      // Bits of Scope: at least one.
  // Of a request that is signed in its headers, which nobody else could make: its signature. Empty
  // for the token, and for URLs and forms, which are made to be used by others.
  std::string signature = {};
  // Set if the request announces a body in signed chunks.
  std::optional<ChunkSeed> chunks = {};
  KeyLimits limits = {};  // The jobs and buckets that the key is for; the token is for all.
  // Why it may only read, whatever its key says, as a sentence; empty: its key decides.
  std::string read_only = {};

  // Whether the key has this scope. Scopes do not include each other: kWrite alone cannot read.
  bool May(Scope scope) const { return (scopes & static_cast<uint8_t>(scope)) != 0; }
  // For those who may not, the reason as a sentence.
  std::string WhyNot(Scope scope) const;
};

// Why a request is not accepted. The codes are the API's, which clients match on:
// "MissingAuthenticationTokenException" (not signed), "IncompleteSignatureException" (malformed),
// "UnrecognizedClientException" (unknown key or wrong token), "InvalidSignatureException",
// "RequestExpired" (clocks differ), "AccessDenied" (the lifetime of a signed URL is over). No
// secret is part of it.
struct Refusal {
  std::string code;     // As above.
  std::string message;  // For the client, a sentence.
};

// What somebody did with a key, for the audit log.
struct Deed {
  std::string action;    // "sagemaker:StopTrainingJob", "s3:PUT", "exec".
  std::string resource;  // The job or object.
  std::string outcome;   // "ok", "begun" (its end is not known yet) or a code of an error.
};

// Who sent it, or why it is refused.
using Verdict = std::variant<Identity, Refusal>;

// Checks signatures (AWS version 4; of URLs and forms also version 2) and bearer tokens. Safe for
// many threads.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // Checks "Authorization: Bearer TOKEN", an Authorization header with a signature, or a signed
  // URL, in this order. payload_hash: SHA-256 of the whole body in lower-case hexadecimal digits;
  // for S3 what x-amz-content-sha256 says, which whoever takes the body compares with the body.
  // Empty for a signed URL means "UNSIGNED-PAYLOAD". Checks neither scopes nor limits: that is the
  // caller's task (Identity::May, Identity::limits).
  virtual Verdict Check(const http::RequestHead& head, std::string_view payload_hash) const = 0;
  // Why a request is refused whatever its body will be: it has no key, an unknown one, or one that
  // is too old. For those who would otherwise receive the body first, of anybody. Nothing: Check
  // decides.
  virtual std::optional<Refusal> CheckHead(const http::RequestHead&) const { return std::nullopt; }
  // Checks the signature of a form that a browser sends to S3: that its field "policy" was signed
  // with a key. fields: all before the file, with names in lower case. What the policy allows, and
  // until when, is the caller's task.
  virtual Verdict CheckForm(const QueryPairs&) const {
    return Refusal{"AccessDenied", "Forms are not accepted here."};
  }
  // Who has this view-only token (viewers_file.h), or the session that began with it, by its ID:
  // the name and the scope read. Nothing: unknown, revoked or expired. For the dashboard alone;
  // Check refuses these tokens, so that they open neither objects nor the API.
  virtual std::optional<Identity> ViewerWith(std::string_view /*token*/) const {
    return std::nullopt;
  }
  virtual std::optional<Identity> ViewerOf(std::string_view /*id*/) const { return std::nullopt; }
  // Writes down what somebody changed, or tried to (audit_log.h). For everything but reading.
  virtual void Record(const Identity&, const Deed&) const {}
};

// Reads the credentials file of the options (AWS's format; `warden_scopes = read,write,exec`,
// `warden_account`, `warden_jobs` and `warden_buckets` may be added to a profile), DATA/token and
// DATA/viewers.json. If the options say read_only, nobody may do more than read.
// If the options name no credentials file, DATA/credentials is used. Missing files in DATA are
// created with new secrets, readable by the owner alone; the folder must exist. Changes of the
// files count within a second (rotating_authenticator.h).
//
// kInvalid names file and line: malformed, without a key, or readable by others. kNotFound: the
// file that the options name does not exist. kIo: cannot be read or created.
Result<std::unique_ptr<Authenticator>> OpenAuthenticator(const service::ServiceOptions& options);

}  // namespace warden::auth

#endif  // WARDEN_AUTH_AUTHENTICATOR_H_
